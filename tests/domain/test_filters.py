"""The grammar of filters, its descriptions and its complaints."""

from __future__ import annotations

from datetime import datetime

import pytest

from todo_tui.domain.filters import FilterProblem, describe, parse_filter
from todo_tui.domain.when import DateStyle

NOW = datetime(2026, 11, 18, 14, 30)
STYLE = DateStyle()


def said(text: str) -> str:
    return describe(parse_filter(text, NOW, STYLE))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "open"),
        ("   ", "open"),
        ("milk", "open · “milk”"),
        ("buy milk", "open · “buy” · “milk”"),
        ('"buy milk"', "open · “buy milk”"),
        ("“buy milk", "open · “buy milk”"),
        ('"no due" "and"', "open · “no due” · “and”"),
        ("project:work", "open · in work"),
        ("#work", "open · in work"),
        ("#work.client", "open · in work.client"),
        ('project:"home garden"', "open · in home garden"),
        ("project: work", "open · in work"),
        ("tag:home", "open · tagged home"),
        ("@home", "open · tagged home"),
        ("priority:high", "open · high priority"),
        ("!high", "open · high priority"),
        ("!!!", "open · high priority"),
        ("p", "open · “p”"),
        ("priority:m", "open · medium priority"),
        ("low priority", "open · low priority"),
        ("priority:none", "open · no priority"),
        ("#12", "#12"),
        ("#0012", "#12"),
        ("#12a", "open · in 12a"),
        ("id:7", "#7"),
        ("#", "open · “#”"),
        ("@", "open · “@”"),
        ("!", "open · “!”"),
        ("wow!", "open · “wow!”"),
        ("today", "open · due today (Wed 18 Nov)"),
        ("Tomorrow", "open · due Tomorrow (Thu 19 Nov)"),
        ("this week", "open · due this week (Mon 16 Nov – Sun 22 Nov)"),
        ("next week call", "open · due next week (Mon 23 Nov – Sun 29 Nov) · “call”"),
        ("next 7 days", "open · due next 7 days (Wed 18 Nov – Tue 24 Nov)"),
        ("last call", "open · “last” · “call”"),
        ("next", "open · “next”"),
        ("overdue", "open · overdue"),
        ("overdue tasks", "open · overdue"),
        ("due.before:friday", "open · due until Thu 19 Nov"),
        ("due.after:friday", "open · due from Sat 21 Nov"),
        ("due.by:friday", "open · due until Fri 20 Nov"),
        ("due.before:next friday #x", "open · due until Thu 26 Nov · in x"),
        ("due.before:in 3 days", "open · due until Fri 20 Nov"),
        ("due.before: friday", "open · due until Thu 19 Nov"),
        ('due.before:"friday 5pm"', "open · due before Fri 20 Nov 17:00"),
        ("due.by:friday 5pm milk", "open · due by Fri 20 Nov 17:00 · “milk”"),
        ("due:friday", "open · due friday (Fri 20 Nov)"),
        ("due:none", "open · no due date"),
        ("due:any", "open · with due date"),
        ("due this week", "open · due this week (Mon 16 Nov – Sun 22 Nov)"),
        ("due before next week", "open · due until Sun 22 Nov"),
        ("due on friday", "open · due friday (Fri 20 Nov)"),
        ("due diligence", "open · “due” · “diligence”"),
        ("start.after:today", "open · start from Thu 19 Nov"),
        ("completed:this week", "completed this week (Mon 16 Nov – Sun 22 Nov)"),
        ("no due", "open · no due date"),
        ("no due date", "open · no due date"),
        ("no project", "open · no project"),
        ("without tags", "open · no tags"),
        ("no milk", "open · “no” · “milk”"),
        ("has notes", "open · with notes"),
        ("no:project", "open · no project"),
        ("waiting", "waiting"),
        ("blocked", "open · blocked"),
        ("recurring", "open · repeating"),
        ("doing", "doing"),
        ("in progress", "doing"),
        ("in town", "open · “in” · “town”"),
        ("done", "done"),
        ("status:done", "done"),
        ("is:overdue", "open · overdue"),
        ("all", "all"),
        ("trash", "in the trash"),
        ("all milk", "all · “milk”"),
        ("http://example.org/a", "open · “http://example.org/a”"),
        ("re:invent", "open · “re:invent”"),
        ("a and b", "open · “a” · “b”"),
        ("not milk", "open · not “milk”"),
        ("not done", "open · not done"),
        ("a or b c", "open · (“a” or (“b” and “c”))"),
        ("(a or b) c", "open · (“a” or “b”) · “c”"),
        ("done or today", "done or (open and due today (Wed 18 Nov))"),
        ("(done or doing) @x", "(done or doing) · tagged x"),
        ("(done or today) @x", "(done or (open and due today (Wed 18 Nov))) · tagged x"),
        ("f(x) (y)", "open · “f(x)” · “y”"),
        ("50% a_b", "open · “50%” · “a_b”"),
        ("\x1b[31mred", "open · “red”"),
    ],
)
def test_words_mean_what_they_say(text: str, expected: str) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "word", "position", "complaint"),
    [
        ("a priority:hig", "priority:hig", 2, "high, medium, low or none would fit"),
        ("!hig", "!hig", 0, "high, medium, low or none would fit"),
        ("due:fooday", "due:fooday", 0, "names no day"),
        ("due.before:", "due.before:", 0, "needs a value"),
        ("due.befor:friday", "due.befor:friday", 0, "due.before, .after, .by or .since would fit"),
        ("project.x:y", "project.x:y", 0, "should be project:y"),
        ("status:don", "status:don", 0, "names no status"),
        ("id:x", "id:x", 0, "a number such as #12 would fit"),
        ("no:body", "no:body", 0, "names no field"),
        ("tag:", "tag:", 0, "needs a value"),
        ("(a", "(", 0, "never closed"),
        ("a)", ")", 1, "never opened"),
        ("a or", "or", 2, "something after it"),
        ("or a", "or", 0, "something before it"),
        ("a and and b", "and", 6, "something before it"),
        ("not", "not", 0, "something after it"),
        ("()", ")", 1, "something before it"),
    ],
)
def test_a_mistake_is_named_with_what_would_fit(
    text: str, word: str, position: int, complaint: str
) -> None:
    with pytest.raises(FilterProblem) as caught:
        parse_filter(text, NOW, STYLE)
    assert (caught.value.word, caught.value.position) == (word, position)
    assert complaint in caught.value.message
    assert word in caught.value.message


@pytest.mark.parametrize("text", ["x" * 2_001, "a " * 201, "(" * 100, "#" + "9" * 50 + " x"])
def test_a_filter_of_any_size_is_read_or_refused(text: str) -> None:
    if text.startswith("#"):
        assert said(text).startswith(f"#{2**63 - 1}")
        return
    with pytest.raises(FilterProblem):
        parse_filter(text, NOW, STYLE)


def test_the_week_begins_where_the_style_says() -> None:
    sunday_first = DateStyle(week_start=6)
    assert "Sun 15 Nov – Sat 21 Nov" in describe(parse_filter("this week", NOW, sunday_first))
