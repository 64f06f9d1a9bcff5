"""Spans of turns, as an OTLP server receives them."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from tests.agent.conftest import Harness
from tests.agent.named_providers import NamedProvider, available_fallback, error
from tests.collector import Collector, attributes, collector
from tests.scripted import Pause, answer, call, calls
from todo_tui.agent.telemetry import Telemetry, open_telemetry
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.messages import Usage

PRIVATE = "Zanzibar"


@pytest.fixture
def otlp(harness: Harness) -> Iterator[Collector]:
    """The server that the turns of the harness are exported to."""
    with collector() as received:
        telemetry = open_telemetry(received.url)
        assert telemetry is not None
        harness.changes["telemetry"] = telemetry
        try:
            yield received
        finally:
            received.silent.set()
            telemetry.close()


class Log(logging.Handler):
    """Messages of the program and of the library."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@pytest.fixture
def log() -> Iterator[Log]:
    """The log, also after a command has turned it to a file in this process."""
    handler = Log()
    loggers = [logging.getLogger(name) for name in ("todo_tui", "opentelemetry")]
    for each in loggers:
        each.addHandler(handler)
    yield handler
    for each in loggers:
        each.removeHandler(handler)


def close(harness: Harness, otlp: Collector | None = None, sent: int = 1) -> None:
    """Close the telemetry; with a collector, once that many turns have come to it."""
    if otlp is not None:
        otlp.wait_for(sent)
    telemetry = harness.changes["telemetry"]
    assert isinstance(telemetry, Telemetry)
    telemetry.close()


def names(spans: list[Span]) -> list[str]:
    return [span.name for span in spans]


async def test_a_turn_has_spans_for_model_calls_and_tools(
    harness: Harness, otlp: Collector
) -> None:
    harness.script(
        calls(call("add_task", title="Buy milk"), usage=Usage(1000, 200, 50, 10)),
        [Pause(0.02), *answer("Done.", usage=Usage(1100, 0, 5))],
    )
    before = time.time_ns()
    end = await harness.finished()
    close(harness, otlp)

    turn, first, tool, second = otlp.spans()
    assert {*otlp.paths} == {"/v1/traces"}
    assert otlp.resource()["service.name"] == "todo-tui"
    assert names(otlp.spans()) == [
        "invoke_agent todo-tui",
        "chat script",
        "execute_tool add_task",
        "chat script",
    ]
    assert not turn.parent_span_id
    assert {span.parent_span_id for span in (first, tool, second)} == {turn.span_id}
    assert {span.trace_id for span in otlp.spans()} == {turn.trace_id}
    assert turn.kind == tool.kind == Span.SPAN_KIND_INTERNAL
    assert first.kind == second.kind == Span.SPAN_KIND_CLIENT
    assert attributes(turn.attributes) == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "todo-tui",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "script",
        "gen_ai.conversation.id": end.conversation_id,
        "gen_ai.usage.input_tokens": 2100,
        "gen_ai.usage.output_tokens": 55,
        "gen_ai.usage.cache_read.input_tokens": 200,
        "gen_ai.usage.reasoning.output_tokens": 10,
    }
    chat = attributes(first.attributes)
    first_chunk = chat.pop("gen_ai.response.time_to_first_chunk")
    assert isinstance(first_chunk, float)
    assert chat == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "script",
        "gen_ai.request.stream": True,
        "gen_ai.conversation.id": end.conversation_id,
        "gen_ai.usage.input_tokens": 1000,
        "gen_ai.usage.output_tokens": 50,
        "gen_ai.usage.cache_read.input_tokens": 200,
        "gen_ai.usage.reasoning.output_tokens": 10,
    }
    assert attributes(tool.attributes) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "add_task",
        "gen_ai.tool.type": "function",
    }
    starts = [turn, first, tool, second]
    assert [span.start_time_unix_nano for span in starts] == sorted(
        span.start_time_unix_nano for span in starts
    )
    for span in (first, tool, second):
        assert before <= turn.start_time_unix_nano <= span.start_time_unix_nano
        assert span.start_time_unix_nano <= span.end_time_unix_nano <= turn.end_time_unix_nano
    later = attributes(second.attributes)["gen_ai.response.time_to_first_chunk"]
    assert isinstance(later, float)
    assert 0.02 <= later <= (second.end_time_unix_nano - second.start_time_unix_nano) / 1e9
    assert all(span.status.code == Status.STATUS_CODE_UNSET for span in starts)


async def test_errors_have_their_kind_and_no_words(harness: Harness, otlp: Collector) -> None:
    harness.provider = NamedProvider(
        "gemini",
        calls(call("undo_everything", what=PRIVATE), call("complete_task", task_ids=[99])),
        [error(Kind.AUTH, f"{PRIVATE} is not a key.")],
    )
    await harness.failed()
    close(harness, otlp)
    turn, first, *tools, second = otlp.spans()
    assert "error.type" not in attributes(first.attributes)
    assert attributes(first.attributes)["gen_ai.provider.name"] == "gcp.gemini"
    assert names(tools) == ["execute_tool _OTHER", "execute_tool complete_task"]
    for span, kind in (
        (turn, "auth"),
        (tools[0], "not_found"),
        (tools[1], "not_found"),
        (second, "auth"),
    ):
        assert attributes(span.attributes)["error.type"] == kind
        assert (span.status.code, span.status.message) == (Status.STATUS_CODE_ERROR, "")


async def test_each_try_and_the_provider_that_took_over_have_a_span(
    harness: Harness, otlp: Collector
) -> None:
    harness.provider = NamedProvider("groq", *([[error(Kind.OVERLOADED)]] * 4))
    harness.changes["fallbacks"] = (
        available_fallback(NamedProvider("gemini-native", answer("Hi."))),
    )
    await harness.finished()
    close(harness, otlp)
    turn, *tries = otlp.spans()
    providers = [attributes(span.attributes)["gen_ai.provider.name"] for span in tries]
    assert providers == ["groq"] * 4 + ["gcp.gemini"]
    kinds = [attributes(span.attributes).get("error.type") for span in tries]
    assert kinds == ["overloaded"] * 4 + [None]
    assert attributes(turn.attributes)["gen_ai.provider.name"] == "gcp.gemini"
    assert turn.status.code == Status.STATUS_CODE_UNSET


async def test_no_text_of_messages_tools_or_errors_is_exported(
    harness: Harness, otlp: Collector
) -> None:
    harness.script(
        calls(call("add_task", title=f"Go to {PRIVATE}", notes=PRIVATE)),
        calls(call(PRIVATE, x=1)),
        answer(f"{PRIVATE} it is."),
    )
    await harness.finished(f"add a task about {PRIVATE}")
    harness.script([error(Kind.BAD_REQUEST, f"{PRIVATE} is bad.")])
    await harness.failed(f"what about {PRIVATE}?")
    close(harness, otlp, 2)
    assert all(PRIVATE.encode() not in body for body in otlp.bodies)


async def test_a_server_that_is_silent_delays_neither_turns_nor_the_end_for_long(
    harness: Harness, otlp: Collector, log: Log
) -> None:
    otlp.silent.clear()
    for _ in range(3):
        harness.script(answer("Hi."))
        await harness.finished()
    otlp.wait_for(1)
    close(harness)
    # All of that without an answer of the server.
    assert otlp.answered == 0
    assert "telemetry was not sent" in log.text


@pytest.mark.parametrize("status", [400, 404, 500])
async def test_a_server_that_refuses_is_logged(
    harness: Harness, otlp: Collector, status: int, log: Log
) -> None:
    otlp.status = status
    harness.script(answer("Hi."))
    assert (await harness.finished()).outcome.answer == "Hi."
    close(harness, otlp)
    assert "Failed to export" in log.text


async def test_a_redirect_is_not_followed(harness: Harness, otlp: Collector) -> None:
    with collector() as elsewhere:
        otlp.status, otlp.headers = 307, {"Location": f"{elsewhere.url}/v1/traces"}
        harness.script(answer("Hi."))
        await harness.finished()
        close(harness, otlp)
        assert elsewhere.bodies == []


async def test_a_proxy_gets_nothing_that_is_meant_for_this_machine(
    harness: Harness, otlp: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    with collector() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("http_proxy", proxy.url)
        harness.script(answer("Hi."))
        await harness.finished()
        close(harness, otlp)
        assert proxy.bodies == []


@pytest.mark.parametrize(
    "url", ["http://collector.example:4318", "localhost:4318", "https://a:b@collector.example"]
)
def test_an_address_that_cannot_be_used_is_logged_and_nothing_is_sent(url: str, log: Log) -> None:
    assert open_telemetry(url) is None
    assert "no telemetry" in log.text
    assert "a:b" not in log.text


async def test_the_environment_can_disable_it(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    with collector() as received:
        harness.changes["telemetry"] = open_telemetry(received.url)
        harness.script(answer("Hi."))
        await harness.finished()
        close(harness)
        assert received.bodies == []
