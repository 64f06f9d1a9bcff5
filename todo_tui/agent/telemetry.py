"""Telemetry: spans of turns, exported over OTLP/HTTP when an endpoint is configured.

Spans follow OpenTelemetry's semantic conventions for generative AI: one `invoke_agent` per turn,
below it a `chat` per model call and an `execute_tool` per tool call. They carry names, numbers
and kinds of errors, never messages, arguments, results or texts of errors.
"""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Container
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

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
from todo_tui.domain.extras import install_command
from todo_tui.domain.messages import Usage

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

    from todo_tui.store.conversations.records import ModelCall

AGENT_NAME = "todo-tui"
CLOSE_SECONDS = 2.0
"""Time that the end of the program waits for spans to be sent."""
_EXPORT_SECONDS = 5.0
"""Time for one request, retries included."""
_PAUSE_MS = 1_000
"""Time between two exports."""
_OTHER = "_OTHER"
"""The conventions' stand-in for an unknown kind, here for names that a model made up too."""
_PROVIDERS = {"gemini": "gcp.gemini", "gemini-native": "gcp.gemini"}
"""Names in the conventions that differ from our ids."""
_TOOL_ERRORS = ("not_found", "validation_error", "unauthorized", "conflict", "internal_error")
_log = logging.getLogger(__name__)
_Attributes = dict[str, str | int | float | bool]


class _RunningTurn(NamedTuple):
    """Span of a turn that has not ended."""

    span: Span
    conversation_id: str


class Telemetry:
    """Spans of turns, which OpenTelemetry exports in a thread of its own.

    Errors are logged; neither a turn nor, for longer than `CLOSE_SECONDS`, the end of the
    program waits for an export. `/v1/traces` is added to the path of the endpoint.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        """Import OpenTelemetry, which takes 0.3 s."""
        self._provider = _open_provider(endpoint)
        self._tracer = self._provider.get_tracer("todo_tui")
        self._running: dict[str, _RunningTurn] = {}

    def note_event(self, event: TurnEvent, tools: Container[str]) -> None:
        """Take an event of a turn that offers these tools."""
        match event:
            case TurnStarted():
                attributes: _Attributes = {
                    "gen_ai.operation.name": "invoke_agent",
                    "gen_ai.agent.name": AGENT_NAME,
                    "gen_ai.conversation.id": event.conversation_id,
                }
                span = self._start(f"invoke_agent {AGENT_NAME}", attributes)
                self._running[event.turn_id] = _RunningTurn(span, event.conversation_id)
            case ToolFinished() if event.step.status is not StepStatus.INTERRUPTED:
                self._add_tool(event, tools)
            case TurnFinished() | TurnFailed() | TurnCancelled():
                self._end_turn(event)

    def note_call(self, turn_id: str, call: ModelCall, ended: int) -> None:
        """Take a model call that ended at that time, in nanoseconds since the epoch."""
        turn = self._running.get(turn_id)
        if turn is None:
            return
        attributes: _Attributes = {
            "gen_ai.operation.name": "chat",
            **_model_attributes(call.provider, call.model),
            "gen_ai.conversation.id": turn.conversation_id,
            "gen_ai.request.stream": True,
            **_usage_attributes(call.usage),
        }
        if call.first_token_ms is not None:
            attributes["gen_ai.response.time_to_first_chunk"] = call.first_token_ms / 1000
        name = f"chat {call.model}" if call.model else "chat"
        started = ended - _nanoseconds(call.milliseconds)
        span = self._start(name, attributes, turn, started, is_client=True)
        kind = (call.error_kind or _OTHER) if call.status == "failed" else ""
        _end(span, kind, ended)

    def close(self) -> None:
        """Send what is waiting, for `CLOSE_SECONDS` at most."""
        # It may wait for a server much longer.
        closing = threading.Thread(target=self._provider.shutdown, daemon=True)
        closing.start()
        closing.join(CLOSE_SECONDS)
        if closing.is_alive():
            _log.warning("telemetry was not sent in %.0f s", CLOSE_SECONDS)

    def _add_tool(self, event: ToolFinished, tools: Container[str]) -> None:
        step, ended = event.step, time.time_ns()
        turn = self._running.get(event.turn_id)
        if turn is None:
            return
        name = step.name if step.name in tools else _OTHER
        # No call id: models write some of them, and could write anything.
        attributes: _Attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
        }
        started = ended - _nanoseconds(step.milliseconds)
        span = self._start(f"execute_tool {name}", attributes, turn, started)
        kind = _tool_error(step.result) if step.status is StepStatus.ERROR else ""
        _end(span, kind, ended)

    def _end_turn(self, event: TurnEnd) -> None:
        turn = self._running.pop(event.turn_id, None)
        if turn is not None:
            outcome = event.outcome
            turn.span.set_attributes(_model_attributes(outcome.provider, outcome.model))
            turn.span.set_attributes(_usage_attributes(outcome.usage))
            _end(turn.span, event.error.kind if isinstance(event, TurnFailed) else "")

    def _start(
        self,
        name: str,
        attributes: _Attributes,
        turn: _RunningTurn | None = None,
        started: int | None = None,
        *,
        is_client: bool = False,
    ) -> Span:
        """Start a span, below that of a turn; `started` is in nanoseconds since the epoch."""
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind, set_span_in_context

        context = Context() if turn is None else set_span_in_context(turn.span, Context())
        kind = SpanKind.CLIENT if is_client else SpanKind.INTERNAL
        return self._tracer.start_span(name, context, kind, attributes, start_time=started)


def _end(span: Span, error_kind: str, ended: int | None = None) -> None:
    """End a span, as failed if there is a kind of error."""
    from opentelemetry.trace import Status, StatusCode

    if error_kind:
        span.set_attribute("error.type", error_kind)
        span.set_status(Status(StatusCode.ERROR))
    span.end(ended)


def open_telemetry(url: str) -> Telemetry | None:
    """Return the telemetry to that base URL; None, with a line in the log, if it cannot be."""
    try:
        return Telemetry(parse_telemetry_endpoint(url))
    except ConfigError as error:
        _log.warning("no telemetry: %s", error.message)
    except ImportError as error:
        _log.warning("no telemetry: %s; %s", error, install_command("otel"))
    except ValueError as error:  # a variable of OpenTelemetry
        _log.warning("no telemetry: %s", error)
    return None


def parse_telemetry_endpoint(url: str) -> Endpoint:
    """Parse the base URL that spans are sent to.

    Raises:
        ConfigError: It is not an address, or plain http:// to another machine.
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


def _open_provider(endpoint: Endpoint) -> TracerProvider:
    import requests
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    session = requests.Session()
    session.max_redirects = 0
    # A proxy would take what is meant for this machine elsewhere.
    session.trust_env = not endpoint.is_loopback
    exporter = OTLPSpanExporter(
        f"{endpoint.url}/v1/traces", timeout=_EXPORT_SECONDS, session=session
    )
    named = "OTEL_SERVICE_NAME" in os.environ
    resource = Resource.create({} if named else {"service.name": AGENT_NAME})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=_PAUSE_MS))
    return provider


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
