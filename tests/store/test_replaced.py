"""The database deleted, replaced or overwritten while a store has it open."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.blank import blank
from tests.store.opened import NOW, ZONE, add, opened, titles, user_context
from tests.store.processes import run
from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.errors import StoreError, StoreReplaced, StoreUnreadable
from todo_tui.domain.when import Clock, random_id
from todo_tui.store.store import Store, open_store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="open files stay there")


def files_of(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}*"))


def delete(path: Path) -> None:
    path.unlink()


def delete_with_its_log(path: Path) -> None:
    for each in files_of(path):
        each.unlink()


def replace(path: Path) -> None:
    backup = path.with_name("backup.db")
    with opened(blank(backup)) as store:
        for number in range(20):
            add(store, f"from the backup {number}")
    backup.replace(path)


def overwrite(path: Path) -> None:
    backup = path.with_name("backup.db")
    with opened(blank(backup)) as store:
        for number in range(20):
            add(store, f"from the backup {number}")
    shutil.copyfile(backup, path)
    backup.unlink()


def recreate(path: Path) -> None:
    delete_with_its_log(path)
    with opened(path) as store:
        add(store, "in the new file")


def rename_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def delete_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


def replace_log(path: Path) -> None:
    log = path.with_name(f"{path.name}-wal")
    shutil.copyfile(log, log.with_suffix(".copy"))
    log.with_suffix(".copy").replace(log)


FAULTS: list[tuple[Callable[[Path], None], str]] = [
    (delete, "was deleted"),
    (delete_with_its_log, "was deleted"),
    (replace, "was replaced"),
    (recreate, "was replaced"),
    (overwrite, "was overwritten"),
    (rename_folder, "was deleted or moved"),
    (delete_log, "-wal was deleted"),
    (replace_log, "-wal was replaced"),
]


@pytest.fixture
def filled(store: Store) -> Store:
    for number in range(30):
        add(store, f"old {number}")
    assert len(titles(store)) == 30
    return store


@pytest.mark.parametrize(("happen", "said"), FAULTS)
def test_writes_are_refused_after(filled: Store, happen: Callable[[Path], None], said: str) -> None:
    happen(filled.path)
    with pytest.raises(StoreReplaced, match=said) as caught:
        add(filled, "new")
    assert "Changes are not saved" in str(caught.value)


@pytest.mark.parametrize(("happen", "said"), FAULTS)
def test_a_poll_notices(filled: Store, happen: Callable[[Path], None], said: str) -> None:
    assert not filled.poll()
    happen(filled.path)
    with pytest.raises(StoreReplaced, match=said):
        filled.poll()


@pytest.mark.parametrize("happen", [delete, replace])
def test_a_file_that_is_replaced_during_a_write_makes_it_fail(
    path: Path, happen: Callable[[Path], None]
) -> None:
    by: list[ChangeContext] = []

    def new_id() -> str:
        # Ids of tasks and operations are made inside the transaction.
        if by and not told:
            by.clear()
            happen(path)
        return random_id()

    told: list[object] = []
    with open_store(blank(path), user="ann", clock=Clock(ZONE, NOW), new_id=new_id) as store:
        store.tasks.subscribe(told.append)
        gesture = user_context(store)
        by.append(gesture)
        with pytest.raises(StoreReplaced):
            store.tasks.add({"title": "in no file"}, by=gesture)
    assert by == []
    assert told == [], "what is announced is in the file"


@pytest.mark.parametrize("happen", [replace, recreate, overwrite])
def test_the_file_that_took_its_place_is_not_damaged_when_the_store_closes(
    filled: Store, happen: Callable[[Path], None]
) -> None:
    path = filled.path
    happen(path)
    before = path.read_bytes()
    # Closing is what applies a log: nothing else notices here.
    filled.close()
    assert path.read_bytes() == before
    with opened(path) as other:
        assert other.problems() == ()
        assert not any("old" in title for title in titles(other))
        add(other, "later")


@pytest.mark.parametrize("happen", [replace, recreate, overwrite])
def test_another_process_opens_it_unharmed_once_the_poll_has_noticed(
    filled: Store, happen: Callable[[Path], None]
) -> None:
    path = filled.path
    happen(path)
    with pytest.raises(StoreReplaced):
        filled.poll()
    assert run("add", path, 3).count("confirmed") == 3
    filled.close()
    with opened(path) as other:
        assert other.problems() == ()
        assert not any("old" in title for title in titles(other))


def test_a_database_that_was_moved_away_has_all_that_was_confirmed(filled: Store) -> None:
    aside = filled.path.with_name("aside.db")
    filled.path.rename(aside)
    with pytest.raises(StoreReplaced):
        filled.poll()
    with opened(aside) as other:
        assert len(titles(other)) == 30


def test_the_log_of_an_overwritten_file_is_kept_aside(filled: Store) -> None:
    log = filled.path.with_name(f"{filled.path.name}-wal").read_bytes()
    overwrite(filled.path)
    with pytest.raises(StoreReplaced):
        filled.poll()
    (kept,) = filled.path.parent.glob("*-wal.*.bak")
    assert kept.read_bytes() == log
    assert kept.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("happen", [replace, overwrite])
def test_reopening_goes_on_with_the_file_that_lies_there(
    filled: Store, happen: Callable[[Path], None]
) -> None:
    happen(filled.path)
    with pytest.raises(StoreReplaced):
        add(filled, "refused")
    filled.reopen()
    assert not filled.poll()
    add(filled, "after")
    found = titles(filled)
    assert len(found) == 21
    assert "after" in found
    with opened(filled.path) as other:
        assert titles(other) == found


@pytest.mark.parametrize("happen", [delete_log, replace_log])
def test_reopening_after_the_log_was_lost_keeps_all_that_was_confirmed(
    filled: Store, happen: Callable[[Path], None]
) -> None:
    happen(filled.path)
    with pytest.raises(StoreReplaced):
        add(filled, "refused")
    filled.reopen()
    add(filled, "after")
    with opened(filled.path) as other:
        assert len(titles(other)) == 31


def test_reopening_makes_no_file(filled: Store) -> None:
    delete_with_its_log(filled.path)
    with pytest.raises(StoreReplaced, match="No database found at"):
        filled.reopen()
    assert files_of(filled.path) == []
    assert len(titles(filled)) == 30, "it can still be read"
    with opened(filled.path) as other:
        add(other, "made by hand")
    filled.reopen()
    assert titles(filled) == ["made by hand"]


@pytest.mark.parametrize("data", [b"", b"shopping list\n"])
def test_reopening_refuses_what_is_no_database(filled: Store, data: bytes) -> None:
    filled.path.unlink()
    filled.path.write_bytes(data)
    with pytest.raises(StoreError):
        filled.reopen()
    assert filled.path.read_bytes() == data
    assert len(titles(filled)) == 30


def test_reopening_refuses_a_database_of_another_program(filled: Store) -> None:
    filled.path.unlink()
    with closing(sqlite3.connect(filled.path)) as foreign:
        foreign.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY)")
    with pytest.raises(StoreUnreadable, match="another program"):
        filled.reopen()


def test_reopening_refuses_a_file_beside_the_log_of_the_one_before(filled: Store) -> None:
    reader = sqlite3.connect(filled.path, isolation_level=None)
    # Another program that reads keeps the log from being emptied.
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM tasks").fetchall()
    add(filled, "behind what the reader sees")
    replace(filled.path)
    with pytest.raises(StoreReplaced):
        filled.poll()
    with pytest.raises(StoreReplaced, match="-wal still belongs to the previous database"):
        filled.reopen()
    reader.close()
    with pytest.raises(StoreReplaced):
        filled.poll()
    filled.reopen()
    assert len(titles(filled)) == 20


def test_a_file_that_comes_back_is_taken_as_it_was(filled: Store) -> None:
    elsewhere = filled.path.parent.with_name("elsewhere")
    filled.path.parent.rename(elsewhere)
    with pytest.raises(StoreReplaced):
        add(filled, "refused")
    elsewhere.rename(filled.path.parent)
    add(filled, "after")
    filled.reopen()
    assert len(titles(filled)) == 31


def test_a_link_that_leads_elsewhere_is_noticed(tmp_path: Path) -> None:
    for name in ("one.db", "two.db"):
        with opened(blank(tmp_path / name)) as store:
            add(store, name)
    link = tmp_path / "link.db"
    link.symlink_to("one.db")
    with opened(link) as store:
        link.unlink()
        link.symlink_to("two.db")
        with pytest.raises(StoreReplaced, match=r"link\.db was replaced"):
            add(store, "refused")
        store.reopen()
        assert titles(store) == ["two.db"]
    with opened(tmp_path / "one.db") as store:
        assert titles(store) == ["one.db"]


def test_what_other_processes_write_and_checkpoint_is_no_replacement(filled: Store) -> None:
    assert run("add", filled.path, 3).count("confirmed") == 3
    with closing(sqlite3.connect(filled.path)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    assert filled.poll()
    add(filled, "mine")
    assert len(titles(filled)) == 34


@pytest.mark.parametrize("mode", ["PASSIVE", "TRUNCATE"])
def test_a_manual_checkpoint_is_no_replacement(filled: Store, mode: str) -> None:
    filled.poll()
    with closing(sqlite3.connect(filled.path)) as other:
        other.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()
    filled.poll()
    add(filled, "mine")


def test_large_writes_of_ones_own_are_no_replacement(filled: Store) -> None:
    size = filled.path.stat().st_size
    while filled.path.stat().st_size == size:
        # Until there is more than what SQLite keeps in its log.
        add(filled, "large", notes="x" * 900_000)
        assert not filled.poll()


def test_a_file_that_is_overwritten_before_anything_was_written_is_noticed(store: Store) -> None:
    assert titles(store) == []
    overwrite(store.path)
    with pytest.raises(StoreReplaced, match="was overwritten"):
        store.poll()
    store.reopen()
    assert len(titles(store)) == 20
