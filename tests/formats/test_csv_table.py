"""CSV: columns in any order and language of commas, other programs' columns, formulas."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.random_tasks import anything
from tests.formats.reading_back import HOME, context_of, made_up, remarks_of
from tests.rows import each_row
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.when import DateStyle, When
from todo_tui.formats.csv_table import escape_formula, looks_like, read, unescape_formula, write
from todo_tui.formats.date_order import AmbiguousDates

TODOIST = """TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
task,Pay rent @bills @home,to the landlord,1,1,Ann (12),,every month on the 1st,en,Europe/Berlin
note,"He moved, ask first",,,,Ann (12),,,,
task,Find the number,,4,2,Ann (12),,2026-11-20,en,
,,,,,,,,,
section,Kitchen,,,,,,,,
task,Clean the oven,,3,1,Ann (12),Bob (13),2026-11-21 17:00,en,America/New_York
"""


def drafts(text: str) -> tuple[ImportEntry, ...]:
    reading = read(text, HOME)
    assert reading.bad == ()
    return reading.entries


@each_row("separator", [",", ";", "\t", "|"])
def test_columns_are_found_by_name_in_any_order(separator: str) -> None:
    text = "Due,Priority,Title,Tags\n2026-12-01,p1,Pay rent,home\n,,Buy milk,\n"
    rent, milk = drafts(text.replace(",", separator))
    assert rent.fields["title"] == "Pay rent"
    assert rent.fields["due"] == When(date(2026, 12, 1))
    assert rent.fields["priority"] is Priority.HIGH
    assert rent.fields["tags"] == ("home",)
    assert milk.fields["due"] is None


def test_a_first_line_for_excel_is_understood() -> None:
    (draft,) = drafts('sep=;\ntitle;tags\nbuy;"a, b"\n')
    assert draft.fields["tags"] == ("a", "b")


def test_names_and_words_of_other_programs_are_known() -> None:
    (draft,) = drafts(
        "Task Name,List,Labels,Status,Due Date,Notes\n"
        'Call,Work,"phone, bob",In Progress,20 nov 2026 5pm,said so\n'
    )
    assert draft.fields["status"] is Status.DOING
    assert (draft.fields["project"], draft.fields["tags"]) == ("Work", ("phone", "bob"))
    assert draft.fields["due"] == When(date(2026, 11, 20), time(17))
    assert draft.fields["notes"] == "said so"


def test_unknown_columns_are_kept_and_written_back() -> None:
    (draft,) = drafts("title,Effort,due\nBuy,5,\n")
    assert draft.fields["extra"] == {"csv": {"Effort": "5"}}
    tasks = [made_up(1, extra=draft.fields["extra"]), made_up(2)]
    header, first, second = csv.reader(io.StringIO("".join(write(tasks, context_of(tasks)))))
    assert dict(zip(header, first, strict=True))["Effort"] == "5"
    assert dict(zip(header, second, strict=True))["Effort"] == ""


def test_a_repeat_in_words_gives_rule_and_first_day() -> None:
    (draft,) = drafts("title,due\nWater,every monday\n")
    assert draft.fields["recurrence"] == "FREQ=WEEKLY;BYDAY=MO"
    assert draft.fields["due"] == When(date(2026, 11, 23))


def test_a_project_of_todoist_is_read_with_sections_subtasks_and_comments() -> None:
    rent, number, oven = drafts(TODOIST)
    assert rent.fields["title"] == "Pay rent"
    assert rent.fields["tags"] == ("bills", "home")
    assert rent.fields["notes"] == "to the landlord\n\nHe moved, ask first"
    assert rent.fields["priority"] is Priority.HIGH
    assert rent.fields["recurrence"] == "FREQ=MONTHLY;BYMONTHDAY=1"
    assert number.parent_uuid == rent.uuid
    assert number.fields["priority"] is None
    assert oven.fields["project"] == "Kitchen"
    assert (oven.fields["due"], oven.fields.get("due_zone")) == (
        When(date(2026, 11, 21), time(17)),
        "America/New_York",
    )
    extra = oven.fields["extra"]["todoist"]
    assert isinstance(extra, dict)
    assert extra["responsible"] == "Bob (13)"


@each_row(
    "cell", ["=1+1", "+49 30", "-5 degrees", "@SUM(A1)", "\t=1", "  =1", "'=1", "\n=1", "＝1"]
)
def test_no_cell_is_a_formula(cell: str) -> None:
    assert escape_formula(cell).startswith("'")
    assert unescape_formula(escape_formula(cell)) == cell


@settings(max_examples=100)
@given(cell=anything | st.text("'=+-@ \ta", max_size=6))
def test_what_is_guarded_comes_back_and_plain_cells_are_left_alone(cell: str) -> None:
    assert unescape_formula(escape_formula(cell)) == cell
    assert not escape_formula(cell).lstrip().startswith(("=", "+", "-", "@"))


def test_a_title_that_is_a_formula_is_written_as_text() -> None:
    task = made_up(1, title='=HYPERLINK("http://x")')
    text = "".join(write([task], context_of([task])))
    assert "'=HYPERLINK" in text
    assert drafts(text)[0].fields["title"] == task.title


@pytest.mark.parametrize(
    ("rows", "place", "words"),
    [
        ("a,b,c", "Line 2", "3 cells"),
        ('"a\nb",\n,2026-01-01', "Line 4", "no title"),
        ('a,"unclosed\nb,', "Line 2", "quotation marks"),
    ],
)
def test_a_bad_row_is_named_with_its_line(rows: str, place: str, words: str) -> None:
    (bad,) = read(f"title,due\n{rows}\n", HOME).bad
    assert bad.place == place
    assert words in bad.message


@each_row("due", ["2026-02-30", "never ever", "46360", "25/13/2026", "9999-12-31"])
def test_a_cell_that_cannot_be_read_is_kept_and_named(due: str) -> None:
    reading = read(f"title,due\nfine,\nb,{due}\n", HOME)
    assert f"cannot read `due` “{due}”" in remarks_of(reading, "Line 3")
    assert reading.entries[1].fields["extra"] == {"unread": {"due": due}}


def test_empty_cells_beyond_the_header_are_nothing() -> None:
    assert drafts("title,due\na,2026-11-19,,\n")[0].fields["due"] == When(date(2026, 11, 19))


@each_row(
    ("cells", "dues"),
    [
        (["04/12/2026", "25/12/2026"], ["2026-12-04", "2026-12-25"]),
        (["12/04/2026", "12/25/2026"], ["2026-12-04", "2026-12-25"]),
        (["04-12-26 17:00", "25-12-26"], ["2026-12-04T17:00", "2026-12-25"]),
        (["12/4/26", "12/25/26"], ["2026-12-04", "2026-12-25"]),
        (["04/12", "25/12"], ["2026-12-04", "2026-12-25"]),
        (["25/12/2026", "12/25/2026"], ["2026-12-25", "2026-12-25"]),
        (["05/05/2026", "2026-12-04"], ["2026-05-05", "2026-12-04"]),
        (["04.12.2026", "05.12.2026 8:00"], ["2026-12-04", "2026-12-05T08:00"]),
    ],
)
def test_one_date_tells_the_order_of_its_column(cells: list[str], dues: list[str]) -> None:
    rows = "".join(f"t,{cell}\n" for cell in cells)
    read_dues = [draft.fields["due"] for draft in drafts(f"title,due\n{rows}")]
    assert read_dues == [When.parse(due) for due in dues]


@pytest.mark.parametrize("cells", [["04/12/2026"], ["25/12/2026", "12/25/2026", "04/05/2026"]])
def test_where_no_date_tells_the_order_it_is_asked_for(cells: list[str]) -> None:
    text = "title,due\n" + "".join(f"t,{cell}\n" for cell in cells)
    with pytest.raises(AmbiguousDates) as caught:
        read(text, HOME)
    assert "`due` are ambiguous" in caught.value.message
    assert "--date-order" in str(caught.value.hint)
    for day_first in (True, False):
        known = replace(HOME, dates=DateStyle(day_first=day_first), is_order_known=True)
        reading = read(text, known)
        due = reading.entries[-1].fields["due"]
        assert due is not None
        assert due.day.day == int(cells[-1].split("/")[0 if day_first else 1])
        assert f"read {'day' if day_first else 'month'} first" in reading.notes[0]


def test_columns_that_contradict_each_other_are_read_each_by_itself() -> None:
    _, second = drafts("title,due,start\na,25/12/2026,12/20/2026\nb,05/12/2026,11/01/2026\n")
    assert second.fields["due"] == When(date(2026, 12, 5))
    assert second.fields["start"] == When(date(2026, 11, 1))
    reading = read("title,due,created\na,04/12/2026,25/11/2026\n", HOME)
    assert reading.entries[0].fields["due"] == When(date(2026, 12, 4))
    assert "as in the other columns" in reading.notes[0]


@each_row(
    ("due", "wall"),
    [
        ("2026-12-04T17:00:00Z", "2026-12-04T18:00"),
        ("2026-12-04T17:00:00.123Z", "2026-12-04T18:00"),
        ("2026-12-04T17:00:00.000+01:00", "2026-12-04T17:00"),
        ("2026-12-04T17:00:00+0000", "2026-12-04T18:00"),
        ("2026-12-04 17:00:00-05:00", "2026-12-04T23:00"),
    ],
)
def test_a_moment_with_an_offset_is_that_of_its_zone(due: str, wall: str) -> None:
    (draft,) = drafts(f"title,due\na,{due}\n")
    assert draft.fields["due"] == When.parse(wall)
    assert draft.fields["due_zone"] == "Europe/Berlin"
    (there,) = drafts(f"title,due,timezone\na,{due},Eastern Standard Time\n")
    assert there.fields["due_zone"] == "America/New_York"


TICKTICK = """"Date: 2026-11-20+0000"
"Version: 7.1"
"Status: 
0 Normal
1 Completed
2 Archived"
"Folder Name","List Name","Title","Kind","Tags","Content","Is Check list","Start Date","Due Date",\
"Repeat","Priority","Status","Created Time","Completed Time","Timezone","Is All Day",\
"taskId","parentId"
"Home","House","Roll","TEXT","","","N","","","","0","0","2026-11-01T10:00:00+0000","",\
"Europe/Berlin","","2","1"
"Home","House","Paint","TEXT","diy, weekend","Notes","N","2026-12-01T23:00:00+0000",\
"2026-12-01T23:00:00+0000","RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=WE;TT_SKIP=WEEKEND","5","0",\
"2026-11-01T10:00:00+0000","","Europe/Berlin","true","1",""
"","Inbox","Call","TEXT","","","N","2026-12-02T08:00:00+0000","2026-12-02T09:00:00+0000",\
"RRULE:FREQ=DAILY","1","2","2026-11-01T10:00:00+0000","2026-11-02T10:00:00+0000",\
"America/New_York","false","3",""
""".replace("\\\n", "")


def test_a_backup_of_ticktick_is_read_below_its_first_lines() -> None:
    assert looks_like(TICKTICK)
    reading = read(TICKTICK, HOME)
    assert reading.bad == ()
    child, parent, done = reading.entries
    assert (child.place, child.parent, parent.id) == ("Line 8", 1, 1)
    assert parent.fields["project"] == "Home.House"
    assert parent.fields["tags"] == ("diy", "weekend")
    assert parent.fields["notes"] == "Notes"
    assert parent.fields["due"] == When(date(2026, 12, 2))
    assert parent.fields["start"] is None
    assert parent.fields["priority"] is Priority.HIGH
    assert "TT_SKIP" in remarks_of(reading, "Line 9")
    assert done.fields["status"] is Status.DONE
    assert done.completed_at == datetime(2026, 11, 2, 10, tzinfo=UTC)
    assert done.fields["due"] == When.parse("2026-12-02T04:00")
    assert done.fields["start"] == When.parse("2026-12-02T03:00")
    assert done.fields["priority"] is Priority.LOW
    assert done.fields["recurrence"] == "FREQ=DAILY"


def test_a_column_of_days_of_completion_tells_the_status() -> None:
    done, open_one = drafts("Task,Completed\na,2026-11-20\nb,\n")
    assert done.fields["status"] is Status.DONE
    assert done.completed_at == datetime(2026, 11, 19, 23, tzinfo=UTC)
    assert open_one.fields["status"] is Status.TODO


@each_row(
    ("header", "row", "status", "day", "named"),
    [
        ("Name,Completed At", "a,2026-11-20", "done", "2026-11-20", ""),
        ("Name,Completion Date", "a,2026-11-20", "done", "2026-11-20", ""),
        ("Name,Completed Date", "a,2026-11-20T09:00:00Z", "done", "2026-11-20", ""),
        ("Name,Completed At", "a,", "todo", None, ""),
        ("Name,Completed At", "a,yes", "done", None, ""),
        ("Name,Completed At", "a,whenever", "todo", None, "cannot read `Completed At` “whenever”"),
        ("Name,Status,Completed At", "a,Open,2026-11-20", "todo", None, "left out `completed_at`"),
        ("Name,Status,Completed At", "a,Done,2026-11-20", "done", "2026-11-20", ""),
        ("Name,Status,Completed At", "a,Dropped,2026-11-20", "cancelled", "2026-11-20", ""),
        ("Name,Status,Completed At", "a,Odd,2026-11-20", "done", "2026-11-20",
         "cannot read `status`"),
        ("Name,Completed,Completed At", "a,no,2026-11-20", "todo", None,
         "left out `completed_at`"),
        ("Name,Completed,Completed At", "a,true,2026-11-20", "done", "2026-11-20", ""),
        ("Name,Status,Completed", "a,Open,yes", "todo", None, "left out `Completed` “yes”"),
        ("Name,Status,Completed", "a,In Progress,false", "doing", None, ""),
        *(("Name,Completed", f"a,{word}", "done", None, "")
          for word in ("completed", "Yes", "TRUE", "x", "100%", "1", "100")),
        *(("Name,Finished", f"a,{word}", "todo", None, "") for word in ("no", "false", "0%")),
        ("Name,Done,Completed", "a,yes,no", "done", None, "left out `Completed` “no”"),
        ("Name,Done,Progress", "a,yes,100%", "done", None, ""),
        ("Name,Completed At,Finished On", "a,2026-11-20,2026-11-21", "done", "2026-11-20",
         "left out `Finished On`"),
        ("Name,Done", "a,2026-11-20", "done", "2026-11-20", ""),
        ("Name,Progress", "a,50%", "doing", None, ""),
        ("Name,Progress", "a,Not started", "todo", None, ""),
        ("Name,Done", "a,maybe", "todo", None, "cannot read `Done` “maybe”"),
    ],
)  # fmt: skip
def test_columns_that_tell_of_the_completion(
    header: str, row: str, status: str, day: str | None, named: str
) -> None:
    reading = read(f"{header}\n{row}\n", HOME)
    (draft,) = reading.entries
    assert draft.fields["status"].value == status
    local = draft.completed_at and draft.completed_at.astimezone(ZoneInfo(HOME.zone))
    assert (local and local.date().isoformat()) == day
    said = " ".join(remark.what for remark in draft.remarks)
    assert named in said
    assert bool(said) is bool(named)
    assert ("unread" in draft.fields["extra"]) is bool(named)


def test_a_board_of_trello_is_read() -> None:
    header = (
        "Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,Attachment Count,"
        "List ID,List Name,Archived,Start Date,Due Complete"
    )
    text = f"{header}\n5f,Call,https://x.y,About it,red,Ann,2026-12-01,0,7a,Soon,false,,true\n"
    assert looks_like(text)
    (draft,) = drafts(text)
    assert (draft.fields["title"], draft.fields["notes"]) == ("Call", "About it")
    assert (draft.fields["project"], draft.fields["tags"]) == ("Soon", ("red",))
    assert (draft.fields["due"], draft.fields["status"]) == (When(date(2026, 12, 1)), Status.DONE)
    assert draft.fields["extra"]["csv"]["Members"] == "Ann"  # type: ignore[index,call-overload]


def test_a_project_of_asana_is_read() -> None:
    (draft,) = drafts(
        "Task ID,Created At,Completed At,Name,Due Date,Tags,Notes,Projects,Parent task\n"
        "1201,2026-11-01,2026-11-20,Call,2026-12-01,,,House,Big thing\n"
    )
    assert (draft.fields["project"], draft.fields["status"]) == ("House", Status.DONE)
    assert "`Parent task` “Big thing”" in draft.remarks[0].what


ASANA = "Task ID,Created At,Completed At,Name,Section/Column,Due Date,Tags,Projects,Parent task\n"


@each_row(
    ("rows", "parents"),
    [
        ("1,,,Big thing,,,,House,\n2,,,Call,,,,,Big thing\n", [None, 0]),
        ("2,,,Call,,,,,Big thing\n1,,,Big thing,,,,House,\n", [1, None]),
        ("1,,,A,,,,,\n2,,,B,,,,,A\n3,,,C,,,,,B\n", [None, 0, 1]),
        ("1,,,Big thing,,,,House,\n2,,,Call,,,,, Big thing \n", [None, 0]),
        # None, two or itself: the name stays.
        ("1,,,Big thing,,,,House,\n2,,,Call,,,,,Small thing\n", [None, "Small thing"]),
        ("1,,,A,,,,,\n3,,,A,,,,,\n2,,,Call,,,,,A\n", [None, None, "A"]),
        ("1,,,Call,,,,,Call\n", ["Call"]),
    ],
)
def test_a_parent_that_is_named_is_linked_where_one_row_has_the_name(
    rows: str, parents: list[int | str | None]
) -> None:
    entries = drafts(ASANA + rows)
    uuids = [entry.uuid for entry in entries]
    for entry, parent in zip(entries, parents, strict=True):
        is_name = isinstance(parent, str)
        assert entry.parent_uuid == (uuids[parent] if isinstance(parent, int) else None)
        assert ("unread" in entry.fields["extra"]) is is_name
        assert any(f"“{parent}”" in remark.what for remark in entry.remarks) is is_name


def test_a_table_without_titles_is_refused() -> None:
    with pytest.raises(ValidationError) as caught:
        read("a,b\n1,2\n", HOME)
    assert "title" in (caught.value.hint or "")


def test_rows_without_uuid_are_the_same_tasks_again() -> None:
    before = drafts("title,status\nbuy,todo\nbuy,todo\n")
    after = drafts("title,status\nbuy,done\nbuy,todo\n")
    assert [draft.uuid for draft in before] == [draft.uuid for draft in after]
    assert before[0].uuid != before[1].uuid


@each_row(
    ("text", "expected"),
    [
        ("title,due\n", True),
        ("Task;Project;Due\n", True),
        (TODOIST, True),
        ("a,b\n1,2\n", False),
        ("Dear Ann, the date is set\n", False),
    ],
)
def test_a_table_of_tasks_is_told_from_others(text: str, expected: bool) -> None:
    assert looks_like(text) is expected
