"""A server of every provider that answers at once: first a tool call, then words.

Run as `python -m tests.benchmarks.instant_server [RECORD]`: prints its port, appends to
the file RECORD a JSON object a line for each request, and ends when its standard input
does. What a path begins with is the id of the provider whose words it speaks:
`/groq/openai/v1/chat/completions`.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from tests.wires.encoders import encoder_of
from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.remotes import Remote, remote
from tests.wires.server import answered
from tests.wires.stream_parts import encrypted_content_of
from todo_tui.providers.registry import Wire

ANSWER = ModelMessage("Done: buy milk is on your list for tomorrow at 17:00.")
ARGUMENTS = '{"title": "buy milk", "details": "tomorrow 5pm"}'

_LIST = b'{"object": "list", "data": [{"id": "instant", "object": "model"}]}'
_MODELS = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
    len(_LIST),
    _LIST,
)


def base_url(root: str, asked: Remote) -> str:
    """Where that provider is on this server; Groq's SDK adds the rest itself."""
    versioned = asked.wire in (Wire.CHAT, Wire.RESPONSES) and asked.id != "groq"
    return f"{root}/{asked.id}" + ("/v1" if versioned else "")


@dataclass
class InstantServer:
    """One that runs in a process of its own."""

    root: str
    record: Path
    _read: int = 0

    def requests(self) -> list[dict[str, Any]]:
        """Those that have come since this was asked last: `provider`, `arrived`, `body`."""
        lines = self.record.read_text("utf-8").splitlines()
        new, self._read = lines[self._read :], len(lines)
        return [json.loads(line) for line in new]


@contextmanager
def instant_server(record: Path) -> Iterator[InstantServer]:
    """Start one, and end it in the end."""
    record.touch()
    command = [sys.executable, "-m", "tests.benchmarks.instant_server", str(record)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield InstantServer(f"http://127.0.0.1:{int(process.stdout.readline())}", record)
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


class _Server:
    def __init__(self, record: BinaryIO | None) -> None:
        self._record = record
        self._answered = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while first := await reader.readexactly(1):
                arrived = time.monotonic()
                head = first + await reader.readuntil(b"\r\n\r\n")
                if head.startswith(b"GET "):
                    writer.write(_MODELS)
                else:
                    body = await reader.readexactly(_body_length(head))
                    writer.write(self._answer(head, body, arrived))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _answer(self, head: bytes, sent: bytes, arrived: float) -> bytes:
        asked = remote(head.split(b"/", 2)[1].decode())
        body = json.loads(sent)
        if self._record is not None:
            line = {"provider": asked.id, "arrived": arrived, "body": body}
            self._record.write(json.dumps(line).encode() + b"\n")
            self._record.flush()
        self._answered += 1
        call = ModelCall("add_task", ARGUMENTS, f"call_{self._answered}")
        said = ANSWER if answered(body) else ModelMessage(calls=(call,))
        stream = b"".join(encoder_of(asked.row)(said, encrypted_content_of(asked.origin)))
        status = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        return f"{status}Content-Length: {len(stream)}\r\n\r\n".encode() + stream


def _body_length(head: bytes) -> int:
    return next(
        int(line.split(b":")[1])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    )


async def _main(record: Path | None) -> None:
    server = await asyncio.start_server(
        _Server(record.open("ab") if record else None).serve, "127.0.0.1", 0
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wait_for_the_end() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    await ended.wait()
    os._exit(0)  # at once, whoever is still connected


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
