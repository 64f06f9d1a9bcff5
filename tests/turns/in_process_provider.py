"""Provider without a socket: real requests, checked, and real streams, read from a script."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field

from tests.wires.encoders import encoder_of
from tests.wires.messages_rules import prefix_digest
from tests.wires.model_messages import ModelMessage
from tests.wires.remotes import Remote
from tests.wires.rules import judge
from tests.wires.stream_parts import encrypted_content_of
from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.domain.messages import Request, StreamEvent
from todo_tui.providers.registry import Wire


@dataclass
class InProcessProvider:
    """Streams what its server would, one message a request; implements `Provider`.

    Each request is rendered as the real one is, and checked against its server's rules.
    """

    remote: Remote
    script: Sequence[ModelMessage]
    breaks_after: int | None = None
    """Events of the last message until the stream fails for good; None: no failure."""
    too_long: int | None = None
    """Index of the request that is refused as too long, once."""
    asked: int = field(default=0, init=False)

    @property
    def id(self) -> str:
        return self.remote.id

    @property
    def model(self) -> str:
        return self.remote.model

    @property
    def local(self) -> bool:
        return not self.remote.row.remote

    async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        wire, server, origin = self.remote.wire_format(), self.remote.server(), self.remote.origin
        body = json.loads(json.dumps(wire.body(request, server, origin)))
        judge(body, self.remote)
        if self.asked == self.too_long:
            self.too_long = None
            raise server.error(ProviderErrorKind.CONTEXT_TOO_LONG)
        said = self.script[min(self.asked, len(self.script) - 1)]
        self.asked += 1
        reader = wire.reader(request, server, origin)
        sealed = encrypted_content_of(origin)
        if self.remote.wire is Wire.MESSAGES:
            sealed = f"{sealed}.{prefix_digest(body, len(body['messages']))}"
        for number, chunk in enumerate(self._chunks(said, sealed)):
            if self.asked >= len(self.script) and number == self.breaks_after:
                raise server.error(ProviderErrorKind.OVERLOADED)
            for event in reader.read(chunk):
                yield event
        for event in reader.finish():
            yield event

    async def aclose(self) -> None:
        """Do nothing."""

    def _chunks(self, said: ModelMessage, sealed: str) -> Iterator[object]:
        for event in encoder_of(self.remote.row)(said, sealed):
            data = event.decode().partition("data: ")[2].strip()
            if data != "[DONE]":
                yield json.loads(data)
