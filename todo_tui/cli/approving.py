"""A yes or no from whoever sits at the shell, before a turn goes on."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from todo_tui.agent.approval import Question
from todo_tui.cli.output import note
from todo_tui.domain.errors import NobodyToAsk
from todo_tui.domain.text import plain_line

PROMPT = "[y/N] "
_YES = ("y", "yes")
_TERMINAL = "/dev/tty"
_LONGEST_ANSWER = 1024


class ShellApprover:
    """Asks on the terminal, if there is one.

    `agrees`: the person has said yes to everything beforehand, which is none to sending
    messages to another host. `make_way` is called before anything is written: what moves
    on the screen has to stop.
    """

    def __init__(self, make_way: Callable[[], None], *, agrees: bool = False) -> None:
        self._make_way = make_way
        self._agrees = agrees

    async def decide(self, question: Question) -> bool:
        """Show what would happen and wait for the answer; all but a yes is no.

        Raises:
            NobodyToAsk: there is no terminal.
        """
        # What happened before is on its way to the screen, and belongs above the question.
        await asyncio.sleep(0)
        self._make_way()
        if self._agrees and not question.host:
            note(f"{question.words} Approved by --yes.")
            return True
        terminal = _terminal()
        if terminal is None:
            # A turn that may send nothing ends in words of its own that say what to do.
            if not question.host:
                note(f"{question.words} Not a terminal: approve with --yes.")
            raise NobodyToAsk
        return await terminal.decide(question)


@dataclass(frozen=True, slots=True)
class _Terminal:
    """Where a person types and reads, as descriptors.

    They stay open: a thread may be reading to the end of the program.
    """

    typed: int
    shown: int

    async def decide(self, question: Question) -> bool:
        """Ask, and wait for a line."""
        self._forget_what_was_typed()
        lines = [question.words, *(f"  {each}" for each in question.details)]
        gap = "\n" if question.details else " "
        self._show("\n".join(map(plain_line, lines)) + gap + PROMPT)
        try:
            line = await self._line()
        except asyncio.CancelledError:
            self._show("\n")
            raise
        if not line.endswith(b"\n"):
            self._show("\n")
        return line.decode("utf-8", "replace").strip().lower() in _YES

    async def _line(self) -> bytes:
        """The next line; what there is of it where the terminal is closed.

        It is read by a thread that nothing waits for: the read of a terminal cannot be
        called off, and Ctrl+C has to end the turn at once.
        """
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[bytes] = loop.create_future()

        def deliver(line: bytes) -> None:
            if not arrived.done():
                arrived.set_result(line)

        def read() -> None:
            line = _read_line(self.typed)
            with suppress(RuntimeError):  # the turn was stopped, and its loop is closed
                loop.call_soon_threadsafe(deliver, line)

        threading.Thread(target=read, daemon=True).start()
        return await arrived

    def _show(self, text: str) -> None:
        sys.stderr.flush()
        with suppress(OSError):
            os.write(self.shown, text.encode(sys.stderr.encoding or "utf-8", "backslashreplace"))

    def _forget_what_was_typed(self) -> None:
        """A key that was pressed before the question is no answer to it."""
        try:
            # Windows has no such module.
            import termios
        except ImportError:
            return
        with suppress(termios.error):
            termios.tcflush(self.typed, termios.TCIFLUSH)


def _terminal() -> _Terminal | None:
    """The terminal of this run, also where the message came through a pipe."""
    typed = sys.stdin.fileno() if sys.stdin.isatty() else None
    shown = sys.stderr.fileno() if sys.stderr.isatty() else None
    if typed is None or shown is None:
        try:
            opened = os.open(_TERMINAL, os.O_RDWR | os.O_NOCTTY)
        except (OSError, AttributeError):  # Windows knows neither
            return None
        typed = opened if typed is None else typed
        shown = opened if shown is None else shown
    return _Terminal(typed, shown)


def _read_line(descriptor: int) -> bytes:
    line = b""
    while not line.endswith(b"\n") and len(line) < _LONGEST_ANSWER:
        try:
            piece = os.read(descriptor, _LONGEST_ANSWER)
        except OSError:
            break
        if not piece:
            break
        line += piece
    return line
