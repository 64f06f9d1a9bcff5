"""Files of the first format, brought up to date with all that they hold."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

from tests.store.fifth_format import write_fifth_format
from tests.store.first_format import write_first_format
from tests.store.opened import opened, titles
from tests.store.processes import start
from todo_tui.domain.changes import ChangeKind
from todo_tui.domain.messages import Message, Role, Text, TurnStatus, Usage
from todo_tui.domain.task import Actor
from todo_tui.store.conversations.records import DayUsage, ModelCall, UsageSum


def test_a_file_of_the_first_format_keeps_all_it_held(path: Path) -> None:
    write_first_format(path)
    with opened(path) as store:
        assert titles(store) == ["Buy milk"]
        assert store.memory.get("provider") == "groq"
        (turn,) = store.conversations.turns("c1")
        assert (turn.user_text, turn.answer, turn.status) == (
            "add milk", "Added.", TurnStatus.FINISHED,
        )  # fmt: skip
        assert (turn.usage, turn.cost_usd, turn.model_calls) == (Usage(100, 0, 10), 0.25, 1)
        assert [step.summary for step in turn.steps] == ["Added Buy milk"]
        assert store.conversations.calls("t1") == (
            ModelCall("groq", "oss", Usage(100, 40, 10, 5), 0.25, 9.5),
        )
        assert store.problems() == ()


def test_what_was_spent_before_counts_for_its_day_and_user(path: Path) -> None:
    write_first_format(path)
    day, usage = date(2026, 11, 17), Usage(100, 40, 10, 5)
    with opened(path) as ann, opened(path, user="bob") as bob:
        assert ann.usage.days() == (DayUsage(day, usage, 0.25, 0, 1),)
        assert ann.usage.conversation("c1") == UsageSum(usage, 0.25, 0, 1)
        assert bob.usage.days() == (DayUsage(day, Usage(), 0.0, 0, 1),)


def test_a_conversation_of_the_first_format_goes_on(path: Path) -> None:
    write_first_format(path)
    with opened(path) as store:
        again = Message(Role.USER, (Text("again"),))
        store.conversations.open_turn("c1", again, provider="groq", model="oss")
        recollection = store.conversations.model_history("c1")
    assert [message.text for message in recollection.messages] == ["add milk", "Added.", "again"]
    assert (recollection.before, recollection.summary) == (0, None)


def test_a_backup_of_the_first_format_is_kept(path: Path) -> None:
    write_first_format(path)
    opened(path).close()
    (backup,) = path.parent.glob("todo.db.format1-*.bak")
    with closing(sqlite3.connect(backup)) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
        assert database.execute("SELECT count(*) FROM model_calls").fetchone() == (2,)


def test_processes_that_meet_the_first_format_at_once_bring_it_up_to_date_once(
    path: Path,
) -> None:
    write_first_format(path)
    racing = [start("open", path) for _ in range(6)]
    outputs = [process.communicate(timeout=120)[0] for process in racing]
    assert outputs == [""] * 6
    assert len(list(path.parent.glob("*.bak"))) == 1
    with opened(path) as store:
        assert titles(store).count("opened") == 6
        assert store.usage.conversation("c1").model_calls == 1


def test_a_file_of_the_first_format_ends_with_the_tables_and_indexes_of_a_new_one(
    path: Path, tmp_path: Path
) -> None:
    write_first_format(path)
    fresh = tmp_path / "fresh.db"
    for each in (path, fresh):
        opened(each).close()

    def layout(file: Path) -> list[tuple[str, str]]:
        with closing(sqlite3.connect(file)) as database:
            return database.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()

    assert layout(path) == layout(fresh)


def test_what_an_older_format_logged_of_an_import_is_found_and_undone(path: Path) -> None:
    write_fifth_format(path)
    with opened(path) as store:
        said = [(each.kind, each.field, each.new) for each in store.tasks.history(2)]
        assert said == [
            ("create", None, "2"),
            ("set", "title", "Pay the fee"),
            ("add", "tags", "home"),
            ("set", "parent", "1"),
            ("set", "priority", "high"),
        ]
        store.tasks.undo(by=store.new_change_context(Actor.CLI))
        assert store.tasks.get(2).priority is None
        undone = store.tasks.undo(by=store.new_change_context(Actor.CLI))
        assert {each.kind for each in undone.changes} == {ChangeKind.PURGED}
        assert titles(store) == []
