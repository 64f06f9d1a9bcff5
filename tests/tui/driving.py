"""Keys and waits for an app that runs without a terminal.

Pilot's own waits sleep until the process uses no CPU and send a callback through every widget,
several times a key: a third of the CPU and most of the time of a test. Clicks, which are few, are
Pilot's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from textual import events
from textual.app import App
from textual.keys import REPLACED_KEYS, _character_to_key, key_to_character

held_threads: set[int] = set()
"""Threads of the event loop that a test holds; all others are waited for."""

_FRAME_SECONDS = 2 / 60
"""A frame, and as long again in which its timer may be set late."""
_FRAMES_AT_MOST = 60
"""Waited for where one timer follows the other, as in an animation."""
_THREAD_POLL_SECONDS = 0.0005
_THREAD_PATIENCE_SECONDS = 20.0
"""Until a thread that still works is taken for one that waits for a test."""
_CHECKS_IN_A_ROW = 3


async def wait_until_idle(*, drawn: bool = True) -> None:
    """Wait until no callback of the event loop is due and none of its threads works.

    Timers that are set for the next frame are waited for, unless it need not be drawn; for what
    later ones do a test waits with `until`.
    """
    loop: Any = asyncio.get_running_loop()
    checks, frames, start = 0, 0, loop.time()
    while checks < _CHECKS_IN_A_ROW and frames < _FRAMES_AT_MOST:
        executor = loop._default_executor
        idle = executor._idle_semaphore._value if executor else 0
        if executor and len(executor._threads) - idle > len(held_threads):
            if not loop._ready and loop.time() > start + _THREAD_PATIENCE_SECONDS:
                return
            await asyncio.sleep(_THREAD_POLL_SECONDS)
        else:
            await asyncio.sleep(0)
            checks += 1
            if checks == _CHECKS_IN_A_ROW and not loop._ready:
                if not drawn:
                    return
                due = [each.when() for each in loop._scheduled if not each.cancelled()]
                if not due or min(due) > loop.time() + _FRAME_SECONDS:
                    return
                await asyncio.sleep(min(due) - loop.time())
                checks, frames = 0, frames + 1
        if loop._ready:
            checks = 0


async def press_keys(app: App[Any], keys: Iterable[str]) -> None:
    """Press keys by name or character, each when the one before is handled.

    Until it is drawn only what the last one does is waited for, and a screen that opens or closes:
    a frame takes as long as a key.
    """
    names = tuple(keys)
    for at, name in enumerate(names, 1):
        key = _character_to_key(name) if len(name) == 1 else name
        character = key_to_character(key) or key_to_character(REPLACED_KEYS.get(key, key))
        screen = app.screen
        app.post_message(events.Key(key, character))
        await wait_until_idle(drawn=False)
        if at == len(names) or app.screen is not screen:
            await wait_until_idle()


def type_text(app: App[Any], text: str) -> None:
    """Press a key for each character, as fast as a paste; a line end is Enter."""
    for character in text:
        key = "enter" if character == "\n" else _character_to_key(character)
        app.post_message(events.Key(key, "\r" if key == "enter" else character))
