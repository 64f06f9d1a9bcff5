"""What is done about a model call that failed: a shorter past, patience, somebody else."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence

from todo_tui.agent.cast import Absence, origin_of
from todo_tui.agent.retry import with_words
from todo_tui.agent.shortening import shorten
from todo_tui.agent.turn import Turn
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.events import Retrying, StepStatus, TakenOver, TraceStep
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.tools.response import ToolResponse

TAKE_OVER = "take_over"

_NOT_SHOPPED = frozenset({ProviderErrorKind.REFUSED})
"""Kinds that nobody else is asked about: who was refused is not to look for a yes elsewhere."""

_FIRST = 1


async def recover(turn: Turn, attempt: int, error: ProviderError) -> int:
    """Do what may help after the `attempt` has failed; the number of the one to make next.

    A past that does not fit is shortened; what may pass is waited for; else the next
    understudy takes over. Who takes over begins at 1, and so does a request that was
    surely too long.

    Raises:
        ProviderError: nothing may help.
        TurnStopped: the person stopped the turn.
    """
    turn.handle.check()
    if error.kind is ProviderErrorKind.CONTEXT_TOO_LONG:
        if await shorten(turn, error):
            return _FIRST
    elif _may_be_too_long(turn, error, attempt) and await shorten(turn, error):
        return attempt + 1
    seconds = turn.patience.wait_before(attempt + 1, error)
    if seconds is not None:
        tries = turn.patience.policy.tries
        turn.emit(Retrying(turn.id, error.kind, error.message, seconds, attempt + 1, tries))
        with turn.handle.interruptible():
            await turn.desk.sleep(seconds)
        return attempt + 1
    absent: Sequence[Absence] = ()
    if error.kind not in _NOT_SHOPPED:
        if await _taken_over(turn, error):
            return _FIRST
        absent = turn.cast.absent
    words = _last_words(turn, error, absent)
    if not words:
        raise error
    raise with_words(error, words) from error


def _may_be_too_long(turn: Turn, error: ProviderError, attempt: int) -> bool:
    """Whether a shorter request may help; one failure that may mean much else is no proof."""
    return error.may_be_too_long and attempt > _FIRST and bool(turn.dialogue.older)


async def _taken_over(turn: Turn, error: ProviderError) -> bool:
    """Let an understudy go on with the turn; False where there is none."""
    before, began = turn.cast.provider, time.perf_counter()
    with turn.handle.interruptible():
        understudy = await turn.cast.replace()
    if understudy is None:
        return False
    provider = turn.cast.provider
    await asyncio.to_thread(turn.dialogue.hand_over, origin_of(provider))
    turn.speech.hand_over()
    passed_over: list[JsonValue] = [
        {"provider": each.label, "reason": each.reason} for each in turn.cast.absent
    ]
    data: dict[str, JsonValue] = {"kind": error.kind.value, "reason": error.message}
    step = TraceStep(
        call_id=turn.fresh_id(),
        name=TAKE_OVER,
        # Of one provider it is the other model that people know.
        summary=_summary(
            turn, error, provider.model if provider.id == before.id else understudy.label
        ),
        arguments=json.dumps(
            {"from": origin_of(before), "to": origin_of(provider)}, ensure_ascii=False
        ),
        result=ToolResponse({**data, "passed_over": passed_over} if passed_over else data).text(),
        status=StepStatus.SUCCESS,
        milliseconds=(time.perf_counter() - began) * 1000,
    )
    turn.note([step])
    turn.emit(TakenOver(turn.id, step, provider.id, provider.model))
    return True


def _summary(turn: Turn, error: ProviderError, label: str) -> str:
    """`Groq is over its rate limit: Gemini goes on`, with those that were passed over."""
    cause = error.message.partition(": ")[0].rstrip(".")
    facts = [*map(str, turn.cast.absent), f"{label} goes on"]
    return plain_line(f"{cause}: {', '.join(facts)}")


def _last_words(turn: Turn, error: ProviderError, absent: Sequence[Absence]) -> str:
    """What is to be said when nothing helped: why nobody waits, and who could not take over."""
    sentences = []
    if error.retry_after is not None and turn.patience.is_overtaxed_by(error):
        asked = f"{error.retry_after:,.0f} s"
        if asked not in error.message:
            sentences.append(f"It asks to wait {asked}.")
        sentences.append("That is longer than this turn will wait.")
    sentences += [f"{each.label} could not take over: {each.reason}" for each in absent]
    return " ".join(sentences)
