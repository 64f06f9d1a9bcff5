"""Tests of project and tag names as text, and words of which filters are made in tests."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.filters.terms import HasTag, InProject, all_of, with_default_scope
from todo_tui.domain.filters.text import format_project, format_tag
from todo_tui.domain.when import DateStyle

NOW = datetime(2026, 11, 18, 14, 30)

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


@settings(max_examples=200, deadline=None)
@given(
    st.text(
        st.characters(exclude_categories=("C", "Z")) | st.sampled_from(' "“”\\()&|!#@:<'),
        min_size=1,
    )
)
def test_names_of_any_characters_read_back(name: str) -> None:
    if not name.split():
        return
    wanted = with_default_scope(all_of(InProject(name), HasTag(name)))
    typed = f"{format_project(name)} {format_tag(name)}"
    assert parse_query(typed, NOW, DateStyle()).filter == wanted
