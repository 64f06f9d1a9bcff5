"""A chat completions server that answers at once: first a tool call, then words.

Run as `python -m tests.benchmarks.instant_server [RECORD]`: prints its port, appends
the body of each request to the file RECORD, one JSON object a line, and ends when its
standard input does.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from pathlib import Path
from typing import BinaryIO

ARGUMENTS = '{"title": "buy milk", "due": "tomorrow 5pm"}'


_LIST = b'{"object": "list", "data": [{"id": "instant", "object": "model"}]}'
_MODELS = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
    len(_LIST),
    _LIST,
)


def _chunk(delta: dict[str, object], finish: str | None = None) -> bytes:
    chunk = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "instant",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return b"data: " + json.dumps(chunk).encode() + b"\n\n"


def _usage() -> bytes:
    usage = {"prompt_tokens": 1200, "completion_tokens": 30, "total_tokens": 1230}
    chunk = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "instant",
        "choices": [],
        "usage": usage,
    }
    return b"data: " + json.dumps(chunk).encode() + b"\n\ndata: [DONE]\n\n"


def _stream(number: int, *, after_tool: bool) -> bytes:
    if after_tool:
        words = "Done: buy milk is on your list for tomorrow at 17:00.".split(" ")
        deltas: list[dict[str, object]] = [
            {"role": "assistant", "content": ""},
        ]
        deltas += [{"content": f"{word} "} for word in words]
        return b"".join(map(_chunk, deltas)) + _chunk({}, "stop") + _usage()
    function = {"name": "add_task", "arguments": ""}
    call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
    first = _chunk({"role": "assistant", "content": None, "tool_calls": [call]})
    pieces = (ARGUMENTS[:15], ARGUMENTS[15:30], ARGUMENTS[30:])
    rest = [
        _chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}) for piece in pieces
    ]
    return first + b"".join(rest) + _chunk({}, "tool_calls") + _usage()


def _body_length(head: bytes) -> int:
    return next(
        int(line.split(b":")[1])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    )


class _Server:
    def __init__(self, record: BinaryIO | None) -> None:
        self._record = record
        self._answered = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if head.startswith(b"GET "):
                    writer.write(_MODELS)
                else:
                    writer.write(self._answer(await reader.readexactly(_body_length(head))))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _answer(self, body: bytes) -> bytes:
        if self._record is not None:
            self._record.write(body + b"\n")
            self._record.flush()
        self._answered += 1
        after_tool = json.loads(body)["messages"][-1]["role"] == "tool"
        stream = _stream(self._answered, after_tool=after_tool)
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        return f"{head}Content-Length: {len(stream)}\r\n\r\n".encode() + stream


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


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
