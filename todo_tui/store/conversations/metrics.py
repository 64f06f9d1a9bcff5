"""Metrics of a period: latency, outcomes and errors of turns, model calls and tool calls."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from todo_tui.domain.events import AgentStep, StepStatus
from todo_tui.domain.messages import NO_USAGE, TurnStatus, Usage
from todo_tui.domain.metrics import (
    DayMetrics,
    ErrorCount,
    ModelMetrics,
    Spread,
    ToolMetrics,
    TurnMetrics,
    TurnSums,
)
from todo_tui.store.conversations.queries import USAGE_SUMS
from todo_tui.store.conversations.usage import UsageStore
from todo_tui.store.database import Repository
from todo_tui.store.rows import day_begins

UNKNOWN_ERROR = "unknown"
"""Kind of an error that was stored without one."""
_QUALITY = "CASE WHEN t.provider <> 'offline' THEN t.quality_score END"
"""Fact check of a turn, from 0 to 1; quotations of the built-in assistant prove nothing."""
_TURNS = f"""
SELECT t.started_at, t.status, t.latency_ms, t.first_token_ms, t.model_calls,
    t.input_tokens + t.output_tokens, t.cost_usd, t.retries, t.failovers, {_QUALITY}
FROM turns t JOIN conversations c ON c.id = t.conversation_id
WHERE c.user = ? AND t.started_at >= ? AND t.status <> 'running'
"""  # noqa: S608 - constants
_MODELS = f"""
SELECT {USAGE_SUMS}, provider, model, sum(status = 'failed') FROM model_calls
WHERE user = ? AND at >= ? GROUP BY provider, model ORDER BY count(*) DESC, provider, model
"""  # noqa: S608 - constants
_CALLS = """
SELECT provider, model, milliseconds, first_token_ms FROM model_calls
WHERE user = ? AND at >= ? AND status = 'finished'
"""
_CALL_ERRORS = """
SELECT error_kind, count(*) FROM model_calls
WHERE user = ? AND at >= ? AND status = 'failed' GROUP BY 1
"""
_TURN_ERRORS = """
SELECT t.error_kind, count(*) FROM turns t JOIN conversations c ON c.id = t.conversation_id
WHERE c.user = ? AND t.started_at >= ? AND t.status = 'failed' GROUP BY 1
"""
_TOOL_CALLS = f"""
SELECT s.name, s.status, s.milliseconds, CASE WHEN s.status = 'error' AND json_valid(s.result)
    THEN json_extract(s.result, '$.error.type') END
FROM turns t JOIN conversations c ON c.id = t.conversation_id JOIN tool_calls s ON s.turn_id = t.id
WHERE c.user = ? AND t.started_at >= ?
    AND s.name NOT IN (SELECT value FROM json_each('{json.dumps([*AgentStep])}'))
"""  # noqa: S608 - constants


class MetricsStore(Repository):
    """Metrics of one user's turns, of deleted conversations too until they are erased.

    `days` is the length of the period up to today, in days of the clock's zone. Of
    10,000 turns with 20,000 model calls and as many tool calls, the first takes 110 ms, half of
    it in SQL, the second 80 ms.
    """

    def turns(self, days: int) -> TurnMetrics:
        """Return the metrics of turns and model calls; turns still running are left out."""
        zone, values = ZoneInfo(self._db.clock.zone), self._period(days)
        with self._db.file.reading() as database:
            turns = database.execute(_TURNS, values).fetchall()
            models = database.execute(_MODELS, values).fetchall()
            calls = database.execute(_CALLS, values).fetchall()
            failed_calls: dict[str | None, int] = dict(database.execute(_CALL_ERRORS, values))
            failed_turns: dict[str | None, int] = dict(database.execute(_TURN_ERRORS, values))
        by_day: dict[date, list[Sequence[Any]]] = defaultdict(list)
        for turn in turns:
            by_day[datetime.fromisoformat(turn[0]).astimezone(zone).date()].append(turn)
        first = self._first_day(days)
        usage = {each.day: each for each in UsageStore(self._db).days(days) if each.day >= first}
        by_model: dict[tuple[str, str], list[Sequence[Any]]] = defaultdict(list)
        for provider, model, *latencies in calls:
            by_model[provider, model].append(latencies)
        errors = [
            ErrorCount(kind or UNKNOWN_ERROR, failed_calls.get(kind, 0), failed_turns.get(kind, 0))
            for kind in failed_calls | failed_turns
        ]
        return TurnMetrics(
            total=_sum_turns(turns),
            days=tuple(
                DayMetrics(day, _sum_turns(by_day[day]), usage.get(day, NO_USAGE))
                for day in sorted(by_day.keys() | usage.keys(), reverse=True)
            ),
            models=tuple(
                ModelMetrics(
                    Usage(*tokens), cost, unpriced, count, provider, model, failed,
                    *map(Spread.of, _columns(by_model[provider, model], 2)),
                )
                for *tokens, cost, unpriced, count, provider, model, failed in models
            ),
            errors=tuple(sorted(errors, key=lambda each: (-sum(each[1:]), each.kind))),
        )  # fmt: skip

    def tools(self, days: int) -> tuple[ToolMetrics, ...]:
        """Return the metrics of each tool, most calls first."""
        by_name: dict[str, list[Sequence[Any]]] = defaultdict(list)
        for name, *call in self._db.rows(_TOOL_CALLS, *self._period(days)):
            by_name[name].append(call)
        found = []
        for name, calls in by_name.items():
            counts = Counter(StepStatus(status) for status, _, _ in calls)
            errors = Counter(
                error or UNKNOWN_ERROR for status, _, error in calls if status == StepStatus.ERROR
            )
            ran = Spread.of(ms for status, ms, _ in calls if status != StepStatus.INTERRUPTED)
            found.append(ToolMetrics(name, counts, dict(errors.most_common()), ran))
        return tuple(sorted(found, key=lambda each: (-each.calls, each.name)))

    def _period(self, days: int) -> tuple[str, str]:
        """Return the user and the first instant of the period, for the queries."""
        return self._db.user, day_begins(self._first_day(days), ZoneInfo(self._db.clock.zone))

    def _first_day(self, days: int) -> date:
        return self._db.clock.now().date() - timedelta(days=days - 1)


def _sum_turns(turns: Sequence[Sequence[Any]]) -> TurnSums:
    """Sum rows of the query for turns."""
    _, statuses, latencies, first, calls, tokens, costs, retries, failovers, scores = _columns(
        turns, 10
    )
    finished = (
        latency
        for status, latency in zip(statuses, latencies, strict=True)
        if status == TurnStatus.FINISHED
    )
    priced = [cost for cost in costs if cost is not None]
    scored = [score for score in scores if score is not None]
    return TurnSums(
        turns=len(turns),
        by_status=Counter(map(TurnStatus, statuses)),
        latency=Spread.of(finished),
        first_token=Spread.of(first),
        model_calls=sum(calls),
        tokens=sum(tokens),
        cost_usd=math.fsum(priced),
        unpriced=len(turns) - len(priced),
        retries=sum(retries),
        failovers=sum(failovers),
        quality=math.fsum(scored) / len(scored) if scored else None,
    )


def _columns(rows: Sequence[Sequence[Any]], number: int) -> Sequence[Sequence[Any]]:
    return list(zip(*rows, strict=True)) if rows else [()] * number
