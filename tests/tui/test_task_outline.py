"""The order of the list, held against a plain sorted copy of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.domain.urgency import TaskGroup
from todo_tui.tui.widgets.task_outline import (
    Gap,
    Heading,
    Lead,
    More,
    OutlineLine,
    Place,
    TaskLine,
    TaskOutline,
)

GROUPS = (TaskGroup.OVERDUE, TaskGroup.NEXT, TaskGroup.DONE)
LIMIT = 3

places = st.builds(
    lambda group, key: Place(group, (key,)), st.sampled_from(GROUPS), st.integers(0, 5)
)
steps = st.lists(st.tuples(st.integers(1, 12), st.none() | places), max_size=40)


@dataclass
class PlainOutline:
    """The same order without any cleverness."""

    lead: int
    places: dict[int, Place] = field(default_factory=dict)

    def lines(self) -> list[OutlineLine]:
        lines: list[OutlineLine] = [Lead(number) for number in range(self.lead)]
        for group in TaskGroup:
            ids = sorted(
                (each for each in self.places if self.places[each].group is group),
                key=lambda each: (self.places[each].key, each),
            )
            if not ids:
                continue
            shown = ids[:LIMIT] if group is TaskGroup.DONE else ids
            lines += [Gap(), Heading(group, len(ids)), *map(TaskLine, shown)]
            if len(shown) < len(ids):
                lines.append(More(group, len(ids) - len(shown)))
        return lines


@given(steps, st.integers(0, 3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_whatever_comes_and_goes_every_line_and_row_is_where_a_sorted_copy_has_it(
    changes: list[tuple[int, Place | None]], lead: int, loads: bool
) -> None:
    outline = TaskOutline(shown_at_most={TaskGroup.DONE: LIMIT})
    outline.lead = lead
    plain = PlainOutline(lead)
    for task_id, place in changes:
        if place is None:
            plain.places.pop(task_id, None)
            outline.remove(task_id)
        else:
            plain.places[task_id] = place
            outline.put(task_id, place)
    if loads:
        outline.load(plain.places.items())

    expected = plain.lines()
    assert outline.height == len(expected)
    assert list(outline.lines(0, len(expected) + 5)) == expected
    assert len(outline) == len(plain.places)
    rows = [line.task_id for line in expected if isinstance(line, TaskLine)]
    assert outline.row_count == len(rows)
    assert [outline.task_at_row(row) for row in range(len(rows))] == rows
    for number, line in enumerate(expected):
        assert outline.line(number) == line
        below = [each.task_id for each in expected[number:] if isinstance(each, TaskLine)]
        nearest = below[0] if below else (rows[-1] if rows else None)
        assert outline.task_near_line(number) == nearest
        if isinstance(line, TaskLine):
            assert outline.line_of(line.task_id) == number
            assert outline.row_of(line.task_id) == rows.index(line.task_id)
    for task_id in plain.places.keys() - set(rows):
        assert outline.line_of(task_id) is None
        assert outline.row_of(task_id) is None


@given(steps, st.integers(0, 30), st.integers(0, 8))
@settings(max_examples=40, deadline=None)
def test_a_window_of_lines_is_a_piece_of_all_lines(
    changes: list[tuple[int, Place | None]], first: int, count: int
) -> None:
    outline = TaskOutline(shown_at_most={TaskGroup.DONE: LIMIT})
    outline.lead = 2
    for task_id, place in changes:
        if place is not None:
            outline.put(task_id, place)
    everything = list(outline.lines(0, 100))
    assert list(outline.lines(first, count)) == everything[first : first + count]


def test_a_list_without_tasks_has_no_row_and_no_line() -> None:
    outline = TaskOutline()
    assert outline.height == 0
    assert outline.line(0) is None
    assert outline.line(-1) is None
    assert outline.task_at_row(0) is None
    assert outline.task_near_line(4) is None


def test_putting_a_task_where_it_is_changes_nothing() -> None:
    outline = TaskOutline()
    outline.put(1, Place(TaskGroup.NEXT, (1,)))
    version = outline.version
    outline.put(1, Place(TaskGroup.NEXT, (1,)))
    assert outline.version == version
