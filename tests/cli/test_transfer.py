"""import and export: nothing lost, nothing half done, every mistake named."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.blank import blank
from tests.cli.conftest import Shell
from tests.cli.terminal import at_a_terminal
from tests.formats.random_tasks import task_lists
from tests.formats.reading_back import HOME
from todo_tui.cli.files import read_text
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Actor, JsonValue, Task
from todo_tui.domain.when import Clock
from todo_tui.formats.json_array import read, write
from todo_tui.store.store import open_store


def fill(shell: Shell) -> None:
    shell.done("add", "Parent #home")
    shell.done("add", "Pay rent every month on the 1st !high @bills")
    shell.done("edit", "2", "--parent", "1", "--notes", "line\nline", "--annotate", "called")
    shell.done("add", "Blocked tomorrow 5pm")
    shell.done("edit", "3", "--blocked-by", "1,2", "--start", "friday")
    shell.done("done", "2")
    shell.done("edit", "1", "--status", "doing")


def test_what_is_exported_is_imported_whole(shell: Shell) -> None:
    fill(shell)
    exported = shell.folder / "tasks.json"
    outcome = shell.done("export", "--output", str(exported))
    assert (outcome.out, "Exported 4 tasks" in outcome.err) == ("", True)
    there = ("--db", str(shell.folder / "other.db"))
    assert shell.done("import", str(exported), *there).out == "Imported 4 tasks\n"
    assert by_uuid(shell.done("list", "all", "--json", *there).tasks) == by_uuid(
        shell.done("list", "all", "--json").tasks
    )


def by_uuid(tasks: list[dict[str, JsonValue]]) -> dict[str, dict[str, JsonValue]]:
    """Tasks by what stays the same wherever they are, ids replaced by it."""
    uuids = {str(task["id"]): str(task["uuid"]) for task in tasks}

    def named(ids: JsonValue) -> list[JsonValue]:
        assert isinstance(ids, list)
        return [uuids[str(each)] for each in ids]

    return {
        str(task["uuid"]): {
            **task,
            "id": None,
            "parent": uuids.get(str(task["parent"])),
            "blocked_by": named(task["blocked_by"]),
        }
        for task in tasks
    }


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tasks=task_lists())
def test_a_round_trip_through_the_store_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory, tasks: list[Task]
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    clock = Clock("Europe/Berlin")
    drafts = read("".join(write(tasks, HOME)), HOME).entries
    with open_store(blank(folder / "one.db"), user="me", clock=clock) as store:
        stored = store.tasks.import_entries(drafts, by=store.new_change_context(Actor.IMPORT)).added
        assert stored == tuple(tasks)
        again = read("".join(write(stored, HOME)), HOME).entries
    with open_store(blank(folder / "two.db"), user="me", clock=clock) as store:
        assert (
            store.tasks.import_entries(again, by=store.new_change_context(Actor.IMPORT)).added
            == stored
        )


def test_the_array_of_list_is_taken_too(shell: Shell) -> None:
    fill(shell)
    listed = shell.done("list", "--json").out
    there = ("--db", str(shell.folder / "other.db"))
    outcome = shell.done("import", "-", "--json", *there, stdin=listed.encode())
    assert [task["id"] for task in outcome.tasks] == [1, 2, 3][: len(outcome.tasks)]
    assert {task["title"] for task in outcome.tasks} == {
        task["title"] for task in json.loads(listed)
    }


def test_ids_are_given_in_the_order_of_the_file(shell: Shell) -> None:
    entries = [{"title": name, "id": number} for name, number in (("c", 9), ("a", 4), ("b", 7))]
    outcome = shell.done("import", "-", "--json", stdin=json.dumps(entries).encode())
    assert [(task["id"], task["title"]) for task in outcome.tasks] == [(1, "c"), (2, "a"), (3, "b")]


def test_parents_and_blockers_are_found_by_their_ids_in_the_file(shell: Shell) -> None:
    shell.done("add", "here before")
    entries = [
        {"title": "child", "id": 5, "parent": 6, "blocked_by": [6, 1]},
        {"title": "parent", "id": 6},
    ]
    outcome = shell.done("import", "-", "--json", stdin=json.dumps(entries).encode())
    child, parent = outcome.tasks
    assert child["parent"] == parent["id"] == 3
    assert child["blocked_by"] == [3]
    assert "#1, which is not in the file" in outcome.err


def test_one_undo_takes_a_whole_import_back(shell: Shell) -> None:
    entries = json.dumps([{"title": "a", "uuid": "u-1"}, {"title": "b"}]).encode()
    shell.done("import", "-", stdin=entries)
    shell.done("undo")
    assert shell.done("list", "all", "--json").json == []
    assert shell.done("import", "-", stdin=entries).out == "Imported 2 tasks\n"
    assert len(shell.done("list", "--json").tasks) == 2


def test_a_task_that_is_here_already_is_skipped_and_left_as_it_is(shell: Shell) -> None:
    shell.done("add", "milk")
    exported = shell.done("export").out
    shell.done("edit", "1", "--title", "oat milk")
    outcome = shell.done("import", "-", stdin=exported.encode())
    assert outcome.out == "Imported 0 tasks; 1 task already exists, skipped\n"
    assert shell.done("list", "--json").task["title"] == "oat milk"


def test_what_only_the_store_can_refuse_is_named_with_file_and_entry(shell: Shell) -> None:
    text = json.dumps([{"title": "a"}, {"title": "x" * 20_000}])
    outcome = shell.fails("import", "-", stdin=text.encode())
    assert outcome.err.startswith("todo-tui: standard input: Entry 2 (“")
    assert "The title is too long" in outcome.err
    assert shell.done("list", "all", "--json").json == []


def test_a_number_that_json_does_not_know_is_named(shell: Shell) -> None:
    outcome = shell.fails("import", "-", stdin=b'[{"title": "a", "x": NaN}]')
    assert "NaN is not a number" in outcome.err


def test_one_bad_entry_keeps_all_of_them_out(shell: Shell) -> None:
    entries = [{"title": "fine"}, {"due": "soon"}]
    outcome = shell.fails("import", "-", stdin=json.dumps(entries).encode())
    assert "Entry 2: no title." in outcome.err
    assert shell.done("list", "--json").json == []


def test_what_only_the_store_refuses_keeps_all_of_them_out_too(shell: Shell) -> None:
    entries = [{"title": "fine"}, {"title": "x" * 20_000}]
    shell.fails("import", "-", stdin=json.dumps(entries).encode())
    assert shell.done("list", "--json").json == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x7fELF\x00\x01", "not a text file"),
        (b'[{"title":\n "caf\xe9"}]', "byte 0xe9 in line 2"),
        (b"", "Invalid JSON"),
    ],
)
def test_what_is_no_text_is_named(shell: Shell, data: bytes, words: str) -> None:
    path = shell.folder / "input [bold].json"
    path.write_bytes(data)
    outcome = shell.fails("import", str(path))
    assert words in outcome.err
    assert str(path) in outcome.err


@pytest.mark.parametrize(
    "text", ['[{"title": "é"}]\r\n', '\ufeff[{"title": "é"}]', '[\r\n{"title": "é"}\r\n]']
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_windows_files_are_read(shell: Shell, text: str, encoding: str) -> None:
    data = text.lstrip("\ufeff").encode(encoding) if encoding == "utf-16" else text.encode(encoding)
    assert shell.done("import", "-", "--json", stdin=data).task["title"] == "é"


def test_a_gigabyte_is_refused_before_it_is_read(shell: Shell) -> None:
    path = shell.folder / "huge.json"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    assert "256 MB" in shell.fails("import", str(path)).err


def test_a_stream_that_does_not_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="larger than"):
        read_text(Path("/dev/zero"), largest=1024 * 1024)


def test_a_file_that_cannot_be_read_is_named(shell: Shell) -> None:
    assert "No such file" in shell.fails("import", str(shell.folder / "none.json")).err
    assert "folder" in shell.fails("import", str(shell.folder)).err


def test_export_prints_what_a_filter_holds_for(shell: Shell) -> None:
    fill(shell)
    shell.done("delete", "3")
    titles = [task["title"] for task in shell.done("export").tasks]
    assert sorted(map(str, titles)) == ["Parent", "Pay rent", "Pay rent"]
    in_project = sorted(str(task["title"]) for task in shell.done("export", "#home").tasks)
    assert in_project == ["Parent", "Pay rent"], "a subtask is in the project of its parent"
    assert [task["title"] for task in shell.done("export", "trash").tasks] == ["Blocked"]
    assert shell.done("export", "nothing-like-it").json == []


def test_a_file_is_replaced_only_by_a_whole_one(shell: Shell) -> None:
    path = shell.folder / "tasks.json"
    path.write_text("before")
    path.chmod(0o640)
    shell.fails("export", "(", "--output", str(path))
    assert path.read_text() == "before"
    shell.done("add", "milk")
    refused = shell.fails("export", "--output", str(path))
    assert refused.err == (
        f"todo-tui: {path} exists. Replace the file?\n  Not a terminal: confirm with --yes.\n"
    )
    child = at_a_terminal("export", "--output", str(path))
    child.expect(r"exists. Replace the file\? \[y/N\]")
    child.sendline("n")
    child.expect("Nothing exported.")
    assert path.read_text() == "before"
    shell.done("export", "--yes", "--output", str(path))
    assert json.loads(path.read_text())[0]["title"] == "milk"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(each.name for each in shell.folder.glob(".*")) == []


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_what_is_exported_is_for_its_owner_alone_under_any_umask(shell: Shell, umask: int) -> None:
    shell.done("add", "secret")
    talk = shell.done("ask", "hello", "--json").json
    assert isinstance(talk, dict)
    conversation = str(talk["conversation_id"])
    old = os.umask(umask)
    try:
        talk_file = str(shell.folder / "talk.md")
        shell.done("conversations", "export", conversation, "--output", talk_file)
        shell.done("export", "--output", str(shell.folder / "tasks.json"))
        shell.done("export", "--output", f"{shell.folder}/out/")
    finally:
        os.umask(old)
    files = [
        shell.folder / "talk.md",
        shell.folder / "tasks.json",
        *(shell.folder / "out").iterdir(),
    ]
    assert [stat.S_IMODE(each.stat().st_mode) for each in files] == [0o600] * 3
    assert stat.S_IMODE((shell.folder / "out").stat().st_mode) == 0o700


def test_a_file_in_a_folder_keeps_its_permissions_when_it_is_replaced(shell: Shell) -> None:
    shell.done("add", "shared")
    shell.done("export", "--output", f"{shell.folder}/out/")
    (path,) = (shell.folder / "out").iterdir()
    path.chmod(0o644)
    shell.folder.joinpath("out").chmod(0o755)
    shell.done("export", "--output", f"{shell.folder}/out/")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o755


def test_a_link_goes_on_pointing_to_its_file(shell: Shell) -> None:
    target, link = shell.folder / "real.json", shell.folder / "link.json"
    link.symlink_to(target)
    shell.done("export", "--output", str(link))
    assert link.is_symlink()
    assert json.loads(target.read_text()) == []
    shell.fails("export", "--output", str(link))
    empty = shell.folder / "empty.json"
    empty.touch()
    shell.done("export", "--output", str(empty))


def test_a_place_that_cannot_be_written_is_named(shell: Shell) -> None:
    path = shell.folder / "none/tasks.json"
    assert str(path) in shell.fails("export", "--output", str(path)).err


def test_a_device_is_written_to_directly(shell: Shell) -> None:
    shell.done("export", "--output", os.devnull)
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_plain_markdown_has_what_people_read(shell: Shell) -> None:
    fill(shell)
    shell.done("add", "--words-only", "due:2026-01-01 \u202e*is* a title", "--tag", "deep work,")
    assert shell.done("export", "--plain").out == (
        "- [ ] Blocked due:2026-11-19 17:00 start:2026-11-20\n"
        "- [ ] due:2026-01-01 *is* a title @deep_work\n"
        "\n# home\n\n"
        "- [/] Parent\n"
        "  - [x] Pay rent !high @bills due:2026-12-01 every month on the 1st\n"
        "    > line\n    > line\n"
        "  - [ ] Pay rent !high @bills due:2027-01-01 every month on the 1st\n"
        "    > line\n    > line\n"
    )
    assert shell.done("export", "--plain", "--format", "markdown", "#home", "doing").out == (
        "# home\n\n- [/] Parent\n"
    )


def test_plain_todo_txt_has_what_people_read(shell: Shell) -> None:
    fill(shell)
    shell.done("add", "--words-only", "id:3 50% a:b", "--tag", "deep work,")
    path = shell.folder / "todo.txt"
    outcome = shell.done("export", "--plain", "--output", str(path))
    assert "Exported 5 tasks" in outcome.err
    assert path.read_text() == (
        "2026-11-18 Parent +home\n"
        "x 2026-11-18 2026-11-18 Pay rent @bills due:2026-12-01 rec:+1m pri:A\n"
        "2026-11-18 Blocked due:2026-11-19 time:17:00 t:2026-11-20\n"
        "(A) 2026-11-18 Pay rent @bills due:2027-01-01 rec:+1m\n"
        "2026-11-18 id:3 50% a:b @deep_work\n"
    )


def test_an_export_counts_what_its_format_leaves_out(shell: Shell) -> None:
    for words in ("gym every monday", "rent every month on the last day", "tax every quarter"):
        shell.done("add", words)
    shell.done("add", "call friday", "--parent", "1", "--start", "thursday 9am", "--notes", "heat")
    shell.done("add", "move every! 3 weeks after #1 after #2")
    shell.done("annotate", "1", "in the hall")
    shell.done("edit", "1", "doing")
    rest = "1 annotation, 1 status value, 1 start time, {}, 1 parent and 2 blockers"
    to_todo_txt = "1 note, " + rest.format("1 recurrence")
    plain, keeps = "--plain", "--format json keeps everything."
    restores = "`todo-tui import` restores everything."
    for args, said in (
        (("todotxt", plain), f"Plain todo.txt leaves out {to_todo_txt}; {keeps}"),
        (("todotxt",), f"Other programs may ignore {to_todo_txt}; {restores}"),
        (("todotxt", plain, "#2"), f"Plain todo.txt leaves out 1 recurrence; {keeps}"),
        (("todotxt", plain, "#3"), ""),
        (
            ("markdown", plain),
            f"Plain Markdown checklist leaves out 1 annotation and 2 blockers; {keeps}",
        ),
        (("markdown", plain, "#4"), f"Plain Markdown checklist leaves out 1 parent; {keeps}"),
        (("markdown", plain, "#2"), ""),
        (
            ("taskwarrior",),
            f"Other programs may ignore 2 recurrences and 1 parent; {restores}",
        ),
        (("json",), ""),
        (("csv",), ""),
        (("icalendar",), ""),
    ):
        assert shell.done("export", "--format", *args).err == (f"{said}\n" if said else ""), args


def test_a_plain_checklist_has_no_rule_of_a_program(shell: Shell) -> None:
    path = shell.folder / "tasks.json"
    path.write_text('[{"title": "a", "due": "2026-11-19", "recurrence": "FREQ=DAILY;COUNT=5"}]')
    shell.done("import", str(path))
    out = shell.done("export", "--plain", "--format", "markdown").out
    assert "every day, 5 times in all" in out
    assert "FREQ" not in out


@pytest.mark.parametrize("name", ["markdown", "todotxt"])
def test_a_plain_export_can_be_imported(shell: Shell, name: str) -> None:
    fill(shell)
    path = shell.folder / "plain"
    path.write_text(shell.done("export", "--plain", "--format", name).out)
    there = ("--db", str(shell.folder / "other.db"))
    assert "Imported 4 tasks" in shell.done("import", str(path), "--format", name, *there).out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--format", "json"), "JSON cannot be exported with --plain."),
        (("--format", "csv"), "CSV table cannot be exported with --plain."),
        (("--output", "tasks.ics"), "iCalendar to-dos cannot be exported with --plain."),
    ],
)
def test_formats_without_a_plain_form_name_those_that_have_one(
    shell: Shell, args: tuple[str, ...], message: str
) -> None:
    err = shell.fails("export", "--plain", *args).err
    assert message in err
    assert "Use --format markdown or todotxt." in err
    assert "folder" in shell.fails("export", "--plain", "--output", f"{shell.folder}/").err
    assert not (shell.folder / "tasks.ics").exists()
