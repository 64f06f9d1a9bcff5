"""Markdown checklists: what becomes a task, what stands under it, and what is passed over."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest

from tests.formats.reading_back import HOME, context_of, made_up, remarks_of
from tests.rows import each_row
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


@each_row(
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


OBSIDIAN = """# Home
- [ ] #task Buy milk 📅 2026-12-04 ⏫ #shopping
- [ ] Water plants 🔁 every week on Monday 📅 2026-11-30
- [x] Old ➕ 2026-11-01 📅 2026-11-19 ✅ 2026-11-20
- [-] Dropped ❌ 2026-11-20
- [/] Going ⏳️ 2026-11-29 🔺
- [ ] Start 🛫 2026-11-29 ⏳ 2026-12-01 📅2026-12-05 🔽
  - [ ] First 🆔 abc123 ⏬
- [ ] Second ⛔ abc123 🏁 delete ^block-1
- [ ] Data [due:: 2026-12-04] [priority:: medium] [repeat:: every 2 weeks when done] (start:: 2026-12-01)
- [x] Data done [completion:: 2026-11-20]
- [ ] Same day ⏳ 2026-12-01 📅 2026-12-01
- [ ] By its date ⏳ 2026-11-29 🔁 every week
- [ ] ✅ Ship it and 📅 plan the #party with @bob
"""  # noqa: E501


def test_fields_of_obsidian_are_read() -> None:
    found = drafts(OBSIDIAN)
    milk = found["Buy milk"].fields
    assert (milk["due"], milk["priority"]) == (When(date(2026, 12, 4)), Priority.HIGH)
    assert (milk["tags"], milk["project"]) == (("task", "shopping"), "Home")
    plants = found["Water plants"].fields
    assert plants["recurrence"] == "FREQ=WEEKLY;BYDAY=MO"
    assert (plants["repeat_from"], plants["due"]) == (RepeatFrom.DUE, When(date(2026, 11, 30)))
    old, dropped = found["Old"], found["Dropped"]
    assert old.created_at == datetime(2026, 10, 31, 23, tzinfo=UTC)
    assert old.completed_at == dropped.completed_at == datetime(2026, 11, 19, 23, tzinfo=UTC)
    assert dropped.fields["status"] is Status.CANCELLED
    going = found["Going"].fields
    assert (going["start"], going["priority"]) == (When(date(2026, 11, 29)), Priority.HIGH)
    assert going["extra"] == {"markdown": {"priority": "highest"}}
    start = found["Start"].fields
    assert (start["start"], start["due"]) == (When(date(2026, 11, 29)), When(date(2026, 12, 5)))
    assert start["extra"] == {"markdown": {"scheduled": "2026-12-01"}}
    assert (start["priority"], found["First"].fields["priority"]) == (Priority.LOW, Priority.LOW)
    assert found["Second"].blocker_uuids == (found["First"].uuid,)
    assert found["Second"].fields["extra"] == {
        "markdown": {"block": "block-1", "onCompletion": "delete"}
    }
    data = found["Data"].fields
    assert (data["due"], data["start"]) == (When(date(2026, 12, 4)), When(date(2026, 12, 1)))
    assert (data["priority"], data["recurrence"]) == (Priority.MEDIUM, "FREQ=WEEKLY;INTERVAL=2")
    assert data["repeat_from"] is RepeatFrom.COMPLETION
    assert found["Data done"].completed_at == old.completed_at
    assert found["Same day"].fields["start"] is None
    assert found["By its date"].fields["due"] == When(date(2026, 11, 29))
    party = found["✅ Ship it and 📅 plan the #party with"].fields
    assert (party["tags"], party["due"]) == (("party", "bob"), None)
    assert all(not draft.remarks for draft in found.values())


@each_row(
    ("words", "rule"),
    [
        ("every day", "FREQ=DAILY"),
        ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every month on the 1st", "FREQ=MONTHLY;BYMONTHDAY=1"),
        ("every month on the last Friday", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("every month on the last", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("every January on the 15th", "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=15"),
        (
            "every April and December on the 1st and 24th",
            "FREQ=YEARLY;BYMONTH=4,12;BYMONTHDAY=1,24",
        ),
    ],
)
def test_repeats_of_obsidian(words: str, rule: str) -> None:
    for ending, mode in (("", RepeatFrom.DUE), (" when done", RepeatFrom.COMPLETION)):
        draft = drafts(f"- [ ] x 🔁 {words}{ending} 📅 2026-11-30")["x"]
        assert (draft.fields["recurrence"], draft.fields["repeat_from"]) == (rule, mode)


def test_ticking_an_item_of_obsidian_off_keeps_its_uuid() -> None:
    before = drafts("- [ ] x 📅 2026-11-30")["x"]
    after = drafts("- [x] x 📅 2026-11-30 ✅ 2026-11-29")["x"]
    assert before.uuid == after.uuid


def test_signs_in_our_own_files_stay_words() -> None:
    task = made_up(1, title="plan 📅 2026-11-30 #party [due:: soon]")
    assert list(drafts(text_of(task))) == [task.title]


def test_an_item_without_words_is_named_with_its_line() -> None:
    (bad,) = read("# x\n\n- [ ] <!-- todo-tui {} -->\n- [ ] fine", HOME).bad
    assert bad.message == "Line 3: no title."


@each_row(
    ("line", "title", "due", "named"),
    [
        ("pay ⏫📅2026-12-04🔁every week", "pay", "2026-12-04", ""),
        ("pay📅2026-12-04⏫", "pay", "2026-12-04", ""),
        ("pay 📅 2026-12-04🔁 every week ⏫", "pay", "2026-12-04", ""),
        ("pay 📅2026-12-04#bills", "pay", "2026-12-04", ""),
        # Tags of Obsidian between change words are no part of the title either.
        ("pay #bills due:2026-12-04 @bank #home ⏫", "pay", "2026-12-04", ""),
        ("#task pay !high #bills ~10m 📅 2026-12-04", "pay", "2026-12-04", ""),
        ("pay [due:: 2026-12-04](priority:: high)", "pay", "2026-12-04", ""),
        ("pay 📅 2026-12-04 📅 2026-12-05", "pay", "2026-12-04", "left out `due` “2026-12-05”"),
        ("pay 📅 2026-12-04 [due:: 2026-12-05]", "pay", "2026-12-04", "left out `due`"),
        ("pay 📅 2026-12-04 📅 2026-12-04", "pay", "2026-12-04", ""),
        ("pay ⏫ 📅 2026-12-04 🔽", "pay", "2026-12-04", "left out `priority` “low”"),
        ("pay (completion:: 2026-11-20) 📅 2026-12-04", "pay", "2026-12-04",
         "left out `completed_at`"),
    ],
)  # fmt: skip
def test_signs_of_obsidian_in_one_line(line: str, title: str, due: str, named: str) -> None:
    reading = read(f"- [ ] {line}\n", HOME)
    (draft,) = reading.entries
    assert (draft.fields["title"], draft.fields["due"]) == (title, When.parse(due))
    said = remarks_of(reading, "Line 1")
    assert named in said
    assert bool(said) is bool(named)


def test_items_in_quotes_and_callouts_are_items() -> None:
    reading = read(
        "# Home\n> [!todo] Today\n> - [ ] pay\n>   - [x] find\n>     where it is\n> # No project\n"
        "> ```\n> - [ ] an example\n\n- [ ] call\n  > - [ ] a note\n>> - [ ] deep\n",
        HOME,
    )
    titles = [draft.fields["title"] for draft in reading.entries]
    assert titles == ["pay", "find", "call", "deep"]
    pay, find, call, deep = reading.entries
    assert find.parent_uuid == pay.uuid
    assert find.fields["notes"] == "where it is"
    assert call.fields["notes"] == "- [ ] a note"
    assert deep.parent_uuid is None
    assert {draft.fields["project"] for draft in reading.entries} == {"Home"}
