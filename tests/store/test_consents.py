"""Consent to send to a host and other decisions: remembered on this machine, not in the file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from tests.blank import blank
from todo_tui.domain.errors import StoreUnwritable
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

CLOCK = Clock("Europe/Berlin", datetime(2026, 11, 18, 14, 30))
GROQ = "api.groq.com:443"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return blank(tmp_path / "data" / "tasks.db")


def opened(path: Path, user: str = "ann", machine: str = "state") -> Store:
    return open_store(
        path, user=user, clock=CLOCK, state_folder=path.parent.parent / machine / "todo-tui"
    )


def decide(path: Path) -> None:
    with opened(path) as store:
        store.consents.give(GROQ, "127.0.0.1:8080")
        store.decisions.set("approvals.ask", "never")


def is_trusted(store: Store) -> bool:
    covers, mode = store.consents.covers(GROQ), store.decisions.get("approvals.ask")
    assert covers is (mode is not None)
    return covers


def test_consent_survives_a_restart_and_holds_for_that_host_port_and_user(path: Path) -> None:
    decide(path)
    with opened(path) as store:
        assert store.consents.covers(GROQ)
        assert store.consents.covers("127.0.0.1:8080")
        for other in ("api.groq.com:80", "127.0.0.1:8081", "127.0.0.1:80", "groq.com:443", ""):
            assert not store.consents.covers(other)
        store.decisions.set("approvals.ask", "always")
        assert store.decisions.get("approvals.ask") == "always"
    with opened(path, "bob") as store:
        assert not is_trusted(store)
    with opened(path, machine="other") as store:
        assert not is_trusted(store)


def test_nothing_of_it_is_in_the_file_or_readable_by_others(path: Path) -> None:
    umask = os.umask(0)
    try:
        decide(path)
    finally:
        os.umask(umask)
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT * FROM memory").fetchall() == []
    folder = path.parent.parent / "state/todo-tui/decisions"
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(list(folder.iterdir())) == 3


def test_what_a_file_says_of_itself_counts_for_nothing(path: Path) -> None:
    with opened(path) as store:
        store.app_state.set(f"agreed:{GROQ}", GROQ)
        store.app_state.set("approvals.ask", "never")
        assert not is_trusted(store)


def copied_over(path: Path) -> None:
    """Another database over the bytes of this one, which keeps its inode."""
    path.write_bytes(foreign(path).read_bytes())


def moved_over(path: Path) -> None:
    """A copy of this database, changed elsewhere, in its place."""
    shutil.copy2(path, path.with_name("copy.db"))
    path.with_name("copy.db").replace(path)


def foreign(path: Path) -> Path:
    other = path.with_name("foreign.db")
    open_store(other, user="ann", clock=CLOCK).close()
    return other


def created_again(path: Path) -> None:
    path.unlink()


def left_alone(_path: Path) -> None:
    """Nothing happens."""


def written_by_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("INSERT INTO memory VALUES ('ann', 'theme', 'dark')")
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("VACUUM")


@pytest.mark.parametrize(
    ("happens", "trusted"),
    [
        (left_alone, True),
        (written_by_another_program, True),
        (copied_over, False),
        (moved_over, False),
        (created_again, False),
    ],
)
def test_a_file_from_elsewhere_at_the_same_path_is_not_trusted(
    path: Path, happens: Callable[[Path], None], trusted: bool
) -> None:
    decide(path)
    happens(path)
    with opened(path) as store:
        assert is_trusted(store) is trusted


def test_a_copy_and_a_moved_file_are_not_trusted_but_a_link_is(path: Path) -> None:
    decide(path)
    link = path.with_name("link.db")
    link.symlink_to(path)
    with opened(link) as store:
        assert is_trusted(store)
    copy = path.with_name("copy.db")
    shutil.copy2(path, copy)
    with opened(copy) as store:
        assert not is_trusted(store)
    with opened(path) as store:
        assert is_trusted(store)
    moved = path.rename(path.with_name("moved.db"))
    with opened(moved) as store:
        assert not is_trusted(store)


def test_a_decision_waits_for_no_lock_of_the_database(path: Path) -> None:
    with opened(path) as store, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        store.consents.give(GROQ)
        assert store.consents.covers(GROQ)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"value": 1}', "\0"])
def test_a_damaged_decision_is_none(path: Path, text: str) -> None:
    decide(path)
    for each in (path.parent.parent / "state/todo-tui/decisions").iterdir():
        each.write_text(text)
    with opened(path) as store:
        assert not is_trusted(store)
        store.consents.give(GROQ)
        assert store.consents.covers(GROQ)


def test_a_folder_that_cannot_be_written_is_named(path: Path) -> None:
    (path.parent.parent / "state").write_text("a file")
    with opened(path) as store:
        assert not is_trusted(store)
        with pytest.raises(StoreUnwritable, match="decisions"):
            store.consents.give(GROQ)
