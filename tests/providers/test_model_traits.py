"""Request options by model family."""

from __future__ import annotations

from tests.rows import each_row
from todo_tui.config.provider_row import ProviderRow, Wire
from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.providers.registry import PROVIDERS
from todo_tui.providers.traits import server_traits, traits_of
from todo_tui.providers.wire_formats.chat_completions import DIALECTS


@each_row(
    ("model", "wanted", "sent"),
    [
        ("gpt-6-luna", "", ""),
        ("gpt-6-luna", "none", "none"),
        ("gpt-6-luna", "minimal", "low"),
        ("gpt-6-luna", "high", "high"),
        ("gpt-6-astra", "none", "low"),
        ("gpt-6.1-sol", "minimal", "low"),
        ("gpt-6.1-terra", "none", "none"),
        ("gpt-5.6-sol", "none", "none"),
        ("gpt-5.4-pro", "low", "medium"),
        ("gpt-5.2-chat-latest", "high", "medium"),
        ("gpt-5-mini", "none", "minimal"),
        ("gpt-5-pro", "low", "high"),
        ("o3", "minimal", "low"),
        ("gpt-4.1-mini", "high", ""),
        ("gpt-5-chat-latest", "high", ""),
        ("openai/gpt-oss-120b", "none", "low"),
        ("gpt-oss:20b", "high", "high"),
        ("openai/gpt-6-astra", "none", "low"),
        ("ft:gpt-4.1-mini:us::x", "high", ""),
        ("qwen/qwen3.8-27b", "high", "default"),
        ("qwen/qwen3.8-27b", "none", "none"),
        ("anybody's", "high", ""),
    ],
)
def test_an_effort_that_a_model_does_not_know_becomes_the_nearest_that_it_does(
    model: str, wanted: str, sent: str
) -> None:
    assert traits_of(model).effort(wanted) == sent


@each_row(
    ("model", "effort", "takes"),
    [
        ("gpt-6-luna", "", False),
        ("gpt-6-luna", "none", True),
        ("gpt-6-luna", "low", False),
        ("gpt-5.4", "", True),
        ("gpt-5.4", "high", False),
        ("o4-mini", "", False),
        ("gpt-4o", "", True),
        ("gpt-5-chat-latest", "", True),
        ("openai/gpt-oss-20b", "high", True),
        ("anybody's", "", True),
    ],
)
def test_models_of_openai_take_a_temperature_only_while_they_do_not_think(
    model: str, effort: str, *, takes: bool
) -> None:
    assert traits_of(model).takes_temperature(effort) is takes


@each_row("row", PROVIDERS)
def test_a_row_of_the_chat_protocol_says_what_its_server_is(row: ProviderRow) -> None:
    # Without one it would be sent the fields of a local server.
    assert row.wire is not Wire.CHAT or row.id in DIALECTS


def test_only_a_chat_server_of_the_users_own_gets_the_hint_of_llama_server() -> None:
    hints = {
        (wire, custom): ProviderErrorKind.TOOLS_UNSUPPORTED
        in server_traits(ProviderRow("acme", "Acme", wire, custom=custom)).hints
        for wire in (Wire.CHAT, Wire.RESPONSES, Wire.MESSAGES)
        for custom in (False, True)
    }
    assert [case for case, has_hint in hints.items() if has_hint] == [(Wire.CHAT, True)]
