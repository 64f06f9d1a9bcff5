"""Retry policy: which errors are retried, how often, and how long to wait."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from todo_tui.domain.errors import ProviderError, ProviderErrorKind

_FIRST_WAIT = {ProviderErrorKind.RATE_LIMIT: 2.0, ProviderErrorKind.LOADING: 4.0}
"""Seconds; a model takes its time to load, a rate limit to lift."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """At most `tries` of one model call, at most `waiting` seconds between all of a turn."""

    tries: int = 4
    waiting: float = 60.0
    first_wait: float = 1.0


class RetryBudget:
    """How much waiting a turn has left, whoever is waited for.

    Each of its model calls counts its own tries, and so does a provider that takes
    over. `random` gives numbers from 0 up to 1, so that many clients do not come back
    at the same moment.
    """

    def __init__(self, policy: RetryPolicy, random: Callable[[], float]) -> None:
        self.policy = policy
        self._random = random
        self._left = policy.waiting

    def delay_before(self, next_try: int, error: ProviderError) -> float | None:
        """Seconds to wait before `next_try` (2 is the first retry); None: give up.

        A server that asks for more time than is left is not asked again too early.
        """
        if not error.retryable or next_try > self.policy.tries or self.is_exceeded_by(error):
            return None
        seconds = error.retry_after
        if not seconds or seconds < 0:
            # Also where it names a moment that is over: asked at once, it says the same again.
            first = _FIRST_WAIT.get(error.kind, self.policy.first_wait)
            seconds = first * 2 ** (next_try - 2) * (0.75 + 0.5 * self._random())
        if seconds > self._left:
            return None
        self._left -= seconds
        return seconds

    def is_exceeded_by(self, error: ProviderError) -> bool:
        """Whether the server asks to wait for longer than is left."""
        # What is not a number is no time that could be waited.
        return error.retry_after is not None and not error.retry_after <= self._left


def extend_error(error: ProviderError, words: str) -> ProviderError:
    """The same error with more to say; it is to be raised from the one given."""
    return ProviderError(
        error.kind,
        f"{error.message} {words}",
        hint=error.hint,
        retry_after=error.retry_after,
        detail=error.detail,
        usage=error.usage,
    )
