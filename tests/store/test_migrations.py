"""Opening files: new, old, newer, foreign, damaged, and where nothing can be written."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlite_utils import Database, Migrations

from tests.store.opened import add, of_format_11, opened, ops, titles, user_context
from tests.store.processes import ROOT, run
from todo_tui.domain.errors import (
    StoreBusy,
    StoreError,
    StoreUnreadable,
    StoreUnwritable,
)
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.store.database import OPEN_SCOPE, STARTS_OF_OPS
from todo_tui.store.migrations import (
    APPLICATION_ID,
    CURRENT_FORMAT,
    OLDEST_SCHEMA_VERSION,
    SCHEMA_VERSION,
    SchemaFormat,
    open_database,
)
from todo_tui.store.store import open_store

NOBODY = 65534 if hasattr(os, "geteuid") and os.geteuid() == 0 else 0


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def contents(folder: Path) -> dict[str, bytes]:
    return {entry.name: entry.read_bytes() for entry in folder.iterdir()}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_files_and_folders_are_born_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "one" / "two" / "todo.db"
    old = os.umask(umask)
    try:
        store = opened(path)
        add(store, "a")
    finally:
        os.umask(old)
    assert {entry.name: mode(entry) for entry in path.parent.iterdir()} == {
        "todo.db": 0o600,
        "todo.db-wal": 0o600,
        "todo.db-shm": 0o600,
    }
    assert (mode(path.parent), mode(path.parent.parent)) == (0o700, 0o700)
    store.close()
    assert [entry.name for entry in path.parent.iterdir()] == ["todo.db"]


def test_the_log_beside_the_file_stays_small(path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    with opened(path) as store, opened(path) as other:
        fields: list[TaskFields] = [{"title": f"task {each}"} for each in range(10_000)]
        store.tasks.add_many(fields, by=user_context(store))
        assert log.stat().st_size > 9_000_000
        add(other, "the log begins again")
        assert log.stat().st_size <= 8_000_000


def test_a_new_file_is_marked_and_kept_in_the_way_of_the_design(path: Path) -> None:
    with opened(path):
        database = Database(sqlite3.connect(path), execute_plugins=False)
        assert database.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert database.journal_mode == "wal"
        assert not CURRENT_FORMAT.migrations().pending(database)
        others = ("_", "sqlite_", "message_words", "passage_words")
        own = [table for table in database.tables if not table.name.startswith(others)]
        assert own
        assert all(table.strict for table in own)
        database.close()


def test_partial_indexes_have_the_conditions_of_the_queries(path: Path) -> None:
    with opened(path), closing(sqlite3.connect(path)) as database:
        indexes = [sql for (sql,) in database.execute("SELECT sql FROM sqlite_schema") if sql]
    assert sum(sql.endswith(OPEN_SCOPE) for sql in indexes) == 5
    assert sum(sql.endswith(STARTS_OF_OPS) for sql in indexes) == 1


def test_the_log_has_the_columns_that_the_outside_relies_on(path: Path) -> None:
    with opened(path):
        database = Database(sqlite3.connect(path), execute_plugins=False)
        assert [column.name for column in database.table("ops").columns] == [
            "seq", "op_id", "user", "device", "clock", "batch", "turn_id", "at", "actor",
            "task_uuid", "kind", "field", "old", "new", "undoes",
        ]  # fmt: skip
        database.close()


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    with opened(path) as store:
        assert titles(store) == []


@pytest.mark.parametrize(
    "data", [b"shopping list\n", b"\x00" * 4096, b"SQLite format 3\x00", b"{}"]
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    with pytest.raises(StoreUnreadable, match=r"todo\.db"):
        opened(path)
    assert contents(path.parent) == {"todo.db": data}


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_database_of_another_program_is_refused_and_not_touched(path: Path, journal: str) -> None:
    path.parent.mkdir()
    foreign = sqlite3.connect(path)
    foreign.execute(f"PRAGMA journal_mode = {journal}")
    foreign.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY)")
    foreign.commit()
    before = contents(path.parent)
    with pytest.raises(StoreUnreadable, match="another program") as caught:
        opened(path)
    assert caught.value.hint is not None
    assert "--db" in caught.value.hint
    assert contents(path.parent) == before
    foreign.close()


def test_a_newer_format_is_refused_and_left_alone(path: Path) -> None:
    with opened(path) as store:
        add(store, "a")
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    raw.close()
    before = path.read_bytes()
    with pytest.raises(StoreUnreadable, match="newer todo-tui") as caught:
        opened(path)
    assert caught.value.hint is not None
    assert "Upgrade" in caught.value.hint
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [1, OLDEST_SCHEMA_VERSION - 1])
def test_a_file_of_a_development_version_is_refused_and_left_alone(
    path: Path, version: int
) -> None:
    with opened(path) as store:
        add(store, "a")
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {version}")
    before = contents(path.parent)
    with pytest.raises(StoreUnreadable, match="from a development version") as caught:
        opened(path)
    assert caught.value.hint == "Export your tasks with that version, then import them here."
    assert contents(path.parent) == before


def test_a_damaged_file_is_named_and_never_shown_as_an_empty_list(path: Path) -> None:
    with opened(path) as store:
        for number in range(200):
            add(store, f"task {number}", notes="n" * 500)
    whole = path.read_bytes()
    # The header stays, everything behind it is garbage.
    path.write_bytes(whole[:100] + b"\xa5" * (len(whole) - 100))
    damaged = path.read_bytes()
    with pytest.raises(StoreUnreadable, match=r"todo\.db is damaged"), opened(path) as store:
        store.tasks.list()
    assert path.read_bytes() == damaged


def test_a_file_that_was_cut_short_is_named(path: Path) -> None:
    with opened(path) as store:
        for number in range(200):
            add(store, f"task {number}", notes="n" * 500)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(StoreUnreadable, match=r"todo\.db is damaged"), opened(path) as store:
        store.tasks.list()


def test_damage_in_the_middle_is_found_by_the_check(path: Path) -> None:
    with opened(path) as store:
        for number in range(400):
            add(store, f"task {number}", notes="n" * 500)
        assert store.problems() == ()
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    found = ""
    try:
        with opened(path) as store:
            found = " ".join(store.problems())
    except StoreUnreadable as error:
        found = error.message
    assert found


def test_what_is_no_ordinary_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(StoreUnreadable, match="not a regular file"):
        opened(tmp_path / "pipe")
    with pytest.raises(StoreUnreadable, match="not a regular file"):
        opened(Path("/dev/null"))


def test_a_link_to_a_file_that_is_not_there_yet_is_followed(tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "elsewhere" / "todo.db")
    with opened(link) as store:
        add(store, "a")
    with opened(tmp_path / "elsewhere" / "todo.db") as store:
        assert titles(store) == ["a"]


@pytest.mark.parametrize("name", ["a?b#c%20 d.db", "日本語 😀.db", "-wal.db"])
def test_any_name_will_do(tmp_path: Path, name: str) -> None:
    with opened(tmp_path / name) as store:
        add(store, "a")
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnreadable, match="Invalid file name"):
        opened(tmp_path / "a\x00b")
    with pytest.raises(StoreUnreadable, match="Cannot read"):
        opened(tmp_path / ("x" * 300))


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnreadable, match="is a folder"):
        opened(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnwritable, match=r"todo\.db"):
        opened(tmp_path / "file" / "todo.db")
    with pytest.raises(StoreUnwritable, match=r"todo\.db"):
        opened(tmp_path / "file" / "deeper" / "todo.db")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no folder like /proc here")
def test_a_folder_that_takes_no_files_is_refused() -> None:
    with pytest.raises(StoreUnwritable, match=r"Cannot create /proc/todo\.db"):
        opened(Path("/proc/todo.db"))


@cache
def _refuses_another_user() -> bool:
    with TemporaryDirectory() as folder:
        return bool(run("nothing", Path(folder, "none"), user_id=NOBODY))


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are others there")
class TestAsAnotherUser:
    """In a process that permissions bind, even where the tests run as root."""

    @pytest.fixture
    def shared(self, tmp_path: Path) -> Iterator[Path]:
        if _refuses_another_user():
            pytest.skip("another user may not run this Python")
        folder = Path("/tmp") / f"todo-tui-{os.getpid()}-{tmp_path.name}"  # noqa: S108
        folder.mkdir()
        folder.chmod(0o755)
        path = folder / "todo.db"
        with opened(path) as store:
            add(store, "a")
        yield path
        folder.chmod(0o755)
        shutil.rmtree(folder)

    def test_a_file_that_may_not_be_read_is_refused(self, shared: Path) -> None:
        shared.chmod(0o000)
        output = run("read-only", shared, user_id=NOBODY)
        assert output.startswith(f"!StoreUnreadable: Cannot read {shared} (Permission denied)")

    def test_a_file_that_may_only_be_read_is_shown_and_writes_fail_loudly(
        self, shared: Path
    ) -> None:
        shared.chmod(0o444)
        shared.parent.chmod(0o555)
        before = contents(shared.parent)
        count, error = run("read-only", shared, user_id=NOBODY).splitlines()
        assert count == "1"
        assert error == f"!StoreUnwritable: Could not save: {shared} is not writable."
        assert contents(shared.parent) == before

    def test_a_read_only_file_in_a_folder_of_ones_own_is_shown_too(self, shared: Path) -> None:
        if NOBODY:
            os.chown(shared, NOBODY, NOBODY)
            os.chown(shared.parent, NOBODY, NOBODY)
        shared.chmod(0o444)
        count, error = run("read-only", shared, user_id=NOBODY).splitlines()
        assert count == "1"
        assert error == f"!StoreUnwritable: Could not save: {shared} is write-protected."

    @pytest.mark.parametrize("folder_mode", [0o755, 0o555])
    def test_an_old_file_that_may_only_be_read_is_refused_and_left_alone(
        self, shared: Path, folder_mode: int
    ) -> None:
        shared.unlink()
        of_format_11(shared)
        if NOBODY:
            os.chown(shared, NOBODY, NOBODY)
            os.chown(shared.parent, NOBODY, NOBODY)
        shared.chmod(0o444)
        shared.parent.chmod(folder_mode)
        before = contents(shared.parent)
        output = run("read-only", shared, user_id=NOBODY)
        assert output == (
            f"!StoreUnwritable: {shared} has an older format and cannot be upgraded:"
            " the file is write-protected.\n"
        )
        assert contents(shared.parent) == before

    def test_a_file_of_ones_own_in_a_folder_of_somebody_else_is_shown_too(
        self, shared: Path
    ) -> None:
        os.chown(shared, NOBODY or -1, -1)
        shared.parent.chmod(0o555)
        count, error = run("read-only", shared, user_id=NOBODY).splitlines()
        assert count == "1"
        assert f"{shared} is in a folder ({shared.parent}) that is" in error

    def test_commits_that_only_the_log_has_are_never_left_out(self, shared: Path) -> None:
        holder = sqlite3.connect(shared)
        with opened(shared) as store:
            add(store, "only in the log")
            shared.chmod(0o444)
            shared.with_name("todo.db-wal").chmod(0o444)
            shared.with_name("todo.db-shm").unlink()
            shared.parent.chmod(0o555)
            output = run("read-only", shared, user_id=NOBODY)
        holder.close()
        assert output.startswith("!StoreUnwritable")
        assert "todo.db-wal has pending changes" in output

    def test_a_folder_that_may_not_be_written_fails_loudly(self, shared: Path) -> None:
        shared.parent.chmod(0o555)
        output = run("read-only", shared.with_name("new.db"), user_id=NOBODY)
        assert output.startswith(f"!StoreUnwritable: Cannot create {shared.with_name('new.db')}")
        assert "that is not writable" in output


def read_only_mount(folder: Path, commands: str, file: Path | None = None) -> str:
    """What commands print with a file, by default a new one, on a read-only mount of their own."""
    folder.mkdir()
    script = (
        f"mount -t tmpfs -o size=8m none {folder} || exit 99\n"
        + (
            f"{sys.executable} -m tests.store.worker open {folder}/todo.db 0 0\n"
            if file is None
            else f"cp {file} {folder}/todo.db\n"
        )
        + f"mount -o remount,ro {folder} || exit 99\n{commands}"
    )
    try:
        done = subprocess.run(
            ["unshare", "-m", "sh", "-c", script],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
    except FileNotFoundError:
        pytest.skip("there is no unshare")
    if done.returncode == 99 or "unshare" in done.stdout:
        pytest.skip("this user may not mount")
    return done.stdout


def test_a_read_only_mount_is_read_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "mount"
    worker = f"{sys.executable} -m tests.store.worker read-only {folder}"
    shown = read_only_mount(folder, f"{worker}/todo.db 0 0\n{worker}/deeper/new.db 0 0").split("\n")
    refused = "!StoreUnwritable: "
    assert shown[:3] == [
        "1",
        f"{refused}Could not save: {folder}/todo.db is on a read-only file system.",
        f"{refused}Cannot create {folder}/deeper/new.db: the file is on a read-only file system.",
    ]


def test_doctor_names_a_read_only_mount(tmp_path: Path) -> None:
    folder = tmp_path / "mount"
    shown = read_only_mount(folder, f"{sys.executable} -m todo_tui --db {folder}/todo.db doctor")
    assert f"{folder}/todo.db is on a read-only file system" in shown
    assert "chmod" not in shown


def test_an_old_file_on_a_read_only_mount_is_refused_in_one_sentence(
    tmp_path: Path, path: Path
) -> None:
    of_format_11(path)
    folder = tmp_path / "mount"
    commands = (
        f"{sys.executable} -m tests.store.worker read-only {folder}/todo.db 0 0\n"
        f"{sys.executable} -m todo_tui --db {folder}/todo.db list\nls {folder}"
    )
    reason = (
        f"{folder}/todo.db has an older format and cannot be upgraded:"
        " the file is on a read-only file system."
    )
    assert read_only_mount(folder, commands, path).splitlines() == [
        f"!StoreUnwritable: {reason}",
        f"todo-tui: {reason}",
        "  Copy the file to a writable folder, then open the copy with --db.",
        "todo.db",
    ]


@pytest.mark.skipif(NOBODY == 0 or not shutil.which("chattr"), reason="only root may mark a file")
def test_an_immutable_file_is_named(path: Path) -> None:
    with opened(path) as store:
        add(store, "a")
    if subprocess.run(["chattr", "+i", path], capture_output=True).returncode:
        pytest.skip("this file system has no such mark")
    try:
        output = run("read-only", path)
    finally:
        subprocess.run(["chattr", "-i", path], check=True)
    assert f"Could not save: {path} is marked immutable." in output


def test_a_write_to_a_full_disk_fails_loudly_and_keeps_what_was_there(path: Path) -> None:
    output = run("full", path)
    assert output.startswith("!StoreUnwritable: ")
    assert "Could not save" in output
    assert str(path) in output
    with opened(path) as store:
        assert titles(store) == ["before"]
        assert store.problems() == ()
        add(store, "after")


def test_a_new_file_on_a_full_disk_fails_loudly_and_can_be_made_later(path: Path) -> None:
    assert run("new-on-full", path).startswith("!StoreUnwritable")
    with opened(path) as store:
        assert titles(store) == []


def test_a_file_held_by_another_program_is_named(path: Path) -> None:
    from todo_tui.domain.when import Clock

    with open_store(path, user="ann", clock=Clock("UTC"), busy_seconds=0.1) as store:
        other = sqlite3.connect(path)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match=r"todo\.db"):
            add(store, "a")
        other.rollback()
        other.close()
        add(store, "b")
        assert titles(store) == ["b"]


def structure(path: Path) -> dict[str, object]:
    """What a file consists of; columns that were added later stand at the end of their table."""
    with closing(sqlite3.connect(path)) as raw:
        made = raw.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
        return {
            name: sorted(row[1:] for row in raw.execute(f"PRAGMA table_info({name})"))
            if kind == "table"
            else re.sub(r"\s+", " ", re.sub("--.*", "", sql or ""))
            for kind, name, sql in made
            if name != "_sqlite_migrations"
        }


def rows(path: Path, table: str) -> list[dict[str, object]]:
    with closing(sqlite3.connect(path)) as raw:
        raw.row_factory = sqlite3.Row
        return [dict(row) for row in raw.execute(f"SELECT * FROM {table}")]  # noqa: S608


def test_a_file_of_the_format_before_is_migrated_once_and_loses_nothing(path: Path) -> None:
    of_format_11(path)
    tables = ("tasks", "task_tags", "ops", "batches", "turns", "messages", "passages")
    before = {table: rows(path, table) for table in tables}
    with opened(path) as store:
        assert titles(store) == ["Pay rent", "Buy paint", "Paint the door", "Call Sam"]
        assert [match.line for match in store.conversations.search("lease")] == [
            "please call Sam about the lease"
        ]
        found = store.knowledge.search("quince medlar deposit")
        assert {each.text for each in found} == {"Three rents of deposit.", "medlar", "quince jam"}
        assert store.views.get("Flat").filter_text == "#flat"
        assert store.app_state.get("theme") == "dark"
    for table, old in before.items():
        assert all(
            row.items() <= new.items() for row, new in zip(old, rows(path, table), strict=True)
        )
    (backup,) = path.parent.glob("*.bak")
    assert backup.name.startswith("todo.db.format11-")
    assert rows(backup, "ops") == before["ops"]
    with opened(path, user="bob") as store:
        assert titles(store) == ["Bob's task"]
        assert add(store, "next").id == 2
    assert list(path.parent.glob("*.bak")) == [backup]


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_backup_that_is_cut_short_is_none(path: Path, journal: str) -> None:
    of_format_11(path)
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA journal_mode = {journal}")
    before = path.read_bytes()
    assert run("backup-on-full", path).startswith("!StoreUnwritable: ")
    assert contents(path.parent) == {"todo.db": before}
    assert run("backup-killed", path) == ""
    assert [name.suffix for name in path.parent.glob("*.part")] == [".part"]
    assert list(path.parent.glob("*.bak")) == []
    with opened(path) as store:
        assert len(titles(store)) == 4
    (backup,) = path.parent.glob("*format*")
    assert backup.suffix == ".bak"
    with closing(sqlite3.connect(backup)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert raw.execute("SELECT count(*) FROM ops").fetchone() == (40,)


def test_a_migrated_file_has_the_structure_of_a_new_one(path: Path) -> None:
    of_format_11(path)
    opened(path).close()
    new = path.with_name("new.db")
    opened(new).close()
    assert structure(path) == structure(new)
    with closing(sqlite3.connect(path)) as raw:
        assert not CURRENT_FORMAT.migrations().pending(Database(raw, execute_plugins=False))
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_changes_from_before_the_migration_can_be_undone(path: Path) -> None:
    of_format_11(path)
    with opened(path) as store:
        for _ in range(6):
            store.tasks.undo(by=user_context(store))
        assert titles(store, "all") == ["Pay rent"]
        seq = [op["seq"] for op in ops(store)]
        assert seq == list(range(1, len(seq) + 1))
        for _ in range(6):
            store.tasks.redo(by=user_context(store))
        assert titles(store) == ["Pay rent", "Buy paint", "Paint the door", "Call Sam"]


@pytest.mark.parametrize("is_migrated", [False, True])
def test_every_actor_can_write_and_an_agent_is_recorded(path: Path, is_migrated: bool) -> None:
    if is_migrated:
        of_format_11(path)
    with opened(path) as store:
        for actor in Actor:
            agent = "vibe" if actor is Actor.MCP else None
            context = store.new_change_context(actor, agent=agent)
            for title in ("one", "two"):
                store.tasks.add({"title": f"{actor} {title}"}, by=context)
        assert [op["actor"] for op in ops(store) if op["kind"] == "create"][-12::2] == list(Actor)
        store.tasks.undo(by=user_context(store))
    assert sorted(str(row["agent"]) for row in rows(path, "batches"))[-1] == "vibe"
    assert sum(row["agent"] is not None for row in rows(path, "batches")) == 1


def test_a_vector_goes_with_its_passage(path: Path) -> None:
    of_format_11(path)
    with opened(path) as store:
        with closing(sqlite3.connect(path)) as raw, raw:
            raw.executemany(
                "INSERT INTO vectors (passage, model, vector) VALUES (?, ?, ?)",
                [(passage, model, b"\0" * 8) for passage in (1, 2) for model in ("a", "b")],
            )
        store.knowledge.remove([document.id for document in store.knowledge.list()])
    assert rows(path, "vectors") == []


NEXT = SCHEMA_VERSION + 1


def next_format(*, broken: bool = False) -> Migrations:
    """The present schema and one that comes after it."""
    later = Migrations("todo_tui")
    with closing(Database(memory=True)) as empty:
        for present in CURRENT_FORMAT.migrations().pending(empty):
            later(name=present.name)(present.fn)

    @later()
    def with_colour(database: Database) -> None:
        database.execute("ALTER TABLE tasks ADD COLUMN colour TEXT")
        if broken:
            raise sqlite3.OperationalError("no")

    return later


def test_an_older_file_is_backed_up_privately_and_brought_up_to_date(path: Path) -> None:
    with opened(path) as store:
        add(store, "a")
    path.chmod(0o644)
    old = os.umask(0)
    try:
        file = open_database(path, wanted=SchemaFormat(NEXT, next_format))
    finally:
        os.umask(old)
    with file.reading() as database:
        assert database.execute("PRAGMA user_version").fetchone() == (NEXT,)
        assert database.execute("SELECT title, colour FROM tasks").fetchone() == ("a", None)
    file.close()
    (backup,) = path.parent.glob("*.bak")
    assert mode(backup) == 0o600
    assert backup.name.startswith(f"todo.db.format{SCHEMA_VERSION}-")
    with opened(backup) as store:
        assert titles(store) == ["a"]


def test_an_older_file_that_is_opened_several_times_at_once_is_migrated_once(path: Path) -> None:
    with opened(path) as store:
        add(store, "a")
    wanted = SchemaFormat(NEXT, next_format)
    with ThreadPoolExecutor(4) as threads:
        files = list(threads.map(lambda _: open_database(path, wanted=wanted), range(4)))
    for file in files:
        with file.reading() as database:
            assert database.execute("SELECT title, colour FROM tasks").fetchone() == ("a", None)
        file.close()
    assert len(list(path.parent.glob("*.bak"))) == 1


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path) -> None:
    with opened(path) as store:
        add(store, "a")
    with pytest.raises(StoreError):
        open_database(path, wanted=SchemaFormat(NEXT, partial(next_format, broken=True)))
    assert [entry.name for entry in path.parent.iterdir()] == ["todo.db"]
    with opened(path) as store:
        assert titles(store) == ["a"]


def test_schema_a_file_that_is_up_to_date_writes_nothing(path: Path) -> None:
    with opened(path) as store:
        add(store, "a")
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    with opened(path) as store:
        assert titles(store) == ["a"]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_plugins_of_sqlite_utils_stay_off(path: Path) -> None:
    script = (
        "from tests.store.opened import opened\n"
        "from pathlib import Path\n"
        f"opened(Path({str(path)!r})).close()\n"
        "import sqlite_utils.plugins\n"
        "assert not sqlite_utils.plugins._plugins_loaded\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
