"""Consent in the app: each host once, servers on this machine included."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.providers.wire import WireServer, delta, sse, wire_server
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import Provider
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import provider_row
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.approval import ApprovalCard
from todo_tui.tui.screens.consent import ConsentScreen
from todo_tui.tui.widgets.choice import Choice

HI = sse(delta(content="Hi."), delta("stop"))


@asynccontextmanager
async def local_server(app_setup: AppSetup) -> AsyncIterator[WireServer]:
    """A server that the app talks to as `local`, whose host nothing names."""
    app_setup.agreed.clear()
    app_setup.running["local"] = ("m",)
    async with wire_server(HI) as server:

        def opened(row_id: str, model: str) -> Provider:
            app_setup.opened.append((row_id, model))
            return open_provider(
                provider_row(row_id),
                ProviderSettings(base_url=server.url, model="m"),
                may_send=app_setup.store.consents.covers,
            )

        app_setup.open_provider = opened
        yield server


async def card(running: OpenApp) -> ApprovalCard:
    """The question, once it is on screen."""
    await running.until(lambda: running.screen.query(ApprovalCard))
    return running.screen.query_one(ApprovalCard)


async def test_a_remembered_choice_asks_before_its_first_message_leaves(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.store.app_state.set("provider", "local")
    async with local_server(app_setup) as server, open_app() as running:
        assert "Local server" in running.shown()
        await running.type("my secret plan")
        await running.press("enter")
        question = await card(running)
        assert f"Send messages to Local server at 127.0.0.1:{server.port}?" in running.shown()
        assert "Allow for this host" in running.shown()
        question.choices.end_grace()
        await running.type("yes")
        await running.press("tab")
        assert "y Allow for this host" in running.shown()
        await running.press("enter")
        await running.settle()
        assert "Nothing was sent" in running.shown()
        assert "my secret plan" in running.shown()
        assert running.composer.text == "yes"
        await running.press("ctrl+u")
        assert server.received == []
        await running.press("ctrl+r")
        (await card(running)).answer(Choice.APPROVE)
        await running.settle()
        assert "Hi." in running.shown()
        await running.send("and another")
        assert not running.screen.query(ApprovalCard)
    assert len(server.received) == 2


async def test_a_server_on_this_machine_is_chosen_only_after_a_yes(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.agreed.clear()
    app_setup.running["ollama"] = ("m",)
    async with open_app() as running:
        for agreed in (False, True):
            await running.press("alt+7")
            await running.until(lambda: isinstance(running.app.screen, ConsentScreen))
            assert "127.0.0.1:11434" in running.shown()
            running.app.screen.dismiss(agreed)
            await running.settle()
            assert ("◆ Ollama" in running.shown()) is agreed
            assert app_setup.store.consents.covers("127.0.0.1:11434") is agreed


async def test_the_page_of_a_crash_shows_no_local_variables(
    app_setup: AppSetup, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_down() -> None:
        key = "gsk_in_a_local_variable"
        raise RuntimeError(f"a bug with {len(key)}")

    app = TodoApp(app_setup.services())
    app.call_later(break_down)
    await app.run_async(headless=True)
    printed = capsys.readouterr()
    assert app.return_code == 1
    assert "internal error" in printed.err
    assert "gsk_in_a" not in printed.err + printed.out
