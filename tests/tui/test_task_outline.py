"""The order of the list: its lines and rows, subtasks below their parents, and folds."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.domain.urgency import TaskGroup
from todo_tui.tui.task_list.outline import (
    SECTIONS,
    GapLine,
    HeadingLine,
    MessageLine,
    MoreLine,
    NoteLine,
    OutlineBlock,
    OutlineLine,
    Section,
    TaskLine,
    TaskOutline,
)

LIMIT = 3
NAMED = Section((1,), "NEXT")
FLAT = (Section((0, "nameless")), NAMED, Section((1, "b"), "DONE", shown_at_most=LIMIT))
CUT = SECTIONS[TaskGroup.NONE]._replace(shown_at_most=99)
GROUPS = (SECTIONS[TaskGroup.TODAY], SECTIONS[TaskGroup.NEXT], CUT, SECTIONS[TaskGroup.DONE])


class Row(NamedTuple):
    """A row of the store."""

    section: Section
    task_id: int
    parent: int | None = None
    depth: int = 0


def built(
    rows: list[Row],
    folded: frozenset[int] = frozenset(),
    *,
    kept: Collection[int] = (),
    before: TaskOutline | None = None,
) -> TaskOutline:
    blocks = [OutlineBlock(row.section, (row.task_id,), row.depth) for row in rows]
    parents = {row.task_id: row.parent for row in rows if row.parent is not None}
    return TaskOutline.build(blocks, parents, folded, kept=kept, before=before)


flat_ids = st.tuples(*(st.lists(st.integers(1, 9), unique=True, max_size=7) for _ in FLAT))


def flat_rows(ids: tuple[list[int], ...]) -> list[Row]:
    return [
        Row(section, each) for section, several in zip(FLAT, ids, strict=True)
        for each in several
    ]  # fmt: skip


def expected_lines(ids: tuple[list[int], ...], lead: int) -> list[OutlineLine]:
    lines: list[OutlineLine] = [MessageLine(number) for number in range(lead)]
    for section, several in zip(FLAT, ids, strict=True):
        if not several:
            continue
        shown = several[: section.shown_at_most]
        lines += [GapLine(), *([HeadingLine(section, len(several))] if section.label else [])]
        lines += map(TaskLine, shown)
        if len(shown) < len(several):
            lines.append(MoreLine(section, len(several) - len(shown)))
    return lines


@given(flat_ids, st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_every_line_and_row_is_where_a_plain_list_has_it(
    ids: tuple[list[int], ...], lead: int
) -> None:
    outline = built(flat_rows(ids))
    outline.lead = lead
    expected = expected_lines(ids, lead)
    assert outline.height == len(expected)
    assert list(outline.lines(0, len(expected) + 5)) == expected
    assert outline.count == len({each for several in ids for each in several})
    rows = [line.task_id for line in expected if isinstance(line, TaskLine)]
    assert outline.row_count == len(rows)
    assert [outline.task_at_row(row) for row in range(len(rows))] == rows
    assert list(outline.shown_ids()) == rows
    for number, line in enumerate(expected):
        assert outline.line(number) == line
        below = [each.task_id for each in expected[number:] if isinstance(each, TaskLine)]
        nearest = below[0] if below else (rows[-1] if rows else None)
        assert outline.task_at_row(outline.row_near_line(number)) == nearest
        if isinstance(line, TaskLine):
            row = len(rows) - len(below)
            assert row in outline.rows_of(line.task_id)
            assert outline.row_of(line.task_id, near=row) == row
            assert outline.line_at_row(row) == number
            assert outline.row_near_line(number) == row


@given(flat_ids, st.integers(0, 30), st.integers(0, 8))
@settings(max_examples=40, deadline=None)
def test_a_window_of_lines_is_a_piece_of_all_lines(
    ids: tuple[list[int], ...], first: int, count: int
) -> None:
    outline = built(flat_rows(ids))
    outline.lead = 2
    everything = list(outline.lines(0, 100))
    assert list(outline.lines(first, count)) == everything[first : first + count]


def test_a_list_without_tasks_has_no_row_and_no_line() -> None:
    outline = TaskOutline()
    assert outline.height == 0
    assert outline.line(0) is None
    assert outline.line(-1) is None
    assert outline.task_at_row(0) is None
    assert outline.row_near_line(4) == 0


@st.composite
def families(draw: st.DrawFn) -> list[Row]:
    """Tasks in some order in four sections, some with a parent: always one of a lower number."""
    count = draw(st.integers(1, 14))
    rows = [
        Row(
            draw(st.sampled_from(GROUPS)),
            number,
            draw(st.none() | st.integers(1, number - 1)) if number > 1 else None,
        )
        for number in range(1, count + 1)
    ]
    return sorted(draw(st.permutations(rows)), key=lambda row: row.section.order)


def drawn(outline: TaskOutline) -> list[tuple[int, int]]:
    """Every row from the top: the task and how far it stands in."""
    lines = outline.lines(0, outline.height)
    return [(line.task_id, line.depth) for line in lines if isinstance(line, TaskLine)]


def nested(rows: list[Row], parent: int | None, depth: int) -> list[tuple[int, int]]:
    """The same tree, written down plainly."""
    sections = {row.task_id: row.section for row in rows}
    found = []
    for row in rows:
        above = sections.get(row.parent or 0)
        may_join = above == row.section or (
            above is not None
            and above is not CUT
            and (row.section.is_closed or not above.is_closed)
        )
        if (row.parent if may_join else None) == parent:
            found += [(row.task_id, depth), *nested(rows, row.task_id, depth + 1)]
    return found


@settings(max_examples=60, deadline=None)
@given(families())
def test_subtasks_are_below_their_parents_in_the_order_given(rows: list[Row]) -> None:
    outline = built(rows)
    assert drawn(outline) == nested(rows, None, 0)
    for row, (task_id, depth) in enumerate(drawn(outline)):
        parent = next(each.parent for each in rows if each.task_id == task_id)
        assert outline.parent_at_row(row) == (parent if depth else None)


@settings(max_examples=60, deadline=None)
@given(families(), st.data())
def test_folding_hides_what_is_below_and_unfolding_brings_it_back(
    rows: list[Row], data: st.DataObject
) -> None:
    outline = built(rows)
    before = drawn(outline)
    at = data.draw(st.sampled_from(range(len(before))))
    chosen, depth = before[at]
    below = 0
    while at + below + 1 < len(before) and before[at + below + 1][1] > depth:
        below += 1
    assert outline.has_below(chosen) == bool(below)
    folded = outline.with_folds(frozenset({chosen}))
    assert drawn(folded) == [*before[: at + 1], *before[at + 1 + below :]]
    assert drawn(built(rows, frozenset({chosen}))) == drawn(folded)
    assert folded.count == sum(count for _, count in folded.sections) == len(rows)
    assert drawn(folded.with_folds(frozenset())) == before


@settings(max_examples=60, deadline=None)
@given(families(), st.data())
def test_a_task_that_is_kept_stays_where_it_was(rows: list[Row], data: st.DataObject) -> None:
    before = built(rows)
    kept = data.draw(st.sets(st.sampled_from([row.task_id for row in rows])))
    gone = [row for row in rows if row.task_id not in kept]
    assert drawn(built(gone, kept=kept, before=before)) == drawn(before)
    moved = [row._replace(section=GROUPS[1]) if row.task_id in kept else row for row in rows]
    moved.sort(key=lambda row: row.section.order)
    assert drawn(built(moved, kept=kept, before=before)) == drawn(before)


def test_subtasks_are_below_each_row_of_their_parent() -> None:
    rows = [
        Row(GROUPS[0], 1), Row(GROUPS[0], 2, 1), Row(GROUPS[1], 1),
        Row(GROUPS[1], 3, 1),
    ]  # fmt: skip
    outline = built(rows)
    assert drawn(outline) == [(1, 0), (2, 1), (3, 1)] * 2
    assert outline.count == 3
    # A heading counts its own tasks and, apart from them, subtasks from other sections.
    headings = [each for each in outline.lines(0, 99) if isinstance(each, HeadingLine)]
    assert [(each.count, each.subtasks) for each in headings] == [(2, 1), (2, 1)]
    assert outline.home_of(3) == GROUPS[1]


def test_open_tasks_below_a_parent_elsewhere_are_counted_in_its_heading() -> None:
    late, undated, done = (
        SECTIONS[group] for group in (TaskGroup.OVERDUE, TaskGroup.NONE, TaskGroup.DONE)
    )
    rows = [
        Row(late, 2, 1), Row(late, 5), Row(undated, 1), Row(undated, 3, 1), Row(done, 4, 1)
    ]  # fmt: skip
    outline = built(rows)
    outline.minutes = {2: 30, 3: 15}
    lines = list(outline.lines(0, 9))
    assert lines[1:3] == [HeadingLine(late, 1, elsewhere=1), TaskLine(5)]
    assert next(outline.lines(1, 1, frozenset((2,)))) == HeadingLine(late, 1)
    assert lines[4:] == [
        HeadingLine(undated, 2, 45, subtasks=1, overdue=1), TaskLine(1, 0, folded=False),
        TaskLine(2, 1), TaskLine(3, 1), TaskLine(4, 1),
    ]  # fmt: skip
    assert outline.sections == [(late, 2), (undated, 2), (done, 1)]


def test_a_heading_does_not_count_tasks_that_only_wait_to_leave() -> None:
    late, done = SECTIONS[TaskGroup.OVERDUE], SECTIONS[TaskGroup.DONE]
    before = built([Row(late, 1), Row(late, 2), Row(late, 3, 1)])
    before.minutes = {1: 10, 2: 20, 3: 40}
    just_done = frozenset((1, 3))
    assert list(before.lines(1, 1)) == [HeadingLine(late, 3, 70)]
    assert list(before.lines(1, 1, just_done)) == [HeadingLine(late, 1, 20)]
    # Read again, whether among the done tasks or no more: only a list of all keeps them.
    for rows, count in (
        ([Row(late, 2)], 1),
        ([Row(late, 2), Row(done, 1), Row(done, 3)], 1),
        ([Row(late, 1), Row(late, 2), Row(late, 3, 1)], 3),
    ):
        outline = built(rows, kept=just_done, before=before)
        assert next(outline.lines(1, 1, just_done)) == HeadingLine(late, count)


@given(flat_ids, st.integers(0, 3), st.sets(st.integers(1, 9)))
@settings(max_examples=60, deadline=None)
def test_notes_are_lines_of_their_own_below_the_rows(
    ids: tuple[list[int], ...], lead: int, noted: set[int]
) -> None:
    outline = built(flat_rows(ids))
    outline.lead = lead
    plain = list(outline.lines(0, 99))
    outline.put_notes_below(noted)
    expected: list[OutlineLine] = []
    for line in plain:
        expected.append(line)
        if isinstance(line, TaskLine) and line.task_id in noted:
            expected.append(NoteLine(line.task_id, line.depth))
    assert list(outline.lines(0, 99)) == expected
    assert outline.height == len(expected)
    row = -1
    for number, each in enumerate(expected):
        if isinstance(each, TaskLine):
            row += 1
            assert outline.line_at_row(row) == number
        if isinstance(each, TaskLine | NoteLine):
            assert outline.row_near_line(number) == row


def test_a_subtask_stands_in_from_its_parent_wherever_that_stands() -> None:
    rows = [Row(NAMED, 1, None, 3), Row(NAMED, 2, 1, 1), Row(NAMED, 3, 2, 1)]
    assert drawn(built(rows)) == [(1, 3), (2, 4), (3, 5)]
