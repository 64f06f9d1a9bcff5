"""The app while another program holds the lock of the database: keys are drawn, and writes wait."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from tests.blank import blank
from tests.knowledge.stored import add_document
from tests.scripted import answer, call, calls
from tests.tui.conftest import NOW, AppOpener, AppSetup, OpenApp
from tests.tui.driving import held_threads
from tests.tui.pane import add
from todo_tui.domain.errors import NotFound
from todo_tui.domain.reminders import ReminderSettings
from todo_tui.domain.task import Actor, Priority, Status, Task
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store
from todo_tui.tui.chat.drafts import DRAFT
from todo_tui.tui.screens.consent import ConsentScreen
from todo_tui.tui.screens.help import HelpScreen
from todo_tui.tui.widgets.choice_row import ChoiceRow
from todo_tui.tui.widgets.line_input import LineInput

_WAITING_THREADS = frozenset({-1, -2})
"""Stand for the threads of a write, and of a turn beside it, which nobody waits for."""
TODAY = NOW.date()
WAITING = "Waiting for another program to finish with"


@pytest.fixture
def busy_seconds() -> float:
    """How long a write waits; here until the test is over."""
    return 3600.0


@pytest.fixture
def app_setup(tmp_path: Path, busy_seconds: float) -> Iterator[AppSetup]:
    """As for all tests, but for how long a write waits."""
    clock = Clock("Europe/Berlin", NOW)
    path = blank(tmp_path / "tasks.db")
    with open_store(path, user="ann", clock=clock, busy_seconds=busy_seconds) as store:
        yield AppSetup(store, clock)


@contextmanager
def locked(store: Store) -> Iterator[Callable[[], None]]:
    """Hold the write lock from a connection of its own; yields what releases it."""
    holder = sqlite3.connect(store.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    held_threads.update(_WAITING_THREADS)

    def release() -> None:
        held_threads.difference_update(_WAITING_THREADS)
        if holder.in_transaction:
            holder.execute("ROLLBACK")

    try:
        yield release
    finally:
        release()
        holder.close()


@dataclass(frozen=True)
class Case:
    """Keys before the lock is held and under it, and what holds once it is released.

    A word that begins with a quotation mark is typed.
    """

    name: str
    before: str
    under: str
    effect: Callable[[Store], object]
    tasks: tuple[str, ...] = ("Alpha",)
    fill: Callable[[Store], object] = lambda store: None
    conversation: bool = False
    """True if a turn is stored before."""


def task(store: Store, task_id: int = 1) -> Task:
    return store.tasks.get(task_id)


def delete(store: Store) -> None:
    store.tasks.delete([1], by=store.new_change_context(Actor.USER))


def complete(store: Store) -> None:
    store.tasks.complete([1], by=store.new_change_context(Actor.USER))


def keys_of_the_list_are_done(store: Store) -> bool:
    """Return True if each task, from the first down, has what its own key does."""
    due = task(store, 1).due
    statuses = (Status.DONE, Status.DOING, Status.CANCELLED)
    return (
        due is not None
        and due.day > TODAY
        and all(task(store, 2 + at).status is status for at, status in enumerate(statuses))
        and task(store, 5).deleted_at is not None
        and task(store, 6).priority is Priority.HIGH
        and task(store, 7).priority is task(store, 8).priority is Priority.MEDIUM
        and task(store, 9).parent is not None
    )


def is_purged(store: Store) -> bool:
    try:
        task(store)
    except NotFound:
        return True
    return False


def titles(store: Store) -> list[str]:
    return [each.title for each in store.tasks.list().tasks]


def views(store: Store) -> list[str]:
    return [each.name for each in store.views.list()]


def names(store: Store) -> list[str]:
    return [each.title for each in store.conversations.list()]


def asked(store: Store) -> list[str]:
    """The messages of all conversations, oldest first."""
    entries = store.conversations.list()
    return [turn.user_text for each in entries for turn in store.turns.list(each.id)]


def remind(store: Store) -> None:
    """Make a reminder come due before the app opens."""
    store.reminders.snooze([task(store).uuid], store.clock.utc() - timedelta(minutes=1))


def is_snoozed(store: Store) -> bool:
    return store.reminders.next_at(ReminderSettings()) is not None


def save_view(store: Store) -> None:
    store.views.save("Mine", "@home")


def add_lease(store: Store) -> None:
    add_document(store, "Lease", "The tenant pays the rent.")


_LIST = "tab"
CASES = (
    # The list
    Case(
        "keys of the list",
        f"{_LIST} home",
        "S down space down b down minus down d down 1 down 2 down full_stop down greater_than_sign",
        keys_of_the_list_are_done,
        ("Alpha every day", *"Beta Gamma Delta Epsilon Zeta Eta Theta Iota".split()),
    ),
    Case(
        "quick add, change words, due date",
        _LIST,
        "a 'Omega enter escape home s '#home enter down t 'friday enter",
        lambda s: "Omega" in titles(s) and task(s, 1).project == "home" and task(s, 2).due,
        ("Alpha", "Beta"),
    ),
    # Views
    Case(
        "purge, last view and width",
        f"{_LIST} slash 'trash enter P",
        "y right_square_bracket right_curly_bracket",
        lambda s: is_purged(s) and s.app_state.get("list.view") and s.app_state.get("panes"),
        fill=delete,
    ),
    # Reminders and the calendar
    Case(
        "snooze, calendar: tick",
        f"{_LIST} Z",
        "1 c tab space",
        lambda s: is_snoozed(s) and task(s).status is Status.DONE,
        ("Alpha today",),
        fill=remind,
    ),
    # Conversations
    Case(
        "draft, model",
        "",
        "'hush alt+7",
        lambda s: s.app_state.get("provider") and s.app_state.get(DRAFT),
    ),
    Case(
        "queue",
        "",
        "'one enter 'two enter",
        lambda s: asked(s) == ["one", "two"],
    ),
    # Documents
    Case(
        "remove a document",
        "'/documents enter",
        "d",
        lambda s: not s.knowledge.list(),
        fill=add_lease,
    ),
)


async def do(running: OpenApp, keys: str) -> None:
    """Press keys; type what follows a quotation mark."""
    for each in keys.split():
        if each.startswith("'"):
            await running.type(each[1:].replace("_", " "))
        else:
            await running.press(each)
            await running.until_keys_are_handled()


async def see_that_keys_are_drawn(running: OpenApp) -> None:
    """Type into the message box; where another screen covers that, open the help."""
    if running.app.screen is running.screen:
        await running.pilot.click("#composer")
        await running.type("drawn")
        await running.until(lambda: "drawn" in running.shown(), pauses=1)
    else:
        await running.press("f1")
        await running.until(lambda: isinstance(running.app.screen, HelpScreen), pauses=1)
        await running.press("f1")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_keys_are_drawn_while_a_write_waits_and_the_write_is_done_after_it(
    case: Case, app_setup: AppSetup, open_app: AppOpener
) -> None:
    store = app_setup.store
    app_setup.running = {"ollama": ("small",)}
    add(store, *case.tasks)
    case.fill(store)
    app_setup.script(*[answer("Hello.")] * 3)
    async with open_app() as running:
        if case.conversation:
            await running.send("hello")
        await do(running, case.before)
        await running.settle()
        assert not case.effect(store)
        with locked(store) as release:
            await do(running, case.under)
            await see_that_keys_are_drawn(running)
            await running.until(lambda: WAITING in running.shown(), pauses=1)
            assert not case.effect(store)
            release()
            await running.until(lambda: case.effect(store), pauses=1)
        await running.until(lambda: WAITING not in running.shown(), pauses=1)
        while len(running.app.screen_stack) > 1:
            await running.press("escape")


REFUSED = "locked"
"""A word of the sentence, which is wrapped somewhere."""
KEPT = (
    # Keys before the lock is held, keys under it, and what is shown once the write has failed.
    (f"{_LIST} a", "'Sigma enter", "Sigma"),
    (f"{_LIST} e ctrl+u", "'Kappa enter", "Kappa"),
    (f"{_LIST} E ctrl+a ctrl+k", "'Lambda ctrl+s", "Lambda"),
    (f"{_LIST} slash '@home ctrl+s", "'Theta enter", "Theta"),
    ("", "'Zeta enter", "│ Zeta"),
    ("'hello enter f5 tab r ctrl+u", "'Iota enter", "Iota"),
)


@pytest.mark.parametrize("busy_seconds", [0.3])
async def test_a_text_whose_write_fails_is_kept_and_nothing_is_claimed_done(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    store = app_setup.store
    add(store, "Alpha")
    app_setup.script(answer("Hello."))
    async with open_app() as running:
        for before, under, kept in KEPT:
            await do(running, before)
            await running.settle()
            former = store.tasks.log_position(), views(store), names(store), asked(store)
            with locked(store):
                await do(running, under)
                await running.until(lambda: REFUSED in running.shown(), pauses=1)
                await running.until(lambda: kept in running.shown(), pauses=1)  # noqa: B023 - awaited
                assert former == (
                    store.tasks.log_position(),
                    views(store),
                    names(store),
                    asked(store),
                ), before
            await running.settle()
            while not running.writes() or running.composer.text:
                await running.press("ctrl+u", "escape")
            running.app.clear_notifications()
            await running.until(lambda: REFUSED not in running.shown())


async def test_what_is_typed_while_a_title_waits_to_be_saved_is_not_lost(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    store = app_setup.store
    add(store, "Alpha")
    async with open_app() as running:
        await do(running, _LIST)
        # In place, and in the editor.
        for keys, again, title in (("e", "enter", "Alpha"), ("E", "ctrl+s", "Alpha-one-two")):
            await do(running, f"{keys} end")
            with locked(store) as release:
                await do(running, f"'-one {again}")
                await do(running, "'-two")
                assert f"{title}-one-two" in running.shown()
                release()
                await running.until(lambda: titles(store) == [f"{title}-one"])  # noqa: B023 - awaited
            await do(running, again)
            await running.until(lambda: titles(store) == [f"{title}-one-two"])  # noqa: B023 - awaited
            await running.settle()


async def test_what_is_typed_while_a_view_waits_to_be_saved_or_deleted_is_not_lost(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    store = app_setup.store
    save_view(store)
    async with open_app() as running:
        await do(running, f"{_LIST} w 'Mine f2 ctrl+u")
        await running.settle()
        with locked(store) as release:
            await do(running, "'Mine-one enter '-two")
            assert "Mine-one-two" in running.shown()
            release()
            await running.until(lambda: views(store) == ["Mine-one"])
        await running.settle()
        assert "Mine-one-two" in running.shown()
        await do(running, "enter")
        await running.until(lambda: views(store) == ["Mine-one-two"])
        while len(running.app.screen_stack) > 1:
            await running.press("escape")
        # So are the words of the search.
        await do(running, "w 'Mine")
        await running.settle()
        with locked(store) as release:
            await do(running, "f8 'Today")
            release()
            await running.until(lambda: views(store) == [])
        await running.settle()
        assert running.app.screen.query_one("#view-search", LineInput).value == "Today"
        while len(running.app.screen_stack) > 1:
            await running.press("escape")


async def test_documents_are_added_once_the_lock_is_free(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    store = app_setup.store
    (tmp_path / "lease.md").write_text("# Lease\n\nThe rent is 900 euros.\n", encoding="utf-8")
    async with open_app() as running:
        with locked(store) as release:
            running.composer.insert(f"/attach {tmp_path / 'lease.md'}")
            await running.press("enter")
            await see_that_keys_are_drawn(running)
            assert not store.knowledge.list()
            release()
            await running.until(lambda: store.knowledge.list(), pauses=1)
        assert running.composer.text == "drawn"


async def test_what_follows_a_write_that_fails_is_not_done_without_it(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    store = app_setup.store
    add(store, "Alpha")
    complete(store)
    async with open_app() as running:
        await do(running, f"{_LIST} a")
        with locked(store) as release:
            await do(running, "'Omega enter escape u")
            store.file.stop_waiting()
            await running.until(lambda: REFUSED in running.shown(), pauses=1)
            release()
            await running.settle()
        # The undo was meant for the task that was not added.
        assert task(store).status is Status.DONE


async def test_a_message_that_waits_to_be_stored_is_taken_back(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    async with open_app() as running:
        with locked(app_setup.store):
            await do(running, "'hello enter")
            await running.until(lambda: WAITING in running.shown(), pauses=1)
            await do(running, "escape")
            await running.until(lambda: running.composer.text == "hello", pauses=1)
        assert asked(app_setup.store) == []


async def test_the_changes_of_a_turn_are_undone_once_the_lock_is_free(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    store = app_setup.store
    app_setup.script(calls(call("add_task", title="Omega")), answer("Done."))
    async with open_app() as running:
        await running.send("add it")
        assert titles(store) == ["Omega"]
        with locked(store) as release:
            await do(running, "alt+u")
            await see_that_keys_are_drawn(running)
            release()
            await running.until(lambda: titles(store) == [], pauses=1)


async def test_consent_to_a_host_waits_without_holding_up_keys(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    app_setup.keys.add("groq")
    async with open_app() as running:
        await running.press("alt+3")
        await running.until(lambda: isinstance(running.app.screen, ConsentScreen))
        choices = running.app.screen.query_one(ChoiceRow)
        choices.end_grace()
        with locked(app_setup.store) as release:
            await do(running, "tab y")
            await see_that_keys_are_drawn(running)
            assert not app_setup.store.app_state.get("provider")
            release()
            await running.until(lambda: app_setup.store.app_state.get("provider") == "groq")


async def test_the_list_and_a_conversation_are_read_while_the_lock_is_held(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    store = app_setup.store
    add(store, "Alpha #home", "Beta")
    app_setup.script(answer("Hello."))
    async with open_app() as running:
        await running.send("hello")
    with locked(store):
        async with open_app() as running:
            await running.until(lambda: "Hello." in running.shown())
            await do(running, f"{_LIST} space slash '#home")
            await running.until(lambda: "Beta" not in running.shown(), pauses=1)
            assert "Alpha" in running.shown()
            store.file.stop_waiting()


async def test_a_write_of_the_app_on_the_event_loop_is_reported(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    memory = app_setup.store.app_state
    async with open_app() as running:
        raised: list[Warning] = []

        def write() -> None:
            try:
                memory.set("key", "value")
            except ResourceWarning as warning:
                raised.append(warning)

        running.screen.call_later(write)
        await running.until(lambda: raised)
    assert memory.get("key") is None
