"""A server on the loopback that receives spans over OTLP/HTTP."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class Collector:
    """Requests that came, and what they are answered with."""

    url: str = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    silent: threading.Event = field(default_factory=threading.Event)
    """Cleared while requests get no answer."""
    bodies: list[bytes] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    answered: int = 0

    def spans(self) -> list[Span]:
        """Return all spans received, in the order in which they started."""
        received = (
            span
            for body in self.bodies
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        )
        return sorted(received, key=lambda span: span.start_time_unix_nano)

    def resource(self) -> dict[str, object]:
        """Return the attributes of the resource of the first request."""
        request = ExportTraceServiceRequest.FromString(self.bodies[0])
        return attributes(request.resource_spans[0].resource.attributes)

    def wait_for(self, number: int, seconds: float = 120.0) -> None:
        """Wait until the spans of that many turns have come; those of a turn end with its own."""
        ends = time.monotonic() + seconds
        while sum(not span.parent_span_id for span in self.spans()) < number:
            assert time.monotonic() < ends, f"{len(self.bodies)} requests came"
            time.sleep(0.01)


def attributes(pairs: Iterable[KeyValue]) -> dict[str, object]:
    """Return attributes as a dict of plain values."""
    found: dict[str, object] = {}
    for pair in pairs:
        kind = pair.value.WhichOneof("value")
        found[pair.key] = getattr(pair.value, kind or "string_value")
    return found


@contextmanager
def collector() -> Iterator[Collector]:
    """Serve on a free port."""
    received = Collector()
    received.silent.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.paths.append(self.path)
            received.bodies.append(body)
            received.silent.wait()
            received.answered += 1
            self.send_response(received.status)
            for name, value in received.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing to standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    received.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield received
    finally:
        received.silent.set()
        server.shutdown()
        thread.join()
        server.server_close()
