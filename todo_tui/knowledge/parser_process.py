"""The process that parses HTML and PDF: started when needed, killed when slow or cancelled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event, Timer
from typing import IO, NamedTuple

from todo_tui.domain.knowledge.documents import DocumentKind

PARSE_SECONDS = 60.0
"""Longest time that the parsing of one HTML or PDF file may take."""
_ENVIRONMENT = """
    HOME LANG LC_ALL LC_CTYPE LD_LIBRARY_PATH PATH PYTHONHOME PYTHONPATH PYTHONUSERBASE SYSTEMROOT
    TEMP TMPDIR USERPROFILE VIRTUAL_ENV
""".split()
"""Variables with which Python finds its libraries; all that the parser process gets."""


class UnreadableContent(Exception):
    """Content that cannot be read; the message is the end of a sentence about the file."""


class ParsedBlocks(NamedTuple):
    """Answer of the parser: blocks of (level of a heading or 0, text, page)."""

    title: str
    blocks: list[tuple[int, str, int | None]]


class ParserProcess:
    """Runs parser_script.py; each file may take `seconds`."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._is_cancelled = False

    def cancel(self) -> None:
        """Interrupt a `parse` in another thread: it raises KeyboardInterrupt, as for Ctrl+C."""
        self._is_cancelled = True
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def parse(self, kind: DocumentKind, data: bytes) -> ParsedBlocks:
        """Return what the file has.

        Raises:
            UnreadableContent: it is broken, has no text, or takes too long.
        """
        process = self._process = self._process or _start_parser()
        assert process.stdin is not None  # noqa: S101 - both are pipes
        assert process.stdout is not None  # noqa: S101
        is_slow = Event()

        def stop() -> None:
            is_slow.set()
            process.kill()

        timer = Timer(self._seconds, stop)
        # Ctrl+C may come at any place here, and the end of the program waits for no timer.
        timer.daemon = True
        try:
            timer.start()
            answer = _ask(process.stdin, process.stdout, kind, data, self._seconds)
        except BaseException:
            # Interrupted: an answer may be under way that belongs to no later question.
            self.close()
            raise
        finally:
            timer.cancel()
        if not answer or is_slow.is_set():
            self.close()
        if self._is_cancelled:
            raise KeyboardInterrupt
        if not answer:
            is_slow_itself = process.returncode == -getattr(signal, "SIGXCPU", 0) != 0
            slow = f"takes more than {self._seconds:g} seconds to read"
            raise UnreadableContent(slow if is_slow.is_set() or is_slow_itself else "is broken")
        read = json.loads(answer)
        if "problem" in read:
            raise UnreadableContent(read["problem"])
        return ParsedBlocks(read["title"], read["blocks"])


def _start_parser() -> subprocess.Popen[bytes]:
    script = Path(__file__).with_name("parser_script.py")
    # -P: no module of the current folder is imported.
    return subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-P", str(script)],
        # Not the API keys: a hostile file may get hold of the parser.
        env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl+C is for this process, which ends the other
    )


def _ask(
    requests: IO[bytes], answers: IO[bytes], kind: DocumentKind, data: bytes, seconds: float
) -> bytes:
    """Return the answer of the parser process; empty if it ended."""
    request = {"kind": kind.value, "size": len(data), "seconds": seconds}
    try:
        requests.write(json.dumps(request).encode() + b"\n")
        requests.write(data)
        requests.flush()
    except BrokenPipeError:
        return b""
    return answers.readline()
