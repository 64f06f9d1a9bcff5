"""Tests of the filter grammar, descriptions and errors."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.rows import each_row
from todo_tui.domain.filters.lexer import FilterNames, FilterProblem
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.filters.terms import Grouping, with_default_scope
from todo_tui.domain.filters.text import describe_filter
from todo_tui.domain.when import DateStyle

NOW = datetime(2026, 11, 18, 14, 30)
STYLE = DateStyle()


def said(text: str) -> str:
    return describe_filter(parse_query(text, NOW, STYLE).filter, NOW.date())


DESCRIPTIONS = (
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
    ("due:friday", "open · due Fri 20 Nov"),
    ("due:none", "open · no due date"),
    ("due:any", "open · with due date"),
    ("due this week", "open · due this week (Mon 16 Nov – Sun 22 Nov)"),
    ("due before next week", "open · due until Sun 22 Nov"),
    ("due in the next 3 days", "open · due in the next 3 days (Wed 18 Nov – Fri 20 Nov)"),
    ('due:"in the next 3 days"', "open · due in the next 3 days (Wed 18 Nov – Fri 20 Nov)"),
    ("due:in 3 days", "open · due in 3 days (Sat 21 Nov)"),
    ("due:january", "open · due January (1 Jan 2027 – 31 Jan 2027)"),
    ("done due:friday", "done · due Fri 20 Nov"),
    (
        "due this week start<friday",
        "open · due this week (Mon 16 Nov – Sun 22 Nov) · start until Thu 19 Nov",
    ),
    ("due on friday", "open · due Fri 20 Nov"),
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
    ("recurring", "open · recurring"),
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
    ('"re:invent"', "open · “re:invent”"),
    ("Note:", "open · “Note:”"),
    ("main.py:12", "open · “main.py:12”"),
    ("localhost:8080", "open · “localhost:8080”"),
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
    ("due<friday", "open · due until Thu 19 Nov"),
    ("due<=2026-12-24", "open · due until Thu 24 Dec"),
    ("due>today", "open · due from Thu 19 Nov"),
    ("due >= next week", "open · due from Mon 23 Nov"),
    ("due≤fri", "open · due until Fri 20 Nov"),
    ("due=friday", "open · due Fri 20 Nov"),
    ("due!=friday", "open · not due Fri 20 Nov"),
    ("due:<friday", "open · due until Thu 19 Nov"),
    ("due>now", "open · due after Wed 18 Nov 14:30"),
    ("due.before:3 days", "open · due until Fri 20 Nov"),
    ("due.by:3 days", "open · due until Sat 21 Nov"),
    ("due in november", "open · due in November (Sun 1 Nov – Mon 30 Nov)"),
    ("7 days", "open · due 7 days (Wed 18 Nov – Tue 24 Nov)"),
    ("next 3 days", "open · due next 3 days (Wed 18 Nov – Fri 20 Nov)"),
    ("two weeks", "open · due two weeks (Wed 18 Nov – Tue 1 Dec)"),
    ("7 dwarfs", "open · “7” · “dwarfs”"),
    ("done.after:last monday", "completed from Tue 17 Nov"),
    ("done.after:monday", "completed from Tue 17 Nov"),
    ("done.since:1 nov", "completed from Sun 1 Nov"),
    ("done:december", "completed December (1 Dec 2025 – 31 Dec 2025)"),
    ("done today", "completed today (Wed 18 Nov)"),
    ("done this week milk", "completed this week (Mon 16 Nov – Sun 22 Nov) · “milk”"),
    ("done:7 days", "completed 7 days (Thu 12 Nov – Wed 18 Nov)"),
    ("done:any", "completed any day"),
    ("finished.since:monday 9am", "completed since Mon 16 Nov 09:00"),
    ("created:today", "open · created today (Wed 18 Nov)"),
    ("created.before:2026-11-01", "open · created until Sat 31 Oct"),
    ("created.since:9am", "open · created since Wed 18 Nov 09:00"),
    ("created.after:7 days", "open · created from Thu 12 Nov"),
    ("added yesterday", "open · created yesterday (Tue 17 Nov)"),
    ("added value", "open · “added” · “value”"),
    ("updated.since:monday all", "updated from Mon 16 Nov · all"),
    ("modified:friday", "open · updated Fri 13 Nov"),
    ("start<=today", "open · start until Wed 18 Nov"),
    ("has:notes", "open · with notes"),
    ("has:children", "open · with children"),
    ("no subtasks", "open · no children"),
    ("parent:none", "open · no parent"),
    ("parent:12", "open · subtask of #12"),
    ("under:#12", "open · under #12"),
    ("ready", "ready"),
    ("started", "started"),
    ("blocking", "open · blocking"),
    ("is:ready #work", "ready · in work"),
    ("id:3,5,7-9", "#3, #5, #7–9"),
    ("id:9-7,3,4", "#3–4, #7–9"),
    ("id:3, 5 milk", "#3, #5 · “milk”"),
    ("id:5,5", "#5"),
    ("priority>=medium", "open · high or medium priority"),
    ("priority<medium", "open · no or low priority"),
    ("priority>low", "open · high or medium priority"),
    ("priority>medium", "open · high priority"),
    ("priority<low", "open · no priority"),
    ("priority>none", "open · with priority"),
    ("priority.from:low", "open · with priority"),
    ("priority != high", "open · not high priority"),
    ("!none", "open · no priority"),
    ("tag=home", "open · tagged home"),
    ("project!=work", "open · not in work"),
    ("@home & #work", "open · tagged home · in work"),
    ("@home&today", "open · tagged home · due today (Wed 18 Nov)"),
    ("today | overdue", "open · (due today (Wed 18 Nov) or overdue)"),
    ("@a||@b && !high", "open · (tagged a or (tagged b and high priority))"),
    ("AT&T", "open · “AT&T”"),
    ("#R&D", "open · in R&D"),
    ("!@home", "open · not tagged home"),
    ("!done", "open · not done"),
    ("!(a | b)", "open · not (“a” or “b”)"),
    ("! milk", "open · not “milk”"),
    ('!"buy milk"', "open · not “buy milk”"),
    ("!due:friday", "open · not due Fri 20 Nov"),
    ("not not milk", "open · “milk”"),
    ("not not not milk", "open · not “milk”"),
    ("milk sort:due", "open · “milk”"),
    ("group:project", "open"),
    ("not sort:due milk", "open · not “milk”"),
    ('project:"none"', "open · in none"),
    (r'"say \"hi\""', 'open · “say "hi"”'),
)


def test_filter_descriptions() -> None:
    found = [(text, expected, said(text)) for text, expected in DESCRIPTIONS]
    assert [row for row in found if row[1] != row[2]] == []


@each_row(
    ("text", "word", "position", "complaint"),
    [
        ("a priority:hig", "priority:hig", 2, "high, medium, low or none"),
        ("!hig", "!hig", 0, "high, medium, low or none"),
        ("due:fooday", "due:fooday", 0, "is not a date"),
        ("due.before:", "due.before:", 0, "needs a value"),
        ("due.befor:friday", "due.befor:friday", 0, "use due.before, .after, .by or .since"),
        ("project.x:y", "project.x:y", 0, "cannot be compared; use project:y"),
        ("status:don", "status:don", 0, "is not a status"),
        ("id:x", "id:x", 0, "a task number such as #12"),
        ("no:body", "no:body", 0, "is not a field"),
        ("tag:", "tag:", 0, "needs a value"),
        ("(a", "(", 0, "no closing bracket"),
        ("a)", ")", 1, "no opening bracket"),
        ("a or", "or", 2, "a condition after it"),
        ("or a", "or", 0, "a condition before it"),
        ("a and and b", "and", 6, "a condition before it"),
        ("not", "not", 0, "a condition after it"),
        ("()", ")", 1, "a condition before it"),
        ("!urgent", "!urgent", 0, "high, medium, low or none"),
        ("priority>high", "priority>high", 0, "no priority above high"),
        ("priority<none", "priority<none", 0, "no priority below none"),
        ("due<", "due<", 0, "needs a value"),
        ("due < fooday", "<", 4, "is not a date"),
        ("tag<5", "tag<5", 0, "use tag:5"),
        ("a | | b", "|", 4, "a condition before it"),
        ("& a", "&", 0, "a condition before it"),
        ("id:3,x", "id:3,x", 0, "a task number such as #12"),
        ("under:x", "under:x", 0, "a task number such as #12"),
        ("a sort:dew", "sort:dew", 2, "due, start, priority, urgency, estimate, created"),
        ("sort:-due-", "sort:-due-", 0, "a sort field"),
        ("sort:", "sort:", 0, "needs a value"),
        ("sort:due sort:id", "sort:id", 9, "repeats sort:"),
        ("group:moon", "group:moon", 0, "due, day, project, priority, tag, status"),
        ("view:x", "view:x", 0, "is not a saved view"),
        ("projct:work", "projct:work", 0, "unknown key: projct"),
        ("milk foo:bar", "foo:bar", 5, "unknown key: foo"),
        ("not p:x", "p:x", 4, "unknown key: p"),
        ("日本:x", "日本:x", 0, "unknown key: 日本"),
        ("re:invent", "re:invent", 0, "unknown key: re"),
        ("due.before<friday", "due.before<friday", 0, "is unknown"),
        ('project:"" milk', 'project:""', 0, "needs a value"),
    ],
)
def test_error_names_the_word_and_suggestions(
    text: str, word: str, position: int, complaint: str
) -> None:
    with pytest.raises(FilterProblem) as caught:
        parse_query(text, NOW, STYLE)
    assert (caught.value.word, caught.value.position) == (word, position)
    assert complaint in caught.value.message
    assert word.replace('"', "") in caught.value.message
    assert caught.value.hint


@each_row(
    ("text", "complaint"),
    [
        ("(" * 11 + "a" + ")" * 11, "“(” is nested too deeply: at most 10 levels of brackets"),
        ("not (" * 11 + "a" + ")" * 11, "nested too deeply"),
        ("(" * 1_000 + "a" + ")" * 1_000, "at most 2,000 characters"),
        ("a " * 5_000, "at most 2,000 characters"),
        ("a " * 201, "at most 200 words"),
    ],
)
def test_too_long_filter_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(FilterProblem) as caught:
        parse_query(text, NOW, STYLE)
    assert complaint in caught.value.message


def test_views_count_with_their_references() -> None:
    deep = {"v0": "a"} | {f"v{number}": f"b or view:v{number - 1}" for number in range(1, 12)}
    assert parse_query("view:v9", NOW, STYLE, FilterNames(views=deep)).filter
    with pytest.raises(FilterProblem, match="nested too deeply"):
        parse_query("view:v10", NOW, STYLE, FilterNames(views=deep))
    wide = {"v0": "a " * 190, "v1": "view:v0 " * 190, "v2": "view:v1 " * 190}
    with pytest.raises(FilterProblem, match="1,000 words"):
        parse_query("view:v2", NOW, STYLE, FilterNames(views=wide))


@each_row("text", ["x" * 2_001, "a " * 201, "(" * 100, "#" + "9" * 50 + " x"])
def test_filter_of_any_size_is_parsed_or_refused(text: str) -> None:
    if text.startswith("#"):
        assert said(text).startswith(f"#{2**63 - 1}")
        return
    with pytest.raises(FilterProblem):
        parse_query(text, NOW, STYLE)


@each_row(
    ("text", "sort", "group"),
    [
        ("milk", "", None),
        ("sort:due", "due up", None),
        ("sort:due-", "due down", None),
        ("sort:-due", "due down", None),
        ("sort:+due,title-", "due up, title down", None),
        ("sort:priority,due", "priority down, due up", None),
        ("sort:priority+", "priority up", None),
        ("sort:priority-", "priority down", None),
        ("sort:urgency a group:project b", "urgency down", Grouping.PROJECT),
        ("(a sort:created or b)", "created up", None),
        ("sort: due group: day", "due up", Grouping.DAY),
        ('sort:"prio, due-"', "priority down, due down", None),
        ("sort:due,due-", "due up", None),
        ("group:none", "", Grouping.NONE),
        ("SORT:Title GROUP:TAGS", "title up", Grouping.TAG),
    ],
)
def test_sort_and_group_may_stand_anywhere(text: str, sort: str, group: Grouping | None) -> None:
    query = parse_query(text, NOW, STYLE)
    said = [f"{term.field.value} {'down' if term.descending else 'up'}" for term in query.sort]
    assert ", ".join(said) == sort
    assert query.group is group
    assert query.filter == parse_query(text, NOW, STYLE).filter


def test_default_scope_is_idempotent() -> None:
    for text in ("", "milk", "done or today", "(trash or milk) @x", "not done", "all", "!trash"):
        wanted = parse_query(text, NOW, STYLE).filter
        assert with_default_scope(wanted) == wanted


def test_week_start_follows_style() -> None:
    sunday_first = DateStyle(week_start=6)
    described = describe_filter(parse_query("this week", NOW, sunday_first).filter, NOW.date())
    assert "Sun 15 Nov – Sat 21 Nov" in described
