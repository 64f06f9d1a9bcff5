"""The end that comes from outside: a signal, or a terminal that is closed."""

from __future__ import annotations

import asyncio
import errno
import io
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from textual.driver import Driver

Leave = Callable[[int], object]
"""Ends the app with an exit status."""

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""What a program is sent when the machine goes down, or its terminal is closed."""
_HUNG_UP = 128 + 1
"""The exit status of a program that SIGHUP ended."""
_GONE = frozenset({errno.EIO, errno.EPIPE, errno.ENXIO, errno.EBADF, errno.ENOTTY})
"""How reading or writing fails when nobody is at the other end of the terminal."""


def on_signal_to_end(leave: Leave) -> None:
    """Call `leave` with the exit status when the process is asked to end.

    Whoever asks again ends it at once. A signal that is ignored (`nohup`) stays so.
    """
    loop = asyncio.get_running_loop()
    heeded = [each for each in _ENDING if signal.getsignal(each) is not signal.SIG_IGN]

    def asked(number: int) -> None:
        for each in heeded:
            loop.remove_signal_handler(each)
        leave(128 + number)

    # Windows has no signal handlers in the loop, and threads have none.
    with suppress(NotImplementedError, RuntimeError, ValueError):
        for each in heeded:
            loop.add_signal_handler(each, asked, each)


def outliving_terminal(driver: type[Driver], leave: Leave) -> type[Driver]:
    """Return the driver with a terminal that may go away while the app stores what it has.

    Textual's writer thread ends at the first failed write; its queue of 30 pieces is then
    full within seconds, and whoever draws next waits for ever. Its reader shows a crash.
    """
    if sys.platform == "win32":
        return driver
    from textual.drivers.linux_driver import LinuxDriver

    if not issubclass(driver, LinuxDriver):
        return driver

    class TerminalDriver(driver):  # type: ignore[valid-type, misc]  # a class that is chosen at run time
        _is_watched = False

        def start_application_mode(self) -> None:
            output: IO[str] = self._file
            self._file: IO[str] = cast("IO[str]", _Output(output))
            super().start_application_mode()
            if not self._is_watched:
                self._is_watched = True
                watch = Thread(target=_wait_for_hang_up, args=(self.fileno, leave), daemon=True)
                watch.start()

        def run_input_thread(self) -> None:
            try:
                super().run_input_thread()
            except OSError as error:
                if error.errno not in _GONE:
                    raise

    return TerminalDriver


def _wait_for_hang_up(terminal: int, leave: Leave) -> None:
    """Leave when the terminal is closed: not everybody gets SIGHUP then (`nohup`, `sudo`).

    Reading a closed terminal gives nothing at once, for ever: Textual's reader would take
    a whole processor for it.
    """
    watched = select.poll()
    watched.register(terminal, 0)
    if any(event & (select.POLLHUP | select.POLLERR) for _, event in watched.poll()):
        leave(_HUNG_UP)


class _Output(io.TextIOBase):
    """The terminal as a file to write to; what it no longer takes is dropped."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        try:
            return self._file.write(text)
        except OSError as error:
            if error.errno not in _GONE:
                raise
            return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()
