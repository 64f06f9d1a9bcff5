"""Awaitables for workers."""

from collections.abc import Callable, Coroutine, Generator


class LazyCoroutine:
    """Awaitable that creates its coroutine on first await.

    A worker that is cancelled before its first step, because another of its exclusive group was
    started, then raises no "never awaited" warning.
    """

    def __init__(self, begin: Callable[[], Coroutine[object, object, None]]) -> None:
        self._begin = begin

    def __await__(self) -> Generator[object, object, None]:
        """Create the coroutine and await it."""
        return (yield from self._begin().__await__())
