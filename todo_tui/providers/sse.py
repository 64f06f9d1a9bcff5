"""Server-sent events, parsed as JSON."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing

from todo_tui.domain.foreign_json import flattened

_MAX_STREAM_BYTES = 64_000_000
"""Limit of one answer in bytes, so that an endless stream does not fill the memory."""

_DECODER = json.JSONDecoder(parse_constant=lambda _: None)
"""Decoder that reads NaN and Infinity, which some servers send, as null."""

_END_MARKER = b"[DONE]"
"""End marker of OpenAI's stream, which other formats may send too."""


async def read_events(pieces: AsyncIterator[bytes]) -> AsyncGenerator[object]:
    """Yield the data of each event as a JSON value; a body of bare JSON counts as one.

    Data after the end marker is read and dropped, so that the connection can be reused.

    Raises:
        ValueError: an event holds no JSON, or its end does not come.
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
                for parsed in _parse(event):
                    yield parsed
                event.clear()
    for left in (event, rest):
        for parsed in _parse(left):
            yield parsed


def _parse(lines: list[bytes]) -> Iterator[object]:
    """Parse the joined lines; yield nothing for empty data."""
    data = b"\n".join(lines).strip()
    if data and data != _END_MARKER:
        yield _DECODER.decode(flattened(data.decode("utf-8-sig")))


async def _lines(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the lines of a body without line ends, multi-byte characters intact.

    Only a newline ends one: the SDKs' own readers also cut JSON at U+2028.
    """
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
