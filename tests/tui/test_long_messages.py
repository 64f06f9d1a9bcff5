"""Messages of any length: the screen shows a part and says so, the store keeps the whole."""

from __future__ import annotations

from tests.tui.conftest import AppOpener, AppSetup
from tests.tui.test_hostile_answers import streamed
from todo_tui.domain.events import StepStatus, TraceStep
from todo_tui.domain.messages import Message, Role, Text, TurnStatus
from todo_tui.tui.chat.answer import MAX_CHARACTERS, MAX_LINES, StreamingAnswer, excerpt

COSTLY = {
    "emphasis": "**a " * 5_000,
    "links": "[" * 20_000,
    "images": "![" * 10_000,
    "quotes": "> " * 5_000 + "x",
    "backticks": " ".join("`" * k for k in range(1, 200)),
    "rules": "---\n" * 1_500,
    "breaks": "a  \n" * 2_000,
    "entities": "&" * 20_000,
    "urls": "http://" * 3_000,
    "word": "a" * 300_000,
    "megabyte": "words " * 170_000,
    "newlines": "a" + "\n" * 100_000 + "-",
    "table": "|" * 10_000 + "\n" + "|-" * 10_000,
    "rows": "|a|b|\n|-|-|\n" + "|c|d|\n" * 2_000,
    "list": "- a\n" * 1_500,
}
"""The last three are the newest, which are drawn as Markdown when they are short."""


def stored_turn(app_setup: AppSetup, asked: str, answered: str, *steps: TraceStep) -> None:
    """A finished turn at the end of the newest conversation."""
    conversations = app_setup.store.conversations
    conversation = conversations.latest() or conversations.start()
    question = Message(Role.USER, (Text(asked),))
    turn = conversations.turns.open(conversation.id, question, provider="offline", model="rules")
    said = [Message(Role.ASSISTANT, (Text(answered),))]
    conversations.turns.close(turn.id, TurnStatus.FINISHED, messages=said, steps=steps)


async def test_long_and_costly_stored_answers_open_as_plain_text(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    for name, text in COSTLY.items():
        stored_turn(app_setup, name, text)
    async with open_app() as running:
        assert len(running.transcript.turns) == len(COSTLY)
        assert len(running.transcript.query("*")) < 10 * len(COSTLY)
        await running.type("xyz")
        assert running.composer.text == "xyz"


async def test_a_long_message_is_shown_as_a_whole_by_a_key(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    stored_turn(app_setup, "\n".join(f"line {n}" for n in range(60)), "Noted.")
    async with open_app((120, 80)) as running:
        await running.press("shift+tab", "up")
        await running.until(lambda: "more characters" in running.shown())
        await running.press("enter")
        await running.until(lambda: "line 59" in running.shown())
        await running.press("enter")
        await running.until(lambda: "line 59" not in running.shown())


async def test_costly_answers_stream_as_plain_text_and_what_is_not_drawn_is_counted(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    text = COSTLY["links"]
    step = len(text) // 20
    app_setup.script(
        streamed("word " * 20_000),
        streamed(*(text[at : at + step] for at in range(0, len(text), step))),
    )
    async with open_app() as running:
        await running.send("go")
        assert "… 80,000 more characters (not shown)" in running.shown()
        await running.press("ctrl+n")
        await running.send("go")
        answer = running.screen.query_one(StreamingAnswer)
        assert answer.text == text
        assert len(answer.query("*")) == 1, "the words and how many more there are"
    latest = app_setup.store.conversations.latest()
    assert latest is not None
    assert app_setup.store.turns.list(latest.id)[0].answer == text


async def test_a_short_answer_and_a_list_of_fifty_are_markdown(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(streamed("".join(f"- **task** number {k}\n" for k in range(50))))
    async with open_app() as running:
        await running.send("go")
        assert "• task number 49" in running.shown()


async def test_huge_arguments_of_a_call_open_to_their_beginning(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    step = TraceStep("c", "a" * 50_000, "s" * 50_000, "x" * 200_000, "y" * 200_000,
                     StepStatus.ERROR, 1.0)  # fmt: skip
    stored_turn(app_setup, "go", "Done.", step)
    async with open_app() as running:
        await running.press("ctrl+o")
        assert running.transcript.turns[0].rows[0].size.height < 300


def test_an_excerpt_counts_characters_and_lines() -> None:
    assert excerpt("short").lines == "short"
    assert excerpt("a" * MAX_CHARACTERS).hidden == 0
    assert excerpt("a" * (MAX_CHARACTERS + 7)).hidden == 7
    assert excerpt("ab\n" * (MAX_LINES + 2)).text.count("\n") == MAX_LINES - 1
    assert excerpt("ab\n" * (MAX_LINES + 2)).hidden == 7
    assert excerpt("ab\n" * MAX_LINES).hidden == 0
    assert excerpt("a" * 10, characters=3).note == "… 7 more characters (not shown)"
