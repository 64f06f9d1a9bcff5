"""The log of all changes, and the undo of any of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.store.opened import day
from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.task import Actor, Priority, Status
from todo_tui.store.store import Store


@pytest.fixture
def store(open_as: Callable[[str], Store]) -> Store:
    return open_as("ann")


def add(store: Store, actor: Actor, *titles: str, agent: str | None = None) -> str:
    """Add tasks in one batch; return its id."""
    by = store.new_change_context(actor, agent=agent)
    store.tasks.add_many([{"title": title} for title in titles], by=by)
    return by.batch


def rows(store: Store, **wanted: object) -> list[str]:
    entries = store.change_log.entries(**wanted)  # type: ignore[arg-type]  # by name
    return [f"{each.who}: {each.summary}" + " (undone)" * each.is_undone for each in entries]


def test_all_batches_are_listed_newest_first_and_filtered_by_who_and_when(store: Store) -> None:
    add(store, Actor.USER, "one", "two", "three", "four")
    add(store, Actor.CLI, "\x1b[31mred")
    add(store, Actor.MCP, "five", agent="claude-code")
    add(store, Actor.MCP, "six", agent="vibe")
    add(store, Actor.SYNC, "seven")
    by = store.new_change_context(Actor.ASSISTANT)
    store.tasks.complete([1], by=by)
    store.tasks.update([2], {"due": None, "notes": "x"}, by=by)
    store.tasks.delete([3], by=by)
    everything = [
        "assistant: Completed one · Changed notes of two · Deleted three",
        "sync: Added seven",
        "vibe: Added six",
        "claude-code: Added five",
        "shell: Added red",
        "you: Added one, two, three, four",
    ]
    assert rows(store) == everything
    for actor, places in (
        ("you", [4, 5]),
        ("app", [5]),
        ("user", [5]),
        ("SHELL", [4]),
        ("agents", [2, 3]),
        ("mcp", [2, 3]),
        ("claude", [3]),
        ("Vibe", [2]),
        ("assistant", [0]),
        ("sync", [1]),
        ("clod", []),
        ("c%", []),
    ):
        assert rows(store, actor=actor) == [everything[place] for place in places], actor
    now = store.clock.utc()
    assert rows(store, since=now - timedelta(minutes=1)) == everything
    assert rows(store, since=now + timedelta(minutes=1)) == []
    assert rows(store, limit=2) == everything[:2]


def test_a_change_says_which_fields_it_is_of(store: Store) -> None:
    add(store, Actor.USER, "one", "two")
    for ids, fields, words in (
        ([1, 2], {"due": day("2026-11-20")}, "Changed due date of one, two"),
        ([1], {"recurrence": "FREQ=WEEKLY"}, "Changed recurrence of one"),
        ([1], {"estimate": 30, "tags": ("x",)}, "Changed estimate and tags of one"),
        ([2], {"title": "three", "project": "a", "priority": Priority.HIGH}, "Changed three"),
        ([2], {"parent": 1}, "Changed parent of three"),
        ([2], {"status": Status.DOING}, "Changed status of three"),
    ):
        by = store.new_change_context(Actor.USER)
        store.tasks.update(ids, fields, by=by)  # type: ignore[arg-type]  # by name
        assert rows(store, limit=1) == [f"you: {words}"]
    store.tasks.undo(by=store.new_change_context(Actor.USER))
    assert rows(store, limit=1) == ["you: Undo: Changed status of three"]


def test_any_batch_can_be_undone_whatever_came_after_it(store: Store) -> None:
    first, second = (add(store, Actor.MCP, name, agent="vibe") for name in ("one", "two"))
    third = add(store, Actor.USER, "three")
    store.tasks.update([2], {"title": "mine"}, by=store.new_change_context(Actor.USER))
    undo = store.new_change_context(Actor.CLI)
    assert len(store.tasks.undo_batch(first, by=undo).changes) == 1
    assert rows(store)[0] == "shell: Undo: Removed one"
    assert rows(store)[-1] == "vibe: Added one (undone)"
    # It is undone once; what the user changed since stays.
    for batch in (first, second):
        report = store.tasks.undo_batch(batch, by=store.new_change_context(Actor.CLI))
        assert report.changes == ()
        assert bool(report.conflicts) is (batch == second)
    assert [task.title for task in store.tasks.find()] == ["mine", "three"]
    # The undo of an undo brings it back, again and again.
    for expected in (["one", "mine", "three"], ["mine", "three"], ["one", "mine", "three"]):
        newest = store.change_log.entries(limit=1)[0].batch
        store.tasks.undo_batch(newest, by=store.new_change_context(Actor.CLI))
        assert [task.title for task in store.tasks.find()] == expected
        is_undone = any(
            each.batch == first and each.is_undone for each in store.change_log.entries()
        )
        assert is_undone is ("one" not in expected)
    # Plain undo and redo go on as before.
    for _ in range(3):
        store.tasks.undo(by=store.new_change_context(Actor.USER))
        store.tasks.redo(by=store.new_change_context(Actor.USER))
    assert [task.title for task in store.tasks.find()] == ["one", "mine", "three"]
    assert store.change_log.find(third[:6]).batch == third
    for unknown in ("", third[:3], "nothing", "%" * 8):
        with pytest.raises(NotFound):
            store.change_log.find(unknown)
    with pytest.raises(NotFound):
        store.tasks.undo_batch("nothing", by=undo)


def test_a_transaction_commits_or_rolls_back_as_a_whole(store: Store) -> None:
    heard: list[str] = []
    store.tasks.subscribe(lambda changes: heard.extend(each.task.title for each in changes))

    def add_and_fail() -> None:
        with store.transaction():
            add(store, Actor.USER, "lost")
            raise Conflict("no")

    with pytest.raises(Conflict):
        add_and_fail()
    with store.transaction(dry_run=True):
        add(store, Actor.USER, "dry")
        assert [task.title for task in store.tasks.find()] == ["dry"]
    assert store.tasks.find() == ()
    assert heard == ["dry"]
    with store.transaction():
        add(store, Actor.USER, "kept")
        with pytest.raises(NotFound):
            store.tasks.complete([99], by=store.new_change_context(Actor.USER))
        assert heard == ["dry"], "announced after the commit"
        with store.transaction():
            add(store, Actor.USER, "inner")
    assert heard == ["dry", "kept", "inner"]
    assert [task.title for task in store.tasks.find()] == ["kept", "inner"]
    assert [task.id for task in store.tasks.find()] == [1, 2]


def test_batches_of_another_user_are_out_of_reach(open_as: Callable[[str], Store]) -> None:
    batch = add(open_as("eve"), Actor.USER, "hers")
    ann = open_as("ann")
    assert rows(ann) == []
    with pytest.raises(NotFound):
        ann.tasks.undo_batch(batch, by=ann.new_change_context(Actor.USER))
