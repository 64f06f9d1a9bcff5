"""Tests of quick add."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.change_words.quick_add import QuickAdd, read_quick_add
from todo_tui.domain.dates.reader import read_date
from todo_tui.domain.recurrence.reader import read_recurrence
from todo_tui.domain.task import Priority, RepeatFrom
from todo_tui.domain.when import DateStyle

DATA = Path(__file__).parent.parent / "data"
NOW = datetime(2026, 11, 18, 14, 30)
STYLE = DateStyle()
TABLE = json.loads((DATA / "phrases.json").read_text())["phrases"]
MORE = json.loads((DATA / "more_phrases.json").read_text())
EXTRACTIONS = [row for row in TABLE if row["kind"] == "extract"]

ONLY_ALONE = frozenset(MORE["only_alone"])
"""Alone these are dates; in a title they may be names, measures or the past."""
MEASURES = frozenset(MORE["measures"])
"""Amounts of hours say when after a title like `call Zoe`, before one they say how long."""
NOT_FIRST = ONLY_ALONE | MEASURES | frozenset(MORE["not_first"])


def read(text: str) -> QuickAdd:
    return read_quick_add(text, NOW, STYLE)


def reading_of(quick: QuickAdd) -> tuple[str, str | None, str | None]:
    return (
        quick.title,
        None if quick.due is None else quick.due.iso(),
        None if quick.recurrence is None else quick.recurrence.rule,
    )


@cache
def phrases() -> list[tuple[str, str, str | None]]:
    """Every known phrase with the day it means and the rule it makes."""
    dates = [row["phrase"] for row in TABLE if row["kind"] == "date"] + list(MORE["dates"])
    repeats = [row["phrase"] for row in TABLE if row["kind"] == "recurrence"]
    repeats += [phrase for phrase in MORE["recurrences"] if "FREQ" not in phrase.upper()]
    known: list[tuple[str, str, str | None]] = []
    for phrase in dates:
        known.append((phrase, read_date(phrase, NOW, STYLE).when.iso(), None))
    for phrase in repeats:
        reading = read_recurrence(phrase, NOW, STYLE)
        known.append((phrase, reading.first.iso(), reading.recurrence.rule))
    return known


@each_row("row", EXTRACTIONS)
def test_phrase_table(row: dict[str, dict[str, str | None]]) -> None:
    expected = row["expected"]
    assert reading_of(read(str(row["phrase"]))) == (
        expected["title"],
        expected["due"],
        expected["rrule"],
    )


def test_phrase_at_the_end_of_a_title() -> None:
    title = "call Zoe"
    wrong = [
        (phrase, reading)
        for phrase, due, rule in phrases()
        if phrase not in ONLY_ALONE
        if (reading := reading_of(read(f"{title} {phrase}"))) != (title, due, rule)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "title", "due", "start"),
    [
        ("pay tax due 31 jan start 4 jan", "pay tax", "2027-01-31", "2027-01-04"),
        ("pay tax start 4 jan due 31 jan", "pay tax", "2027-01-31", "2027-01-04"),
        ("pay tax start on 4 jan due on 31 jan", "pay tax", "2027-01-31", "2027-01-04"),
        ("start 4 jan pay tax due 31 jan", "pay tax", "2027-01-31", "2027-01-04"),
        ("due 31 jan pay tax start 4 jan #home", "pay tax", "2027-01-31", "2027-01-04"),
        ("pay tax 31 jan start 4 jan", "pay tax", "2027-01-31", "2027-01-04"),
        ("pay tax by 31 jan !high start 4 jan", "pay tax", "2027-01-31", "2027-01-04"),
        ("pay tax every month start 4 jan", "pay tax", "2027-01-04", None),
        # Without another date it is a word of the title.
        ("kick off start 4 jan", "kick off start", "2027-01-04", None),
        ("start the car due 4 jan", "start the car", "2027-01-04", None),
    ],
)
def test_start_beside_a_due_date(text: str, title: str, due: str, start: str | None) -> None:
    quick = read_quick_add(text, NOW, STYLE)
    assert (quick.title, quick.due and quick.due.iso()) == (title, due)
    assert (quick.start and quick.start.iso()) == start


@each_row("title", ["group A", "mark part V", "Tray A"])
def test_a_capital_letter_before_a_date_is_a_label(title: str) -> None:
    rows = (
        ("every friday 7pm", "2026-11-20T19:00"),
        ("on friday", "2026-11-20"),
        ("7 dec", "2026-12-07"),
    )
    for phrase, due in rows:
        quick = read(f"{title} {phrase}")
        assert (quick.title, quick.due and quick.due.iso()) == (title, due)
    for text in ("take a friday", "TAKE A FRIDAY", "A friday"):
        assert read(text).title == text


def test_phrase_at_the_start_of_a_title() -> None:
    title = "zzz"
    wrong = [
        (phrase, reading)
        for phrase, due, rule in phrases()
        if phrase not in NOT_FIRST and not _ends_a_sentence(phrase)
        if (reading := reading_of(read(f"{phrase} {title}"))) != (title, due, rule)
    ]
    assert wrong == []


HEADINGS = {"last workday of the month", "last friday of the month"}
"""Days that repeat where they head a title."""


def test_punctuation_sets_off_a_phrase_at_the_beginning() -> None:
    wrong = [
        (phrase, reading)
        for phrase, due, rule in phrases()
        if phrase not in ONLY_ALONE | HEADINGS and not _ends_a_sentence(phrase)
        if (reading := reading_of(read(f"{phrase.strip()}: call mom"))) != ("call mom", due, rule)
    ]
    assert wrong == []


def test_dates_only_as_whole_text_stay_in_a_title() -> None:
    titles = [f"zzz {phrase}" for phrase in ONLY_ALONE]
    titles += [f"{phrase} zzz" for phrase in NOT_FIRST]
    titles += [f"clean the kitchen {phrase}" for phrase in MEASURES]
    wrong = [(title, reading_of(read(title))) for title in titles]
    assert [reading for reading in wrong if reading[1] != (reading[0], None, None)] == []


def _ends_a_sentence(phrase: str) -> bool:
    return phrase.strip().endswith((".", "!")) and phrase.strip() != "24.12."


def test_more_titles() -> None:
    readings: dict[str, dict[str, object]] = {}
    for text in MORE["titles"]:
        quick = read(text)
        found: dict[str, object] = {
            "due": quick.due and quick.due.iso(),
            "rule": quick.recurrence and quick.recurrence.rule,
            "start": quick.start and quick.start.iso(),
            "priority": quick.priority,
            "project": quick.project,
            "tags": list(quick.tags),
        }
        readings[text] = {"title": quick.title, **{k: v for k, v in found.items() if v}}
    assert readings == MORE["titles"]


@each_row(
    ("text", "priority", "project", "tags"),
    [
        ("buy milk !high", Priority.HIGH, None, ()),
        ("buy milk !1 now and then", Priority.HIGH, None, ()),
        ("!2 buy milk", Priority.MEDIUM, None, ()),
        ("buy milk !!!", Priority.HIGH, None, ()),
        ("buy milk !! today", Priority.MEDIUM, None, ()),
        ("buy milk!", None, None, ()),
        ("buy milk #home.kitchen", None, "home.kitchen", ()),
        ("buy #Home milk", None, "Home", ()),
        ("fix #12", None, None, ()),
        ("learn C# fast", None, None, ()),
        ("buy milk @shop @errands @shop", None, None, ("shop", "errands")),
        ("mail anna@example.com", None, None, ()),
        ("see https://example.com/#top", None, None, ()),
        ("buy milk project:home tag:shop priority:low", Priority.LOW, "home", ("shop",)),
        ('"buy #home milk" !low', Priority.LOW, None, ()),
        ("buy \\#home milk", None, None, ()),
    ],
)
def test_signs(text: str, priority: Priority | None, project: str | None, tags: tuple[str]) -> None:
    quick = read(text)
    assert (quick.priority, quick.project, quick.tags) == (priority, project, tags)


@each_row(
    ("text", "title", "parent", "blocked_by"),
    [
        ("buy cake under #12 friday", "buy cake", 12, ()),
        ("eat cake after #3 After #4", "eat cake", None, (3, 4)),
        ("under #1: cake under #2", "cake under #2", 1, ()),
        ("look under 12 after lunch", "look under 12 after lunch", None, ()),
        ("look under #home", "look under", None, ()),
        ('"under #12" cake', '"under #12" cake', None, ()),
        ("hide \\under #12", "hide under #12", None, ()),
        ("-after #3 doing no date", "-after #3 doing no date", None, ()),
    ],
)
def test_links(text: str, title: str, parent: int | None, blocked_by: tuple[int, ...]) -> None:
    quick = read(text)
    assert (quick.title, quick.parent, quick.blocked_by) == (title, parent, blocked_by)
    fields = quick.task_fields()
    assert (fields.get("parent"), fields.get("blocked_by", ())) == (parent, blocked_by)


def test_signs_and_dates_leave_a_clean_title_and_marked_spans() -> None:
    text = "Pay rent every month on the 1st !high #home"
    quick = read(text)
    assert quick.title == "Pay rent"
    assert quick.recurrence is not None
    assert (quick.recurrence.rule, quick.recurrence.repeat_from) == (
        "FREQ=MONTHLY;BYMONTHDAY=1",
        RepeatFrom.NEXT,
    )
    marked = [(text[span.start : span.end], span.kind) for span in quick.spans]
    assert marked == [
        ("every month on the 1st", "recurrence"),
        ("!high", "priority"),
        ("#home", "project"),
    ]


def test_a_date_around_a_sign_is_marked_in_two_pieces() -> None:
    text = "call mom friday #family 5pm"
    quick = read(text)
    assert [text[span.start : span.end] for span in quick.spans] == ["friday", "#family", "5pm"]
    assert reading_of(quick) == ("call mom", "2026-11-20T17:00", None)


FEBRUARY = "There is no 31 February: February has 28 days, 29 in leap years."
SATURDAY = "5 December 2026 is a Saturday, not a Friday."


@each_row(
    ("text", "note"),
    [
        ("pay bill on 31 feb", FEBRUARY),
        ("31 feb pay bill", FEBRUARY),
        ("pay bill 2027-02-31", FEBRUARY),
        ("pay bill 32 dec", "There is no 32 December: December has 31 days."),
        ("pay bill on the 32nd", "No month has a 32nd."),
        ("pay bill 2026-13-01", "There is no month 13."),
        ("pay bill 32.12.2026", "There is no 32 December: December has 31 days."),
        ("lunch friday 5 dec", SATURDAY),
        ("lunch 5 dec friday", SATURDAY),
        ("friday 5 dec lunch", SATURDAY),
        ("lunch friday 5 dec 1pm", SATURDAY),
        ("meet 25:00", "There is no time 25:00."),
        ("meet tomorrow at 25:00", "There is no time 25:00."),
        ("tomorrow at 25:00 meet", "There is no time 25:00."),
        ("meet at 12:75", "There is no time 12:75."),
        ("meet at 13pm", "There is no time 13pm. Use 13:00 or 1pm."),
        ("at 13pm meet", "There is no time 13pm. Use 13:00 or 1pm."),
        ("meet 17:30pm", "There is no time 17:30pm. Use 17:30 or 5:30pm."),
        ("meet at 0am", "There is no time 0am. Use 0:00 or 12am."),
        ("call bob monday tuesday", "“monday tuesday” is not one date and stays in the title"),
        ("Sunday to Tuesday please", "“Sunday to Tuesday” is not one date and stays in the title"),
        ("monday tuesday!!", "“monday tuesday” is not one date and stays in the title"),
        ("call bob tomorrow friday", "“tomorrow friday” is not one date and stays in the title"),
        ("call bob monday or friday", "“monday or friday” is not one date and stays in the title"),
        ("bought stamps 3 days ago", "“3 days ago” stays in the title"),
        ("two weeks ago call bob", "“two weeks ago” stays in the title"),
        ("call bob 5pm 6pm", "“5pm 6pm” is not one date and stays in the title"),
        *(
            (f"{before} {date}", f"“{date}” is not one date and stays in the title")
            for before, date in (
                ("release", "2028 March 18"),
                ("launch version", "2028 march 18"),
                ("rent", "5 dec 27"),
                ("visit", "3 jan 28 8pm"),
                ("call bob", "12 dec 27 at 8"),
            )
        ),
        ("5 dec 27 call bob", "“5 dec 27” is not one date and stays in the title"),
        ("12 dec 27", "“12 dec 27” is not one date and stays in the title"),
        ("friday 5 dec", SATURDAY),
        ("31 nov", "There is no 31 November: November has 30 days."),
        ("at 25:00", "There is no time 25:00."),
        ("every 6th friday", "No month has a 6th Friday."),
        *(
            (f"gym {words}", f"“{words}” is not understood and stays in the title")
            for words in (
                *("every 0th friday", "every 45th friday", "each 0th mon", "every 0 fridays"),
                *("every 32nd", "every 0th", "each 33rd of the month", "ev 99th"),
            )
        ),
        ("every 0th friday gym", "“every 0th friday” is not understood and stays in the title"),
        (
            "gym every 0th friday at home",
            "“every 0th friday” is not understood and stays in the title",
        ),
        ("gym every 0 days", "A recurrence needs an interval of 1 or more."),
        ("read every 3rd customer review", None),
        ("check every 2 pages", None),
        *(
            (text, f"“{text}” is the title, not a date. Add other words for a date")
            for text in ("friday", "2026-12-01", "tomorrow 5pm", "every monday", "in 2 weeks")
        ),
        (
            "meet 2026-11-28T17:30+15:00",
            "There is no such offset from UTC. Use one up to +14:00.",
        ),
        ("may the fourth be with you", None),
        ("may the 4th be a good day", None),
        ("may the first runner be lucky", None),
        ("the fourth be with you", None),
        ("monday tuesday call bob", "“monday tuesday” is not one date and stays in the title"),
        ("gym every 6th friday", "No month has a 6th Friday."),
        ("every 31st friday gym", "No month has a 31st Friday."),
        ("gym on the 7th monday of every month", "No month has a 7th Monday."),
        ("gym 6th friday of january", "January 2026 has no 6th Friday."),
        ("rent on the 0th", "No month has a 0th."),
        ("rent 0th dec", "There is no 0 December: December has 31 days."),
        ("rent every month on the 32nd", "No month has a 32nd."),
        ("rent on the 0th of every month", "No month has a 0th."),
        ("call bob every 0 days", "A recurrence needs an interval of 1 or more."),
        *(
            (text, "A time from now needs an amount of 1 or more. Or use “today”.")
            for text in ("party in 0 days", "party in 0 hours", "in 0 weeks call bob")
        ),
        ("call due:32 dec", "There is no 32 December: December has 31 days."),
        *(
            (text, f"“{kept}” stays in the title")
            for text, kept in [
                ("book fri 12pm lunch", "fri 12pm"),
                ("prepare a every friday 12pm", "every friday 12pm"),
                ("the friday 12pm lunch", "friday 12pm"),
                ("lunch fri, 12pm downtown", "fri, 12pm"),
                ("team lunch 28 nov 18:00 - italian place", "28 nov 18:00"),
                ("read the tomorrow file aloud", "tomorrow"),
                ("sunday roast with tom", "sunday"),
                ("read friday news", "friday"),
                ("black friday returns", "friday"),
                ("Friday night lights", "Friday night"),
                ("sort 4 july photos", "4 july"),
                ("sort mon, wed, fri folders", "mon, wed, fri"),
                ("fix the every day carry bag zipper", "every day"),
            ]
        ),
        ("read the sun in bed", None),
        ("the sat nav update", None),
        ("christmas cards for bob", None),
        ("split the bill 50:50", None),
        ("print in scale 1:87", None),
        ("1st aid kit refill", None),
    ],
)
def test_a_date_that_cannot_be_stays_in_the_title_and_is_explained(
    text: str, note: str | None
) -> None:
    quick = read(text)
    assert reading_of(quick) == (text, None, None)
    assert quick.notes == (() if note is None else (note,))


@pytest.mark.parametrize(
    ("text", "title", "kept"),
    [
        ("monday call bob tuesday", "monday call bob", "monday"),
        ("tomorrow call bob friday", "tomorrow call bob", "tomorrow"),
        ("due:friday due:monday pay", "due:monday pay", "due:monday"),
    ],
)
def test_of_two_dates_apart_the_one_left_is_named(text: str, title: str, kept: str) -> None:
    quick = read(text)
    assert quick.title == title
    assert quick.due is not None
    assert f"“{kept}” conflicts with another date and stays in the title" in quick.notes


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("use soap due:never every day", ["due:never"]),
        ("use soap start:never friday", ["start:never"]),
        ("black friday and wednesday returns tomorrow", ["friday", "wednesday"]),
        ("call #3 tomorrow", ["#3"]),
    ],
)
def test_what_stays_is_named_beside_a_date_that_is_read(text: str, kept: list[str]) -> None:
    quick = read(text)
    assert quick.due is not None
    assert [note for note in quick.notes if "stays" in note] == [
        f"“{each}” stays in the title" for each in kept
    ]


@each_row(
    ("text", "rule"),
    [
        ("send rent by the 5th of every month", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("send rent by the 5th of each month", "FREQ=MONTHLY;BYMONTHDAY=5"),
        ("send rent by every friday", "FREQ=WEEKLY;BYDAY=FR"),
        ("send rent due by every friday", "FREQ=WEEKLY;BYDAY=FR"),
        ("send rent no later than the last day of every month", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("send rent on every monday", "FREQ=WEEKLY;BYDAY=MO"),
        ("send rent by the 1st friday of each month", "FREQ=MONTHLY;BYDAY=1FR"),
        ("send rent by friday every week", "FREQ=WEEKLY;BYDAY=FR"),
    ],
)
def test_a_preposition_belongs_to_the_recurrence_after_it(text: str, rule: str) -> None:
    quick = read(text)
    assert quick.recurrence is not None
    assert (quick.title, quick.recurrence.rule) == ("send rent", rule)


@each_row(
    ("text", "title", "due"),
    [
        ("check servers tomorrow 9am every month for Bob", "check servers for Bob",
         "2026-11-19T09:00"),
        ("check servers tomorrow, every month for Bob", "check servers for Bob", "2026-11-19"),
        ("check servers friday every week with Ann", "check servers with Ann", "2026-11-20"),
        ("pay on 1 december every month to Bob", "pay to Bob", "2026-12-01"),
        ("meet May every month for lunch", "meet May for lunch", "2026-11-18"),
        *((text, text, None) for text in (
            "call friday or monday every month for Bob", "friday every month for Bob",
        )),
    ],
)  # fmt: skip
def test_a_date_before_a_recurrence_belongs_to_it(text: str, title: str, due: str | None) -> None:
    quick = read(text)
    assert (quick.title, quick.due and quick.due.iso()) == (title, due)


def test_a_preposition_before_an_adverb_belongs_to_the_title() -> None:
    assert read("log on daily").title == "log on"


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("party 1 dec '27", "2027-12-01"),
        ("party dec 1 ’27", "2027-12-01"),
    ],
)
def test_short_years_with_an_apostrophe_are_read(text: str, due: str) -> None:
    quick = read(text)
    assert quick.due is not None
    assert (quick.title, quick.due.day.isoformat()) == ("party", due)


@each_row(
    ("text", "title"),
    [
        ("room 5 dec 27", "room 5"),
        ("pay 250 dec 27", "pay 250"),
        ("dec 27 10 pushups", "10 pushups"),
        ("on dec 27 be at the office", "be at the office"),
        ("may 4 call mom", "call mom"),
        ("may the fourth call mom", "call mom"),
        ("invoice 2028 march 18", "invoice"),
    ],
)
def test_a_number_beside_a_date_is_its_own(text: str, title: str) -> None:
    quick = read(text)
    assert quick.due is not None
    assert (quick.title, quick.notes) == (title, ())


@each_row(
    ("text", "title", "due"),
    [
        ("piano lesson 5 dec 4pm", "piano lesson", "2026-12-05T16:00"),
        ("flat 13 dec 9am", "flat", "2026-12-13T09:00"),
        ("pay invoice 5 jan", "pay invoice", "2027-01-05"),
        ("sing part 2nd of dec", "sing part", "2026-12-02"),
        ("lesson 5th 16:00", "lesson", "2026-12-05T16:00"),
        ("lesson 5.12. 4pm", "lesson", "2026-12-05T16:00"),
        ("lesson 3pm dec 5", "lesson", "2026-12-05T15:00"),
        ("lesson 4pm on 5 dec", "lesson", "2026-12-05T16:00"),
        ("lesson 5 dec 4pm with bob", "lesson with bob", "2026-12-05T16:00"),
        ("lesson 4pm", "lesson", "2026-11-18T16:00"),
        # A number that is not of the date stays with its thing.
        ("read chapter 5 dec 5 4pm", "read chapter 5", "2026-12-05T16:00"),
        ("room 12 12 dec", "room 12", "2026-12-12"),
        ("flat 5 on 5 dec", "flat 5", "2026-12-05"),
        ("read chapter 5 friday", "read chapter 5", "2026-11-20"),
        ("read psalm 23:4", "read psalm 23:4", ""),
        # A time beside a day that cannot be read is not a time of today.
        ("lesson 5-7 dec 4pm", "lesson 5-7 dec 4pm", ""),
        ("version 2026-12-05 at 4pm", "version 2026-12-05 at 4pm", ""),
    ],
)
def test_a_date_is_read_after_a_thing_that_has_numbers(text: str, title: str, due: str) -> None:
    quick = read(text)
    moment = quick.due and (quick.due.local() if quick.due.at else quick.due.day)
    assert (quick.title, moment.isoformat()[:16] if moment else "") == (title, due)


@each_row(
    ("text", "title", "priority", "tags", "unread"),
    [
        ("buy milk +home", "buy milk", None, ("home",), ()),
        ("+work ship +x.y it", "ship it", None, ("work", "x.y"), ()),
        ("call p1", "call", "high", (), ()),
        ("call P2", "call", "medium", (), ()),
        ("milk p3 #shop +x", "milk", "low", ("x",), ()),
        ("milk tomorrow p1", "milk", "high", (), ()),
        ("milk p1, tomorrow", "milk", "high", (), ()),
        ("milk p1 friday 5pm @x", "milk", "high", ("x",), ()),
        ("every monday milk p2", "milk", "medium", (), ()),
        # In the middle, alone, or with other numbers it is part of a title.
        ("buy p1 cable", "buy p1 cable", None, (), ("p1",)),
        ("p1", "p1", None, (), ("p1",)),
        ("task p4", "task p4", None, (), ("p4",)),
        ("meet mp3 p10", "meet mp3 p10", None, (), ()),
        ("call p1 !low", "call !low", "high", (), ("!low",)),
        ("milk \\p1", "milk p1", None, (), ()),
        ("milk \\+home", "milk +home", None, (), ()),
        ("C++ +1 me + wife a+b", "C++ +1 me + wife a+b", None, (), ()),
        # What looks like a sign and is none is named.
        ("milk !urgent", "milk !urgent", None, (), ("!urgent",)),
        ("milk !high !low", "milk !low", "high", (), ("!low",)),
        ("milk #a #b", "milk #b", None, (), ("#b",)),
        ("milk prio:1, soon", "milk prio:1, soon", None, (), ("prio:1",)),
        ("milk due:later", "milk due:later", None, (), ("due:later",)),
        ("milk due:never, soon", "milk due:never, soon", None, (), ("due:never",)),
        ("wow! 50% @ 3 http://x.y/p", "wow! 50% @ 3 http://x.y/p", None, (), ()),
        ("fix #12, then #3", "fix #12, then #3", None, (), ("#12", "#3")),
        ("see @12, then go", "see @12, then go", None, (), ("@12",)),
        ("take exit #4, fix bug #12", "take exit #4, fix bug #12", None, (), ()),
        ('read "!high +x"', 'read "!high +x"', None, (), ()),
    ],
)
def test_signs_are_read_or_named(
    text: str, title: str, priority: str | None, tags: tuple[str, ...], unread: tuple[str, ...]
) -> None:
    quick = read(text)
    assert (quick.title, quick.priority, quick.tags) == (title, priority, tags)
    assert quick.notes == tuple(f"“{word}” stays in the title" for word in unread)


@each_row(
    ("text", "days"),
    [
        ("gym mon, wed, fri 7am", "MO,WE,FR"),
        ("gym on mon, wed and fri at 7am", "MO,WE,FR"),
        ("mon, wed, fri 7am gym", "MO,WE,FR"),
        ("gym 7am mon wed fri", "MO,WE,FR"),
        ("gym tue, thu 7am", "TU,TH"),
        ("gym tuesday and thursday at 7am", "TU,TH"),
        ("gym sat/sun 7am", "SA,SU"),
    ],
)
def test_weekdays_in_a_list_repeat(text: str, days: str) -> None:
    quick = read(text)
    assert quick.recurrence is not None
    assert (quick.title, quick.recurrence.rule) == ("gym", f"FREQ=WEEKLY;BYDAY={days}")
    assert quick.due is not None
    assert quick.due.iso().endswith("T07:00")


RANGES = """
friday 5-7pm
friday at 5pm to 7pm
tomorrow 9:00-10:00
from 9am to 10am tomorrow
friday from 8pm until 10pm
5-9 dec
dec 5-9
tomorrow at 5 or 6
every day at 8am and 8pm
every tue at 6pm and thu at 7pm
between 5 and 6pm
9-10am
2026-11-28 9:00-10:00
monday to friday
dec 1 26
"""


@each_row("text", RANGES.strip().splitlines())
@each_row("template", ["see zoe {}", "see zoe {} with bob"])
def test_ranges_and_two_times_stay_in_the_title_and_are_named(template: str, text: str) -> None:
    title = template.format(text)
    quick = read(title)
    assert reading_of(quick) == (title, None, None)
    assert quick.notes == (f"“{text}” is not one date and stays in the title",)


@each_row("title", ["read chapters 5-7", "9 to 5 movie", "print 9:16 and 16:9", "split 50-50"])
def test_numbers_in_a_row_are_no_range_of_times(title: str) -> None:
    assert reading_of(read(title)) == (title, None, None)
    assert read(title).notes == ()


def test_words_only_reads_nothing() -> None:
    text = "pay rent  tomorrow 5pm !high #home"
    quick = read_quick_add(text, NOW, STYLE, words_only=True)
    assert quick == QuickAdd("pay rent tomorrow 5pm !high #home")


def test_a_very_long_text_is_a_title() -> None:
    quick = read("tomorrow " * 100_000)
    assert (quick.due, len(quick.title)) == (None, 9 * 100_000 - 1)


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_empty_text_has_no_title(text: str) -> None:
    assert read(text) == QuickAdd("")


pieces = st.sampled_from(
    """
    buy call mom milk the report notes tomorrow today friday monday 5pm 17:00 in 3 days every day
    week next last on at by for to and of until starting sun may march jan 5 27th 1/2 !high !!
    #home @shop #12 under after " \\ ( ) , : . - due: start: due:friday every! weekly first month
    noon 24.12.
    """.split()
)
texts = st.lists(pieces, max_size=9).map(" ".join) | st.text(max_size=60)
styles = st.builds(DateStyle, st.booleans(), st.sampled_from((0, 6)))
nows = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1))


@example("buy every due:friday day", datetime(2026, 11, 22), DateStyle())
@example("buy 5 start: due:friday days", datetime(2026, 11, 22), DateStyle())
@given(texts, nows, styles)
@settings(max_examples=60, deadline=None)
def test_any_text_keeps_its_words_and_marks_only_its_own(
    text: str, now: datetime, style: DateStyle
) -> None:
    quick = read_quick_add(text, now, style)
    last = 0
    for span in quick.spans:
        assert last <= span.start < span.end <= len(text)
        last = span.end
    kept = iter("".join(text.split()))
    assert all(letter in kept for letter in "".join(quick.title.split()))
    assert bool(quick.title) == bool(text.strip())
    assert quick.title == " ".join(quick.title.split())


@given(texts, nows)
@settings(max_examples=50, deadline=None)
def test_case_and_spacing_do_not_change_what_is_due(text: str, now: datetime) -> None:
    lower = text.lower()
    spaced = read_quick_add("  " + lower.replace(" ", "   "), now, STYLE)
    plain = read_quick_add(lower, now, STYLE)
    assert (spaced.title, spaced.due, spaced.recurrence) == (
        plain.title,
        plain.due,
        plain.recurrence,
    )


@each_row(
    ("moment", "due", "note"),
    [
        ("2026-12-01T15:00Z", "2026-12-01T16:00", "read as Tue 1 Dec 16:00, your time"),
        ("2026-12-01T15:00:00.000Z", "2026-12-01T16:00", "read as Tue 1 Dec 16:00, your time"),
        ("2026-12-01T15:00+02:00", "2026-12-01T14:00", "read as Tue 1 Dec 14:00, your time"),
        ("2026-12-01T15:00+0530", "2026-12-01T10:30", "read as Tue 1 Dec 10:30, your time"),
        ("2026-12-01T15:00+02", "2026-12-01T14:00", "read as Tue 1 Dec 14:00, your time"),
        ("2026-12-01T23:30-05:00", "2026-12-02T05:30", "read as Wed 2 Dec 05:30, your time"),
        ("2026-12-01 15:00Z", "2026-12-01T16:00", "read as Tue 1 Dec 16:00, your time"),
        ("2026-12-01 15:00+02:00", "2026-12-01T14:00", "read as Tue 1 Dec 14:00, your time"),
        ("2027-07-01T15:00Z", "2027-07-01T17:00", "read as 1 Jul 2027 17:00, your time"),
    ],
)
@each_row("text", ["call zoe {}", "{} call zoe", "call zoe due:{}"])
def test_a_time_with_an_offset_is_converted_to_the_persons_zone(
    text: str, moment: str, due: str, note: str
) -> None:
    style = replace(STYLE, zone="Europe/Berlin")
    line = text.replace("{}", f'"{moment}"' if "due:" in text and " " in moment else moment)
    quick = read_quick_add(line, NOW, style)
    assert reading_of(quick) == ("call zoe", due, None)
    assert quick.notes == (note,)


@each_row(
    ("text", "title", "minutes"),
    [
        ("Write report ~30m", "Write report", 30),
        ("~1h30 write report friday", "write report", 90),
        ("Write ~2 hours report", "Write report", 120),
        ("Write report ~1.5h #work", "Write report", 90),
        ("Write report ~1,5 h", "Write report", 90),
        ("Write report ~45 min.", "Write report", 45),
        ("Write report ~2h 15m ~3h", "Write report", 135),
        ("Invite ~30 people", "Invite ~30 people", None),
        ("Invite ~0m", "Invite ~0m", None),
        ("cd ~/mail", "cd ~/mail", None),
        ("Buy 30m of rope", "Buy 30m of rope", None),
        (r"Say \~30m", "Say ~30m", None),
        ('Say "~30m"', 'Say "~30m"', None),
    ],
)
def test_estimates(text: str, title: str, minutes: int | None) -> None:
    quick = read(text)
    assert quick.estimate == minutes
    assert quick.title == title or minutes == 135


@each_row(
    ("line", "title", "repeats"),
    [
        ("x every monday", "x", True),
        ("solve for x every monday", "solve for x", True),
        ("pushups 3 x every monday", "pushups 3 x every monday", False),
        ("pushups 3x every monday", "pushups 3x every monday", False),
        ("call mum twice every monday", "call mum twice every monday", False),
    ],
)
def test_an_x_counts_only_behind_a_number(line: str, title: str, repeats: bool) -> None:
    read = read_quick_add(line, NOW, DateStyle())
    assert (read.title, read.recurrence is not None) == (title, repeats)


def test_the_day_before_another_is_named_once() -> None:
    read = read_quick_add("ship before wednesday", NOW, DateStyle())
    assert len(read.notes) == 1
    assert "read as" not in read.notes[0]
    assert read.notes[0].count("Wed 25 Nov") == 1
