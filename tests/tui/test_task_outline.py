"""The order of the list, held against a plain sorted copy of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.tui.task_list.outline import (
    GapLine,
    HeadingLine,
    MessageLine,
    MoreLine,
    OutlineLine,
    TaskLine,
    TaskOutline,
    TaskPlace,
)
from todo_tui.tui.views.view import Section

LIMIT = 3
NAMED = Section((1,), "NEXT")
SECTIONS = (Section((0, "nameless")), NAMED, Section((1, "b"), "DONE", shown_at_most=LIMIT))

places = st.dictionaries(st.sampled_from(SECTIONS), st.integers(0, 5), max_size=2).map(
    lambda keys: tuple(TaskPlace(section, (key,)) for section, key in keys.items())
)
steps = st.lists(st.tuples(st.integers(1, 12), places), max_size=40)


@dataclass
class PlainOutline:
    """The same order without any cleverness."""

    lead: int
    places: dict[int, tuple[TaskPlace, ...]] = field(default_factory=dict)

    def lines(self) -> list[OutlineLine]:
        lines: list[OutlineLine] = [MessageLine(number) for number in range(self.lead)]
        for section in SECTIONS:
            entries = sorted(
                (place.key, task_id)
                for task_id, places in self.places.items()
                for place in places
                if place.section == section
            )
            ids = [task_id for _, task_id in entries]
            if not ids:
                continue
            shown = ids[: section.shown_at_most]
            lines += [GapLine(), *([HeadingLine(section, len(ids))] if section.label else [])]
            lines += map(TaskLine, shown)
            if len(shown) < len(ids):
                lines.append(MoreLine(section, len(ids) - len(shown)))
        return lines


@given(steps, st.integers(0, 3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_whatever_comes_and_goes_every_line_and_row_is_where_a_sorted_copy_has_it(
    changes: list[tuple[int, tuple[TaskPlace, ...]]], lead: int, loads: bool
) -> None:
    outline = TaskOutline()
    outline.lead = lead
    plain = PlainOutline(lead)
    for task_id, wanted in changes:
        plain.places.pop(task_id, None)
        if wanted:
            plain.places[task_id] = wanted
        outline.put(task_id, *wanted)
    if loads:
        outline.load((each, place) for each, places in plain.places.items() for place in places)

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
            row = len(rows) - len(below)
            assert number in outline.lines_of(line.task_id)
            assert outline.row_of(line.task_id, near=row) == row
            assert outline.line_at_row(row) == number
            assert outline.row_near_line(number) == row
    for task_id in plain.places.keys() - set(rows):
        assert outline.line_of(task_id) is None
        assert outline.row_of(task_id) is None


@given(steps, st.integers(0, 30), st.integers(0, 8))
@settings(max_examples=40, deadline=None)
def test_a_window_of_lines_is_a_piece_of_all_lines(
    changes: list[tuple[int, tuple[TaskPlace, ...]]], first: int, count: int
) -> None:
    outline = TaskOutline()
    outline.lead = 2
    for task_id, wanted in changes:
        outline.put(task_id, *wanted)
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
    outline.put(1, TaskPlace(NAMED, (1,)))
    version = outline.version
    outline.put(1, TaskPlace(NAMED, (1,)))
    assert outline.version == version
