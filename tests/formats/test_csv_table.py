"""CSV: columns in any order and language of commas, other programs' columns, formulas."""

from __future__ import annotations

import csv
import io
from datetime import date, time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.random_tasks import anything
from tests.formats.reading_back import HOME, context_of, made_up, remarks_of
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.when import When
from todo_tui.formats.csv_table import escape_formula, looks_like, read, unescape_formula, write

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


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("due", ["2026-02-30", "never ever", "46360", "25/13/2026", "9999-12-31"])
def test_a_cell_that_cannot_be_read_is_kept_and_named(due: str) -> None:
    reading = read(f"title,due\nfine,\nb,{due}\n", HOME)
    assert f"cannot read `due` “{due}”" in remarks_of(reading, "Line 3")
    assert reading.entries[1].fields["extra"] == {"unread": {"due": due}}


def test_empty_cells_beyond_the_header_are_nothing() -> None:
    assert drafts("title,due\na,2026-11-19,,\n")[0].fields["due"] == When(date(2026, 11, 19))


def test_a_table_without_titles_is_refused() -> None:
    with pytest.raises(ValidationError) as caught:
        read("a,b\n1,2\n", HOME)
    assert "title" in (caught.value.hint or "")


def test_rows_without_uuid_are_the_same_tasks_again() -> None:
    before = drafts("title,status\nbuy,todo\nbuy,todo\n")
    after = drafts("title,status\nbuy,done\nbuy,todo\n")
    assert [draft.uuid for draft in before] == [draft.uuid for draft in after]
    assert before[0].uuid != before[1].uuid


@pytest.mark.parametrize(
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
