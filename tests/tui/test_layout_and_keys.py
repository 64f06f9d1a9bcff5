"""One pane or two, the way between them, and the keys that work everywhere."""

from __future__ import annotations

import asyncio
import time
from itertools import product
from pathlib import Path

import pytest
from textual import events
from textual.binding import Binding
from textual.dom import DOMNode
from textual.widgets import Input

from tests.config.home import Home
from tests.scripted import answer, call, calls
from tests.tui.conftest import NARROW, WIDE, AppOpener, AppSetup, OpenApp
from tests.tui.driving import wait_until_idle
from todo_tui.domain.task import Actor
from todo_tui.domain.when import When
from todo_tui.store.store import open_store
from todo_tui.tui import key_queue
from todo_tui.tui.app import TodoApp
from todo_tui.tui.screens.help import HelpScreen
from todo_tui.tui.textual_fixes import shown_notices
from todo_tui.tui.widgets.line_input import LineInput


async def test_tab_and_esc_lead_to_the_list_and_back_and_the_focus_stays_in_a_narrow_terminal(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app(WIDE) as running:
        await running.press("tab")
        assert not running.writes()
        assert "Tab chat" in running.shown()
        await running.press("tab")
        assert running.writes()
        assert "Tab list" in running.shown()
        await running.press("tab", "escape")
        assert running.writes()

        # An input of the list that is left is returned to if something is typed there.
        for typed, is_open in (("", False), ("milk", True)):
            for key in ("a", "slash"):
                await running.press("tab", key)
                await running.until(lambda: isinstance(running.app.focused, LineInput))
                await running.press(*typed, "tab")
                assert running.writes()
                await running.press("tab")
                await wait_until_idle()
                assert isinstance(running.app.focused, LineInput) is is_open, (typed, key)
                await running.press("escape", "escape", "escape")

        # The pane with the focus stays when the terminal gets narrow.
        await running.press("tab")
        await running.pilot.resize_terminal(*NARROW)
        await wait_until_idle()
        assert "No tasks yet" in running.shown()
        await running.pilot.resize_terminal(*WIDE)
        await wait_until_idle()
        assert "Message the assistant" in running.shown()

        # A change by another process shows by itself.
        with open_store(app_setup.store.path, user="ann", clock=app_setup.clock) as other:
            other.tasks.add({"title": "From elsewhere"}, by=other.new_change_context(Actor.CLI))
        await running.until(lambda: "From elsewhere" in running.shown())


SCREENS_WITH_KEYS = (
    # What opens the screen, one of its keys as the help names it, if the letter is text there.
    ("tab c", "Switch days/tasks", False),
    ("f4", "Last 90 days", False),
    ("f3", "Latency and errors", False),
    ("f8", "Toggle errors only", False),
    ("alt+l", "Filter by actor", False),
    ("tab O", "Next choice", False),
    ("f5", "Pin/unpin conversation", True),
    ("f11", "Reset setting to default", True),
    ("tab w", "Restore view", True),
    ("f2", "Test model", True),
)


async def test_help_has_the_keys_of_each_screen_and_opens_there_by_its_letter_too(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    app_setup.read_configuration = Home(tmp_path).configuration
    async with open_app() as running:
        for keys, label, is_text in SCREENS_WITH_KEYS:
            await running.press(*keys.split())
            above = running.app.screen
            assert above is not running.screen, keys
            await running.press("question_mark")
            assert isinstance(running.app.screen, HelpScreen) is not is_text, keys
            if is_text:
                await running.press("backspace", "f1")
            await running.until(lambda: label in running.shown())  # noqa: B023 - awaited at once
            await running.press("escape", "escape")
            assert running.app.screen is running.screen, keys
            await running.press("escape")
        # Elsewhere they are found by searching.
        await running.press("f1")
        for _, label, _ in SCREENS_WITH_KEYS:
            search = running.app.screen.query_one(Input)
            search.value = ""
            await wait_until_idle()
            assert label not in running.shown()
            search.value = label
            await wait_until_idle()
            assert label in running.shown().split(label, 1)[1]


async def test_help_palette_and_picker_take_keys_and_every_key_explains_itself(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.running["ollama"] = ("qwen3.5:4b",)
    async with open_app() as running:
        nodes: list[DOMNode] = [running.app, running.screen, *running.screen.walk_children()]
        ours = [node for node in nodes if type(node).__module__.startswith("todo_tui")]
        for node in ours:
            for binding in type(node).__dict__.get("BINDINGS", ()):
                assert isinstance(binding, Binding)
                assert binding.tooltip, binding
        await running.press("f1")
        assert isinstance(running.app.screen, HelpScreen)
        assert "Retry message" in running.shown()
        rows = [line.split() for line in running.shown().splitlines()[5:16]]
        assert [row[1] for row in rows] == (
            ["Most", "Enter", "Tab", "a", "Space", "u", "/", "F2", "F5", "Ctrl+P", "Ctrl+Q"]
        )
        # What is typed filters by keys, actions, places and slash commands.
        for typed, found in [
            ("undo assist", ("Alt+U", "/undo [N]")),
            ("ctrl+p", ("Command palette",)),
            ("slash quit", ("/quit",)),
            ("no such", ("No such key or action.",)),
        ]:
            running.app.screen.query_one(Input).value = typed
            await wait_until_idle()
            assert all(words in running.shown() for words in found), typed
            assert "Send message" not in running.shown()
        await running.press("escape")
        assert running.app.screen_stack == [running.screen]

        # A question mark is text in the message box, and help in the list.
        await running.press("question_mark")
        assert running.composer.text == "?"
        await running.press("backspace", "tab", "question_mark")
        assert isinstance(running.app.screen, HelpScreen)
        await running.press("question_mark")
        assert running.app.screen_stack == [running.screen]
        await running.press("tab")
        assert running.writes()

        # Letters in one burst with the key that opens a screen go to the screen.
        await burst(running, "f2", *"gro")
        assert getattr(running.app.focused, "value", "") == "gro"
        assert running.composer.text == ""
        await running.press("escape")

        # The palette offers models.
        await running.press("ctrl+p")
        await running.type("ollama")
        await running.until(lambda: "Switch to Ollama" in running.shown())
        await running.press("enter")
        await running.until(lambda: "◆ Ollama" in running.shown())


async def test_a_narrow_screen_shows_one_pane_and_marks_news_in_the_other(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(calls(call("add_task", title="Buy milk")), answer("Done."))
    async with open_app(NARROW) as running:
        assert "No tasks yet" not in running.shown()
        await running.send("add buy milk")
        assert "● changed" in running.shown()
        await running.click("Tasks ● changed")
        assert "● changed" not in running.shown()
        assert "○   Buy milk" in running.shown()
        assert "Message the assistant" not in running.shown()
        await running.click("Chat")
        assert running.writes()


async def test_zoom_and_split_are_changed_by_keys_and_kept_for_the_next_start(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app(WIDE) as running:
        chat, tasks = running.screen.query_one("#chat"), running.screen.query_one("#tasks")
        await running.press("f12")
        assert (chat.size.width, tasks.display) == (120, False)
        assert " Chat  Tab Tasks " in running.shown(), "the key that leads there"
        assert "F12 unzoom" in running.shown()
        assert running.shown().count("reading mode") == 1
        await running.press("tab")
        assert (tasks.size.width, chat.display) == (120, False)
        assert " Tab Chat  Tasks " in running.shown()
        await running.press("z")
        assert (chat.outer_size.width, tasks.outer_size.width) == (60, 60)
        assert not running.writes()
        await running.press("left_curly_bracket", "left_curly_bracket")
        assert (chat.outer_size.width, tasks.outer_size.width) == (48, 72)
        await running.press(*["right_curly_bracket"] * 7)
        assert (chat.outer_size.width, tasks.outer_size.width) == (84, 36)
        await running.press("tab")
        await running.type("z{}")
        assert running.composer.text == "z{}"
        await running.press("f12")
    async with open_app(WIDE) as running:
        chat, tasks = running.screen.query_one("#chat"), running.screen.query_one("#tasks")
        assert (chat.size.width, tasks.display) == (120, False)
        assert running.writes()
        await running.press("f12")
        assert (chat.outer_size.width, tasks.outer_size.width) == (84, 36)
        await running.pilot.resize_terminal(*NARROW)
        await wait_until_idle()
        await running.press("f12")
        assert not tasks.display
        assert "F12 zoom" not in running.shown()
        await running.press("tab")
        running.notified.clear()
        for key in ("f12", "z", "left_curly_bracket", "right_curly_bracket"):
            await running.press(key)
            assert running.notified.pop() == "The terminal is too narrow for two panes.", key


async def test_notices_that_pile_up_leave_the_last_two_and_what_went_wrong(
    open_app: AppOpener,
) -> None:
    async with open_app() as running:
        running.app.clear_notifications()
        running.app.notify("It failed.", severity="error")
        for number in range(1, 6):
            running.app.notify(f"Notice {number}.")
            await running.settle()
        shown = [each.message for each in shown_notices(running.app)]
        assert shown == ["It failed.", "Notice 4.", "Notice 5."]


async def test_the_task_that_a_person_comes_from_is_the_selection(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.store.tasks.add(
        {"title": "Buy milk"}, by=app_setup.store.new_change_context(Actor.USER)
    )
    app_setup.script(answer("1"), answer("2"))
    async with open_app() as running:
        await running.send("hello")
        await running.press("tab", "tab")
        await running.send("done with it")
    selections = [
        request.messages[-1].context.selection
        for request in app_setup.provider.requests
        if request.messages[-1].context
    ]
    assert selections == [(), ((1, "Buy milk"),)]


async def test_the_theme_is_kept_for_the_next_start(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        assert running.is_dark()
        # Each is shown as one moves; leaving the menu shows the earlier one again.
        await running.press("f9", "down")
        await running.until(lambda: not running.is_dark())
        await running.press("escape")
        assert running.is_dark()
        await running.press("f9", "down", "enter")
        assert not running.is_dark()
    async with open_app() as running:
        assert not running.is_dark()


async def test_without_colour_none_reaches_the_screen_and_the_cursor_is_seen(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    def marked_text(running: OpenApp) -> str:
        strips = running.app.screen._compositor.render_strips()
        segments = [(each.text, each.style) for strip in strips for each in strip if each.style]
        return "|".join(text for text, style in segments if style.reverse or style.underline)

    app_setup.no_color = True
    async with open_app() as running:
        strips = running.app.screen._compositor.render_strips()
        filtered = [
            strip.apply_filter(each, running.app.screen.background_colors[1])
            for strip in strips
            for each in running.app.get_line_filters()
            if type(each).__name__ == "NoColor"
        ]
        colours = {
            colour.name
            for strip in filtered
            for segment in strip
            if segment.style
            for colour in (segment.style.color, segment.style.bgcolor)
            if colour is not None
        }
        assert colours <= {"default"}
        # In the calendar and in the menu of views.
        await running.press("tab", "c", "left")
        await running.settle()
        assert "17" in marked_text(running)
        await running.press("escape", "w", "down")
        await running.until(lambda: "Today" in marked_text(running))


async def test_the_settings_alone_decide_about_colour(
    app_setup: AppSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, app_setup.no_color in product(("", "1"), (False, True)):
        monkeypatch.setenv("NO_COLOR", variable)
        app = TodoApp(app_setup.services())
        kinds = {type(each).__name__ for each in app.get_line_filters()}
        is_grey = bool(kinds & {"NoColor", "Monochrome"})
        assert is_grey is app.no_color is app_setup.no_color, variable


async def burst(running: OpenApp, *keys: str) -> None:
    """Keys that arrive in one read, as from a fast typist, a macro or a slow line."""
    for key in keys:
        running.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await running.settle()


async def test_letters_in_one_burst_with_the_key_that_opens_a_box_or_screen_go_into_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        await burst(running, "tab", "a", *"milk", "enter", "escape", "slash", *"bread")
        assert added(app_setup) == {"milk"}
        assert running.app.focused is not None
        assert getattr(running.app.focused, "value", "") == "bread"
        await running.press("escape")
        busy = [asyncio.to_thread(time.sleep, 0.02) for _ in range(20)]
        await asyncio.gather(burst(running, "w", *"proj", "enter"), *busy)
        await running.until(lambda: "‹ Projects ›" in running.shown())
        await burst(running, "ctrl+q")
        await running.until(lambda: running.app._exit)


async def test_keys_keep_their_order_where_each_step_of_the_screen_takes_long(
    app_setup: AppSetup, open_app: AppOpener, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long it takes: on a machine that is busy as well these seconds would be over.
    monkeypatch.setattr(key_queue, "_DELIVERY_TIMEOUT_SECONDS", 3600.0)
    async with open_app() as running:
        await running.press("tab", "a")
        slow = asyncio.create_task(dawdle(0.01))
        for key in ("x", "enter", "y", "enter"):
            running.app.post_message(events.Key(key, key if len(key) == 1 else None))
        deadline = time.monotonic() + 300
        while (  # noqa: ASYNC110 - nobody tells when both are there
            titles := added(app_setup)
        ) != {"x", "y"} and time.monotonic() < deadline:
            await asyncio.sleep(0)
        slow.cancel()
        await running.settle()
    assert titles == {"x", "y"}


def added(app_setup: AppSetup) -> set[str]:
    return {task.title for task in app_setup.store.tasks.find(None, limit=9)}


async def dawdle(seconds: float) -> None:
    """Have each turn of the event loop take so long, as on a machine that is busy."""
    while True:
        time.sleep(seconds)  # noqa: ASYNC251 - which is the point
        await asyncio.sleep(0)


async def test_examples_and_the_undo_hint_work_on_click_and_the_empty_list_names_keys_that_work(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    by = app_setup.store.new_change_context(Actor.CLI)
    tasks = app_setup.store.tasks
    app_setup.script(calls(call("add_task", title="Milk")), answer("Added."))
    async with open_app() as running:

        def words() -> str:
            """Return what the list says, then what the chat says."""
            lines = [line.rpartition("│") for line in running.shown().splitlines()]
            return " ".join(" ".join(line[place] for place in (2, 0) for line in lines).split())

        assert "tomorrow 5pm”, or press Tab and then a." in words()
        assert "Try one: click it, or press Shift+Tab, then Enter." in words()
        # In reading mode only keys that do something are named.
        await running.press("shift+tab")
        assert "Try one: Enter fills it in." in words()
        assert "Shift+Tab message box ─╯" in running.shown()
        assert "│ Keys act on messages. Shift+Tab returns here." in running.shown()
        assert "Shift+Tab reading mode" not in running.shown()
        assert "message ·" not in running.shown()
        assert "copy" not in running.shown()
        await running.press("tab")
        assert "tomorrow 5pm”, or press a." in words()
        assert "a add  w views  c calendar " in running.shown(), "no key that needs a task"
        await running.press("a")
        assert "No tasks yet." in running.shown()
        assert "to add tasks here" not in words()
        await running.press("escape")
        # Esc shows all tasks from the list, not from the message box.
        for keys, shows in ((("right_square_bracket",), True), (("tab",), False), (("tab",), True)):
            await running.press(*keys)
            await running.until(lambda: ("Esc show all" in running.shown()) is shows)  # noqa: B023 - awaited at once
        await running.press("escape")

        await running.click("what's due this week?")
        assert running.composer.text == "what's due this week?"
        assert running.writes()
        await running.press("enter")
        await running.until(lambda: app_setup.store.tasks.list().total == 1)
        await running.until(lambda: "undo changes" in running.shown())
        await running.click("undo changes")
        await running.until(lambda: app_setup.store.tasks.list().total == 0)

        # With tasks, a new conversation greets with what is due, and follows changes.
        await running.press("ctrl+n")
        assert "New conversation. No open tasks." in running.shown()
        for due, greeting in [
            (None, "Nothing due today, 1 open"),
            ("2026-11-18", "1 today"),
            ("2026-11-18T09:00", "1 overdue, 1 today"),
            ("2026-11-17", "2 overdue, 1 today"),
        ]:
            tasks.add({"title": "Pay rent", "due": When.parse(due) if due else None}, by=by)
            await running.until(lambda: greeting in running.shown())  # noqa: B023 - awaited at once
        assert "what's due this week?" not in running.shown()
        await running.click("what should I do first?")
        assert running.composer.text == "what should I do first?"


async def test_a_long_notice_is_shown_to_its_last_word_in_a_small_terminal(
    open_app: AppOpener,
) -> None:
    async with open_app(NARROW) as running:
        for key, size in (("", NARROW), ("", (40, 12)), ("f5", (40, 12)), ("", NARROW)):
            await running.press(*filter(None, [key]))
            await running.pilot.resize_terminal(*size)
            for count in (17, 35):
                running.app.clear_notifications()
                running.app.notify("wrd " * count + "END.")
                await wait_until_idle()
                await running.until(lambda: "END." in running.shown())
                assert running.shown().count("wrd") == count, (size, key, count)
