"""Server-sent events, parsed as JSON."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING

from todo_tui.domain.foreign_json import flattened

if TYPE_CHECKING:
    import httpx
    import httpx2


_MAX_STREAM_BYTES = 64_000_000
"""Limit of one answer in bytes, so that an endless stream does not fill the memory."""

_DECODER = json.JSONDecoder(parse_constant=lambda _: None)
"""Decoder that reads NaN and Infinity, which some servers send, as null."""

_END_MARKER = b"[DONE]"
"""End marker of OpenAI's stream, which other formats may send too."""


class SseStream:
    """Streamed answer to one request; implements ChunkStream."""

    def __init__(self, response: httpx.Response | httpx2.Response) -> None:
        self._response = response
        # Typed as an iterator by httpx, although it is a generator.
        self._pieces: AsyncGenerator[bytes] = response.aiter_bytes()  # type: ignore[assignment]
        self._values = _values(self._pieces)

    @property
    def response(self) -> httpx.Response | httpx2.Response:
        """HTTP response that carries the stream."""
        return self._response

    def __aiter__(self) -> AsyncIterator[object]:
        """Iterate ended the data of the events as JSON values.

        Raises:
            ValueError: an event holds no JSON, or its end does not come.
        """
        return self._values

    async def close(self) -> None:
        """Close the response and its connection."""
        # In this order no generator is left to be closed by the event loop.
        await self._response.aclose()
        await self._values.aclose()
        await self._pieces.aclose()


async def _values(pieces: AsyncIterator[bytes]) -> AsyncGenerator[object]:
    """Yield the data of each event; a body of bare JSON counts as one.

    Data after the end marker is read and dropped, so that the connection can be reused.
    """
    event: list[bytes] = []
    rest: list[bytes] = []
    ended = False
    async with aclosing(_lines(pieces)) as lines:
        async for line in lines:
            field, _, value = line.removeprefix(BOM_UTF8).partition(b":")
            if ended:
                continue
            if field == b"data":
                event.append(value)
                ended = value.strip() == _END_MARKER
            elif field not in (b"", b"event", b"id", b"retry"):
                rest.append(line)
            elif not line and event:
                for parsed in _read(event):
                    yield parsed
                event.clear()
    for left in (event, rest):
        for parsed in _read(left):
            yield parsed


def _read(lines: list[bytes]) -> Iterator[object]:
    """Parse the joined lines; yield nothing for empty data."""
    data = b"\n".join(lines).strip()
    if data and data != _END_MARKER:
        yield _DECODER.decode(flattened(data.decode("utf-8-sig")))


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the lines of a body without line ends, multi-byte characters intact."""
    partial: list[bytes] = []
    length = 0
    async for piece in pieces:
        length += len(piece)
        if length > _MAX_STREAM_BYTES:
            raise json.JSONDecodeError(f"an answer of more than {_MAX_STREAM_BYTES:,} bytes", "", 0)
        first, *more = piece.split(b"\n")
        partial.append(first)
        for following in more:
            yield b"".join(partial).rstrip(b"\r")
            partial = [following]
    if any(partial):
        yield b"".join(partial)
