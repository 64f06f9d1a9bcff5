"""Optional fields that a server refuses are left out for the rest of the connection."""

from __future__ import annotations

import pytest

from tests.providers.responses_stream import end, words
from tests.providers.wire import WireServer, answered, http, request, sse, wire_server
from tests.providers.wire import words as heard
from tests.rows import each_row
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import Message, Provider, Request, Role, StreamEvent, Text, Thinking
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import provider_row

MODEL = "gpt-6-luna"
ANSWER = sse(words("Hi"), end(), done=False)
UNVERIFIED: JsonValue = {
    "message": "Your organization must be verified to generate reasoning summaries.",
    "type": "invalid_request_error",
    "param": "reasoning.summary",
    "code": "unsupported_value",
}
NO_SEALS: JsonValue = {
    "message": "Encrypted content is not supported with this model.",
    "type": "invalid_request_error",
    "param": "include",
    "code": None,
}
NO_EFFORT: JsonValue = {
    "message": "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    "param": "reasoning.effort",
    "code": "unsupported_parameter",
}
NO_TEMPERATURE: JsonValue = {
    "message": "Unsupported parameter: 'temperature' is not supported with this model.",
    "param": "temperature",
    "code": "unsupported_parameter",
}
OTHER_SEAL: JsonValue = {
    "message": "The encrypted content gAAA could not be verified.",
    "code": "invalid_encrypted_content",
    "param": None,
}
NOT_STORED: JsonValue = {
    "message": "Item with id 'rs_1' not found. Items are not persisted when `store` is set to"
    " false.",
    "param": "input",
    "code": None,
}


def refusal(error: JsonValue, status: str = "400 Bad Request") -> bytes:
    return http({"error": error}, status=status)


def provider(server: WireServer) -> Provider:
    settings = ProviderSettings(
        base_url=server.url,
        key=Secret("sk-test-12345"),
        model=MODEL,
        effort="none",
        temperature=0.5,
    )
    return open_provider(provider_row("openai"), settings)


def thinking(number: int) -> Message:
    meta: dict[str, JsonValue] = {"id": f"rs_{number}", "encrypted_content": f"sealed {number}"}
    return Message(Role.ASSISTANT, (Thinking("", meta), Text("Sure.")), origin=f"openai:{MODEL}")


async def ask(asked: Provider, *history: Message) -> list[StreamEvent]:
    messages = (*request().messages, *history, *request().messages)
    return [each async for each in asked.stream(Request("", messages))]


def thoughts_in(body: dict[str, JsonValue]) -> list[JsonValue]:
    items = body["input"]
    assert isinstance(items, list)
    return [item["id"] for item in items if isinstance(item, dict) and item["type"] == "reasoning"]


@pytest.mark.parametrize(
    ("error", "field"),
    [(NO_SEALS, "include"), (NO_EFFORT, "reasoning"), (NO_TEMPERATURE, "temperature")],
)
async def test_a_field_that_is_refused_is_left_out_from_then_on(
    error: JsonValue, field: str
) -> None:
    async with wire_server(refusal(error), ANSWER) as server:
        asked = provider(server)
        assert heard(await ask(asked)) == "Hi"
        assert heard(await ask(asked)) == "Hi"
        await asked.aclose()
    assert [field in each.body for each in server.received] == [True, False, False]


async def test_summaries_are_done_without_where_the_organisation_is_not_verified() -> None:
    async with wire_server(refusal(UNVERIFIED), ANSWER) as server:
        settings = ProviderSettings(
            base_url=server.url, key=Secret("sk-test-12345"), model=MODEL, effort="low"
        )
        asked = open_provider(provider_row("openai"), settings)
        assert heard(await ask(asked)) == "Hi"
        await asked.aclose()
    reasoning = [each.body["reasoning"] for each in server.received]
    assert reasoning == [{"effort": "low", "summary": "auto"}, {"effort": "low"}]


@each_row("status", ["400 Bad Request", "404 Not Found"])
@each_row("error", [OTHER_SEAL, NOT_STORED])
async def test_thinking_that_the_server_cannot_open_is_left_out_and_newer_is_not(
    error: JsonValue, status: str
) -> None:
    async with wire_server(refusal(error, status), ANSWER) as server:
        asked = provider(server)
        assert heard(await ask(asked, thinking(1))) == "Hi"
        assert heard(await ask(asked, thinking(1), thinking(2))) == "Hi"
        await asked.aclose()
    assert [thoughts_in(each.body) for each in server.received] == [["rs_1"], [], ["rs_2"]]


@each_row("error", [UNVERIFIED, NO_SEALS, NO_EFFORT, OTHER_SEAL, NOT_STORED])
async def test_what_was_not_sent_or_is_refused_still_is_an_error(error: JsonValue) -> None:
    async with wire_server(refusal(error)) as server:
        asked = provider(server)
        with pytest.raises(ProviderError) as caught:
            await ask(asked, thinking(1))
        await asked.aclose()
        assert caught.value.kind is ProviderErrorKind.BAD_REQUEST
        assert len(server.received) <= 3


@each_row(
    "error",
    [
        {"message": "Invalid value.", "param": "input", "code": "invalid_value"},
        {"message": "Too hot.", "param": "temperature", "code": "decimal_above_max_value"},
        {"message": "No.", "param": ["include"], "code": {}},
        "no",
        None,
    ],
)
async def test_any_other_refusal_is_not_asked_again(error: JsonValue) -> None:
    async with wire_server(refusal(error)) as server:
        asked = provider(server)
        with pytest.raises(ProviderError):
            await ask(asked, thinking(1))
        await asked.aclose()
    assert len(server.received) == 1


async def test_an_overloaded_server_is_not_argued_with() -> None:
    with pytest.raises(ProviderError) as caught:
        await answered(refusal(UNVERIFIED, "503 Service Unavailable"), row_id="openai")
    assert caught.value.kind is ProviderErrorKind.OVERLOADED
