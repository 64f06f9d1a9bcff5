"""Retry policy: number of tries and waiting time; RETRYABLE in domain/errors.py has the kinds."""

from collections.abc import Callable
from dataclasses import dataclass

from todo_tui.config.settings import LimitSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind

_DEFAULTS = LimitSettings()
_FIRST_WAIT = {ProviderErrorKind.RATE_LIMIT: 2.0, ProviderErrorKind.LOADING: 4.0}
"""Seconds before the first retry: loading a model and lifting a rate limit take longer."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """At most `tries` per model call and `waiting` seconds of waiting per turn."""

    tries: int = _DEFAULTS.retries
    waiting: float = _DEFAULTS.retry_seconds
    first_wait: float = 1.0


class RetryBudget:
    """Waiting time left in a turn, for all its providers together.

    Tries are counted per model call and anew after a failover. `random` returns numbers
    from 0 up to 1 for jitter, so that many clients do not retry at the same moment.
    """

    def __init__(self, policy: RetryPolicy, random: Callable[[], float]) -> None:
        self.policy = policy
        self._random = random
        self._left = policy.waiting

    def delay_before(self, next_try: int, error: ProviderError) -> float | None:
        """Return the seconds to wait before `next_try` (2 is the first retry); None: give up.

        A server whose Retry-After exceeds the time left is not asked again too early.
        """
        if not error.retryable or next_try > self.policy.tries or self.is_exceeded_by(error):
            return None
        seconds = error.retry_after
        if not seconds or seconds < 0:
            # A Retry-After in the past too: an immediate retry gets the same error.
            first = _FIRST_WAIT.get(error.kind, self.policy.first_wait)
            seconds = first * 2 ** (next_try - 2) * (0.75 + 0.5 * self._random())
        if seconds > self._left:
            return None
        self._left -= seconds
        return seconds

    def is_exceeded_by(self, error: ProviderError) -> bool:
        """Return True if Retry-After exceeds the waiting time left."""
        # Written with `not` for NaN, which compares as false.
        return error.retry_after is not None and not error.retry_after <= self._left
