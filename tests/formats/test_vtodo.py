"""iCalendar: recorded files of todoman, the kinds of moments, what other programs add."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path

import icalendar
import pytest
from hypothesis import given, settings

from tests.formats.random_tasks import task_lists
from tests.formats.reading_back import HOME, context_of, made_up, remarks_of
from tests.rows import each_row
from todo_tui.cli.files import read_folder
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import JsonValue, Priority, RepeatFrom, Status, Task
from todo_tui.domain.when import When
from todo_tui.formats.registry import format_to_write
from todo_tui.formats.vtodo import read, write

RECORDED = Path(__file__).parent.parent / "data/formats/todoman-4.1.0"

ALARM = """BEGIN:VALARM
ACTION:DISPLAY
TRIGGER;RELATED=END:-PT15M
DESCRIPTION:Default
END:VALARM"""


def calendar(*todos: str) -> str:
    body = "".join(f"BEGIN:VTODO\n{lines.strip()}\nEND:VTODO\n" for lines in todos)
    return f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n{body}END:VCALENDAR\n"


def only(lines: str) -> ImportEntry:
    reading = read(calendar(f"UID:1\nSUMMARY:x\n{lines}"), HOME)
    assert reading.bad == ()
    (draft,) = reading.entries
    return draft


def text_of(*tasks: Task) -> str:
    return "".join(write(tasks, context_of(tasks)))


def test_a_folder_of_todoman_is_read_whole() -> None:
    reading = read_folder(RECORDED, format_to_write("icalendar", None), HOME)
    assert (reading.bad, reading.notes) == ((), ())
    found = {draft.fields["title"]: draft for draft in reading.entries}
    rent = found["Pay the rent, and äöü; more"]
    assert rent.fields["status"] is Status.DONE
    assert rent.completed_at == datetime(2026, 11, 22, 2, 51, 45, tzinfo=UTC)
    assert rent.fields["due"] == When(date(2026, 12, 1), time(17))
    assert rent.fields["start"] == When(date(2026, 11, 20), time(9))
    assert rent.fields["due_zone"] == "Europe/Berlin"
    assert rent.fields["priority"] is Priority.HIGH
    assert rent.fields["extra"] == {"icalendar": ["LOCATION:Berlin", "PRIORITY:4", "SEQUENCE:2"]}
    assert found["All day thing"].fields["due"] == When(date(2026, 12, 5))
    assert found["All day thing"].fields["priority"] is Priority.LOW
    assert found["With notes"].fields["notes"].endswith("third, with ; and \\ in it")
    assert found["Cancelled one"].fields["status"] is Status.CANCELLED
    assert found["Cancelled one"].place.endswith(".ics")


@settings(max_examples=20)
@given(tasks=task_lists())
def test_what_is_written_is_read_by_the_library_too(tasks: list[Task]) -> None:
    read_back = icalendar.Calendar.from_ical(text_of(*tasks))
    todos = read_back.walk("VTODO")
    assert [str(todo["UID"]) for todo in todos] == [task.uuid for task in tasks]
    assert all(not todo.errors for todo in todos)
    dues = [todo.decoded("DUE", None) for todo in todos]
    assert [_wall(due) for due in dues] == [task.due for task in tasks]


def _wall(due: date | None) -> When | None:
    """The day or wall time of what the library reads."""
    if due is None:
        return None
    return When.of(due) if isinstance(due, datetime) else When(due)


def test_no_line_is_longer_than_the_standard_allows() -> None:
    for line in text_of(made_up(1, title="日本語 " * 60, notes="x" * 500)).split("\r\n"):
        assert len(line.encode()) <= 75


@each_row(
    ("line", "when", "zone"),
    [
        ("DUE;VALUE=DATE:20261119", When(date(2026, 11, 19)), None),
        ("DUE:20261119", When(date(2026, 11, 19)), None),
        ("DUE:20261119T160000Z", When(date(2026, 11, 19), time(17)), "Europe/Berlin"),
        (
            "DUE;TZID=America/New_York:20261119T170000",
            When(date(2026, 11, 19), time(17)),
            "America/New_York",
        ),
        ("DUE:20261119T170000", When(date(2026, 11, 19), time(17)), None),
        (
            "DUE;TZID=Eastern Standard Time:20261119T170000",
            When(date(2026, 11, 19), time(17)),
            "America/New_York",
        ),
        (
            'DUE;TZID="/citadel.org/20070227_1/Europe/Paris":20261119T170000',
            When(date(2026, 11, 19), time(17)),
            "Europe/Paris",
        ),
        ("DTSTART:20261119T160000Z\nDURATION:PT90M", When(date(2026, 11, 19), time(18, 30)),
         "Europe/Berlin"),
        ("DTSTART;VALUE=DATE:20261119\nDURATION:P1W", When(date(2026, 11, 26)), None),
    ],
)  # fmt: skip
def test_each_kind_of_moment(line: str, when: When, zone: str | None) -> None:
    draft = only(line)
    assert draft.fields["due"] == when
    assert draft.fields.get("due_zone") == zone


def test_a_zone_that_the_file_describes_is_known_by_its_place() -> None:
    zone = "BEGIN:VTIMEZONE\nTZID:Home\nX-LIC-LOCATION:Asia/Tokyo\nEND:VTIMEZONE\n"
    text = calendar("UID:1\nSUMMARY:x\nDUE;TZID=Home:20261119T170000")
    (draft,) = read(text.replace("BEGIN:VTODO", f"{zone}BEGIN:VTODO", 1), HOME).entries
    assert draft.fields["due_zone"] == "Asia/Tokyo"


EUROPE = """BEGIN:VTIMEZONE
TZID:{tzid}
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
"""
FIXED = """BEGIN:VTIMEZONE
TZID:{tzid}
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:{offset}
TZOFFSETTO:{offset}
END:STANDARD
END:VTIMEZONE
"""


@each_row(
    ("rules", "tzid", "when", "zone"),
    [
        (EUROPE.format(tzid="My Zone"), "My Zone", "10:00", "Europe/Berlin"),
        (
            EUROPE.format(tzid="(UTC+01:00) Amsterdam\\, Berlin"),
            '"(UTC+01:00) Amsterdam, Berlin"', "10:00", "Europe/Berlin",
        ),
        (FIXED.format(tzid="Hills", offset="+0545"), "Hills", "06:15", "Europe/Berlin"),
        (FIXED.format(tzid="Odd", offset="+0317"), "Odd", "08:43", "Europe/Berlin"),
        ("", "W. Europe Standard Time 1", "10:00", "Europe/Berlin"),
        ("", "GMT-0500", "17:00", "Europe/Berlin"),
        ("BEGIN:VTIMEZONE\nTZID:Mine\nEND:VTIMEZONE\n", "Mine", "10:00", None),
        ("", "(UTC+01:00) Rome", "10:00", None),
    ],
)  # fmt: skip
def test_a_zone_is_what_the_file_says_of_it(
    rules: str, tzid: str, when: str, zone: str | None
) -> None:
    text = calendar(f"UID:1\nSUMMARY:x\nDUE;TZID={tzid}:20260728T100000")
    reading = read(text.replace("BEGIN:VTODO", f"{rules}BEGIN:VTODO", 1), HOME)
    (draft,) = reading.entries
    assert draft.fields["due"] == When.parse(f"2026-07-28T{when}")
    assert draft.fields.get("due_zone") == zone
    if zone is None:
        assert "cannot read `due_zone`" in remarks_of(reading, "Entry 1")


def test_a_timed_task_brings_the_rules_of_its_zone() -> None:
    text = text_of(made_up(1, due=When(date(2026, 7, 1), time(17)), due_zone="America/New_York"))
    assert "DUE;TZID=America/New_York:20260701T170000" in text
    assert "BEGIN:VTIMEZONE\r\nTZID:America/New_York" in text


def test_start_is_said_only_where_the_standard_allows_it() -> None:
    day, later = When(date(2026, 11, 19)), When(date(2026, 11, 20))
    timed = When(date(2026, 11, 19), time(9))
    assert "DTSTART;VALUE=DATE:20261119" in text_of(made_up(1, start=day, due=later))
    for start, due in ((later, day), (timed, later), (day, day)):
        task = made_up(1, start=start, due=due, start_zone="UTC" if start.at else None)
        text = text_of(task)
        assert "\nDTSTART" not in text.partition("BEGIN:VTODO")[2]
        assert read(text, HOME).entries[0].fields["start"] == start


def test_what_other_programs_add_is_kept_and_written_back() -> None:
    added = f"GEO:52.5;13.4\nX-APPLE-SORT-ORDER:42\nRELATED-TO;RELTYPE=SIBLING:9\n{ALARM}"
    draft = only(f"{added}\nPRIORITY:3\nPERCENT-COMPLETE:40\nSTATUS:IN-PROCESS")
    assert draft.fields["status"] is Status.DOING
    text = text_of(made_up(1, extra=draft.fields["extra"], priority=Priority.HIGH))
    for line in (*added.splitlines(), "PRIORITY:3", "PERCENT-COMPLETE:40"):
        assert f"\r\n{line}\r\n" in text
    assert "PRIORITY:9" in text_of(made_up(1, extra=draft.fields["extra"], priority=Priority.LOW))


def test_relations_repeats_and_categories() -> None:
    draft = only(
        "RELATED-TO:parent\nRELATED-TO;RELTYPE=DEPENDS-ON:before\nCATEGORIES:a\\,b,c\n"
        "CATEGORIES:d\nRRULE:FREQ=WEEKLY;BYDAY=MO\nDUE;VALUE=DATE:20261123"
    )
    assert (draft.parent_uuid, draft.blocker_uuids) == ("parent", ("before",))
    assert draft.fields["tags"] == ("a,b", "c", "d")
    assert draft.fields["recurrence"] == "FREQ=WEEKLY;BYDAY=MO"
    task = made_up(1, recurrence="FREQ=WEEKLY", repeat_from=RepeatFrom.NEXT, blocked_by=(2,))
    text = text_of(task, made_up(2))
    assert "RRULE:FREQ=WEEKLY\r\n" in text
    assert f"RELATED-TO;RELTYPE=DEPENDS-ON:{2:032x}" in text


def test_a_rule_that_is_not_supported_is_kept_as_it_is() -> None:
    draft = only("RRULE:FREQ=DAILY;BYHOUR=9,17")
    assert draft.fields["recurrence"] is None
    assert draft.fields["extra"] == {"icalendar": ["RRULE:FREQ=DAILY;BYHOUR=9,17"]}


def test_one_occurrence_of_a_series_is_a_task_of_its_own() -> None:
    reading = read(
        calendar(
            "UID:1\nSUMMARY:x\nRRULE:FREQ=DAILY",
            "UID:1\nSUMMARY:x\nRECURRENCE-ID:20261119\nSTATUS:COMPLETED",
        ),
        HOME,
    )
    assert reading.bad == ()
    series, occurrence = reading.entries
    assert series.uuid == occurrence.series == "1"
    assert occurrence.uuid == "1 20261119"


def test_events_are_passed_over_and_counted() -> None:
    text = calendar("UID:1\nSUMMARY:x").replace(
        "BEGIN:VTODO", "BEGIN:VEVENT\nUID:9\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\nBEGIN:VTODO", 1
    )
    reading = read(text, HOME)
    assert len(reading.entries) == 1
    assert reading.notes == ("Skipped 1 component that is not a to-do.",)


@each_row(
    ("lines", "name", "raw"),
    [
        ("DUE:20260230", "due", "20260230"),
        ("DUE:99991231T235959Z", "due", "99991231T235959Z"),
        ("DUE:00010101T000000Z", "due", "00010101T000000Z"),
        ("DUE;VALUE=DATE:99991231", "due", "99991231"),
        ("DUE:20261119T990000", "due", "20261119T990000"),
        ("DUE;TZID=Nowhere:20261119T170000", "due_zone", "Nowhere"),
        ("DTSTART:soon", "start", "soon"),
        ("DTSTART:20261119\nDURATION:P", "duration", "P"),
        ("STATUS:LATER", "status", "LATER"),
        ("COMPLETED:yesterday\nSTATUS:COMPLETED", "completed_at", "yesterday"),
        ("no colon here", "lines", ["no colon here"]),
        ("X-TODO-TUI:{", "todo-tui", "{"),
    ],
)
def test_a_value_that_cannot_be_read_is_kept_and_named(
    lines: str, name: str, raw: JsonValue
) -> None:
    reading = read(calendar("UID:1\nSUMMARY:a", f"UID:2\nSUMMARY:b\n{lines}"), HOME)
    said = remarks_of(reading, "Entry 2")
    assert f"cannot read `{name}`" in said
    entry = reading.entries[1]
    assert entry.fields["extra"]["unread"] == {name: raw}
    task = made_up(1, extra=entry.fields["extra"])
    assert read(text_of(task), HOME).entries[0].fields["extra"] == task.extra


@pytest.mark.parametrize(
    ("value", "when"),
    [
        ("20261128T235960Z", "2026-11-29T00:59"),
        ("20261128T240000", "2026-11-29T00:00"),
        ("20261231T240000Z", "2027-01-01T01:00"),
    ],
)
def test_moments_at_the_end_of_a_minute_or_day(value: str, when: str) -> None:
    assert only(f"DUE:{value}").fields["due"] == When.parse(when)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("UID:2\nDUE:20261201", "no title"),
        ("UID:1\nSUMMARY:b", "same uuid as entry 1"),
    ],
)
def test_a_bad_to_do_is_named_with_its_number(lines: str, words: str) -> None:
    reading = read(calendar("UID:1\nSUMMARY:a", lines, "UID:3\nSUMMARY:c"), HOME)
    assert len(reading.entries) == 2
    (bad,) = reading.bad
    assert bad.message.startswith("Entry 2")
    assert words in f"{bad.message} {bad.hint}"


@each_row("cut", range(40, 120, 7))
def test_a_file_that_was_cut_off_is_noticed(cut: int) -> None:
    text = calendar("UID:1\nSUMMARY:a", "UID:2\nSUMMARY:b")
    whole = text[:cut].count("END:VTODO")
    reading = read(text[:cut], HOME)
    assert len(reading.entries) == whole
    assert len(reading.bad) == text[:cut].count("BEGIN:VTODO") - whole


def test_what_is_no_calendar_is_said() -> None:
    with pytest.raises(ValidationError) as caught:
        read("hello", HOME)
    assert "VCALENDAR" in (caught.value.hint or "")


@each_row(
    ("lines", "title"),
    [
        ("DESCRIPTION:Call Bob\\nabout it", "Call Bob"),
        ("SUMMARY:\nDESCRIPTION:Call Bob", "Call Bob"),
        ("CATEGORIES:Home,Garden", "Home"),
        ("DESCRIPTION:  \nCATEGORIES:Home", "Home"),
    ],
)
def test_a_to_do_without_a_title_is_named_by_what_it_has(lines: str, title: str) -> None:
    reading = read(calendar(f"UID:1\n{lines}", "UID:2\nSUMMARY:x"), HOME)
    assert reading.bad == ()
    assert reading.entries[0].fields["title"] == title
    assert "has no title" in remarks_of(reading, "Entry 1")


@each_row(
    ("lines", "name", "kept"),
    [
        ("SUMMARY:x\nSUMMARY:y", "title", "y"),
        ("SUMMARY:x\nDUE:20261201\nDUE:20261202", "due", "20261202"),
        ("SUMMARY:x\nDUE:20261201\nDUE:soon\nDUE:20261203", "due", ["soon", "20261203"]),
        ("SUMMARY:x\nDESCRIPTION:a\nDESCRIPTION:b", "notes", "b"),
        ("SUMMARY:x\nPRIORITY:1\nPRIORITY:9", "priority", "9"),
        ("SUMMARY:x\nSTATUS:NEEDS-ACTION\nCOMPLETED:20261120T100000Z", "completed_at",
         "2026-11-20T10:00:00.000+00:00"),
    ],
)  # fmt: skip
def test_a_value_that_another_one_contradicts_is_kept_and_named(
    lines: str, name: str, kept: object
) -> None:
    reading = read(calendar(f"UID:1\n{lines}"), HOME)
    assert f"left out `{name}`" in remarks_of(reading, "Entry 1")
    assert reading.entries[0].fields["extra"]["unread"] == {name: kept}


def test_a_value_that_is_written_twice_is_one() -> None:
    reading = read(calendar("UID:1\nSUMMARY:x\nSUMMARY:x\nDUE:20261201\nDUE:20261201"), HOME)
    assert reading.entries[0].remarks == []
