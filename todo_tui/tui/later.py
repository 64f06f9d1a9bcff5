"""Work for a worker that leaves nothing behind when it is called off before it began."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from typing import Generic, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Later(Generic[_P, _T]):
    """Makes its coroutine when it is awaited.

    A coroutine that is made at once and never awaited, since another worker of its
    group took its place in the same moment, would complain when it is thrown away.
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
        """Begin, and wait for the end."""
        coroutine = self._begin(*self._args, **self._kwargs)
        return (yield from coroutine.__await__())
