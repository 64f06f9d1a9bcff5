"""Metrics of turns, models and tools in a period."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from todo_tui.domain.events import StepStatus
from todo_tui.domain.messages import TurnStatus, UsageSum

_SHARES = (0.5, 0.9, 0.99)


@dataclass(frozen=True, slots=True)
class Spread:
    """Median, 90th and 99th percentile of milliseconds, each one of the values (nearest rank)."""

    median: float
    p90: float
    p99: float

    @classmethod
    def of(cls, values: Iterable[float | None]) -> "Spread | None":
        """Return the spread of the values that are not None; None if there are none."""
        known = sorted(value for value in values if value is not None)
        if not known:
            return None
        return cls(*(known[math.ceil(share * len(known)) - 1] for share in _SHARES))


@dataclass(frozen=True, slots=True)
class TurnSums:
    """Sums over turns that have ended; `cost_usd` omits the `unpriced` ones."""

    turns: int
    by_status: Mapping[TurnStatus, int]
    latency: Spread | None
    """Of finished turns."""
    first_token: Spread | None
    model_calls: int
    """Retries not counted."""
    tokens: int
    """Input and output."""
    cost_usd: float
    unpriced: int
    retries: int
    failovers: int
    quality: float | None
    """Mean score from 0 to 1; None if no turn has one."""

    @property
    def mean_cost_usd(self) -> float | None:
        """Mean cost of the turns whose price is known; None if there are none."""
        priced = self.turns - self.unpriced
        return self.cost_usd / priced if priced else None


@dataclass(frozen=True, slots=True)
class DayMetrics:
    """Turns that started on a local day, and all model calls of it."""

    day: date
    turns: TurnSums
    usage: UsageSum


@dataclass(frozen=True, slots=True)
class ModelMetrics(UsageSum):
    """Model calls of one model; the latencies are those of finished calls."""

    provider: str
    model: str
    failed: int
    latency: Spread | None
    first_token: Spread | None


class ErrorCount(NamedTuple):
    """Number of failed model calls and failed turns with one kind of error."""

    kind: str
    model_calls: int
    turns: int


@dataclass(frozen=True, slots=True)
class TurnMetrics:
    """Turns of a period; days newest first, models and errors most frequent first."""

    total: TurnSums
    days: tuple[DayMetrics, ...]
    """Only days with turns or model calls."""
    models: tuple[ModelMetrics, ...]
    errors: tuple[ErrorCount, ...]


@dataclass(frozen=True, slots=True)
class ToolMetrics:
    """Calls of one tool; `errors` are counted by the type in the tool response."""

    name: str
    by_status: Mapping[StepStatus, int]
    errors: Mapping[str, int]
    latency: Spread | None
    """Of calls that ran."""

    @property
    def calls(self) -> int:
        """Number of calls."""
        return sum(self.by_status.values())
