"""Model list of a Messages server."""

from __future__ import annotations

from tests.providers.wire import KEY, http, wire_server
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.secret import Secret
from todo_tui.providers.model_list import list_models
from todo_tui.providers.registry import provider_row
from todo_tui.providers.server import servers_of


async def test_its_models_are_listed_with_the_key_and_the_version_it_asks_for() -> None:
    listed = http(
        {
            "data": [
                {"type": "model", "id": "claude-haiku-5-5", "max_input_tokens": 1_000_000},
                {"type": "model", "id": "claude-sonnet-5-5"},
            ],
            "has_more": False,
        }
    )
    async with wire_server(listed) as server:
        settings = ProviderSettings(base_url=f"{server.url}/v1", key=Secret(KEY))
        (found,) = servers_of(provider_row("anthropic"), settings)
        models = await list_models(found)
    (received,) = server.received
    assert received.line == "GET /v1/models?limit=1000 HTTP/1.1"
    assert received.headers["x-api-key"] == KEY
    assert received.headers["anthropic-version"]
    assert [(each.name, each.context_tokens) for each in models] == [
        ("claude-haiku-5-5", 1_000_000),
        ("claude-sonnet-5-5", None),
    ]
