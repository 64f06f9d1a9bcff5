"""Loading what is large in a thread, so that the screen goes on meanwhile."""

from __future__ import annotations

import gc
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from todo_tui.agent.desk import Desk


@contextmanager
def loading() -> Iterator[None]:
    """Import something large without collecting garbage, of which importing makes none.

    A collection in the midst of it stops the whole process, screen included, and looks
    at every object there is; afterwards what was loaded stays out of collections.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.freeze()
            gc.enable()


def load_what_turns_need(desk: Desk) -> None:
    """Load now what the first turn would import while the screen waits for it; blocks.

    Most of it comes with the first desk, which is that of the built-in assistant for
    most people: a switch to another model then waits for nothing but an SDK.
    """
    importlib.import_module("todo_tui.agent.loop")
    for tool in desk.tools:
        # Its schema is built once.
        assert tool.spec  # noqa: S101
