"""Work in the background of a screen: widgets without a picture, awaitables for workers."""

from collections.abc import Callable, Coroutine, Generator

from textual.widget import Widget


class BackgroundWidget(Widget):
    """Widget that is never drawn: it has timers and workers, and posts messages to its parent."""

    DEFAULT_CSS = "BackgroundWidget { display: none; }"


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
