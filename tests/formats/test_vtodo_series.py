"""Recurring to-dos of calendars: occurrences of their own, excluded dates, rules, and export."""

from __future__ import annotations

from datetime import UTC, datetime

import icalendar
import pytest

from tests.formats.reading_back import HOME, context_of, made_up
from tests.rows import each_row
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.recurrence.next_occurrence import Recurrence, first_occurrences
from todo_tui.domain.task import JsonValue, Status, Task
from todo_tui.domain.when import When
from todo_tui.formats.parsed_file import ParsedFile
from todo_tui.formats.vtodo import read, write

DAYS = (
    "UID:a\nSUMMARY:Water\nDTSTART;VALUE=DATE:20261123\nDUE;VALUE=DATE:20261123\nRRULE:FREQ=WEEKLY"
)
TIMED = (
    "UID:a\nSUMMARY:Pill\nDTSTART;TZID=Europe/Berlin:20261123T080000\n"
    "DUE;TZID=Europe/Berlin:20261123T083000\nRRULE:FREQ=WEEKLY"
)
DONE = "STATUS:COMPLETED\nCOMPLETED:20261123T100000Z"


def reading_of(*todos: str) -> ParsedFile:
    body = "".join(f"BEGIN:VTODO\n{each}\nEND:VTODO\n" for each in todos)
    reading = read(f"BEGIN:VCALENDAR\nVERSION:2.0\n{body}END:VCALENDAR\n", HOME)
    assert reading.bad == ()
    return reading


def part(which: str, fields: str = DONE) -> str:
    """An occurrence of its own; `which` is its RECURRENCE-ID with parameters."""
    return f"UID:a\nSUMMARY:Part\nRECURRENCE-ID{which}\n{fields}"


def series(*todos: str) -> ImportEntry:
    """The entry of the series itself."""
    return next(each for each in reading_of(*todos).entries if each.uuid == "a")


def said(entry: ImportEntry) -> str:
    return " ".join(remark.what for remark in entry.remarks)


def text_of(task: Task) -> str:
    return "".join(write([task], context_of([task]))).replace("\r\n", "\n")


@each_row(
    ("todos", "due", "rule"),
    [
        ([DAYS, part(";VALUE=DATE:20261123")], "2026-11-30", ""),
        ([part(";VALUE=DATE:20261123"), DAYS], "2026-11-30", ""),
        ([DAYS, part(":20261123T000000")], "2026-11-30", ""),
        ([DAYS, part(";VALUE=DATE:20261123", "STATUS:CANCELLED")], "2026-11-30", ""),
        ([DAYS, part(":20261123"), part(":20261130")], "2026-12-07", ""),
        ([DAYS, part(":20261130")], "2026-11-23", ";EXDATE=20261130"),
        ([DAYS, part(":20261123", "DUE;VALUE=DATE:20261125")], "2026-11-30", ""),
        ([DAYS, part(":20261207", "DUE;VALUE=DATE:20261208")], "2026-11-23", ";EXDATE=20261207"),
        ([f"{DAYS}\nEXDATE;VALUE=DATE:20261123,20261130"], "2026-12-07", ""),
        ([f"{DAYS}\nEXDATE:20261123\nEXDATE:20261207"], "2026-11-30", ";EXDATE=20261207"),
        ([f"{DAYS}\nEXDATE:20261124"], "2026-11-23", ";EXDATE=20261124"),
        ([f"{DAYS};COUNT=3", part(":20261123")], "2026-11-30", ";COUNT=2"),
        ([f"{DAYS};COUNT=3", part(":20261130")], "2026-11-23", ";UNTIL=20261207;EXDATE=20261130"),
        ([TIMED, part(";TZID=Europe/Berlin:20261123T080000")], "2026-11-30T08:30", ""),
        ([TIMED, part(":20261123T070000Z")], "2026-11-30T08:30", ""),
        ([TIMED, part(";VALUE=DATE:20261123")], "2026-11-30T08:30", ""),
        ([TIMED, part(":20261123T080000")], "2026-11-30T08:30", ""),
        ([f"{TIMED}\nEXDATE;TZID=America/New_York:20261123T020000"], "2026-11-30T08:30", ""),
        ([f"{TIMED}\nEXDATE;VALUE=DATE:20261123"], "2026-11-30T08:30", ""),
        ([f"{TIMED}\nEXDATE:20261123T070000Z,20261207T070000Z"],
         "2026-11-30T08:30", ";EXDATE=20261207"),
        ([f"{TIMED}\nEXDATE;TZID=Europe/Berlin:20261123T090000"], "2026-11-23T08:30", ""),
    ],
)  # fmt: skip
def test_the_open_task_is_the_first_occurrence_that_is_neither_done_nor_excluded(
    todos: list[str], due: str, rule: str
) -> None:
    entry = series(*todos)
    assert entry.fields["due"] == When.parse(due)
    assert entry.fields["recurrence"] == f"FREQ=WEEKLY{rule}"
    assert entry.fields["status"] is Status.TODO
    assert said(entry) == ""


@each_row(
    ("dates", "rule", "due", "kept"),
    [
        ("DTSTART;VALUE=DATE:20261123", "FREQ=WEEKLY", "2026-11-30", "FREQ=WEEKLY"),
        ("DUE;VALUE=DATE:20261123", "FREQ=WEEKLY", "2026-11-30", "FREQ=WEEKLY"),
        ("DTSTART:20261123\nDUE:20261125", "FREQ=WEEKLY;BYDAY=MO", "2026-12-02",
         "FREQ=WEEKLY;BYDAY=WE"),
        ("DTSTART:20261123\nDURATION:P2D", "FREQ=WEEKLY", "2026-12-02", "FREQ=WEEKLY"),
        ("DTSTART:20261123\nDUE:20261125", "FREQ=MONTHLY;BYMONTHDAY=23", "2026-12-25",
         "FREQ=MONTHLY;BYMONTHDAY=25"),
    ],
)  # fmt: skip
def test_dates_that_are_named_by_the_start(dates: str, rule: str, due: str, kept: str) -> None:
    entry = series(f"UID:a\nSUMMARY:x\n{dates}\nRRULE:{rule}\nEXDATE;VALUE=DATE:20261123")
    assert entry.fields["due"] == When.parse(due)
    assert entry.fields["recurrence"] == kept


def test_a_late_day_of_the_month_comes_back_after_a_shorter_one() -> None:
    entry = series("UID:a\nSUMMARY:x\nDUE:20261031\nRRULE:FREQ=MONTHLY\nEXDATE:20261031,20261130")
    assert entry.fields["due"] == When.parse("2026-12-31")
    assert entry.fields["recurrence"] == "FREQ=MONTHLY;BYMONTHDAY=31"


def test_hours_are_excluded_one_by_one() -> None:
    entry = series(
        "UID:a\nSUMMARY:x\nDUE:20261125T080000Z\nRRULE:FREQ=HOURLY;INTERVAL=2\n"
        "EXDATE:20261125T080000Z,20261125T120000Z"
    )
    assert entry.fields["due"] == When.parse("2026-11-25T11:00")
    assert entry.fields["recurrence"] == "FREQ=HOURLY;INTERVAL=2;EXDATE=20261125T130000"


def test_a_completed_occurrence_has_its_place_in_the_series() -> None:
    _, done = reading_of(TIMED, part(":20261123T070000Z")).entries
    assert (done.uuid, done.series, done.slot) == ("a 20261123T070000Z", "a", "2026-11-23T08:30")
    assert done.fields["status"] is Status.DONE
    assert done.completed_at == datetime(2026, 11, 23, 10, tzinfo=UTC)
    assert done.fields["recurrence"] == "FREQ=WEEKLY"


def test_a_changed_occurrence_is_a_task_of_its_own() -> None:
    _, moved = reading_of(DAYS, part(":20261123", "DUE;VALUE=DATE:20261125")).entries
    assert (moved.fields["title"], moved.fields["due"]) == ("Part", When.parse("2026-11-25"))
    assert (moved.series, moved.fields["recurrence"]) == (None, None)


@each_row(
    ("todos", "words"),
    [
        ([DAYS, part(";RANGE=THISANDFUTURE:20261130", "")], "all later occurrences"),
        ([part(":20261130", "")], "not in the file"),
        ([DAYS, part(":soon")], "RECURRENCE-ID"),
        ([f"{DAYS}\nRDATE;VALUE=DATE:20261125"], "RDATE"),
        ([f"{DAYS}\nEXRULE:FREQ=MONTHLY"], "EXRULE"),
        ([f"{DAYS}\nRRULE:FREQ=DAILY"], "second recurrence rule"),
        ([f"{DAYS}\nEXDATE:soon"], "cannot read `exdate`"),
        ([f"{DAYS}\n{DONE}"], "does not repeat"),
        (["UID:a\nSUMMARY:x\nDTSTART:20261102\nDUE:20261104\nRRULE:FREQ=MONTHLY;BYDAY=1MO"],
         "by its due date"),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_named(todos: list[str], words: str) -> None:
    reading = reading_of(*todos)
    assert len(reading.entries) == len(todos)
    assert words in " ".join(map(said, reading.entries))


@pytest.mark.parametrize(
    "todos",
    [
        [f"{DAYS};COUNT=2", part(":20261123"), part(":20261130")],
        [f"{DAYS};UNTIL=20261128\nEXDATE:20261123"],
    ],
)
def test_a_series_without_an_open_occurrence_is_named(todos: list[str]) -> None:
    reading = reading_of(*todos)
    assert len(reading.entries) == len(todos) - 1
    assert "Entry 1 (“Water”)" in reading.notes[0]


@each_row(
    ("rule", "kept", "left_out"),
    [
        ("FREQ=WEEKLY;COUNT=0;INTERVAL=1;BYDAY=WE", "FREQ=WEEKLY;BYDAY=WE", ""),
        ("FREQ=WEEKLY;BYDAY=WE;X-FOO=1", "FREQ=WEEKLY;BYDAY=WE", "X-FOO=1"),
        ("FREQ=MONTHLY;INTERVAL=0", "FREQ=MONTHLY", "INTERVAL=0"),
        ("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=OMIT", "FREQ=YEARLY", ""),
        ("RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=FORWARD",
         "FREQ=MONTHLY;BYMONTHDAY=31", "SKIP=FORWARD"),
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=30", "FREQ=DAILY", ""),
    ],
)  # fmt: skip
def test_parts_that_can_be_left_out_keep_the_rest_of_a_rule(
    rule: str, kept: str, left_out: str
) -> None:
    entry = series(f"UID:a\nSUMMARY:x\nDUE:20261125T093000\nRRULE:{rule}")
    assert entry.fields["recurrence"] == kept
    assert left_out in said(entry)
    assert bool(said(entry)) is bool(left_out)


@each_row(
    "rule",
    [
        "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
        "FREQ=YEARLY;BYYEARDAY=100",
        "FREQ=DAILY;BYHOUR=8,20",
        "FREQ=DAILY;BYSETPOS=2;BYDAY=MO",
        "FREQ=DAILY;COUNT=5;UNTIL=20270101",
        "RSCALE=HEBREW;FREQ=YEARLY",
        "FREQ=SECONDLY",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "often",
    ],
)
def test_a_rule_that_cannot_be_kept_is_named_and_the_task_keeps_its_date(rule: str) -> None:
    entry = series(f"UID:a\nSUMMARY:x\nDUE;VALUE=DATE:20200106\nRRULE:{rule}")
    assert entry.fields["recurrence"] is None
    assert entry.fields["due"] == When.parse("2020-01-06")
    assert entry.fields["extra"] == {"icalendar": [f"RRULE:{rule}"]}
    assert "does not repeat here" in said(entry)
    written = text_of(made_up(1, due=entry.fields["due"], extra=entry.fields["extra"]))
    assert f"\nRRULE:{rule}\n" in written
    assert "\nDTSTART;VALUE=DATE:" in written


def repeating(**fields: object) -> Task:
    due = {"due": When.parse("2026-11-30"), "recurrence": "FREQ=WEEKLY;BYDAY=MO"}
    return made_up(1, **{**due, **fields})


@each_row(
    ("fields", "line"),
    [
        ({}, "DTSTART;VALUE=DATE:20261130"),
        ({"start": When.parse("2026-11-28")}, "DTSTART;VALUE=DATE:20261130"),
        ({"start": When.parse("2026-11-28"), "recurrence": "FREQ=DAILY;INTERVAL=3"},
         "DTSTART;VALUE=DATE:20261128"),
        ({"due": When.parse("2026-11-30T17:00"), "due_zone": "Europe/Berlin"},
         "DTSTART;TZID=Europe/Berlin:20261130T170000"),
        ({"due": None}, "DTSTART;VALUE=DATE:20261118"),
        ({"recurrence": "FREQ=WEEKLY;EXDATE=20261207"}, "EXDATE;VALUE=DATE:20261207"),
        ({"due": When.parse("2026-11-30T17:00"), "due_zone": "Europe/Berlin",
          "recurrence": "FREQ=WEEKLY;EXDATE=20261207"},
         "EXDATE;TZID=Europe/Berlin:20261207T170000"),
    ],
)  # fmt: skip
def test_what_repeats_is_written_with_the_date_from_which_it_counts(
    fields: dict[str, object], line: str
) -> None:
    task = repeating(**fields)
    text = text_of(task)
    todo = text.partition("BEGIN:VTODO")[2]
    assert f"\n{line}\n" in todo
    assert todo.count("\nRRULE:") == 1
    assert "EXDATE" not in todo.partition("\nRRULE:")[2].partition("\n")[0]
    assert not icalendar.Calendar.from_ical(text).walk("VTODO")[0].errors
    (entry,) = read(text, HOME).entries
    assert (entry.fields["due"], entry.fields["start"]) == (task.due, task.start)
    assert entry.fields["recurrence"] == task.recurrence


@pytest.mark.parametrize("status", [Status.DONE, Status.CANCELLED])
def test_a_closed_task_carries_no_rule(status: Status) -> None:
    kept: JsonValue = {"icalendar": ["RRULE:FREQ=YEARLY;BYWEEKNO=20", "RDATE:20270101"]}
    moment = HOME.now.replace(tzinfo=UTC)
    for task in (
        repeating(status=status, completed_at=moment),
        repeating(status=status, completed_at=moment, recurrence=None, extra=kept),
    ):
        text = text_of(task)
        assert not {"RRULE", "RDATE"} & {line.partition(":")[0] for line in text.split("\n")}
        (entry,) = read(text, HOME).entries
        assert entry.fields["recurrence"] == task.recurrence
        assert entry.fields["extra"] == task.extra


def test_a_start_on_the_due_day_hides_nothing_and_is_written_back() -> None:
    todo = "UID:a\nSUMMARY:x\nDTSTART;VALUE=DATE:20261223\nDUE;VALUE=DATE:20261223"
    (entry,) = reading_of(todo).entries
    assert entry.fields["start"] is None
    task = made_up(1, due=entry.fields["due"], extra=entry.fields["extra"])
    assert "\nDTSTART;VALUE=DATE:20261223\n" in text_of(task)
    assert read(text_of(task), HOME).entries[0].fields["extra"] == task.extra


ODD_ZONE = (
    "BEGIN:VTIMEZONE\nTZID:Odd\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
    "TZOFFSETFROM:+0917\nTZOFFSETTO:+0917\nEND:STANDARD\nEND:VTIMEZONE\n"
)


def next_after(entry: ImportEntry) -> datetime:
    """The second occurrence of a task, on the clock of its zone."""
    recurrence = Recurrence(str(entry.fields["recurrence"]))
    due, zone = entry.fields["due"], str(entry.fields.get("due_zone") or HOME.zone)
    assert due is not None
    return first_occurrences(recurrence, due, 2, zone)[1].begins()


@each_row(
    ("dates", "rule", "due", "following"),
    [
        ("DUE:20261129T230000Z", "FREQ=WEEKLY;BYDAY=SU", "2026-11-30T00:00", "2026-12-07T00:00"),
        ("DUE:20261129T230000Z", "FREQ=WEEKLY;BYDAY=SU,MO",
         "2026-11-30T00:00", "2026-12-01T00:00"),
        ("DUE:20261129T230000Z", "FREQ=WEEKLY", "2026-11-30T00:00", "2026-12-07T00:00"),
        ("DUE:20261129T230000Z", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU",
         "2026-11-30T00:00", "2026-12-13T00:00"),
        ("DTSTART:20261124T230000Z\nDUE:20261124T233000Z", "FREQ=WEEKLY;BYDAY=TU",
         "2026-11-25T00:30", "2026-12-02T00:30"),
        ("DTSTART:20261124T233000Z\nDURATION:PT1H", "FREQ=WEEKLY;BYDAY=TU",
         "2026-11-25T01:30", "2026-12-02T01:30"),
        ("DUE:20261115T233000Z", "FREQ=MONTHLY;BYMONTHDAY=15",
         "2026-11-16T00:30", "2026-12-16T00:30"),
        ("DUE:20261130T233000Z", "FREQ=MONTHLY;BYMONTHDAY=-1",
         "2026-12-01T00:30", "2027-01-01T00:30"),
        ("DUE:20261130T233000Z", "FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=30",
         "2026-12-01T00:30", "2027-12-01T00:30"),
        ("DUE:20261129T230000Z", "FREQ=WEEKLY;BYDAY=SU;BYHOUR=23",
         "2026-11-30T00:00", "2026-12-07T00:00"),
        ("DUE;TZID=Odd:20261129T070000", "FREQ=WEEKLY;BYDAY=SU",
         "2026-11-28T22:43", "2026-12-05T22:43"),
        ("DTSTART;TZID=America/New_York:20261129T200000\nDUE;TZID=Europe/Berlin:20261130T030000",
         "FREQ=WEEKLY;BYDAY=SU", "2026-11-30T03:00", "2026-12-07T03:00"),
        ("DUE:20261130T230000Z", "FREQ=WEEKLY;BYDAY=TU", "2026-12-01T00:00", "2026-12-08T00:00"),
    ],
)  # fmt: skip
def test_a_rule_counts_in_the_zone_in_which_the_file_writes_it(
    dates: str, rule: str, due: str, following: str
) -> None:
    todo = f"BEGIN:VTODO\nUID:a\nSUMMARY:x\n{dates}\nRRULE:{rule}\nEND:VTODO\n"
    (entry,) = read(f"BEGIN:VCALENDAR\n{ODD_ZONE}{todo}END:VCALENDAR\n", HOME).entries
    assert entry.fields["due"] == When.parse(due)
    assert next_after(entry) == datetime.fromisoformat(following)
    assert said(entry) == ""


@each_row(
    ("due", "rule"),
    [
        ("20261130T233000Z", "FREQ=MONTHLY;BYMONTHDAY=30"),
        ("20261130T233000Z", "FREQ=MONTHLY"),
        ("20261101T233000Z", "FREQ=MONTHLY;BYDAY=1SU"),
        ("20261130T233000Z", "FREQ=HOURLY;BYDAY=MO"),
    ],
)
def test_a_rule_that_cannot_be_moved_keeps_the_zone_of_the_file(due: str, rule: str) -> None:
    entry = series(f"UID:a\nSUMMARY:x\nDUE:{due}\nRRULE:{rule}")
    assert entry.fields["due"] == When.of(datetime.strptime(due, "%Y%m%dT%H%M%SZ"))
    assert (entry.fields["due_zone"], entry.fields["recurrence"]) == ("UTC", rule)
    assert said(entry) == ""


def test_a_rule_of_a_zone_without_a_name_that_cannot_be_moved_is_named() -> None:
    todo = (
        "BEGIN:VTODO\nUID:a\nSUMMARY:x\nDUE;TZID=Odd:20261201T070000\n"
        "RRULE:FREQ=MONTHLY;BYMONTHDAY=1\nEND:VTODO\n"
    )
    (entry,) = read(f"BEGIN:VCALENDAR\n{ODD_ZONE}{todo}END:VCALENDAR\n", HOME).entries
    assert "in this time zone" in said(entry)


@each_row(
    ("dates", "until", "dues"),
    [
        ("DTSTART;TZID=Europe/Berlin:20261125T080000\nDUE;TZID=Europe/Berlin:20261125T100000",
         "20261126T070000Z", ["2026-11-25T10:00", "2026-11-26T10:00"]),
        ("DTSTART;TZID=Europe/Berlin:20261125T080000\nDURATION:PT2H",
         "20261126T070000Z", ["2026-11-25T10:00", "2026-11-26T10:00"]),
        ("DTSTART:20261125T080000\nDUE:20261125T100000",
         "20261126T080000", ["2026-11-25T10:00", "2026-11-26T10:00"]),
        ("DTSTART;VALUE=DATE:20261125\nDUE;VALUE=DATE:20261127",
         "20261126", ["2026-11-27", "2026-11-28"]),
        ("DTSTART;VALUE=DATE:20261125\nDURATION:P2D", "20261126", ["2026-11-27", "2026-11-28"]),
        ("DTSTART:20261125T230000Z\nDUE:20261126T010000Z",
         "20261126T230000Z", ["2026-11-26T02:00", "2026-11-27T02:00"]),
        ("DUE:20261125T230000Z", "20261126", ["2026-11-26T00:00", "2026-11-27T00:00"]),
        ("DUE:20261125T230000Z", "20261126T230000Z", ["2026-11-26T00:00", "2026-11-27T00:00"]),
        ("DTSTART:20261124T080000Z\nDUE:20261124T080000Z\nEXDATE:20261124T080000Z",
         "20261126T080000Z", ["2026-11-25T09:00", "2026-11-26T09:00"]),
    ],
)  # fmt: skip
def test_the_end_of_a_rule_counts_from_the_start(dates: str, until: str, dues: list[str]) -> None:
    entry = series(f"UID:a\nSUMMARY:x\n{dates}\nRRULE:FREQ=DAILY;UNTIL={until}")
    recurrence = Recurrence(str(entry.fields["recurrence"]))
    due, zone = entry.fields["due"], str(entry.fields.get("due_zone") or HOME.zone)
    assert due is not None
    found = first_occurrences(recurrence, due, 3, zone)
    assert found == [When.parse(each) for each in dues]
    task = made_up(
        1,
        **{
            name: each
            for name, each in entry.fields.items()
            if name in ("due", "due_zone", "start", "recurrence")
        },
    )
    (again,) = read(text_of(task), HOME).entries
    assert again.fields["recurrence"] == entry.fields["recurrence"]


def test_two_versions_of_one_occurrence_are_both_kept() -> None:
    changed = part(";VALUE=DATE:20261123", "DUE;VALUE=DATE:20261128")
    for todos in (
        [DAYS, part(";VALUE=DATE:20261123"), changed],
        [part(";VALUE=DATE:20261123"), changed],
    ):
        *_, first, second = reading_of(*todos).entries
        assert first.uuid != second.uuid
        assert "further version" in said(second)


def test_a_rule_that_is_written_twice_is_one() -> None:
    assert said(series(f"{DAYS}\nRRULE:FREQ=WEEKLY")) == ""


def test_a_rule_that_our_own_file_took_out_is_named_without_an_empty_reason() -> None:
    parts = (
        '{"is":{"extra.icalendar":["RRULE:FREQ=YEARLY"]}',
        '"was":{"recurrence":"FREQ=YEARLY","repeat_from":"due"}',
        '"not":["recurrence","repeat_from"]}',
    )
    ours = ",".join(parts).replace(",", "\\,")
    entry = series(f"UID:a\nSUMMARY:x\nRRULE:FREQ=YEARLY\nX-TODO-TUI:{ours}")
    assert "cannot be kept: FREQ=YEARLY;" in said(entry)
