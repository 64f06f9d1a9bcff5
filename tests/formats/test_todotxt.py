"""todo.txt: a recorded file, the keys that are in use, and what a line may not hold."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest

from tests.formats.reading_back import HOME, context_of, made_up, remarks_of
from tests.rows import each_row
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Priority, RepeatFrom, Status, Task
from todo_tui.domain.when import When
from todo_tui.formats.todotxt import looks_like, read, write

RECORDED = Path(__file__).parent.parent / "data/formats/todotxt-2.11.0.txt"


def drafts(text: str) -> tuple[ImportEntry, ...]:
    reading = read(text, HOME)
    assert reading.bad == ()
    return reading.entries


def only(line: str) -> ImportEntry:
    (draft,) = drafts(line)
    return draft


def lines(*tasks: Task) -> list[str]:
    return "".join(write(tasks, context_of(tasks))).splitlines()


def test_a_file_of_the_program_is_read_whole() -> None:
    mom, rent, repeat, reading, plants, habit = drafts(RECORDED.read_text())
    assert mom.fields["priority"] is Priority.HIGH
    assert (mom.fields["project"], mom.fields["tags"]) == ("Family", ("phone",))
    assert mom.created_at == datetime(2026, 11, 21, 23, tzinfo=UTC)
    assert (rent.fields["status"], rent.fields["project"]) == (Status.DONE, "home.money")
    assert rent.completed_at == datetime(2026, 11, 21, 23, tzinfo=UTC)
    assert rent.fields["due"] == When(date(2026, 12, 1))
    assert repeat.fields["title"] == "Überweisung 日本"
    assert repeat.fields["start"] == When(date(2026, 11, 24))
    assert repeat.fields["recurrence"] == "FREQ=WEEKLY"
    assert reading.fields["title"] == "Read http://todotxt.org about"
    assert reading.fields["extra"] == {"todo.txt": {"words": ["key:value"]}}
    assert plants.fields["recurrence"] == "FREQ=DAILY;INTERVAL=3"
    assert plants.fields["repeat_from"] is RepeatFrom.COMPLETION
    assert plants.fields["extra"] == {"todo.txt": {"priority": "D"}}
    assert habit.fields["status"] is Status.DONE


@each_row(
    ("rec", "rule", "repeat_from"),
    [
        ("3d", "FREQ=DAILY;INTERVAL=3", RepeatFrom.COMPLETION),
        ("+1w", "FREQ=WEEKLY", RepeatFrom.DUE),
        ("m", "FREQ=MONTHLY", RepeatFrom.COMPLETION),
        ("+2y", "FREQ=YEARLY;INTERVAL=2", RepeatFrom.DUE),
        ("+1b", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", RepeatFrom.DUE),
    ],
)
def test_strict_and_loose_repeats_are_modes(rec: str, rule: str, repeat_from: RepeatFrom) -> None:
    draft = only(f"a rec:{rec} due:2026-12-01")
    assert draft.fields["recurrence"] == rule
    assert draft.fields["repeat_from"] is repeat_from
    due = When(date(2026, 12, 1))
    (line,) = lines(made_up(1, due=due, recurrence=rule, repeat_from=repeat_from))
    assert f"rec:{rec if rec != 'm' else '1m'} " in line


def test_a_due_time_has_a_key_of_its_own() -> None:
    assert only("a due:2026-12-01T17:00").fields["due"] == When(date(2026, 12, 1), time(17))
    (line,) = lines(made_up(1, due=When(date(2026, 12, 1), time(9, 30)), due_zone="Europe/Berlin"))
    assert "due:2026-12-01 time:09:30 zone:Europe/Berlin" in line


def test_the_first_project_is_ours_and_the_others_are_kept() -> None:
    draft = only("Paint the door +house +red @home est:2h dur:2h")
    assert draft.fields["title"] == "Paint the door"
    assert draft.fields["project"] == "house"
    assert draft.fields["estimate"] == 120
    kept = {"todo.txt": {"projects": ["red"], "words": ["dur:2h"]}}
    assert draft.fields["extra"] == kept
    (line,) = lines(made_up(1, title="Paint the door", project="house", extra=kept))
    assert "Paint the door +house +red dur:2h" in line


def test_words_within_the_sentence_stay_in_it() -> None:
    draft = only("Call +mom about the @phone plan")
    assert draft.fields["title"] == "Call +mom about the @phone plan"
    assert (draft.fields["project"], draft.fields["tags"]) == ("mom", ("phone",))
    (line,) = lines(
        made_up(1, title="Call +mom about the @phone plan", project="mom", tags=("phone",))
    )
    assert line.count("+mom") == line.count("@phone") == 1


@each_row(
    "line",
    [
        "x (A) 2026-09-27 2026-09-19 Report",
        "x 2026-09-27 (A) 2026-09-19 Report",
        "x 2026-09-27 2026-09-19 (A) Report",
        "x 2026-09-27 2026-09-19 Report pri:A",
    ],
)
def test_a_priority_stands_before_between_or_behind_the_dates_of_a_done_task(line: str) -> None:
    (draft,) = drafts(line)
    assert draft.fields["title"] == "Report"
    assert draft.fields["priority"] is Priority.HIGH
    assert draft.created_at == datetime(2026, 9, 18, 22, tzinfo=UTC)
    assert draft.completed_at == datetime(2026, 9, 26, 22, tzinfo=UTC)


def test_other_brackets_and_dates_stay_in_the_title() -> None:
    titles = {
        "x 2026-11-21 (B) Vitamins": "Vitamins",
        "x (C) 2026-11-21 (A) both": "(A) both",
        "x 2026-11-21 Quux (A)": "Quux (A)",
        "(A) 2026-11-20 2026-11-19 two": "2026-11-19 two",
        "(a) low": "(a) low",
    }
    assert [draft.fields["title"] for draft in drafts("\n".join(titles))] == [*titles.values()]


def test_a_title_never_passes_for_the_head_of_its_line() -> None:
    titles = ["x marks the spot", "(A) plan", "2026-01-01 was a date", "due:soon or not"]
    tasks = [made_up(number, title=title) for number, title in enumerate(titles, start=1)]
    for line in lines(*tasks):
        assert line.startswith("2026-11-18 ")
    assert [draft.fields["title"] for draft in drafts("\n".join(lines(*tasks)))] == titles


def test_a_line_holds_no_line_break() -> None:
    task = made_up(1, notes="one\ntwo\n\nthree", tags=("a b",), project="my home")
    (line,) = lines(task)
    assert "+my_home @a_b" in line
    assert only(line).fields["notes"] == task.notes
    assert only(line).fields["tags"] == ("a b",)


def test_subtasks_and_what_is_waited_for_name_lines_of_the_file() -> None:
    parent, child = drafts("Plan the party id:1\nInvite people p:1 after:1\n")
    assert child.parent_uuid == parent.uuid
    assert child.blocker_uuids == (parent.uuid,)
    written = lines(made_up(4), made_up(7, parent=4, blocked_by=(4,)))
    assert "id:4" in written[0]
    assert "p:4 after:4" in written[1]
    (lonely,) = drafts("Invite people p:9 id:3")
    assert lonely.parent_uuid is None
    assert lonely.fields["extra"] == {"todo.txt": {"words": ["p:9", "id:3"]}}


def test_a_line_without_uuid_is_the_same_task_when_it_is_ticked_off() -> None:
    (before, twin) = drafts("2026-11-01 (?) call\n2026-11-01 (?) call")
    (after,) = drafts("x 2026-11-05 2026-11-01 (?) call")
    assert before.uuid == after.uuid
    assert twin.uuid != before.uuid


@each_row(
    ("line", "name"),
    [
        ("a due:2026-02-30", "due"),
        ("a due:tomorrow", "due"),
        ("a due:2026-11-19 time:5pm", "time"),
        ("a due:2026-11-19 time:17:00 zone:Nowhere", "due_zone"),
        ("a t:2026-13-01", "start"),
        ("a rec:often", "recurrence"),
        ("2026-02-30 a", "created_at"),
        ("x 2026-02-30 2026-01-01 a", "completed_at"),
        ("a uuid:1 tui:{", "todo-tui"),
    ],
)
def test_a_value_that_cannot_be_read_is_kept_and_named(line: str, name: str) -> None:
    reading = read(f"fine\n\n{line}\n", HOME)
    assert f"cannot read `{name}`" in remarks_of(reading, "Line 3")
    entry = reading.entries[1]
    assert entry.fields["title"] == "a"
    assert list(entry.fields["extra"]["unread"]) == [name]  # type: ignore[arg-type]


@each_row(
    ("text", "expected"),
    [
        ("(A) Call mom\nbuy milk", True),
        ("x 2026-11-01 2026-10-01 done", True),
        ("Call mom @phone", True),
        ("Dear diary,\nnothing happened.\nAt all.", False),
        ("", False),
    ],
)
def test_a_list_is_told_from_prose(text: str, expected: bool) -> None:
    assert looks_like(text) is expected


@pytest.mark.parametrize(
    ("line", "name", "kept"),
    [
        ("pay due:2026-12-01 due:2026-12-02", "due", "2026-12-02"),
        ("pay t:2026-12-01 t:2026-12-02", "t", "2026-12-02"),
        ("pay rec:1w rec:2w", "rec", "2w"),
    ],
)
def test_a_second_value_is_kept_and_named(line: str, name: str, kept: str) -> None:
    reading = read(f"{line}\npay due:2026-12-01 due:2026-12-01\n", HOME)
    first, second = reading.entries
    assert f"left out `{name}`" in first.remarks[0].what
    assert first.fields["extra"]["unread"] == {name: kept}
    assert second.remarks == []
