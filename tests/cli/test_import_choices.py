"""import: formats found from the file, dry runs, bad entries named or skipped, nothing twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Shell

FILES = {
    "todotxt": "(A) Call Mom +Family @phone due:2026-11-20\nx 2026-11-05 2026-11-01 Done one\n",
    "markdown": "# Family\n\n- [ ] Call Mom !high @phone due:2026-11-20\n- [x] Done one\n",
    "csv": "Title;Project;Priority;Due\nCall Mom;Family;high;2026-11-20\nDone one;;;\n",
    "taskwarrior": json.dumps(
        [
            {"uuid": "a", "description": "Call Mom", "status": "pending", "project": "Family"},
            {"uuid": "b", "description": "Done one", "status": "completed"},
        ]
    ),
    "icalendar": "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:Call Mom\nEND:VTODO\n"
    "BEGIN:VTODO\nUID:b\nSUMMARY:Done one\nSTATUS:COMPLETED\nEND:VTODO\nEND:VCALENDAR\n",
    "json": json.dumps([{"title": "Call Mom", "uuid": "a"}, {"title": "Done one", "uuid": "b"}]),
}
BAD = "title,project\nFine one,a\n,bad\nAlso fine,b\n,worse\n"
UNREAD = "Fine one +a\nbad due:2026-02-30\nAlso fine +b\n2026-13-01 worse\n"


def titles(shell: Shell) -> list[object]:
    return [task["title"] for task in shell.done("list", "all", "--json").tasks]


@pytest.mark.parametrize("name", FILES)
def test_the_format_is_found_in_the_text(shell: Shell, name: str) -> None:
    outcome = shell.done("import", "-", "--dry-run", "--json", stdin=FILES[name].encode())
    preview = outcome.json
    assert isinstance(preview, dict)
    assert preview["format"] == name
    shell.done("import", "-", stdin=FILES[name].encode())
    assert titles(shell) == ["Call Mom", "Done one"]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("encoded", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_is_the_same_from_any_system_and_imported_once(
    shell: Shell, name: str, encoded: str
) -> None:
    data = FILES[name].replace("\n", "\r\n").encode(encoded)
    assert shell.done("import", "-", stdin=data).out == "Imported 2 tasks\n"
    again = shell.done("import", "-", stdin=FILES[name].encode())
    assert again.out == "Imported 0 tasks; 2 tasks already exist, skipped\n"


def test_a_dry_run_shows_what_would_come_and_writes_nothing(shell: Shell) -> None:
    shell.done("import", "-", stdin=b"title,project\nHere already,x\n")
    outcome = shell.run("import", "-", "--dry-run", stdin=(BAD + "Here already,x\n").encode())
    assert outcome.status == 1
    assert outcome.out.splitlines() == [
        "standard input, read as CSV table: 2 tasks would be imported, 1 task already exists,"
        " 2 invalid entries",
        "  ○ Fine one · #a",
        "  ○ Also fine · #b",
        "Dry run: nothing imported",
    ]
    assert "Line 3: no title." in outcome.err
    assert "Line 5: no title." in outcome.err
    assert titles(shell) == ["Here already"]
    assert shell.done("add", "next", "--json").task["id"] == 2


def test_a_dry_run_for_programs_is_one_object(shell: Shell) -> None:
    outcome = shell.run("import", "-", "--dry-run", "--json", "--skip-bad", stdin=BAD.encode())
    assert outcome.status == 0
    preview = outcome.json
    assert isinstance(preview, dict)
    assert isinstance(preview["tasks"], list)
    assert isinstance(preview["bad"], list)
    assert (len(preview["tasks"]), preview["already_here"]) == (2, 0)
    assert [bad["place"] for bad in preview["bad"] if isinstance(bad, dict)] == ["Line 3", "Line 5"]


def test_every_bad_line_is_named_and_nothing_imported(shell: Shell) -> None:
    outcome = shell.fails("import", "-", stdin=BAD.encode())
    assert "Line 3: no title. Give it a title." in outcome.err
    assert "Line 5: no title." in outcome.err
    assert "2 of 4 entries are invalid. Nothing imported." in outcome.err
    assert "--skip-bad" in outcome.err
    assert titles(shell) == []


def test_skip_bad_imports_the_rest_and_names_what_is_left_out(shell: Shell) -> None:
    outcome = shell.done("import", "-", "--skip-bad", stdin=BAD.encode())
    assert outcome.out == "Imported 2 tasks; 2 invalid entries skipped\n"
    assert "Line 3" in outcome.err
    assert titles(shell) == ["Fine one", "Also fine"]


def test_a_field_that_cannot_be_read_costs_no_task(shell: Shell) -> None:
    for options in (["--dry-run"], []):
        outcome = shell.done("import", "-", *options, stdin=UNREAD.encode())
        assert "Line 2 (“bad”): cannot read `due` “2026-02-30”; kept in `extra`." in outcome.err
        assert "Line 4 (“worse”): cannot read `created_at` “2026-13-01”" in outcome.err
    assert titles(shell) == ["Fine one", "bad", "Also fine", "worse"]
    again = shell.done("import", "-", stdin=UNREAD.encode())
    assert again.err == ""


def test_remarks_are_in_the_report_for_programs(shell: Shell) -> None:
    outcome = shell.done("import", "-", "--dry-run", "--json", stdin=UNREAD.encode())
    assert isinstance(outcome.json, dict)
    remarks = outcome.json["remarks"]
    assert isinstance(remarks, list)
    assert [str(each).partition(":")[0] for each in remarks] == [
        "Line 2 (“bad”)",
        "Line 4 (“worse”)",
    ]


def test_a_series_of_a_calendar_goes_on_after_completed_and_excluded_occurrences(
    shell: Shell,
) -> None:
    text = (
        "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:Water\nDTSTART;VALUE=DATE:20261109\n"
        "DUE;VALUE=DATE:20261109\nRRULE:FREQ=WEEKLY\nEXDATE;VALUE=DATE:20261123\nEND:VTODO\n"
        + "".join(
            f"BEGIN:VTODO\nUID:a\nSUMMARY:Water\nRECURRENCE-ID;VALUE=DATE:{day}\n"
            f"DUE;VALUE=DATE:{day}\nSTATUS:COMPLETED\nEND:VTODO\n"
            for day in ("20261109", "20261207")
        )
        + "END:VCALENDAR\n"
    )
    assert shell.done("import", "-", stdin=text.encode()).err == ""
    dues = []
    for _ in range(4):
        task = shell.done("list", "--json").task
        dues.append(task["due"])
        shell.done("done", str(task["id"]))
    assert dues == ["2026-11-16", "2026-11-30", "2026-12-14", "2026-12-21"]
    exported = shell.done("export", "--format", "icalendar").out
    there = ("--db", str(shell.folder / "there.db"))
    shell.done("import", "-", *there, stdin=exported.encode())
    assert shell.done("list", "--json", *there).task["due"] == "2026-12-28"


def test_the_order_of_day_and_month_is_an_option_or_a_setting(shell: Shell) -> None:
    table = b"title,due\nRent,04/12/2026\n"
    refused = shell.fails("import", "-", stdin=table)
    assert "04/12/2026 is 4 December (day first) or 12 April (month first)" in refused.err
    assert "--date-order dmy" in refused.err
    outcome = shell.done("import", "-", "--date-order", "dmy", stdin=table)
    assert "Dates in `due` such as 04/12/2026: read day first." in outcome.err
    assert shell.done("list", "all", "--json").task["due"] == "2026-12-04"
    shell.done("delete", "1")
    config = shell.folder / "ordered.toml"
    config.write_text('[dates]\norder = "mdy"\n')
    there = ("--config", str(config), "--db", str(shell.folder / "there.db"))
    shell.done("import", "-", *there, stdin=table)
    assert shell.done("list", "all", "--json", *there).task["due"] == "2026-04-12"


def test_of_very_many_remarks_of_one_kind_the_rest_is_summed_up(shell: Shell) -> None:
    text = "".join(f"odd {number} due:x\n" for number in range(1, 1_001)) + "fine t:y\n"
    outcome = shell.done("import", "-", stdin=text.encode())
    assert outcome.out == "Imported 1,001 tasks\n"
    lines = outcome.err.splitlines()
    assert len(lines) == 5
    assert "997 further entries – cannot read `due`; kept in `extra`: Line 4, Line 5," in lines[3]
    assert lines[3].endswith("and 947 more.")
    assert "Line 1001 (“fine”): cannot read `start`" in lines[4]


def test_of_very_many_bad_lines_each_number_is_named(shell: Shell) -> None:
    text = "title,due\n" + ",2026-11-19\n" * 120 + "fine,\n"
    outcome = shell.fails("import", "-", stdin=text.encode())
    assert all(f"Line {number}" in outcome.err for number in range(2, 122))
    assert len(outcome.err.splitlines()) == 53


def test_what_only_the_store_refuses_can_be_skipped_too(shell: Shell) -> None:
    entries = [
        {"title": "x" * 20_000, "id": 1},
        {"title": "fine", "id": 2, "parent": 1},
        {"title": "also", "due": "2026-11-19T17:00", "due_zone": "Mars/Olympus"},
        {"title": "in a circle", "id": 4, "blocked_by": [5]},
        {"title": "other half", "id": 5, "blocked_by": [4]},
    ]
    data = json.dumps(entries).encode()
    refused = shell.fails("import", "-", stdin=data)
    for said in ("Entry 1", "title is too long"):
        assert said in refused.err
    outcome = shell.done("import", "-", "--skip-bad", stdin=data)
    assert outcome.out == "Imported 4 tasks; 1 invalid entry skipped\n"
    for said in (
        "Entry 2 (“fine”): is a subtask of #1",
        "Mars/Olympus",
        "Entry 5",
        "Link left out.",
    ):
        assert said in outcome.err
    assert titles(shell) == ["also", "fine", "in a circle", "other half"]


def test_what_the_reader_and_what_the_store_refuses_is_reported_at_once_and_in_order(
    shell: Shell,
) -> None:
    entries = [{"title": "long" * 5_000}, {"title": "fine"}, {"due": "x"}]
    refused = shell.fails("import", "-", stdin=json.dumps(entries).encode())
    lines = refused.err.splitlines()
    assert lines[0].startswith("standard input: Entry 1 (“long")
    assert lines[1].startswith("standard input: Entry 3: no title.")
    assert "2 of 3 entries are invalid. Nothing imported." in refused.err
    assert titles(shell) == []


def test_one_uuid_in_two_forms_is_one_task(shell: Shell) -> None:
    plain, dashed = "b3f7c1de22aa5c0e8a446a6f0d3c9b17", "b3f7c1de-22aa-5c0e-8a44-6a6f0d3c9b17"
    shell.done("import", "-", stdin=json.dumps([{"title": "x", "uuid": plain}]).encode())
    native = [
        {"description": "x", "uuid": dashed},
        {"description": "y", "uuid": "c", "depends": [dashed]},
    ]
    outcome = shell.done("import", "-", "--json", stdin=json.dumps(native).encode())
    assert outcome.task["blocked_by"] == [1]


def test_what_an_entry_names_may_be_here_already(shell: Shell) -> None:
    shell.done("import", "-", stdin=b"Plan the party +x uuid:p\n")
    text = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:c\nSUMMARY:Invite\nRELATED-TO:p\nEND:VTODO\n"
    outcome = shell.done("import", "-", "--json", stdin=f"{text}END:VCALENDAR\n".encode())
    assert outcome.task["parent"] == 1


def test_one_undo_takes_back_a_whole_import_of_any_format(shell: Shell) -> None:
    shell.done("import", "-", stdin=FILES["markdown"].encode())
    shell.done("undo")
    assert titles(shell) == []
    assert shell.done("import", "-", stdin=FILES["markdown"].encode()).out == "Imported 2 tasks\n"


@pytest.mark.parametrize("name", FILES)
def test_latin_1_and_binary_are_named(shell: Shell, name: str) -> None:
    path = shell.folder / f"tasks.{name}"
    path.write_bytes("Überweisung".encode("latin-1") + FILES[name].encode())
    assert "byte 0xdc in line 1" in shell.fails("import", str(path), "--format", name).err
    path.write_bytes(FILES[name].encode() + b"\0\1\2")
    assert "not a text file" in shell.fails("import", str(path), "--format", name).err
    assert titles(shell) == []


def test_a_text_of_no_format_says_how_to_name_one(shell: Shell) -> None:
    outcome = shell.fails("import", "-", stdin=b"Dear diary, nothing happened.\n")
    assert "--format" in outcome.err
    assert shell.done("import", "-", "--format", "todotxt", stdin=b"Dear diary\n").out


@pytest.mark.parametrize("ending", ["json", "txt", "md", "ics", "csv"])
def test_an_export_by_its_name_comes_back_whole(shell: Shell, ending: str) -> None:
    shell.done("add", "Parent #home @a")
    shell.done("add", "Pay rent every month on the 1st !high @bills")
    shell.done("edit", "2", "--parent", "1", "--notes", "line\nline", "--annotate", "called")
    shell.done("add", "Call tomorrow 5pm")
    shell.done("edit", "3", "--blocked-by", "1,2")
    shell.done("done", "2")
    path = shell.folder / f"tasks.{ending}"
    shell.done("export", "--output", str(path))
    there = ("--db", str(shell.folder / "other.db"))
    assert shell.done("import", str(path), *there).err == ""
    keys = ("id", "parent", "blocked_by", "position")
    before, after = (
        {
            str(task["uuid"]): {key: task[key] for key in task if key not in keys}
            for task in shell.done("list", "all", "--json", *place).tasks
        }
        for place in ((), there)
    )
    assert after == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_an_import_that_is_killed_in_the_middle_leaves_nothing(shell: Shell) -> None:
    path = shell.folder / "many.txt"
    path.write_text("".join(f"Task {number} +x\n" for number in range(8_000)))
    shell.done("add", "here before")
    with subprocess.Popen(
        [sys.executable, "-m", "todo_tui", "import", str(path)], stdout=subprocess.PIPE
    ) as process:
        log = Path(shell.environment()["TODO_TUI_DB"] + "-wal")
        deadline = time.monotonic() + 300
        while process.poll() is None and time.monotonic() < deadline:
            if log.exists() and log.stat().st_size > 1_000_000:
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.005)
    assert process.returncode == -signal.SIGKILL
    assert titles(shell) == ["here before"]
    assert shell.done("doctor").status == 0


def test_dates_without_a_year_that_just_passed_are_said_to_be_next_years(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "old.csv").write_text("title,due,start\nA,nov 14,jan 5\nB,2026-11-14,\n")
    outcome = shell.done("import", str(tmp_path / "old.csv"))
    assert "Dates in `due` such as nov 14: Sat 14 Nov has passed: read as 14 Nov 2027." in (
        outcome.err
    )
    assert "`start`" not in outcome.err
