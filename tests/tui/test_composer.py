"""Writing messages: what sends, what breaks the line, what is recalled, what is refused."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events

from tests.scripted import answer
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from tests.tui.driving import wait_until_idle
from todo_tui.tui.chat.composer import FoldedPastes
from todo_tui.tui.chat.external_editor import MESSAGE_LIMIT_BYTES


async def paste(running: OpenApp, text: str) -> None:
    running.app.post_message(events.Paste(text))
    await wait_until_idle()


def asked(app_setup: AppSetup) -> list[str]:
    """The newest message of every request that reached the model."""
    return [request.messages[-1].text for request in app_setup.provider.requests]


async def test_what_is_not_sent_empty_messages_new_lines_and_pastes_that_are_too_long(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        # A megabyte is refused with the limit named.
        await running.type("keep me")
        for _ in range(2):
            await paste(running, "x" * 1_000_000)
        assert running.composer.text == "keep me"
        assert running.shown().count("500 kB") == 1

        # An empty message does nothing.
        for blank in ("", "   ", " \n ", "\n\n"):
            running.composer.text = blank
            await running.press("enter")
            await running.settle()
            assert not running.transcript.turns
            assert running.composer.text == blank
        assert app_setup.store.conversations.latest() is None

        # Keys that break the line do not send.
        for keys in (("ctrl+j",), ("shift+enter",), ("alt+enter",), ("backslash", "enter")):
            running.composer.text = ""
            await running.type("one")
            await running.press(*keys)
            await running.type("two")
            assert running.composer.text == "one\ntwo", keys
            assert not running.transcript.turns

        # Editing keys in one burst with the words act in order.
        running.composer.text = ""
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

        # The box grows with what is in it, up to eight lines.
        running.composer.text = ""
        await wait_until_idle()
        assert running.composer.content_size.height == 1
        await paste(running, "a\nb\nc\nd")
        assert running.composer.content_size.height == 4
        await paste(running, "\n".join("efghijklmn"))
        assert running.composer.content_size.height == 8


async def test_pastes_that_are_too_long_together_are_refused_and_stay_in_the_box(
    open_app: AppOpener,
) -> None:
    async with open_app() as running:
        for letter in "ab":
            await paste(running, letter * (MESSAGE_LIMIT_BYTES - 10_000))
        await running.press("enter")
        await running.settle()
        assert running.composer.text.count("[pasted") == 2
        assert "500 kB" in running.shown()
        assert not running.transcript.turns


async def test_pasted_lines_stay_as_they_are_and_very_many_are_folded_and_sent_whole(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Three lines."), answer("That was long."))
    text = "\n".join(f"line {number}" for number in range(1234)) + "\n"
    async with open_app() as running:
        await paste(running, "milk\r\nbread\neggs\n")
        assert running.composer.text == "milk\nbread\neggs\n"
        assert not running.transcript.turns
        await running.press("enter")
        await running.settle()
        assert asked(app_setup) == ["milk\nbread\neggs\n"]

        await running.type("see ")
        await paste(running, text)
        assert running.composer.text == "see [pasted 1,234 lines]"
        await running.press("enter")
        await running.settle()
        assert "more characters" in running.shown()
    assert [each.rstrip() for each in asked(app_setup)[1:]] == [f"see {text}".rstrip()]


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

        # Up moves within the text before it goes back in time.
        await running.press("ctrl+u")
        await paste(running, "one\ntwo")
        await running.press("up")
        assert running.composer.text == "one\ntwo"
        await running.press("up")
        assert running.composer.text == "second"
    # Messages of an earlier run are recalled.
    async with open_app() as running:
        await running.press("up")
        assert running.composer.text == "second"


@settings(max_examples=50)
@given(st.lists(st.text(max_size=40) | st.just("\n" * 300), max_size=4))
def test_folded_pastes_come_out_as_they_went_in(texts: list[str]) -> None:
    pastes = FoldedPastes()
    shown = "|".join(pastes.fold(text) for text in texts)
    assert pastes.expand(shown) == "|".join(texts)


async def test_keys_act_in_the_order_in_which_they_were_pressed(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("1"), answer("2"), answer("Done."))
    async with open_app() as running:
        names = {"\r": "enter", "\b": "backspace"}
        for character in "firzt\b\bst\rsecond\rthird":
            key = names.get(character, character)
            running.app.post_message(events.Key(key, character))
        await running.until(lambda: len(asked(app_setup)) == 2)
        await running.settle()
        assert asked(app_setup) == ["first", "second"]
        assert running.composer.text == "third"

        # Enter in one burst with the words sends them all.
        running.composer.text = ""
        await burst(running, *letters("milk"), events.Key("enter", "\r"))
        await running.settle()
        assert running.composer.text == ""
        assert asked(app_setup) == ["first", "second", "milk"]


async def burst(running: OpenApp, *keys: events.Key) -> None:
    """Keys that arrive in one read, as from a fast typist, a macro or a slow line."""
    for key in keys:
        running.app.post_message(key)
    await running.until_keys_are_handled()


def letters(text: str) -> list[events.Key]:
    return [events.Key(letter, letter) for letter in text]
