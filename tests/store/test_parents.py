"""Which task each subtask is part of, read for the whole list at once."""

from __future__ import annotations

from pathlib import Path

from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store


def test_parents_are_those_outside_the_trash_of_this_user_alone(tmp_path: Path) -> None:
    clock = Clock("Europe/Berlin")
    file = tmp_path / "tasks.db"
    with open_store(file, user="ann", clock=clock) as store:
        by = store.new_change_context(Actor.USER)
        trip = store.tasks.add(TaskFields(title="Trip"), by=by)
        book, pack = store.tasks.add_many(
            [TaskFields(title=title, parent=trip.id) for title in ("Book", "Pack")], by=by
        )
        socks = store.tasks.add(TaskFields(title="Socks", parent=pack.id), by=by)
        assert store.tasks.parents() == {book.id: trip.id, pack.id: trip.id, socks.id: pack.id}
        store.tasks.delete([pack.id], by=by)
        assert store.tasks.parents() == {book.id: trip.id}
    with open_store(file, user="bob", clock=clock) as store:
        assert store.tasks.parents() == {}
