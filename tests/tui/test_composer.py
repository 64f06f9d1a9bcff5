"""Writing messages: what sends, what breaks the line, what is recalled, what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events

from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.providers.scripted import answer
from todo_tui.tui.chat.composer import MESSAGE_LIMIT_BYTES, FoldedPastes


async def paste(running: OpenApp, text: str) -> None:
    running.app.post_message(events.Paste(text))
    await running.pilot.pause()


def asked(app_setup: AppSetup) -> list[str]:
    """The newest message of every request that reached the model."""
    return [request.messages[-1].text for request in app_setup.provider.requests]


@pytest.mark.parametrize("blank", ["", "   ", " \n ", "\n\n"])
async def test_an_empty_message_does_nothing(
    app_setup: AppSetup, open_app: AppOpener, blank: str
) -> None:
    async with open_app() as running:
        running.composer.text = blank
        await running.press("enter")
        await running.settle()
        assert not running.transcript.turns
        assert running.composer.text == blank
    assert app_setup.store.conversations.latest() is None


@pytest.mark.parametrize("key", ["ctrl+j", "shift+enter", "alt+enter"])
async def test_a_new_line_key_breaks_the_line_and_does_not_send(
    app_setup: AppSetup, open_app: AppOpener, key: str
) -> None:
    async with open_app() as running:
        await running.type("one")
        await running.press(key)
        await running.type("two")
        assert running.composer.text == "one\ntwo"
        assert not running.transcript.turns


async def test_a_backslash_before_enter_breaks_the_line(open_app: AppOpener) -> None:
    async with open_app() as running:
        await running.type("one")
        await running.press("backslash", "enter")
        await running.type("two")
        assert running.composer.text == "one\ntwo"
        assert not running.transcript.turns


async def test_pasted_lines_stay_and_nothing_is_sent(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Three lines."))
    async with open_app() as running:
        await paste(running, "milk\r\nbread\neggs\n")
        assert running.composer.text == "milk\nbread\neggs\n"
        assert not running.transcript.turns
        await running.press("enter")
        await running.settle()
    assert asked(app_setup) == ["milk\nbread\neggs\n"]


async def test_the_box_grows_with_what_is_in_it_up_to_eight_lines(open_app: AppOpener) -> None:
    async with open_app() as running:
        assert running.composer.content_size.height == 1
        await paste(running, "a\nb\nc\nd")
        assert running.composer.content_size.height == 4
        await paste(running, "\n".join("efghijklmn"))
        assert running.composer.content_size.height == 8


async def test_a_very_large_paste_is_folded_and_sent_whole(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("That was long."))
    text = "\n".join(f"line {number}" for number in range(1234)) + "\n"
    async with open_app() as running:
        await running.type("see ")
        await paste(running, text)
        assert running.composer.text == "see [pasted 1,234 lines]"
        await running.press("enter")
        await running.settle()
        assert "more characters" in running.shown()
    assert [each.rstrip() for each in asked(app_setup)] == [f"see {text}".rstrip()]


async def test_a_megabyte_is_refused_with_the_limit_named(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await running.type("keep me")
        for _ in range(2):
            await paste(running, "x" * 1_000_000)
        assert running.composer.text == "keep me"
        assert running.shown().count("500 kB") == 1


async def test_pastes_that_are_too_long_together_are_refused_and_stay_in_the_box(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        for letter in "ab":
            await paste(running, letter * (MESSAGE_LIMIT_BYTES - 10_000))
        await running.press("enter")
        await running.settle()
        assert running.composer.text.count("[pasted") == 2
        assert "500 kB" in running.shown()
        assert not running.transcript.turns


async def test_up_and_down_bring_back_what_was_sent_and_what_was_being_typed(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("1"), answer("2"))
    async with open_app() as running:
        await running.send("first")
        await running.send("second")
        await running.type("draft")
        texts = []
        for key in ("up", "up", "up", "down", "down"):
            await running.press(key)
            texts.append(running.composer.text)
        assert texts == ["second", "first", "first", "second", "draft"]


async def test_up_moves_within_the_text_before_it_goes_back_in_time(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("1"))
    async with open_app() as running:
        await running.send("first")
        await paste(running, "one\ntwo")
        await running.press("up")
        assert running.composer.text == "one\ntwo"
        await running.press("up")
        assert running.composer.text == "first"


async def test_messages_of_an_earlier_run_are_recalled(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("1"))
    async with open_app() as running:
        await running.send("said yesterday")
    async with open_app() as running:
        await running.press("up")
        assert running.composer.text == "said yesterday"


@settings(max_examples=50)
@given(st.lists(st.text(max_size=40) | st.just("\n" * 300), max_size=4))
def test_folded_pastes_come_out_as_they_went_in(texts: list[str]) -> None:
    pastes = FoldedPastes()
    shown = "|".join(pastes.fold(text) for text in texts)
    assert pastes.expand(shown) == "|".join(texts)


async def test_keys_act_in_the_order_in_which_they_were_pressed(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("1"), answer("2"))
    async with open_app() as running:
        names = {"\r": "enter", "\b": "backspace"}
        for character in "firzt\b\bst\rsecond\rthird":
            key = names.get(character, character)
            running.app.post_message(events.Key(key, character))
        await running.until(lambda: len(asked(app_setup)) == 2)
        await running.settle()
        assert asked(app_setup) == ["first", "second"]
        assert running.composer.text == "third"


async def burst(running: OpenApp, *keys: events.Key) -> None:
    """Keys that arrive in one read, as from a fast typist, a macro or a slow line."""
    for key in keys:
        running.app.post_message(key)
    await running.until_keys_are_handled()


def letters(text: str) -> list[events.Key]:
    return [events.Key(letter, letter) for letter in text]


async def test_enter_in_one_burst_with_the_words_sends_them_all(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Done."))
    async with open_app() as running:
        await burst(running, *letters("milk"), events.Key("enter", "\r"))
        await running.settle()
        assert running.composer.text == ""
    assert asked(app_setup) == ["milk"]


async def test_editing_keys_in_one_burst_with_the_words_act_in_order(open_app: AppOpener) -> None:
    async with open_app() as running:
        await burst(
            running,
            *letters("mikl"),
            events.Key("backspace", "\x7f"),
            events.Key("backspace", "\x7f"),
            *letters("lk"),
            events.Key("ctrl+j", "\n"),
            *letters("eggs"),
            events.Key("home", None),
            *letters("2"),
        )
        assert running.composer.text == "milk\n2eggs"
