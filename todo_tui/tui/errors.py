"""Notices of errors."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from todo_tui.domain.errors import TodoError

if TYPE_CHECKING:
    from textual.app import App
    from textual.dom import DOMNode

NodeT = TypeVar("NodeT", bound="DOMNode")
P = ParamSpec("P")
CoroutineMethod = Callable[Concatenate[NodeT, P], Coroutine[Any, Any, None]]


def show_error(app: App[Any], error: TodoError) -> None:
    """Show an error with its hint."""
    app.notify(error.text, title="Error", severity="error")


def shows_errors(method: CoroutineMethod[NodeT, P]) -> CoroutineMethod[NodeT, P]:
    """Show a TodoError that ends a coroutine method of a widget, which is run by a worker."""

    @wraps(method)
    async def run(node: NodeT, /, *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            await method(node, *args, **kwargs)
        except TodoError as error:
            show_error(node.app, error)

    return run
