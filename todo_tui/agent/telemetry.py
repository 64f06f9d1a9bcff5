"""Telemetry: spans of turns, exported over OTLP/HTTP when an endpoint is configured.

Spans follow OpenTelemetry's semantic conventions for generative AI: one `invoke_agent` per turn,
below it a `chat` per model call and an `execute_tool` per tool call. They carry names, numbers
and kinds of errors, never messages, arguments, results or texts of errors.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import threading
import time
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING

from todo_tui.config.endpoint import Endpoint, parse_endpoint
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.events import (
    StepStatus,
    ToolFinished,
    TurnCancelled,
    TurnEnd,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from todo_tui.domain.messages import Usage

if TYPE_CHECKING:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import Tracer

    from todo_tui.store.conversations.records import ModelCall

AGENT_NAME = "todo-tui"
CLOSE_SECONDS = 2.0
"""Time that the end of the program waits for spans to be sent."""
_EXPORT_SECONDS = 5.0
"""Time for one turn's spans, retries included."""
_MOST_WAITING = 100
"""Turns that wait for their export; further ones are dropped."""
_OTHER = "_OTHER"
"""The conventions' stand-in for an unknown kind, here for names that a model made up too."""
_PROVIDERS = {"gemini": "gcp.gemini", "gemini-native": "gcp.gemini"}
"""Names in the conventions that differ from our ids."""
_TOOL_ERRORS = ("not_found", "validation_error", "unauthorized", "conflict", "internal_error")
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Operation:
    """Span to be: times are nanoseconds since the epoch."""

    name: str
    started: int
    ended: int
    attributes: dict[str, str | int | float | bool]
    is_client: bool = False

    def fail(self, kind: str) -> None:
        """Mark it as ended by an error of that kind."""
        self.attributes["error.type"] = kind


@dataclass(slots=True)
class _Trace:
    """Operations of one turn, without the turn itself while it runs."""

    started: int
    conversation_id: str
    parts: list[_Operation] = field(default_factory=list)
    turn: _Operation | None = None


class Telemetry:
    """Collects the spans of turns and exports them in a thread of its own.

    Errors are logged; neither a turn nor, for longer than `CLOSE_SECONDS`, the end of the
    program waits for an export. `/v1/traces` is added to the path of the endpoint.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._running: dict[str, _Trace] = {}
        self._waiting: queue.Queue[_Trace | None] = queue.Queue(_MOST_WAITING)
        self._thread: threading.Thread | None = None

    def note_event(self, event: TurnEvent, tools: Container[str]) -> None:
        """Take an event of a turn that offers these tools."""
        match event:
            case TurnStarted():
                self._running[event.turn_id] = _Trace(time.time_ns(), event.conversation_id)
                # At the start of the turn, so that the imports are over by its end.
                self._start_thread()
            case ToolFinished() if event.step.status is not StepStatus.INTERRUPTED:
                self._add_tool(event, tools)
            case TurnFinished() | TurnFailed() | TurnCancelled():
                self._end(event)

    def note_call(self, turn_id: str, call: ModelCall, ended: int) -> None:
        """Take a model call that ended at that time, in nanoseconds since the epoch."""
        trace = self._running.get(turn_id)
        if trace is None:
            return
        attributes: dict[str, str | int | float | bool] = {
            "gen_ai.operation.name": "chat",
            **_model_attributes(call.provider, call.model),
            "gen_ai.conversation.id": trace.conversation_id,
            "gen_ai.request.stream": True,
            **_usage_attributes(call.usage),
        }
        if call.first_token_ms is not None:
            attributes["gen_ai.response.time_to_first_chunk"] = call.first_token_ms / 1000
        name = f"chat {call.model}" if call.model else "chat"
        started = ended - _nanoseconds(call.milliseconds)
        operation = _Operation(name, started, ended, attributes, is_client=True)
        if call.status == "failed":
            operation.fail(call.error_kind or _OTHER)
        trace.parts.append(operation)

    def close(self) -> None:
        """Send what is waiting, for `CLOSE_SECONDS` at most."""
        if self._thread is None:
            return
        try:
            self._waiting.put_nowait(None)
        except queue.Full:
            _log.warning("telemetry of %d turns was not sent", self._waiting.qsize())
            return
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            _log.warning("telemetry was not sent in %.0f s", CLOSE_SECONDS)

    def _start_thread(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._export_all, name="telemetry", daemon=True)
            self._thread.start()

    def _add_tool(self, event: ToolFinished, tools: Container[str]) -> None:
        step, ended = event.step, time.time_ns()
        trace = self._running.get(event.turn_id)
        if trace is None:
            return
        name = step.name if step.name in tools else _OTHER
        # No call id: models write some of them, and could write anything.
        attributes: dict[str, str | int | float | bool] = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
        }
        started = ended - _nanoseconds(step.milliseconds)
        operation = _Operation(f"execute_tool {name}", started, ended, attributes)
        if step.status is StepStatus.ERROR:
            operation.fail(_tool_error(step.result))
        trace.parts.append(operation)

    def _end(self, event: TurnEnd) -> None:
        trace = self._running.pop(event.turn_id, None)
        if trace is None:
            return
        outcome = event.outcome
        attributes: dict[str, str | int | float | bool] = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": AGENT_NAME,
            **_model_attributes(outcome.provider, outcome.model),
            "gen_ai.conversation.id": trace.conversation_id,
            **_usage_attributes(outcome.usage),
        }
        trace.turn = _Operation(
            f"invoke_agent {AGENT_NAME}", trace.started, time.time_ns(), attributes
        )
        if isinstance(event, TurnFailed):
            trace.turn.fail(event.error.kind)
        try:
            self._waiting.put_nowait(trace)
        except queue.Full:
            _log.warning("telemetry of a turn was dropped: %d are waiting", _MOST_WAITING)

    def _export_all(self) -> None:
        """Export until the end; runs in the thread."""
        try:
            exporter, tracer = _open_exporter(self._endpoint)
        except ImportError as error:
            _log.warning("no telemetry: %s; pip install 'todo-tui[otel]'", error)
            return
        except Exception:
            _log.exception("no telemetry")
            return
        while (trace := self._waiting.get()) is not None:
            try:
                if spans := list(_spans(trace, tracer)):
                    exporter.export(spans)
            except Exception:
                _log.exception("telemetry of a turn was not sent")
        exporter.shutdown()  # type: ignore[no-untyped-call]  # it has no annotations


def open_telemetry(url: str) -> Telemetry | None:
    """Return the telemetry to that base URL; None, with a line in the log, if it is refused."""
    try:
        return Telemetry(parse_telemetry_endpoint(url))
    except ConfigError as error:
        _log.warning("no telemetry: %s", error.message)
        return None


def parse_telemetry_endpoint(url: str) -> Endpoint:
    """Parse the base URL that spans are sent to.

    Raises:
        ConfigError: It is no address, or plain http:// to another machine.
    """
    endpoint = parse_endpoint(url, "The endpoint of telemetry")
    if endpoint.is_readable_in_transit:
        raise ConfigError(f"Plain http:// to {endpoint.address} is refused.", hint="Use https://.")
    return endpoint


def is_telemetry_installed() -> bool:
    """Return True if the packages of the extra `otel` can be found."""
    names = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")
    try:
        return all(find_spec(name) for name in names)
    except ImportError:  # of a package above one of them
        return False


def _open_exporter(endpoint: Endpoint) -> tuple[OTLPSpanExporter, Tracer]:
    """Import OpenTelemetry, 0.3 s, and return what sends and makes spans."""
    import requests
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    session = requests.Session()
    session.max_redirects = 0
    # A proxy would take what is meant for this machine elsewhere.
    session.trust_env = not endpoint.is_loopback
    exporter = OTLPSpanExporter(
        f"{endpoint.url}/v1/traces", timeout=_EXPORT_SECONDS, session=session
    )
    named = "OTEL_SERVICE_NAME" in os.environ
    resource = Resource.create({} if named else {"service.name": AGENT_NAME})
    # Without a processor the provider only makes spans.
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    return exporter, provider.get_tracer("todo_tui")


def _spans(trace: _Trace, tracer: Tracer) -> Iterator[ReadableSpan]:
    """Build the spans of a turn, the turn first; none if the environment disables them."""
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

    assert trace.turn is not None  # noqa: S101  # set before the trace is handed over
    context = Context()
    for operation in (trace.turn, *trace.parts):
        span = tracer.start_span(
            operation.name,
            context,
            SpanKind.CLIENT if operation.is_client else SpanKind.INTERNAL,
            operation.attributes,
            start_time=operation.started,
        )
        if operation is trace.turn:
            context = set_span_in_context(span, context)
        if "error.type" in operation.attributes:
            span.set_status(Status(StatusCode.ERROR))
        span.end(operation.ended)
        if isinstance(span, ReadableSpan):
            yield span


def _model_attributes(provider: str, model: str) -> dict[str, str]:
    named = {"gen_ai.provider.name": _PROVIDERS.get(provider, provider)}
    return named | ({"gen_ai.request.model": model} if model else {})


def _usage_attributes(usage: Usage) -> dict[str, int]:
    counts = {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
    }
    details = {
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
        "gen_ai.usage.cache_creation.input_tokens": usage.cache_written_tokens,
        "gen_ai.usage.reasoning.output_tokens": usage.thinking_tokens,
    }
    return counts | {name: count for name, count in details.items() if count}


def _tool_error(result: str) -> str:
    """Return the type of the error in a tool response, if it is one of ours."""
    try:
        kind = json.loads(result)["error"]["type"]
    except (ValueError, KeyError, TypeError):
        return _OTHER
    return kind if kind in _TOOL_ERRORS else _OTHER


def _nanoseconds(milliseconds: float) -> int:
    return round(milliseconds * 1_000_000)
