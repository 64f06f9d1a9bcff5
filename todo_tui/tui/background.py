"""Work in the background of a screen."""

from collections.abc import Callable, Coroutine
from typing import Any

from textual.dom import DOMNode
from textual.widget import Widget
from textual.worker import Worker


class BackgroundWidget(Widget):
    """Widget that is never drawn: it has timers and workers, and posts messages to its parent."""

    DEFAULT_CSS = "BackgroundWidget { display: none; }"


def run_in_background(
    node: DOMNode,
    function: Callable[[], Coroutine[Any, Any, None]],
    *,
    name: str = "",
    group: str,
    exclusive: bool = False,
    exit_on_error: bool = True,
) -> Worker[None]:
    """Run a coroutine function in a worker of the node.

    It is called by the worker: a coroutine that is made before and whose worker an exit precedes
    is never awaited, of which Python warns in the terminal. Methods of widgets have `@work`.
    """
    worker: Worker[None] = node.run_worker(
        function, name=name, group=group, exclusive=exclusive, exit_on_error=exit_on_error
    )
    return worker
