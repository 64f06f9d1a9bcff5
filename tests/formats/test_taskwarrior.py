"""Taskwarrior's JSON: a recorded export, templates and occurrences, moments, what it cannot say."""

from __future__ import annotations

import json
from datetime import date, time
from pathlib import Path

import pytest

from tests.formats.reading_back import HOME, context_of, made_up, remarks_of
from tests.rows import each_row
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import JsonValue, Priority, RepeatFrom, Status, Task
from todo_tui.domain.when import When
from todo_tui.formats.parsed_file import FormatContext
from todo_tui.formats.taskwarrior import read, write

RECORDED = Path(__file__).parent.parent / "data/formats/taskwarrior-2.6.2.json"

Native = dict[str, JsonValue]


def natives(*tasks: Task) -> list[Native]:
    found: list[Native] = json.loads("".join(write(tasks, context_of(tasks))))
    return found


def only(*entries: Native, context: FormatContext = HOME) -> ImportEntry:
    (draft,) = drafts(*entries, context=context)
    return draft


def drafts(*entries: Native, context: FormatContext = HOME) -> tuple[ImportEntry, ...]:
    reading = read(json.dumps(entries), context)
    assert reading.bad == ()
    return reading.entries


def entry(**attributes: JsonValue) -> Native:
    return {"uuid": "4f6cafab-e6f6-4432-930b-bf648b250c4e", "description": "x", **attributes}


@pytest.fixture
def recorded() -> dict[str, list[ImportEntry]]:
    reading = read(RECORDED.read_text(), HOME)
    assert reading.bad == ()
    by_title: dict[str, list[ImportEntry]] = {}
    for draft in reading.entries:
        by_title.setdefault(draft.fields["title"], []).append(draft)
    return by_title


def test_an_export_of_the_program_is_read_whole(recorded: dict[str, list[ImportEntry]]) -> None:
    assert {title: len(found) for title, found in recorded.items()} == {
        "Pay rent": 1,
        "Call bob": 1,
        "Write report": 1,
        "Started": 1,
        "Scheduled only": 1,
        "Water the plants": 2,
        "Old one": 1,
        "Done one": 1,
    }


def test_a_template_and_its_occurrences_become_one_live_task(
    recorded: dict[str, list[ImportEntry]],
) -> None:
    (rent,) = recorded["Pay rent"]
    assert rent.fields["due"] == When(date(2026, 12, 1))
    assert rent.fields["recurrence"] == "FREQ=MONTHLY;UNTIL=20270601"
    assert rent.series == "3ca7d327-fdeb-4213-a4dd-972a9a241606"
    live, done = recorded["Water the plants"]
    assert live.fields["status"] is Status.TODO
    assert live.fields["due"] == When(date(2026, 11, 21))
    assert live.fields["start"] == When(date(2026, 11, 20))
    assert done.fields["status"] is Status.DONE
    assert live.series == done.series
    assert live.fields["recurrence"] == done.fields["recurrence"] == "FREQ=DAILY;INTERVAL=3"


def test_occurrences_that_come_of_themselves_are_left_out_and_said(
    recorded: dict[str, list[ImportEntry]],
) -> None:
    (remark,) = read(RECORDED.read_text(), HOME).notes
    assert "1 later occurrence" in remark


def test_what_we_have_no_field_for_is_kept_and_written_back(
    recorded: dict[str, list[ImportEntry]],
) -> None:
    (report,) = recorded["Write report"]
    extra = report.fields["extra"]["taskwarrior"]
    assert isinstance(extra, dict)
    assert report.fields["estimate"] == 120
    assert (extra["ticket"], extra["size"]) == ("ABC-12", 3.5)
    (native,) = natives(
        made_up(1, due=report.fields["due"], estimate=150, extra=report.fields["extra"])
    )
    assert (native["ticket"], native["size"], native["estimate"]) == ("ABC-12", 3.5, "PT2H30M")
    # The last second of a day means the day, and goes back as it came.
    assert report.fields["due"] == When(date(2026, 11, 30))
    assert native["due"] == "20261130T225959Z"


def test_statuses_of_the_program(recorded: dict[str, list[ImportEntry]]) -> None:
    assert recorded["Started"][0].fields["status"] is Status.DOING
    assert recorded["Old one"][0].deleted_at is not None
    assert recorded["Done one"][0].fields["status"] is Status.DONE
    assert recorded["Done one"][0].completed_at is not None
    bob = recorded["Call bob"][0]
    assert bob.fields["due"] == When(date(2026, 11, 25), time(17))
    assert bob.fields["start"] == When(date(2026, 11, 24))
    assert [remark.text for remark in bob.fields["annotations"]][1] == "second note"
    assert recorded["Scheduled only"][0].fields["start"] == When(date(2026, 12, 24))
    assert recorded["Write report"][0].blocker_uuids == (bob.uuid,)


@pytest.mark.parametrize("depends", ["aaaa,bbbb", ["aaaa", "bbbb"]], ids=["comma string", "list"])
def test_dependencies_are_read_in_both_forms(depends: JsonValue) -> None:
    assert only(entry(depends=depends)).blocker_uuids == ("aaaa", "bbbb")


@each_row(
    ("zone", "stamp", "when"),
    [
        ("Europe/Berlin", "20261118T230000Z", When(date(2026, 11, 19))),
        ("America/New_York", "20261118T230000Z", When(date(2026, 11, 18), time(18))),
        ("Europe/Berlin", "20260705T220000Z", When(date(2026, 7, 6))),
        # Midnight was skipped that day: it began at one o'clock.
        ("America/Sao_Paulo", "20181104T030000Z", When(date(2018, 11, 4))),
        ("Europe/Berlin", "2026-11-18T23:00:00Z", When(date(2026, 11, 19))),
        ("Asia/Kathmandu", "20261118T181500Z", When(date(2026, 11, 19))),
    ],
)
def test_midnight_here_is_a_whole_day(zone: str, stamp: str, when: When) -> None:
    context = FormatContext(zone, HOME.now)
    assert only(entry(due=stamp), context=context).fields["due"] == when


def test_a_task_of_another_zone_stays_in_it() -> None:
    task = made_up(1, due=When(date(2026, 7, 1), time(17)), due_zone="America/New_York")
    (native,) = natives(task)
    assert native["due"] == "20260701T210000Z"
    draft = only(native)
    assert (draft.fields["due"], draft.fields["due_zone"]) == (task.due, task.due_zone)
    moved = only(native | {"due": "20260701T220000Z"})
    assert moved.fields["due"] == When(date(2026, 7, 1), time(18))
    assert moved.fields["due_zone"] == "America/New_York"


@each_row(
    ("words", "rule"),
    [
        ("weekly", "FREQ=WEEKLY"),
        ("biweekly", "FREQ=WEEKLY;INTERVAL=2"),
        ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("3d", "FREQ=DAILY;INTERVAL=3"),
        ("2wks", "FREQ=WEEKLY;INTERVAL=2"),
        ("P1M", "FREQ=MONTHLY"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
        ("semiannual", "FREQ=MONTHLY;INTERVAL=6"),
        ("annual", "FREQ=YEARLY"),
        ("PT4H", "FREQ=HOURLY;INTERVAL=4"),
        ("now and then", None),
    ],
)
def test_words_for_a_repeat(words: str, rule: str | None) -> None:
    template = entry(status="recurring", due="20261118T230000Z", recur=words, mask="-")
    draft = only(template)
    assert draft.fields["recurrence"] == rule
    if rule is None:
        kept = {"taskwarrior": {"recur": words}, "unread": {"recurrence": words}}
        assert draft.fields["extra"] == kept


def test_a_template_whose_occurrences_are_done_goes_on_after_the_last_one() -> None:
    template = entry(
        status="recurring",
        due="20261031T230000Z",
        recur="weekly",
        mask="++",
        wait="20261030T230000Z",
    )
    done = entry(
        uuid="b" * 8, status="completed", due="20261107T230000Z", parent=template["uuid"], imask=1
    )
    live, _ = drafts(template, done)
    assert live.fields["due"] == When(date(2026, 11, 15))
    assert live.fields["start"] == When(date(2026, 11, 14))


def test_a_repeat_is_written_as_a_template_with_one_occurrence() -> None:
    task = made_up(1, due=When(date(2026, 12, 1)), recurrence="FREQ=WEEKLY;UNTIL=20270101")
    template, child = natives(task)
    assert (template["status"], template["recur"], template["mask"]) == ("recurring", "weekly", "-")
    assert template["until"] == "20261231T230000Z"
    assert (child["parent"], child["imask"], child["status"]) == (template["uuid"], 0, "pending")


def test_a_template_never_takes_the_uuid_of_an_occurrence() -> None:
    done = made_up(
        1, due=When(date(2026, 11, 1)), recurrence="FREQ=WEEKLY", series=f"{1:032x}",
        status=Status.DONE, completed_at=HOME.now.astimezone(),
    )  # fmt: skip
    live = made_up(2, due=When(date(2026, 11, 8)), recurrence="FREQ=WEEKLY", series=done.uuid)
    written = natives(done, live)
    assert len({each["uuid"] for each in written}) == len(written) == 3
    read_back = drafts(*written)
    assert [draft.series for draft in read_back] == [None, done.uuid]
    assert [draft.uuid for draft in read_back] == [done.uuid, live.uuid]


def test_a_repeat_without_a_word_there_is_named_once_and_comes_back() -> None:
    task = made_up(
        1,
        due=When(date(2026, 11, 27)),
        recurrence="FREQ=MONTHLY;BYDAY=-1FR",
        repeat_from=RepeatFrom.COMPLETION,
    )
    (native,) = natives(task)
    assert "recur" not in native
    assert only(native).fields["recurrence"] == task.recurrence
    assert only(native).fields["repeat_from"] is RepeatFrom.COMPLETION


def test_a_copy_that_taskwarrior_made_does_not_pass_for_the_task_itself() -> None:
    (native,) = natives(made_up(1, notes="ours"))
    copy = native | {"uuid": "b3f7c1de-22aa-5c0e-8a44-6a6f0d3c9b17"}
    assert only(copy).uuid == "b3f7c1de-22aa-5c0e-8a44-6a6f0d3c9b17"


def test_lines_of_objects_are_read_and_bad_ones_named() -> None:
    lines = [json.dumps(entry(uuid=each)) for each in ("a", "b", "a")]
    text = f"{lines[0]},\n{{oops\n{lines[1]}\n{lines[2]}\n[]"
    reading = read(text, HOME)
    assert [draft.uuid for draft in reading.entries] == ["a", "b"]
    assert [bad.place for bad in reading.bad] == ["Line 2", "Line 4", "Line 5"]
    assert "same uuid as line 1" in reading.bad[1].message


@each_row(
    ("attributes", "name"),
    [
        ({"due": "tomorrow"}, "due"),
        ({"due": "20261332T000000Z"}, "due"),
        ({"due": "99991231T235959Z"}, "due"),
        ({"due": 7}, "due"),
        ({"wait": "someday"}, "start"),
        ({"entry": "never"}, "created_at"),
        ({"status": "somewhere"}, "status"),
        ({"status": 7}, "status"),
        ({"project": ["a"]}, "project"),
        ({"annotations": [{"entry": "x", "description": "y"}]}, "dates of annotations"),
        ({"annotations": [{"description": "y"}]}, "dates of annotations"),
        ({"annotations": ["y"]}, "annotations"),
        ({"annotations": "y"}, "annotations"),
        ({"tags": "home"}, "tags"),
        ({"tags": ["home", 7]}, "tags"),
        ({"depends": [7]}, "blocked_by"),
        ({"recur": "weekly", "until": "x", "due": "20261118T230000Z", "parent": "p"}, "until"),
        ({"todotui": "{"}, "todo-tui"),
    ],
)
def test_an_attribute_that_cannot_be_read_is_kept_and_named(attributes: Native, name: str) -> None:
    reading = read(json.dumps([entry(), entry(uuid="b", **attributes)]), HOME)
    assert f"cannot read `{name}`" in remarks_of(reading, "Entry 2")
    assert list(reading.entries[1].fields["extra"]["unread"]) == [name]  # type: ignore[arg-type]


def test_an_annotation_without_a_date_has_that_of_its_task() -> None:
    draft = only(
        entry(
            entry="20261101T080000Z",
            annotations=[
                {"description": "undated"},
                {"entry": "20261001T080000Z", "description": "dated"},
            ],
        )
    )
    assert [(each.at.month, each.text) for each in draft.fields["annotations"]] == [
        (10, "dated"),
        (11, "undated"),
    ]


def test_an_object_without_a_uuid_gets_the_same_one_each_time() -> None:
    text = json.dumps([{"description": "x"}, {"description": "x"}])
    first, again = read(text, HOME), read(text, HOME)
    assert [each.uuid for each in first.entries] == [each.uuid for each in again.entries]
    assert len({each.uuid for each in first.entries} - {None}) == 2


def test_priorities_of_ones_own_are_kept() -> None:
    draft = only(entry(priority="X"))
    assert draft.fields["priority"] is None
    (native,) = natives(made_up(1, extra=draft.fields["extra"]))
    assert native["priority"] == "X"
    (native,) = natives(made_up(1, extra=draft.fields["extra"], priority=Priority.LOW))
    assert native["priority"] == "L"


def test_what_is_no_export_is_said() -> None:
    with pytest.raises(ValidationError) as caught:
        read("hello", HOME)
    assert "task export" in (caught.value.hint or "")
