"""What a turn looks like while it runs and when it has ended."""

from __future__ import annotations

import threading

from textual import events

from tests.scripted import answer, call, calls
from tests.tui.conftest import NARROW, WIDE, AppOpener, AppSetup, OpenApp
from tests.tui.driving import held_threads
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.events import StepStatus
from todo_tui.domain.messages import TextDelta, TurnStatus, Usage
from todo_tui.domain.task import Actor
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.tools.base import ToolContext, ToolResponse, tool
from todo_tui.tools.registry import TOOLS
from todo_tui.tui.chat.answer import StreamingAnswer as AnswerView
from todo_tui.tui.chat.trace_rows import TraceRow
from todo_tui.tui.chat.turn_end import RetryCountdown
from todo_tui.tui.chat.turn_undo import UndoHint

REFUSED = ProviderError(
    ProviderErrorKind.AUTH, "Groq rejected the API key.", hint="Check GROQ_API_KEY."
)


async def test_a_message_becomes_tool_calls_that_open_an_answer_and_tasks_that_one_key_undoes(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(
        calls(
            call("add_task", title="Buy milk", details="tomorrow 5pm"),
            call("add_task", title="Call mom", details="friday"),
        ),
        answer("Both are on your list.", usage=Usage(900, 0, 12)),
    )
    async with open_app() as running:
        await running.send("add buy milk tomorrow 5pm and call mom on friday")
        steps = [row.step for row in running.screen.query(TraceRow)]
        assert [step.status for step in steps if step] == [StepStatus.SUCCESS, StepStatus.SUCCESS]
        assert running.screen.query_one(AnswerView).source == "Both are on your list."
        shown = running.shown()
        assert "✓ Added Buy milk" in shown
        assert "912 tokens" in shown
        assert shown.count("Buy milk") == 2, "in the trace and in the list"
        titles = [task.title for task in app_setup.store.tasks.list().tasks]
        assert titles == ["Buy milk", "Call mom"]

        # Tool calls open to arguments and result.
        assert "add_task" not in running.shown()
        await running.press("ctrl+o")
        assert '{"title": "Buy milk"' in running.shown()
        assert "#1 Buy milk" in running.shown()
        await running.press("ctrl+o")
        assert "add_task" not in running.shown()

        # They can be walked and opened with keys.
        await running.press("shift+tab", "up", "up", "enter")
        first, second = running.screen.query(TraceRow)
        assert first.opened
        assert not second.opened
        await running.press("shift+tab")
        assert running.writes()

        # Undo of the turn takes back all that it wrote, also by Enter on the hint.
        assert "Alt+U undo changes" in running.shown()
        await running.press("shift+tab", "down", "enter")
        await running.settle()
        assert app_setup.store.tasks.list().total == 0
        assert "↺ undone" in running.shown()
        assert not running.screen.query(UndoHint)
        assert running.transcript.has_focus_within


async def test_a_running_tool_spins_in_place_and_a_message_sent_meanwhile_waits(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    with held_tool(app_setup) as release:
        app_setup.script(
            calls(call("wait_here")), answer("The first answer."), answer("The second answer.")
        )
        async with open_app() as running:
            await running.type("wait")
            await running.press("enter")
            await running.until(lambda: "Waiting for the test" in running.shown())
            assert "working" in running.shown()
            # One that waits can be taken back.
            await running.type("oops\n")
            assert "next: oops" in running.shown()
            await running.press("up")
            assert running.composer.text == "oops"
            assert "next:" not in running.shown()
            await running.press("ctrl+u")
            await running.type("and then")
            await running.press("enter")
            assert "next: and then" in running.shown()
            assert running.composer.text == ""
            release.set()
            await running.until(lambda: "The second answer." in running.shown())
            await running.settle()
            assert "next:" not in running.shown()
            assert len(running.transcript.turns) == 2


async def test_esc_stops_a_turn_keeps_its_messages_and_brings_back_what_waits(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Once upon a time there was a list " * 400, pause=0.05))
    async with open_app() as running:
        await running.type("tell me a story")
        await running.press("enter")
        await running.until(lambda: "Once upon" in running.shown())
        await running.type("and another")
        await running.press("enter", "escape")
        await running.settle()
        assert "Stopped. Partial answer was kept." in running.shown()
        assert not running.screen.chat.session.busy
        assert running.composer.text == "and another"
    latest = app_setup.store.conversations.latest()
    assert latest is not None
    (turn,) = app_setup.store.turns.list(latest.id)
    assert turn.status is TurnStatus.CANCELLED
    assert turn.answer.startswith("Once upon")


async def test_a_failed_turn_says_why_and_one_key_sends_the_message_again(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script([REFUSED], answer("Now it works."), [REFUSED], answer("And again."))
    async with open_app() as running:
        await running.send("hello")
        shown = running.shown()
        assert "✗ Groq rejected the API key." in shown
        assert "Check GROQ_API_KEY." in shown
        assert "Ctrl+R retry" in shown
        assert "· error" in shown

        # Letters are never taken for it while a message is written.
        await running.type("rue")
        assert running.composer.text == "rue"
        assert len(running.transcript.turns) == 1
        await running.press("ctrl+u")

        await running.press("ctrl+r")
        await running.settle()
        assert "Now it works." in running.shown()
        assert running.shown().count("Ctrl+R") == 0, "nothing is left to retry"

        # r does it from within the conversation.
        await running.send("hello")
        await running.press("shift+tab", "r")
        await running.settle()
        assert "And again." in running.shown()
        await running.press("escape")
        assert running.writes()


async def test_a_wait_before_the_next_try_says_why_and_esc_ends_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    busy = ProviderError(
        ProviderErrorKind.RATE_LIMIT, "Groq is over its rate limit.", retry_after=40
    )
    app_setup.script([busy], answer("never"))
    async with open_app() as running:
        await running.type("hello")
        await running.press("enter")
        await running.until(lambda: running.screen.query(RetryCountdown))
        assert "rate limit" in running.shown()
        assert "Retrying in" in running.shown()
        await running.press("escape")
        await running.settle()
        assert not running.screen.query(RetryCountdown)
        assert "Stopped." in running.shown()
        assert "kept" not in running.shown()


async def test_words_of_a_broken_stream_give_way_to_those_that_come_anew(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async def no_wait(_seconds: float) -> None:
        return

    app_setup.changes["sleep"] = no_wait
    app_setup.script([TextDelta("Half a sen")], answer("A whole sentence."))
    async with open_app() as running:
        await running.send("hello")
        assert running.screen.query_one(AnswerView).source == "A whole sentence."
        assert "Half a sen" not in running.shown()


async def test_a_switch_during_a_wait_asks_the_other_model(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("groq")
    busy = ProviderError(ProviderErrorKind.RATE_LIMIT, "It is over its limit.", retry_after=40)
    app_setup.script([busy], answer("The other one answers."))
    app_setup.store.consents.give("api.groq.com")
    async with open_app() as running:
        await running.type("hello")
        await running.press("enter")
        await running.until(lambda: running.screen.query(RetryCountdown))
        await running.press("ctrl+t")
        await running.until(lambda: "The other one answers." in running.shown())
        await running.settle()
    assert app_setup.opened[-1][0] == "groq"


async def test_undo_of_a_turn_is_not_offered_once_something_else_was_written(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(calls(call("add_task", title="One")), answer("Done."))
    async with open_app() as running:
        await running.send("add one")
        assert "undo changes" in running.shown()
        await running.press("tab", "space")
        await running.until(lambda: "undo changes" not in running.shown())


class held_tool:
    """Gives the model a tool that runs until it is let go."""

    def __init__(self, app_setup: AppSetup) -> None:
        release = self._release = threading.Event()

        @tool("Waiting for the test…", reads_only=True)
        def wait_here(context: ToolContext) -> ToolResponse:
            """Wait."""
            held_threads.add(threading.get_ident())
            release.wait(300)
            held_threads.discard(threading.get_ident())
            return ToolResponse({}, "Waited")

        app_setup.changes["tools"] = (*TOOLS, wait_here)

    def __enter__(self) -> threading.Event:
        return self._release

    def __exit__(self, *_: object) -> None:
        self._release.set()


def newest(running: OpenApp) -> list[str]:
    """Return the lines of the newest turn below the name of its model, as they are read."""
    region = running.transcript.turns[-1].region
    lines = running.shown().splitlines()[region.y : region.bottom]
    words = [" ".join(line[: region.right].split()) for line in lines]
    at = next(at for at, line in enumerate(words) if line.startswith(("Built-in", "scripted")))
    return [line for line in words[at + 1 :] if line]


async def test_rows_of_writes_say_all_that_changed_in_any_width(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    titles = ["Call the dentist about the loose crown", "Buy printer paper", "Ask Ann about May"]
    by = app_setup.store.new_change_context(Actor.USER)
    app_setup.store.tasks.add_many([{"title": title} for title in titles], by=by)
    app_setup.script(
        calls(call("update_task", task_ids=[1, 2, 3], details="friday 5pm")),
        calls(call("complete_task", task_ids=[999])),
        answer("Moved."),
    )
    async with open_app() as running:
        await running.send("all three to friday at 5")
        for size in (WIDE, NARROW, (200, 50), (48, 36)):
            await running.pilot.resize_terminal(*size)
            await running.until(lambda: running.app.screen.size == size)  # noqa: B023 - awaited
            said = " ".join(newest(running))
            moved = [f"Moved {title} · no date → Fri 20 Nov 17:00" for title in titles]
            # The numbers and the mark of the details stand at the end of the first line.
            assert "; ".join(moved) in said.replace("#1 #2 #3 ▸ ", "", 1), size
            assert "✗ There is no task #999. ▸ Moved." in said, size
            rows = running.screen.query(TraceRow)
            assert [row.size.height for row in rows] == [
                row.render().plain.count("\n") + 1 for row in rows
            ]


async def test_rows_of_writes_are_the_answer_and_many_of_one_kind_share_one(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.open_provider = lambda *_: BuiltInAssistant(app_setup.store.index)
    undo = "/undo or Alt+U undo changes"

    async with open_app() as running:
        for message, lines in {
            "add buy milk tomorrow 5pm #errands": [
                "✓ Added Buy milk · tomorrow 17:00 · #errands #1 ▸", undo,
            ],
            "make it high priority": ["✓ Changed Buy milk · high priority #1 ▸", undo],
            "undo": ["✓ Undid the last change: Buy milk · priority back ▸", "to none"],
            # What no row says is said.
            "add pay rent on 3/4": [
                "✓ Added Pay rent · 4 Mar 2027 #2 ▸", "Read as 4 March (month first).", undo,
            ],
            "what is due tomorrow and complete #1": [
                "✓ Found 1 task · due:tomorrow ▸",
                "✓ Completed Buy milk #1 ▸", "1 task due tomorrow (Thu 19 Nov):",
                "• Buy milk · tomorrow 17:00 · #errands (#1)", undo,
            ],
            "add apples, bread, cheese, dates, eggs and figs": ["✓ Added 6 tasks ▸", undo],
        }.items():  # fmt: skip
            await running.send(message)
            assert newest(running) == lines, message

        # The row of many opens to theirs, which open as well; the answer is kept as it was said.
        await running.press("ctrl+o")
        assert "✓ Added Apples" in running.shown()
        assert newest(running)[1:3] == ["✓ Added Apples #3 ▸", "✓ Added Bread #4 ▸"]
        await running.press("ctrl+o")
        assert newest(running) == ["✓ Added 6 tasks ▸", undo]
    latest = app_setup.store.conversations.latest()
    assert latest is not None
    answers = [turn.answer for turn in app_setup.store.turns.list(latest.id)]
    assert answers[0].startswith("Added **Buy milk** (#1), due tomorrow 17:00")
    assert answers[-1].startswith("Added 6 tasks:\n\n- Apples (#3)")

    # So it looks when it is shown again.
    async with open_app() as running:
        assert newest(running) == ["✓ Added 6 tasks ▸"]
        assert "Added **Buy milk**" not in running.shown()


async def test_messages_that_an_answer_suggests_are_filled_in_by_click_and_enter(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.open_provider = lambda *_: BuiltInAssistant(app_setup.store.index)
    # The empty list names an example too.
    by = app_setup.store.new_change_context(Actor.USER)
    app_setup.store.tasks.add({"title": "Call mom"}, by=by)
    async with open_app() as running:
        for message, links in {
            "hello": ("add buy milk tomorrow 5pm", "what's due this week?"),
            "how do I block a task?": ("#3 waits for #2", "What blocks #3?"),
            "what is due this week?": (),
            "add tea 'undo'": (),
        }.items():
            await running.send(message)
            for link in links:
                await running.click(link[:8])
                assert running.composer.text == link
                assert running.writes()
                running.composer.text = ""
            await running.press("shift+tab")
            assert ("Enter fill in" in running.shown()) is bool(links), message
            if links:
                await running.press("enter")
                assert running.composer.text == links[0]
                running.composer.text = ""
            else:
                await running.press("shift+tab")
        # A title between quotation marks is nothing to send, and brackets with other words neither.
        answer = AnswerView("Renamed “Call mom” to “undo” and “a [b](c)”. [x](say:no)")
        await running.transcript.mount(answer)
        await running.settle()
        assert answer.suggested == "undo"
        for link, text in {"undo” and": "undo", "Call mom": "", "x": ""}.items():
            await running.click(link)
            assert running.composer.text == text, link
            running.composer.text = ""


async def test_examples_are_filled_in_by_keys_and_a_long_answer_bells_back(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(
        calls(call("add_task", title="Buy milk")), answer("Added."), answer("Done."), answer("Ok.")
    )
    async with open_app() as running:
        # Enter fills in the marked example, after what is written.
        await running.press("shift+tab")
        first, second, *_ = running.transcript.welcome.examples
        assert f"▸ {first}" in running.shown()
        await running.press("down")
        assert f"▸ {second}" in running.shown()
        await running.press("enter")
        assert running.writes()
        assert running.composer.text == second
        assert "▸" not in running.shown()

        # The bell and the title call while another window has the focus, after a long answer.
        chat = running.screen.chat
        for message, seconds, is_away, calls_back in (
            ("one", 1e9, True, False),
            ("two", 0.0, True, True),
            ("three", 0.0, False, False),
        ):
            chat.answer_bell.after_seconds = seconds
            running.app.post_message(events.AppBlur() if is_away else events.AppFocus())
            await running.press()
            chat.run_worker(chat.send(message))
            await running.settle()
            assert chat.answer_bell.is_marked is calls_back, message
