"""Taskwarrior, todo.txt-cli and todoman themselves, where they are installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.formats.random_tasks import tasks as random_task
from tests.formats.reading_back import HOME, as_draft, by_uuid, context_of, made_up
from todo_tui.cli.files import read_folder, write_folder
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Annotation, Priority, Status, Task
from todo_tui.domain.when import When
from todo_tui.formats import taskwarrior, todotxt
from todo_tui.formats.registry import format_to_write

TASK = shutil.which("task")
TODO_TXT = shutil.which("todo-txt") or shutil.which("todo.sh")
TODOMAN = shutil.which("todoman")

FAR_AHEAD = date(2090, 5, 17)
"""No repeat of it has been missed, so that no program makes up for any."""


def needs(program: str | None, name: str) -> pytest.MarkDecorator:
    reason = f"{name} is not installed: its recorded files were read, the program was not run"
    return pytest.mark.skipif(program is None, reason=reason)


def run(folder: Path, *command: str | None, may_fail: bool = False, **variables: str) -> str:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    finished = subprocess.run(
        [word for word in command if word is not None],
        cwd=folder,
        env={**environment, "TZ": "Europe/Berlin", **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert may_fail or finished.returncode == 0, (command, finished.stdout, finished.stderr)
    return finished.stdout


class TaskwarriorHome:
    """A data folder of Taskwarrior."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        rc = ("data.location=.", "confirmation=off", "verbose=nothing", "hooks=off")
        (folder / "taskrc").write_text("\n".join(rc))

    def task(self, *words: str, may_fail: bool = False) -> str:
        return run(self.folder, TASK, *words, may_fail=may_fail, TASKRC="taskrc")

    def after_import(self, tasks: Sequence[Task]) -> str:
        text = "".join(taskwarrior.write(tasks, context_of(tasks)))
        (self.folder / "tasks.json").write_text(text)
        self.task("import", "tasks.json")
        return self.task("export")


def comparable(drafts: Mapping[str | None, ImportEntry]) -> Mapping[str | None, ImportEntry]:
    """Drafts without the order of what Taskwarrior sorts."""
    return {
        uuid: replace(draft, blocker_uuids=tuple(sorted(draft.blocker_uuids)))
        for uuid, draft in drafts.items()
    }


@needs(TASK, "Taskwarrior")
@settings(max_examples=6, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_taskwarrior_takes_what_is_written_and_gives_it_back(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    tasks = [data.draw(random_task(number)) for number in range(1, 9)]
    tasks = [
        replace(task, due=When(FAR_AHEAD, task.due.at)) if task.recurrence and task.due else task
        for task in tasks
    ]
    home = TaskwarriorHome(tmp_path_factory.mktemp("task"))
    reading = taskwarrior.read(home.after_import(tasks), HOME)
    assert reading.bad == ()
    expected = by_uuid(
        [as_draft(task, tasks, format_to_write("taskwarrior", None)) for task in tasks]
    )
    assert comparable(by_uuid(reading.entries)) == comparable(expected)


@needs(TASK, "Taskwarrior")
def test_what_is_changed_in_taskwarrior_counts(tmp_path: Path) -> None:
    home = TaskwarriorHome(tmp_path)
    note = Annotation(made_up(1).created_at, "said so")
    before = made_up(1, due=When(FAR_AHEAD), notes="kept\nas it is", annotations=(note,))
    exported = json.loads(home.after_import([before]))
    home.task(exported[0]["uuid"], "modify", "due:2091-01-02T09:30", "project:new", "priority:H")
    (draft,) = taskwarrior.read(home.task("export"), HOME).entries
    assert draft.uuid == before.uuid
    assert draft.fields["due"] == When.parse("2091-01-02T09:30")
    assert draft.fields["project"] == "new"
    assert draft.fields["priority"] is Priority.HIGH
    assert draft.fields["notes"] == before.notes
    assert draft.fields["annotations"] == before.annotations


@needs(TASK, "Taskwarrior")
def test_taskwarrior_goes_on_with_a_repeat(tmp_path: Path) -> None:
    home = TaskwarriorHome(tmp_path)
    weekly = made_up(1, due=When(FAR_AHEAD), recurrence="FREQ=WEEKLY", series=f"{1:032x}")
    exported = json.loads(home.after_import([weekly]))
    (child,) = (each for each in exported if each["status"] == "pending")
    home.task(child["uuid"], "done")
    home.task("list", may_fail=True)
    done, following = sorted(
        taskwarrior.read(home.task("export"), HOME).entries,
        key=lambda draft: draft.fields["due"].day if draft.fields["due"] else date.min,
    )
    assert done.uuid == weekly.uuid
    assert done.fields["status"] is Status.DONE
    assert following.fields["status"] is Status.TODO
    assert following.fields["recurrence"] == "FREQ=WEEKLY"
    assert following.fields["due"] == When(date(2090, 5, 24))


@needs(TODO_TXT, "todo.txt-cli")
def test_todo_txt_shows_every_task_and_ticks_one_off(tmp_path: Path) -> None:
    tasks = [
        made_up(1, title="x marks the spot", priority=Priority.HIGH, project="home"),
        made_up(2, title="Weird $(title) `here` \\n & more", tags=("a b",), notes="two\nlines"),
        made_up(3, title="2026-01-01 was a date", parent=1, due=When(FAR_AHEAD)),
    ]
    (tmp_path / "config").write_text(
        "export TODO_DIR=.\nexport TODO_FILE=todo.txt\nexport DONE_FILE=done.txt\n"
    )
    path = tmp_path / "todo.txt"
    path.write_text("".join(todotxt.write(tasks, context_of(tasks))))
    program = (TODO_TXT, "-p", "-d", "config")
    assert "TODO: 3 of 3 tasks shown" in run(tmp_path, *program, "list")
    run(tmp_path, *program, "-a", "do", "2")
    drafts = by_uuid(todotxt.read(path.read_text(), HOME).entries)
    assert {draft.fields["title"] for draft in drafts.values()} == {task.title for task in tasks}
    assert drafts[tasks[1].uuid].fields["status"] is Status.DONE
    assert drafts[tasks[1].uuid].fields["tags"] == ("a b",)
    assert drafts[tasks[0].uuid].fields["status"] is Status.TODO
    assert drafts[tasks[2].uuid].parent_uuid == tasks[0].uuid


@needs(TODOMAN, "todoman")
def test_todoman_lists_what_is_written_and_changes_it(tmp_path: Path) -> None:
    folder = tmp_path / "calendars" / "work"
    folder.mkdir(parents=True)
    (tmp_path / "config.py").write_text(
        f'path = "{tmp_path}/calendars/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n'
        f'cache_path = "{tmp_path}/cache.sqlite3"\n'
    )
    timed = made_up(
        1,
        title="Call, the; office \\ now",
        due=When.parse("2031-07-01T17:00"),
        due_zone="America/New_York",
        priority=Priority.HIGH,
        project="work.calls",
    )
    all_day = made_up(2, due=When(FAR_AHEAD), tags=("home", "a,b"), notes="two\nlines", parent=1)
    finished = made_up(3, status=Status.DONE, completed_at=timed.created_at)
    written = [timed, all_day, finished]
    chosen = format_to_write("icalendar", None)
    list(write_folder(folder, written, chosen, context_of(written)))
    program = (TODOMAN, "--config", str(tmp_path / "config.py"))
    listed = json.loads(run(tmp_path, *program, "--porcelain", "list", "--status", "ANY"))
    by_title = {each["summary"]: each for each in listed}
    assert by_title.keys() == {task.title for task in written}
    assert by_title[timed.title]["priority"] == 1
    run(tmp_path, *program, "done", str(by_title[timed.title]["id"]))
    drafts = by_uuid(read_folder(folder, chosen, HOME).entries)
    expected = by_uuid([as_draft(task, written, chosen) for task in written])
    ticked = drafts[timed.uuid]
    assert ticked.fields["status"] is Status.DONE
    assert ticked.fields["project"] == "work.calls"
    assert ticked.fields["due"] == timed.due
    assert ticked.fields["due_zone"] == timed.due_zone
    for task in (all_day, finished):
        # In a folder each file says where its task stands.
        expected[task.uuid].fields["position"] = task.position
        assert drafts[task.uuid] == expected[task.uuid]
