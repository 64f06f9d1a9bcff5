"""Folders of .ics files: read file by file, written all or none, others left alone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Shell

TODO = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:{uid}\nSUMMARY:{title}\n{more}END:VTODO\nEND:VCALENDAR\n"


def put(folder: Path, name: str, uid: str, title: str, more: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(TODO.format(uid=uid, title=title, more=more))
    return path


def test_a_folder_is_read_file_by_file(shell: Shell) -> None:
    folder = shell.folder / "work"
    put(folder, "a.ics", "1", "First")
    put(folder, "b.ICS", "2", "Second", "RELATED-TO:1\n")
    put(folder, ".hidden.ics", "3", "Hidden")
    (folder / "color").write_text("#ff0000")
    outcome = shell.done("import", str(folder), "--json")
    first, second = outcome.tasks
    assert (first["title"], second["title"]) == ("First", "Second")
    assert second["parent"] == first["id"]
    assert shell.done("import", str(folder)).out.startswith(
        "Imported 0 tasks; 2 tasks already exist"
    )


def test_bad_files_are_named(shell: Shell) -> None:
    folder = shell.folder / "work"
    put(folder, "a.ics", "1", "Fine")
    put(folder, "b.ics", "2", "Odd", "DUE:20260230\n")
    put(folder, "c.ics", "1", "Double")
    (folder / "d.ics").write_bytes(b"\xff\xfe\x00\x01 caf\xe9")
    (folder / "e.ics").write_text("hello")
    outcome = shell.fails("import", str(folder))
    for said in ("c.ics has the same uuid as a.ics", "d.ics: ", "e.ics: Not an iCalendar file"):
        assert said in outcome.err
    outcome = shell.done("import", str(folder), "--skip-bad")
    assert outcome.out.startswith("Imported 2 tasks;")
    assert "b.ics (“Odd”): cannot read `due` “20260230”" in outcome.err


def test_a_summary_names_tasks_where_a_file_holds_several(shell: Shell) -> None:
    todos = "".join(
        f"BEGIN:VTODO\nUID:{number}\nSUMMARY:Task {number}\nDUE:soon\nEND:VTODO\n"
        for number in range(20)
    )
    folder = shell.folder / "work"
    folder.mkdir()
    (folder / "all (1).ics").write_text(f"BEGIN:VCALENDAR\n{todos}END:VCALENDAR\n")
    err = shell.done("import", str(folder)).err
    assert "17 further entries" in err
    assert all(f"all (1).ics (“Task {number}”)" in err for number in range(20))


def test_a_folder_of_folders_says_which_to_take(shell: Shell) -> None:
    put(shell.folder / "calendars", "x.txt", "1", "No")
    put(shell.folder / "calendars" / "work", "a.ics", "1", "First")
    assert "work" in shell.fails("import", str(shell.folder / "calendars")).err


def test_an_export_writes_a_file_for_each_task_in_place_of_its_own(shell: Shell) -> None:
    folder = shell.folder / "work"
    mine = put(folder, "named by another program.ics", "1", "First", "GEO:1;2\n")
    other = put(folder, "other.ics", "99", "Not ours")
    before = other.read_bytes()
    shell.done("import", str(mine))
    shell.done("edit", "1", "--title", "First, changed")
    shell.done("add", "Second")
    assert "Exported 2 tasks" in shell.done("export", "--output", str(folder)).err
    assert len(list(folder.iterdir())) == 3
    text = mine.read_text()
    assert "SUMMARY:First\\, changed" in text
    assert "GEO:1;2" in text
    assert other.read_bytes() == before


def test_a_new_folder_is_made_and_read_back(shell: Shell) -> None:
    shell.done("add", "Call tomorrow 5pm @phone")
    shell.done("export", "--output", f"{shell.folder}/new/")
    (path,) = (shell.folder / "new").iterdir()
    assert path.suffix == ".ics"
    there = ("--db", str(shell.folder / "other.db"))
    shell.done("import", str(shell.folder / "new"), *there)
    copy = shell.done("list", "--json", *there).task
    assert copy == shell.done("list", "--json").task


def test_the_manual_order_comes_back_from_a_folder(shell: Shell) -> None:
    entries = [
        {"title": title, "uuid": f"{uuid}"} for title, uuid in zip("abc", "312", strict=True)
    ]
    shell.done("import", "-", stdin=json.dumps(entries).encode())
    shell.done("export", "--output", f"{shell.folder}/new/")
    there = ("--db", str(shell.folder / "other.db"))
    shell.done("import", str(shell.folder / "new"), *there)
    copies = shell.done("list", "--json", *there).tasks
    assert [task["title"] for task in copies] == ["a", "b", "c"]


def test_a_uuid_never_leads_out_of_the_folder(shell: Shell) -> None:
    uuids = ["../../escaped", "a/b", "a:b", ".", "x" * 400, "a_b", "NUL"]
    for number, uuid in enumerate(uuids):
        shell.done("import", "-", "--format", "todotxt", stdin=f"t{number} uuid:{uuid}\n".encode())
    shell.done("export", "--output", f"{shell.folder}/out/")
    assert len(list((shell.folder / "out").iterdir())) == len(uuids)
    assert not list(shell.folder.parent.glob("escaped*"))


def test_a_file_with_several_tasks_is_left_as_it_is(shell: Shell) -> None:
    folder = shell.folder / "work"
    path = put(folder, "all.ics", "1", "First")
    two = path.read_text().replace("END:VTODO\n", "END:VTODO\nBEGIN:VTODO\nUID:2\nEND:VTODO\n")
    path.write_text(two)
    shell.done("import", "-", "--format", "todotxt", stdin=b"First uuid:1\n")
    assert "contains several tasks" in shell.fails("export", "--output", str(folder)).err
    assert path.read_text() == two


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_folder_that_cannot_be_written_is_named_and_left_alone(shell: Shell) -> None:
    folder = shell.folder / "work"
    folder.mkdir(mode=0o500)
    shell.done("add", "x")
    assert "cannot be written" in shell.fails("export", "--output", str(folder)).err


def test_only_some_formats_are_kept_in_folders(shell: Shell) -> None:
    (shell.folder / "work").mkdir()
    outcome = shell.fails("export", "--format", "csv", "--output", str(shell.folder / "work"))
    assert "stored in a file" in outcome.err
    assert "icalendar" in outcome.err
