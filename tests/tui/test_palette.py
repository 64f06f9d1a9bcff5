"""The command palette: every action by the words people type, from every pane and screen."""

from __future__ import annotations

import re
from pathlib import Path

from textual.command import Command, CommandPalette
from textual.widgets import Input, OptionList

from tests.config.home import Home
from tests.scripted import answer
from tests.tui.conftest import NARROW, AppOpener, AppSetup, OpenApp
from tests.tui.pane import add
from todo_tui.config.load import Configuration
from todo_tui.domain.task import Actor
from todo_tui.tui.actions.registry import SLASH_COMMANDS
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.palette import PaletteCommands
from todo_tui.tui.screens.calendar import CalendarScreen
from todo_tui.tui.screens.live_screen import LiveScreen
from todo_tui.tui.screens.usage import UsageScreen

WANTED = {
    "undo": "Undo",
    "/usage": "Usage and cost",
    "/stats": "Statistics",
    "ask before": "Approval settings",
    "redo": "Redo",
    "delete": "Delete task",
    "remove": "Delete task",
    "complete": "Complete or reopen task",
    "done": "Complete or reopen task",
    "quit": "Quit",
    "exit": "Quit",
    "add task": "Add task",
    "edit": "Edit task",
    "filter": "Filter tasks",
    "search": "Filter tasks",
    "calendar": "Open calendar",
    "copy": "Copy task titles",
    "export": "Export tasks",
    "usage": "Usage and cost",
    "cost": "Usage and cost",
    "statistics": "Statistics",
    "theme": "Choose theme",
    "restore deleted": "Conversations",
    "snooze": "Snooze reminder",
    "approve": "Approve",
    "deny": "Deny",
    "model": "Choose model",
    "help": "Keyboard shortcuts",
    "settings": "Settings",
    "new conversation": "New conversation",
    "retry": "Retry message",
    "stop": "Stop response",
    "due": "Set due date",
    "priority": "Set high priority",
    "rename": "Rename task",
    "details": "Show details",
    "view": "Switch view",
    "log": "Log",
    "attach": "Add document or folder",
    "documents": "Documents",
    "citation": "Open cited source",
    "plan my day": "Plan the day",
    "weekly review": "Start weekly review",
}


def read_nothing() -> Configuration:
    raise AssertionError("the settings are not opened here")


async def find(running: OpenApp, words: str, wanted: str) -> list[str]:
    """Search in the palette until the wanted label is there; return the first three results."""
    if not isinstance(running.app.screen, CommandPalette):
        await running.press("ctrl+p")
    palette = running.app.screen

    def labels() -> list[str]:
        options = palette.query_one(OptionList).options
        return [option.hit.text or "" for option in options if isinstance(option, Command)]

    palette.query_one(Input).value = words
    await running.until(lambda: wanted in labels(), pauses=1)
    await running.settle()
    return labels()[:3]


async def best(commands: PaletteCommands, words: str) -> list[str]:
    """Return the first three results as the palette sorts them."""
    hits = [hit async for hit in commands.search(words)]
    return [hit.text or "" for hit in sorted(hits, key=lambda hit: -hit.score)[:3]]


async def test_every_action_is_among_the_first_three_results_for_its_word(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    keys = {
        "message box": [],
        "conversation": ["shift+tab"],
        "list": ["escape", "tab"],
        "quick add": ["a"],
        "calendar": ["escape", "c"],
    }
    app_setup.read_configuration = read_nothing
    async with open_app() as running:
        for pane, leading_there in keys.items():
            await running.press(*leading_there)
            commands = PaletteCommands(running.app.screen)
            found = {words: await best(commands, words) for words in WANTED}
            missed = {words: hits for words, hits in found.items() if WANTED[words] not in hits}
            assert missed == {}, pane
            for name, command in SLASH_COMMANDS.items():
                assert (await best(commands, f"/{name}"))[0] == command.action.label, pane
        assert isinstance(running.app.screen, CalendarScreen)


async def test_an_action_runs_in_its_own_pane_from_any_other_pane_and_screen(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.store.tasks.add(
        {"title": "Buy milk"}, by=app_setup.store.new_change_context(Actor.USER)
    )
    async with open_app(NARROW) as running:
        assert isinstance(running.app.focused, Composer)
        await find(running, "delete task", "Delete task")
        await running.press("enter")
        await running.until(lambda: "Deleted Buy milk" in running.shown())
        assert not running.writes()

        await running.press("u", "c")
        assert isinstance(running.app.screen, CalendarScreen)
        await find(running, "redo", "Redo")
        await running.press("enter")
        await running.until(lambda: "Redone" in running.shown())
        assert len(running.app.screen_stack) == 1, "the calendar is closed"

        await find(running, "usage", "Usage and cost")
        await running.press("enter")
        await running.until(lambda: isinstance(running.app.screen, UsageScreen))


async def test_the_day_is_planned_and_the_week_reviewed_by_a_message_from_list_and_palette(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    planned = [answer(f"Planned {number}.") for number in range(3)]
    app_setup.script(answer("Planned."), answer("Reviewed."), *planned)
    async with open_app(NARROW) as running:
        await running.type("half a thought")
        await running.press("tab")
        for search, label, answered in (
            ("plan", "Plan the day", "Planned."),
            ("review", "Start weekly review", "Reviewed."),
        ):
            await find(running, search, label)
            await running.press("enter")
            await running.until(lambda: answered in running.shown())  # noqa: B023 - awaited at once
            # The chat is shown, and what was typed stays.
            assert running.composer.text == "half a thought"
        await running.press("ctrl+u")
        for number, command in enumerate(("/plan", "/plan week", "/plan Tomorrow")):
            await running.type(f"{command}\n")
            await running.until(lambda: f"Planned {number}." in running.shown())  # noqa: B023 - awaited at once
        await running.type("/plan winter\n")
        await running.until(lambda: "“winter” cannot be planned. Use day" in running.shown())
        assert running.composer.text == "/plan winter"
        sent = [each.messages[-1].text for each in app_setup.provider.requests]
        assert [text.split("\n")[-1] for text in sent] == [
            "plan my day", "weekly review", "plan my day", "plan my week", "plan tomorrow",
        ]  # fmt: skip


async def test_the_calendar_is_left_for_the_message_box_it_was_opened_from(
    open_app: AppOpener,
) -> None:
    async with open_app() as running:
        await find(running, "calendar", "Open calendar")
        await running.press("enter")
        await running.until(lambda: isinstance(running.app.screen, CalendarScreen))
        await running.press("escape")
        await running.until(running.writes)


REASONS = {
    "Approve": "Nothing to approve.",
    "Delete task": "Select a task first.",
    "Export tasks": "Run in a shell: todo-tui export --help",
}


async def test_an_action_that_cannot_run_says_why(open_app: AppOpener) -> None:
    async with open_app() as running:
        for label, reason in REASONS.items():
            assert await find(running, label, label)
            await running.press("enter")
            await running.until(lambda: reason in " ".join(running.shown().split()))  # noqa: B023 - awaited at once


async def test_actions_that_cannot_run_come_after_those_that_can(open_app: AppOpener) -> None:
    async with open_app() as running:
        commands = PaletteCommands(running.app.screen)
        assert (await best(commands, "approv"))[0] == "Approval settings"


async def test_what_is_used_most_comes_first_also_after_a_restart(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.store.app_state.set("palette", "[not json")
    async with open_app() as running:
        for label in ("Statistics", "Usage and cost", "Usage and cost"):
            await find(running, label.lower(), label)
            await running.press("enter")
            await running.until(lambda: isinstance(running.app.screen, LiveScreen))
            await running.press("escape")
            await running.until(lambda: running.app.screen is running.screen)
    async with open_app() as running:
        found = [hit.text async for hit in PaletteCommands(running.app.screen).discover()]
        assert found[:2] == ["Usage and cost", "Statistics"]
        # Actions that cannot run come last, and equal ones stay in their order.
        assert found.index("Focus task list") == 2
        assert found.index("Approve") > found.index("Quit")


async def test_an_action_names_its_target(app_setup: AppSetup, open_app: AppOpener) -> None:
    add(app_setup.store, "Buy milk", "Water plants")
    async with open_app() as running:
        await find(running, "delete", "Delete task")
        assert re.search(r"Delete task  Buy milk +d ", running.shown())
        await running.press("escape", "tab", "X")
        await find(running, "delete", "Delete task")
        assert re.search(r"Delete task  2 tasks selected +d ", running.shown())


async def test_tasks_views_and_settings_are_targets(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    add(app_setup.store, "Call mom", "Renew passport")
    home = Home(tmp_path / "home")
    home.folder.mkdir()
    app_setup.read_configuration = home.configuration
    async with open_app() as running:
        await find(running, "passp", "Task: Renew passport")
        assert "#2" in running.shown()
        await running.press("enter")
        await running.until(lambda: running.screen.tasks.selected_tasks == ((2, "Renew passport"),))
        assert not running.writes()
        await find(running, "upcom", "View: Upcoming")
        await running.press("enter")
        await running.until(lambda: "‹ Upcoming ›" in running.shown())
        await find(running, "setting timeout", "Setting: limits timeout")
        await running.press("enter")
        await running.until(lambda: "Stream timeout in seconds." in running.shown())
        await running.press("escape")
        # Words are found by their beginning or inside, labels by their initials; letters that are
        # scattered over a label find nothing.
        commands = PaletteCommands(running.app.screen)
        for typed in ("dltsk", "stats xq", "thm", "ndo task x"):
            assert await best(commands, typed) == [], typed
        for typed, label in (
            ("nc", "New conversation"),
            ("ndo", "Undo"),
            ("ta del", "Delete task"),
        ):
            assert label in await best(commands, typed), typed


async def test_a_conversation_is_found_by_its_messages(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.script(answer("Three months' rent."))
    async with open_app() as running:
        await running.send("what is the deposit?")
        await running.press("ctrl+n")
        await find(running, "deposit", "what is the deposit?")
        await running.press("enter")
        await running.until(lambda: "Three months' rent." in running.shown())
        assert running.writes()
