"""Random tasks, as a store could hold them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

from hypothesis import strategies as st

from todo_tui.domain.task import Annotation, Priority, RepeatFrom, Status, Task
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.domain.when import When

_RULES = (
    "FREQ=DAILY",
    "FREQ=WEEKLY;BYDAY=MO,WE",
    "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1",
    "FREQ=YEARLY;UNTIL=20301231",
)

_MISLEADING = (
    "x", "(A)", "2026-02-30", "2026-11-19", "+plan", "@home", "#home", "!high", "due:", "due:soon",
    "due:2026-11-19", "t:never", "rec:1d", "uuid:1", "id:1", "p:1", "tui:{}", "note:%20", "k:v",
    "[", "]", "[x]", "- [ ] b", "1. [ ] c", "* d", "# e", "> f", "    g", "```", "<!--", "-->",
    "<!-- todo-tui {} -->", "every", "day", "every monday", "start:2026-11-19", "a,b", ";", '"',
    '"q"', "=1+1", "-5", "@SUM(A1)", "'=1", "'", "\\", "\\n", "\\,", "%41", "{}", "BEGIN:VTODO",
    "END:VTODO", "TYPE", "null", "0", "-", "\n", "\n\n", "  ", "ß", "日本語", "🎉", "e\u0301",
)  # fmt: skip
"""Words that mean something in one format or another."""

anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.lists(
    st.sampled_from(_MISLEADING), max_size=5
).map(" ".join)
lines = anything.map(lambda text: plain_line(text).strip()).filter(bool)
paragraphs = anything.map(plain_text)
labels = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12).map(
    lambda text: plain_line(text).strip()
)
labels = labels.filter(bool)
whens = st.builds(
    When,
    st.dates(date(1970, 1, 2), date(9998, 12, 30)),
    st.none() | st.builds(time, st.integers(0, 23), st.integers(0, 59)),
)
instants = st.datetimes(datetime(1971, 1, 1), datetime(2999, 1, 1)).map(
    lambda moment: moment.replace(microsecond=moment.microsecond // 1000 * 1000, tzinfo=UTC)
)
zones = st.sampled_from(["Europe/Berlin", "America/New_York", "UTC"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | anything,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(anything, inner, max_size=3),
    max_leaves=5,
)


@st.composite
def tasks(draw: st.DrawFn, number: int) -> Task:
    """The task of that id; parent and blockers have smaller ones."""
    due, start = draw(st.none() | whens), draw(st.none() | whens)
    status = draw(st.sampled_from(Status))
    recurrence = draw(st.none() | st.sampled_from(_RULES))
    earlier = st.integers(1, number - 1) if number > 1 else st.nothing()
    return Task(
        id=number,
        uuid=draw(st.uuids()).hex,
        title=draw(lines),
        created_at=draw(instants),
        updated_at=draw(instants),
        notes=draw(paragraphs),
        annotations=tuple(draw(st.lists(st.builds(Annotation, instants, lines), max_size=2))),
        status=status,
        estimate=draw(st.none() | st.integers(1, 5_000)),
        priority=draw(st.none() | st.sampled_from(Priority)),
        due=due,
        due_zone=draw(zones) if due and due.at else None,
        start=start,
        start_zone=draw(zones) if start and start.at else None,
        project=draw(st.none() | labels),
        tags=tuple(draw(st.lists(labels, max_size=3, unique_by=lambda tag: tag.casefold()))),
        recurrence=recurrence,
        repeat_from=draw(st.sampled_from(RepeatFrom)) if recurrence else RepeatFrom.DUE,
        series=draw(st.uuids()).hex if recurrence else None,
        slot="2026-11-19" if recurrence else None,
        parent=draw(st.none() | earlier),
        blocked_by=tuple(draw(st.lists(earlier, max_size=2, unique=True))) if number > 1 else (),
        position=f"{number:08x}",
        completed_at=None if status.is_open else draw(instants),
        deleted_at=draw(st.none() | instants),
        extra=draw(st.dictionaries(lines, json_values, max_size=2)),
    )


@st.composite
def task_lists(draw: st.DrawFn) -> list[Task]:
    """Up to four tasks with ids from 1 on and uuids of their own."""
    count = draw(st.integers(0, 4))
    return [draw(tasks(number)) for number in range(1, count + 1)]
