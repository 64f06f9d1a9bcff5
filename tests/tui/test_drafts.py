"""Drafts: what is written and not sent is there again after a quit and a kill."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tests.scripted import answer, call, calls
from tests.tui.conftest import AppOpener, AppSetup
from tests.tui.test_turns_on_screen import held_tool
from todo_tui.tui.chat.drafts import DRAFT, read_drafts


async def test_a_draft_survives_a_quit_with_its_pastes_and_is_gone_once_sent(
    app_setup: AppSetup, open_app: AppOpener, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    app_setup.script(answer("Hello."), answer("Fine."))
    long = "\n".join(f"line {n}" for n in range(300))
    async with open_app() as running:
        await running.type("hush-hush")
    async with open_app() as running:
        assert running.composer.text == "hush-hush"
        await running.press("enter")
        await running.settle()
        assert running.composer.text == ""
        running.composer.put_back(long)
        assert running.composer.text == "[pasted 300 lines]"
    assert "hush-hush" not in caplog.text
    async with open_app() as running:
        assert running.composer.text == "[pasted 300 lines]"
        assert running.composer.full_text == long
        await running.press("enter")
        await running.settle()
    async with open_app() as running:
        assert running.composer.text == ""


async def test_a_draft_is_saved_while_it_is_written_with_the_messages_that_wait(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    memory = app_setup.store.app_state
    with held_tool(app_setup) as release:
        app_setup.script(calls(call("wait_here")), answer("Done."), answer("Done too."))
        async with open_app() as running:
            await running.type("wait")
            await running.press("enter")
            await running.until(lambda: "Waiting for the test" in running.shown())
            latest = app_setup.store.conversations.latest()
            assert latest is not None
            await running.type("queued")
            await running.press("enter")
            await running.type("half a sen")
            # As a process finds it that starts after this one was killed.
            await running.until(
                lambda: read_drafts(memory, None, latest.id) == "queued\nhalf a sen"
            )
            release.set()
            await running.until(lambda: "Done too." in running.shown())
            await running.until(lambda: read_drafts(memory, None, latest.id) == "half a sen")


async def test_a_draft_of_a_new_conversation_is_found_again_and_erased_with_its_conversation(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Hello."))
    store = app_setup.store
    async with open_app() as running:
        await running.send("first")
        await running.press("ctrl+n")
        await running.type("another thing")
    assert store.app_state.get(DRAFT) == "another thing"
    async with open_app() as running:
        assert running.composer.text == "another thing"
    latest = store.conversations.latest()
    assert latest is not None
    assert store.app_state.get(DRAFT) is None
    assert store.app_state.get(DRAFT + latest.id) == "another thing"
    await asyncio.to_thread(store.conversations.erase, latest.id)
    assert read_drafts(store.app_state, latest.id) == ""


async def test_showing_the_same_conversation_again_leaves_the_message_box_alone(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Hello."))
    async with open_app() as running:
        await running.send("hi")
        conversation = running.screen.chat.session.conversation_id
        app_setup.store.app_state.set(f"{DRAFT}{conversation}", "an older draft")
        running.composer.insert("newer")
        await running.screen.chat.conversation.show_stored(conversation)
        assert running.composer.text == "newer"
