"""Markdown checklists: what becomes a task, what stands under it, and what is passed over."""

from __future__ import annotations

from datetime import date, time

import pytest

from tests.formats.reading_back import HOME, context_of, made_up, remarks_of
from todo_tui.domain.change_words.quick_add import read_quick_add
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Priority, RepeatFrom, Status, Task
from todo_tui.domain.when import When
from todo_tui.formats.markdown import read, write

LIST = """---
title: things
---
# Home

Some words about it.

- [ ] Pay rent !high @bills due:2026-12-01 17:00 every month on the 1st
  > the landlord
  >
  > is nice
  - [x] find the number
    which is in the drawer
  - [/] call #landlord
    1. [-] leave a message
- [>] forwarded
* plain bullet

## Kitchen ##
+ [X] Clean @bob the oven
\t- [ ] under it
```
- [ ] an example
```
- [ ]
"""


def drafts(text: str) -> dict[str, ImportEntry]:
    reading = read(text, HOME)
    assert reading.bad == ()
    return {draft.fields["title"]: draft for draft in reading.entries}


def text_of(*tasks: Task) -> str:
    return "".join(write(tasks, context_of(tasks)))


def test_boxes_say_how_a_task_stands() -> None:
    found = drafts(LIST)
    assert {title: draft.fields["status"] for title, draft in found.items()} == {
        "Pay rent": Status.TODO,
        "find the number": Status.DONE,
        "call": Status.DOING,
        "leave a message": Status.CANCELLED,
        "forwarded": Status.TODO,
        "Clean @bob the oven": Status.DONE,
        "under it": Status.TODO,
    }
    assert found["forwarded"].fields["extra"] == {"markdown": {"mark": ">"}}


def test_signs_are_read_as_quick_add_reads_them() -> None:
    rent = drafts(LIST)["Pay rent"]
    assert rent.fields["priority"] is Priority.HIGH
    assert rent.fields["tags"] == ("bills",)
    assert rent.fields["due"] == When(date(2026, 12, 1), time(17))
    assert rent.fields["recurrence"] == "FREQ=MONTHLY;BYMONTHDAY=1"


def test_headings_are_projects_and_nested_items_subtasks() -> None:
    found = drafts(LIST)
    assert found["Pay rent"].fields["project"] == "Home"
    assert found["call"].fields["project"] == "landlord"
    assert found["Clean @bob the oven"].fields["project"] == "Home.Kitchen"
    assert found["call"].parent_uuid == found["Pay rent"].uuid
    assert found["leave a message"].parent_uuid == found["call"].uuid
    assert found["under it"].parent_uuid == found["Clean @bob the oven"].uuid
    assert found["forwarded"].parent_uuid is None


def test_what_is_indented_under_an_item_is_its_notes() -> None:
    found = drafts(LIST)
    assert found["Pay rent"].fields["notes"] == "the landlord\n\nis nice"
    assert found["find the number"].fields["notes"] == "which is in the drawer"


def test_other_text_is_passed_over_and_counted() -> None:
    (remark,) = read(LIST, HOME).notes
    assert remark.startswith("Skipped 7 lines that are not checklist items")


def test_days_in_words_are_left_to_people() -> None:
    (draft,) = drafts("- [ ] call bob tomorrow every day").values()
    assert draft.fields["title"] == "call bob tomorrow every day"
    assert draft.fields["due"] is None


def test_a_list_is_written_as_people_write_one() -> None:
    text = text_of(
        made_up(1, title="Pay rent", project="home", priority=Priority.HIGH, tags=("bills",),
                due=When(date(2026, 12, 1)), recurrence="FREQ=MONTHLY;BYMONTHDAY=1",
                repeat_from=RepeatFrom.NEXT, series=f"{1:032x}", slot="2026-12-01",
                notes="two\nlines"),
        made_up(2, title="Find the number", project="home", parent=1, status=Status.DONE,
                completed_at=made_up(1).created_at),
        made_up(3, title="No project", due=When(date(2026, 12, 1), time(9))),
    )  # fmt: skip
    seen = [line.partition(" <!--")[0] for line in text.splitlines()]
    assert seen == [
        "- [ ] No project due:2026-12-01 09:00",
        "",
        "# home",
        "",
        "- [ ] Pay rent !high @bills due:2026-12-01 every month on the 1st",
        "  > two",
        "  > lines",
        "  - [x] Find the number",
    ]


@pytest.mark.parametrize("mode", RepeatFrom)
def test_what_is_written_can_be_typed_into_quick_add(mode: RepeatFrom) -> None:
    task = made_up(
        1,
        title="Water the plants",
        priority=Priority.LOW,
        tags=("home",),
        due=When(date(2026, 12, 1)),
        recurrence="FREQ=WEEKLY;BYDAY=TU",
        repeat_from=mode,
        start=When(date(2026, 11, 30)),
    )
    line = text_of(task).partition("] ")[2].partition(" <!--")[0]
    typed = read_quick_add(line, HOME.now, HOME.dates)
    assert typed.title == task.title
    assert (typed.priority, typed.tags, typed.start) == (task.priority, task.tags, task.start)
    assert typed.recurrence == (task.recurrence, mode)


def test_an_item_without_uuid_is_the_same_task_when_it_is_ticked_off() -> None:
    before = drafts("# a\n- [ ] x\n  - [ ] y\n- [ ] z")
    after = drafts("# a\n- [x] x\n  - [x] y\n")
    assert before["x"].uuid == after["x"].uuid
    assert before["y"].uuid == after["y"].uuid
    assert drafts("# b\n- [ ] x")["x"].uuid != before["x"].uuid


def test_half_a_character_in_what_it_keeps_breaks_nothing() -> None:
    kept = '- [ ] x <!-- todo-tui {"is":{"uuid":"\\ud800"}} -->\n  - [ ] y'
    assert [draft.place for draft in read(kept, HOME).entries] == ["Line 1", "Line 2"]


def test_a_thousand_levels_are_kept() -> None:
    tasks = [made_up(number, parent=number - 1 or None) for number in range(1, 1001)]
    reading = read(text_of(*tasks), HOME)
    assert [draft.parent_uuid for draft in reading.entries[1:]] == [
        draft.uuid for draft in reading.entries[:-1]
    ]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("- [ ] pay due:2026-02-30", "due"),
        ("- [ ] pay start:2026-11-30 25:00", "start"),
        ("- [ ] pay 📅 2026-02-30", "due"),
        ("- [ ] pay 🔁 every so often 📅 2026-11-30", "recurrence"),
        ("- [ ] pay ⛔ abc123", "dependsOn"),
        ("- [ ] pay [priority:: utmost]", "priority"),
        ("- [ ] pay <!-- todo-tui {} oops -->", "todo-tui"),
    ],
)
def test_a_value_that_cannot_be_read_is_kept_and_named(line: str, name: str) -> None:
    reading = read(f"# x\n\n{line}\n- [ ] fine", HOME)
    assert f"cannot read `{name}`" in remarks_of(reading, "Line 3")
    assert reading.entries[0].fields["title"] == "pay"
    assert list(reading.entries[0].fields["extra"]["unread"]) == [name]  # type: ignore[arg-type]


def test_an_item_without_words_is_named_with_its_line() -> None:
    (bad,) = read("# x\n\n- [ ] <!-- todo-tui {} -->\n- [ ] fine", HOME).bad
    assert bad.message == "Line 3: no title."
