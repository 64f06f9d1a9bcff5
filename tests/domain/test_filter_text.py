"""Tests of filters as text."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from todo_tui.domain.filters.lexer import FilterNames, FilterProblem
from todo_tui.domain.filters.parser import parse_filter, parse_query
from todo_tui.domain.filters.terms import (
    ContainsText,
    HasTag,
    InProject,
    Query,
    all_of,
    with_default_scope,
)
from todo_tui.domain.filters.text import format_filter, format_query
from todo_tui.domain.when import DateStyle

NOW = datetime(2026, 11, 18, 14, 30)
STYLE = DateStyle()
VIEWS = FilterNames(views={"calls": "@phone or call sort:due-", "my week": "this week"})

PIECES = """
and or not ( ) & | ! !( milk "buy milk" no due today overdue this week next 7 days friday 5pm
#work #work.client #12 @home !high !@home !done #2026 @2026 wow! a&b @a&@b @a|@b
due:friday due.before:friday due.by:"next week" due<fri due>=today due!=2026-12-24 due:none
start:any start.after:today done done:today done.after:monday completed this last month in
november created:today updated.since:yesterday created.before:7 priority:high priority>=medium
priority<high priority.from:low priority:none id:3,5,7-9 under:12 parent:3 parent:none
has:children no:notes has notes tags waiting started blocked blocking ready recurring doing
cancelled open todo all trash is:overdue status:done in progress tasks project:"home garden"
tag:"a b" sort:priority,due- sort:-created group:project view:calls view:"my week" task date
due: tag: "no" "(" "a\\"b" 100% f(x) http://x.org/a re:invent
""".split()


def read(text: str) -> Query:
    return parse_query(text, NOW, STYLE, VIEWS)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=7).map(" ".join))
@example("status:done due:friday")
@example("not due!=2026-12-24")
def test_any_filter_round_trips_through_text(text: str) -> None:
    try:
        query = read(text)
    except FilterProblem:
        return
    written = format_query(query)
    assert read(written) == query
    assert format_query(read(written)) == written


@settings(max_examples=200, deadline=None)
@given(
    st.text(
        st.characters(exclude_categories=("C", "Z")) | st.sampled_from(' "“”\\()&|!#@:<'),
        min_size=1,
    )
)
def test_names_and_words_of_any_characters_round_trip(text: str) -> None:
    words = " ".join(text.split())
    if not words:
        return
    wanted = with_default_scope(
        all_of(
            InProject(text),
            ContainsText(words),
            HasTag(text),
            ContainsText("milk"),
            InProject("none"),
        )
    )
    assert parse_filter(format_filter(wanted), NOW, STYLE) == wanted


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", ""),
        ("open", ""),
        ("all", "all"),
        ("due <= friday & @home", "due.by:friday @home"),
        ("today", "due:today"),
        ("7 days", 'due:"7 days"'),
        ("done today or overdue", "done:today or overdue"),
        ("trash | milk", "trash or milk"),
        ("!(a | b) !done", "not (a or b) not done"),
        ("priority>=medium priority<high", "priority.from:medium priority.to:medium"),
        ("project:work tag:home priority:high", "#work @home !high"),
        ('project:2026 "no" 50%', 'project:"2026" "no" "50%"'),
        ("due.before:friday milk", 'due.before:"friday" milk'),
        ("sort:due-,prio milk group:projects", "milk sort:due-,priority group:project"),
        ("sort:-priority,+urgency", "sort:priority,urgency+"),
        ("id:9,7,8,3", "id:3,7-9"),
        ("view:calls !high", "(@phone or call) !high sort:due-"),
    ],
)
def test_text_of_a_filter_is_canonical(text: str, written: str) -> None:
    assert format_query(read(text)) == written


def test_days_keep_their_words() -> None:
    written = format_query(read("due.before:friday done.after:last monday"))
    later = NOW + timedelta(days=7)
    expected = parse_query("due.before:friday done.after:last monday", later, STYLE)
    assert parse_query(written, later, STYLE) == expected
    assert expected != read(written)
