"""The end that comes from outside: a signal, upon which the terminal is to be given back."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress

ENDED = 128 + signal.SIGTERM
"""The exit status of a program that was asked to end."""


def on_signal_to_end(leave: Callable[[], object]) -> None:
    """Call `leave` when the process is asked to end; whoever asks again ends it at once."""
    loop = asyncio.get_running_loop()

    def asked() -> None:
        loop.remove_signal_handler(signal.SIGTERM)
        leave()

    # Windows has no signal handlers in the loop, and threads have none.
    with suppress(NotImplementedError, RuntimeError, ValueError):
        loop.add_signal_handler(signal.SIGTERM, asked)
