"""Awaitables for workers."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Generic, TypeVar, TypeVarTuple

_Ts = TypeVarTuple("_Ts")
_T = TypeVar("_T")


class LazyCoroutine(Generic[_T, *_Ts]):
    """Awaitable that creates its coroutine on first await.

    A worker that is cancelled before its first step, because another of its exclusive group was
    started, then raises no "never awaited" warning.
    """

    def __init__(self, begin: Callable[[*_Ts], Coroutine[object, object, _T]], *args: *_Ts) -> None:
        self._begin, self._args = begin, args

    def __await__(self) -> Generator[object, object, _T]:
        """Create the coroutine and await it."""
        return (yield from self._begin(*self._args).__await__())
