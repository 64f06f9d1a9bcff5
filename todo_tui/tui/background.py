"""Awaitables for workers."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Generic, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class LazyCoroutine(Generic[_P, _T]):
    """Awaitable that creates its coroutine on first await.

    A worker that is cancelled before its first step, because another of its exclusive group was
    started, then raises no "never awaited" warning.
    """

    def __init__(
        self,
        begin: Callable[_P, Coroutine[object, object, _T]],
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> None:
        self._begin = begin
        self._args = args
        self._kwargs = kwargs

    def __await__(self) -> Generator[object, object, _T]:
        """Create the coroutine and await it."""
        coroutine = self._begin(*self._args, **self._kwargs)
        return (yield from coroutine.__await__())
