"""Consent by host: without it neither text nor key is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.providers.wire import collect, completed, http, request, saying, wire_server
from tests.rows import each_row
from tests.wires.remotes import KEY, REMOTES, Remote
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ConsentNeeded
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.factory import open_provider
from todo_tui.providers.model_list import fetch_models
from todo_tui.providers.readiness import Readiness, check_readiness
from todo_tui.providers.registry import ProviderRow, Wire, provider_row

every_remote = pytest.mark.parametrize("remote", REMOTES, ids=lambda remote: remote.id)
LIST: JsonValue = {"data": [{"id": "m"}]}


def nowhere(place: str) -> bool:
    return False


@every_remote
@each_row("model", ["m", ""])
async def test_nothing_is_sent_without_consent(remote: Remote, model: str) -> None:
    async with wire_server(saying("Hi", remote.wire)) as server:
        settings = remote.settings(base_url=server.url, model=model)
        provider = open_provider(remote.row, settings, may_send=nowhere)
        with pytest.raises(ConsentNeeded) as caught:
            await collect(provider)
    assert server.received == []
    assert caught.value.places == (f"127.0.0.1:{server.port}",)
    assert f"{remote.row.label} at 127.0.0.1:{server.port}" in caught.value.message
    assert f"--provider {remote.id}" in (caught.value.hint or "")


@every_remote
async def test_consent_given_while_the_provider_is_open_counts(remote: Remote) -> None:
    agreed: set[str] = set()
    async with wire_server(saying("Hi", remote.wire)) as server:
        provider = open_provider(
            remote.row, remote.settings(base_url=server.url), may_send=agreed.__contains__
        )
        with pytest.raises(ConsentNeeded) as caught:
            _ = [event async for event in provider.stream(request())]
        agreed.update(caught.value.places)
        assert completed(await collect(provider)).message.text == "Hi"


async def test_consent_is_needed_for_each_address_that_is_tried() -> None:
    async with wire_server(http(LIST)) as first, wire_server(http(LIST)) as second:
        row = ProviderRow("local", "Local", Wire.CHAT, f"{first.url}/v1", (f"{second.url}/v1",))
        one_port = {f"127.0.0.1:{first.port}"}
        provider = open_provider(row, ProviderSettings(), may_send=one_port.__contains__)
        with pytest.raises(ConsentNeeded):
            await collect(provider)
        assert first.received == second.received == []


@every_remote
async def test_models_are_not_listed_without_consent(remote: Remote) -> None:
    async with wire_server(http(LIST)) as server:
        with pytest.raises(ConsentNeeded):
            await fetch_models(remote.row, remote.settings(base_url=server.url), may_send=nowhere)
    assert server.received == []


async def test_a_look_at_a_server_nearby_shows_no_key_without_consent() -> None:
    needs_key = http({"error": "no key"}, status="401 Unauthorized")
    async with wire_server(needs_key) as server:
        settings = ProviderSettings(base_url=server.url, key=Secret(KEY))
        found = await check_readiness(provider_row("local"), settings, may_send=nowhere)
    assert found == Readiness(True, "ready"), "it runs; whether it takes the key shows later"
    assert all("authorization" not in each.headers for each in server.received)


async def test_a_look_at_a_server_nearby_runs_no_command_for_a_token(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    async with wire_server(http(LIST)) as server:
        settings = ProviderSettings(base_url=server.url, token_command=("touch", str(ran)))
        found = await check_readiness(provider_row("local"), settings, may_send=nowhere)
    assert [model.name for model in found.models] == ["m"]
    assert not ran.exists()


@each_row("status", [301, 302, 303, 307, 308])
@every_remote
async def test_no_redirect_takes_words_or_key_to_another_port(remote: Remote, status: int) -> None:
    async with wire_server(saying("stolen", remote.wire)) as other:
        moved = http({}, status=f"{status} Moved", headers=[f"Location: {other.url}/v1/x"])
        async with wire_server(moved) as server:
            with pytest.raises(Exception, match="redirects to another address"):
                await collect(remote.at(server.url))
            with pytest.raises(Exception, match="redirects to another address"):
                await fetch_models(remote.row, remote.settings(base_url=server.url))
            if not remote.row.needs_key:
                await check_readiness(remote.row, remote.settings(base_url=server.url))
    assert server.received
    assert other.received == []
