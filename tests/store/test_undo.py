"""Undo and redo by batch."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.blank import blank
from tests.store.opened import add, day, opened, ops, titles, user_context
from todo_tui.domain.changes import (
    ChangeContext,
    ChangeKind,
    FieldConflict,
    SubtaskPolicy,
    UndoReport,
)
from todo_tui.domain.errors import TodoError
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.task import Actor, Priority, Status, Task
from todo_tui.store.store import Store


def undo(store: Store) -> list[ChangeKind]:
    return [change.kind for change in store.tasks.undo(by=user_context(store)).changes]


def redo(store: Store) -> list[ChangeKind]:
    return [change.kind for change in store.tasks.redo(by=user_context(store)).changes]


def test_undo_takes_back_a_whole_batch(store: Store) -> None:
    gesture = store.new_change_context(Actor.ASSISTANT, "turn")
    store.tasks.add({"title": "a"}, by=gesture)
    store.tasks.add({"title": "b"}, by=gesture)
    store.tasks.update([1], {"title": "c"}, by=gesture)
    assert undo(store) == [ChangeKind.PURGED, ChangeKind.PURGED]
    assert titles(store, "all or trash") == []
    assert redo(store) == [ChangeKind.ADDED, ChangeKind.ADDED]
    assert titles(store) == ["c", "b"]


def test_a_turn_is_undone_while_all_of_its_changes_are(store: Store) -> None:
    def undone() -> set[str]:
        changing = store.turns.changing(["turn", "other", "none"])
        assert changing.keys() == {"turn", "other"}
        return {turn_id for turn_id, is_undone in changing.items() if is_undone}

    gesture = store.new_change_context(Actor.ASSISTANT, "turn")
    store.tasks.add({"title": "a"}, by=gesture)
    store.tasks.update([1], {"priority": Priority.HIGH}, by=gesture)
    other = store.new_change_context(Actor.ASSISTANT, "other")
    add(store, "b")
    store.tasks.update([2], {"due": day("2026-11-20")}, by=other)
    assert undone() == set()
    undo(store)
    assert undone() == {"other"}
    redo(store)
    assert undone() == set()
    undo(store)
    undo(store)
    undo(store)
    assert undone() == {"turn", "other"}


def test_repeated_undo_goes_further_back_and_redo_returns(store: Store) -> None:
    add(store, "a")
    for title in ("b", "c", "d"):
        store.tasks.update([1], {"title": title}, by=user_context(store))
    seen = []
    while undo(store):
        seen.append(titles(store))
    assert seen == [["c"], ["b"], ["a"], []]
    seen = []
    while redo(store):
        seen.append(titles(store))
    assert seen == [["a"], ["b"], ["c"], ["d"]]


def test_undo_and_redo_interleave(store: Store) -> None:
    add(store, "a")
    for title in ("b", "c"):
        store.tasks.update([1], {"title": title}, by=user_context(store))
    undo(store)
    undo(store)
    redo(store)
    assert titles(store) == ["b"]
    undo(store)
    assert titles(store) == ["a"]
    redo(store)
    redo(store)
    assert titles(store) == ["c"]
    assert redo(store) == []
    undo(store)
    assert titles(store) == ["b"]


def test_a_new_change_ends_redo_but_not_undo(store: Store) -> None:
    add(store, "a")
    store.tasks.update([1], {"title": "b"}, by=user_context(store))
    undo(store)
    store.tasks.update([1], {"title": "c"}, by=user_context(store))
    assert redo(store) == []
    undo(store)
    assert titles(store) == ["a"]
    undo(store)
    assert titles(store) == []
    assert undo(store) == []


def test_with_nothing_to_undo_or_redo_the_report_is_empty(store: Store) -> None:
    assert undo(store) == []
    assert redo(store) == []
    add(store, "a")
    assert redo(store) == []


def test_undo_survives_a_restart_and_works_from_another_process(path: Path) -> None:
    with opened(path) as store:
        add(store, "a")
        store.tasks.delete([1], by=user_context(store))
    with opened(path) as first, opened(path) as second:
        assert undo(first) == [ChangeKind.RESTORED]
        assert redo(second) == [ChangeKind.DELETED]
        assert undo(first) == [ChangeKind.RESTORED]
        assert titles(second) == ["a"]


def test_a_field_that_was_changed_since_is_left_and_reported(store: Store) -> None:
    turn = store.new_change_context(Actor.ASSISTANT, "turn")
    task = add(store, "a")
    store.tasks.update([task.id], {"title": "b", "priority": Priority.HIGH}, by=turn)
    store.tasks.update([task.id], {"title": "mine"}, by=user_context(store))
    store.tasks.update([task.id], {"notes": "from the turn"}, by=turn)
    report = store.tasks.undo(by=user_context(store))
    assert report.conflicts == (FieldConflict(task.id, "mine", "title"),)
    kept = store.tasks.get(task.id)
    assert (kept.title, kept.priority, kept.notes) == ("mine", None, "")
    store.tasks.redo(by=user_context(store))
    again = store.tasks.get(task.id)
    assert (again.title, again.priority, again.notes) == ("mine", Priority.HIGH, "from the turn")


def test_a_new_task_that_was_worked_on_since_stays_whole(store: Store) -> None:
    turn = store.new_change_context(Actor.ASSISTANT, "turn")
    task = store.tasks.add({"title": "a", "due": day("2026-11-20")}, by=turn)
    store.tasks.update([task.id], {}, add_tags=["mine"], by=user_context(store))
    other = store.tasks.add({"title": "b"}, by=turn)
    report = store.tasks.undo(by=user_context(store))
    assert report.conflicts == (FieldConflict(task.id, "a", "tags"),)
    assert [change.task.id for change in report.changes] == [other.id]
    assert store.tasks.get(task.id).due == day("2026-11-20")
    assert undo(store) == [ChangeKind.UPDATED]
    assert store.tasks.get(task.id).tags == ()


def test_what_a_turn_writes_after_it_was_undone_is_a_batch_of_its_own(store: Store) -> None:
    turn = store.new_change_context(Actor.ASSISTANT, "turn")
    store.tasks.add({"title": "a"}, by=turn)
    undo(store)
    store.tasks.add({"title": "b"}, by=turn)
    assert titles(store) == ["b"]
    assert redo(store) == []
    undo(store)
    assert titles(store) == []
    assert redo(store) == [ChangeKind.ADDED]
    assert titles(store) == ["b"]
    assert {op["turn_id"] for op in ops(store) if op["actor"] == "assistant"} == {"turn"}


def test_undo_within_the_gesture_that_wrote_closes_its_batch(store: Store) -> None:
    turn = store.new_change_context(Actor.ASSISTANT, "turn")
    store.tasks.add({"title": "a"}, by=turn)
    store.tasks.undo(by=turn)
    store.tasks.undo(by=turn)
    store.tasks.add({"title": "b"}, by=turn)
    assert titles(store) == ["b"]
    undo(store)
    assert titles(store) == []


def test_each_inverse_names_what_it_undoes(store: Store) -> None:
    add(store, "a", tags=("x",))
    store.tasks.update([1], {"title": "b"}, remove_tags=["x"], by=user_context(store))
    undo(store)
    logged = ops(store)
    undone = {op["undoes"]: op for op in logged if op["undoes"]}
    originals = [op for op in logged if op["op_id"] in undone]
    assert [(op["kind"], op["field"]) for op in originals] == [("set", "title"), ("remove", "tags")]
    for op in originals:
        inverse = undone[op["op_id"]]
        assert (inverse["old"], inverse["new"]) == (op["new"], op["old"])
    assert len({op["batch"] for op in logged}) == 3


def test_undo_passes_over_what_was_purged(store: Store) -> None:
    add(store, "a")
    add(store, "b")
    store.tasks.update([2], {"title": "c"}, by=user_context(store))
    undo(store)
    store.tasks.purge([2], by=user_context(store))
    assert undo(store) == [ChangeKind.PURGED]
    assert titles(store) == []
    assert redo(store) == [ChangeKind.ADDED]
    assert titles(store) == ["a"]


def test_users_have_an_undo_of_their_own(path: Path) -> None:
    with opened(path, user="ann") as ann, opened(path, user="bob") as bob:
        add(ann, "hers")
        add(bob, "his")
        assert undo(ann) == [ChangeKind.PURGED]
        assert undo(ann) == []
        assert titles(bob) == ["his"]


def state(store: Store) -> dict[int, tuple[object, ...]]:
    """Everything that undo promises to bring back."""
    wanted = parse_query("all or trash", store.clock.now(), store.style).filter
    return {task.id: _values(task) for task in store.tasks.list(wanted).tasks}


def _values(task: Task) -> tuple[object, ...]:
    values = task.to_json()
    del values["updated_at"]
    return tuple(values.items())


_ACTS = st.lists(
    st.tuples(
        st.sampled_from(
            ["add", "repeat", "title", "tag", "untag", "due", "complete", "reopen", "delete",
             "restore", "block", "parent", "annotate", "status", "skip", "end", "move", "nest",
             "close", "reword"]
        ),
        st.integers(0, 3),
        st.integers(0, 3),
        st.booleans(),
    ),
    min_size=1,
    max_size=14,
)  # fmt: skip


def act(  # noqa: C901 - one case a kind of act
    store: Store, kind: str, which: int, other: int, by: ChangeContext
) -> None:
    ids = sorted(state(store))
    tasks = store.tasks
    if kind == "add" or not ids:
        tasks.add({"title": f"task {which}", "tags": (f"t{other}",)}, by=by)
        return
    task_id, other_id = ids[which % len(ids)], ids[other % len(ids)]
    try:
        match kind:
            case "repeat":
                due = day("2026-11-20")
                tasks.update([task_id], {"recurrence": "FREQ=WEEKLY", "due": due}, by=by)
            case "title":
                tasks.update([task_id], {"title": f"new {other}"}, by=by)
            case "tag":
                tasks.update([task_id], {}, add_tags=[f"t{other}"], by=by)
            case "untag":
                tasks.update([task_id], {}, remove_tags=[f"t{other}"], by=by)
            case "due":
                tasks.update([task_id], {"due": day(f"2026-11-2{other}T10:00")}, by=by)
            case "complete":
                tasks.complete([task_id], by=by, children=SubtaskPolicy.LEAVE)
            case "close":
                tasks.complete([task_id, other_id], by=by, children=SubtaskPolicy.CLOSE)
            case "skip":
                tasks.skip([task_id], by=by, missed=bool(other % 2))
            case "end":
                tasks.end_series([task_id], by=by)
            case "move":
                tasks.move([task_id], before=other_id, by=by)
            case "nest":
                tasks.move([task_id], under=other_id, by=by)
            case "reopen":
                tasks.reopen([task_id], by=by)
            case "delete":
                tasks.delete([task_id, other_id], by=by)
            case "restore":
                tasks.restore([task_id], by=by)
            case "block":
                tasks.update([task_id], {}, add_blockers=[other_id], by=by)
            case "parent":
                tasks.update([task_id], {"parent": other_id}, by=by)
            case "annotate":
                tasks.annotate(task_id, "remark", by=by)
            case "reword":
                remarks = tasks.get(task_id).annotations
                for remark in remarks[:1]:
                    tasks.annotate(task_id, f"remark {other}", present=remark, by=by)
                for remark in remarks[1:]:
                    tasks.annotate(task_id, None, present=remark, by=by)
            case "status":
                status = list(Status)[other]
                tasks.update([task_id], {"status": status}, by=by, children=SubtaskPolicy.CLOSE)
    except TodoError:
        return


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(acts=_ACTS)
def test_undoing_everything_is_the_start_and_redoing_everything_the_end(
    acts: list[tuple[str, int, int, bool]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(blank(Path(folder, "t.db"))) as store:
        states = [state(store)]
        gesture = user_context(store)
        for kind, which, other, same_batch in acts:
            if not same_batch:
                gesture = user_context(store)
            before = state(store)
            act(store, kind, which, other, gesture)
            if state(store) != before:
                if same_batch and len(states) > 1:
                    states.pop()
                states.append(state(store))
        seen = [state(store)]
        while store.tasks.undo(by=user_context(store)).changes:
            seen.append(state(store))
        assert seen[-1] == states[0]
        for remembered in reversed(seen[:-1]):
            report = store.tasks.redo(by=user_context(store))
            assert not report.conflicts
            assert state(store) == remembered
        assert not store.tasks.redo(by=user_context(store)).changes
        assert state(store) == states[-1]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(acts=st.lists(st.tuples(_ACTS.map(lambda acts: acts[0]), st.integers(0, 2)), max_size=14))
def test_batches_that_interleave_are_undone_and_redone_to_the_same_end(
    acts: list[tuple[tuple[str, int, int, bool], int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(blank(Path(folder, "t.db"))) as store:
        gestures = [user_context(store) for _ in range(3)]
        for (kind, which, other, _), gesture in acts:
            act(store, kind, which, other, gestures[gesture])
        end = state(store)
        for steps in (1, 2, 99):
            taken = 0
            while taken < steps and _did(store.tasks.undo(by=user_context(store))):
                taken += 1
            while _did(store.tasks.redo(by=user_context(store))):
                pass
            assert state(store) == end


def _did(report: UndoReport) -> bool:
    return bool(report.changes)


def test_a_batch_that_later_changes_leave_nothing_of_is_passed_over(store: Store) -> None:
    def turn(name: str) -> ChangeContext:
        return store.new_change_context(Actor.ASSISTANT, name)

    store.tasks.add({"title": "chorus"}, by=turn("first"))
    store.tasks.update([1], {"priority": Priority.HIGH}, by=turn("second"))
    store.tasks.add({"title": "picks"}, by=turn("third"))
    store.tasks.undo_turn("first", by=user_context(store), overwrite=True)
    store.tasks.redo(by=turn("fourth"))
    store.tasks.undo_turn("second", by=user_context(store), overwrite=True)
    store.tasks.redo(by=turn("fifth"))
    assert undo(store) == [ChangeKind.UPDATED]
    # The priority has changed since the redo of the first, which is not the newest addition.
    report = store.tasks.undo(by=user_context(store))
    assert (report.conflicts, [each.task.title for each in report.changes]) == ((), ["picks"])
    assert store.change_log.entries(limit=1)[0].summary == "Undo: Removed picks"
    redone = [each for each in store.change_log.entries() if each.summary == "Redo: Added chorus"]
    assert [each.is_undone for each in redone] == [False]
    assert undo(store) == [ChangeKind.PURGED]
    assert titles(store, "all or trash") == []
    assert undo(store) == []
    seen = []
    while redo(store):
        seen.append((titles(store), store.tasks.get(1).priority))
    assert seen == [
        (["chorus"], None), (["chorus", "picks"], None), (["chorus", "picks"], Priority.HIGH),
    ]  # fmt: skip


def test_an_undo_without_effect_is_not_recorded(store: Store) -> None:
    to_and_fro = user_context(store)
    store.tasks.add({"title": "a"}, by=store.new_change_context(Actor.IMPORT, "import"))
    for title in ("b", "a"):
        store.tasks.update([1], {"title": title}, by=to_and_fro)
    store.tasks.update([1], {}, add_tags=["x"], by=to_and_fro)
    store.tasks.update([1], {}, remove_tags=["x"], by=to_and_fro)
    store.tasks.update([1], {"notes": "n"}, by=user_context(store))
    store.tasks.undo_turn("import", by=user_context(store), overwrite=True)
    store.tasks.redo(by=user_context(store))
    logged = len(ops(store))
    for report in (
        store.tasks.undo_batch(to_and_fro.batch, by=user_context(store)),
        store.tasks.redo(by=user_context(store)),
    ):
        assert report.changes == ()
    assert len(ops(store)) == logged
    assert not any(each.is_undone for each in store.change_log.entries() if each.kind == "do")


def test_a_batch_that_left_a_task_as_it_was_is_never_inverted(store: Store) -> None:
    add(store, "a")
    store.tasks.complete([1], by=user_context(store))
    again = user_context(store)
    store.tasks.reopen([1], by=again)
    store.tasks.complete([1], by=again)
    assert undo(store) == [ChangeKind.REOPENED]
    assert undo(store) == [ChangeKind.PURGED]
    assert undo(store) == []


_INVERSIONS = ("undo", "redo", "undo turn", "overwrite", "undo batch")


@settings(max_examples=35, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    acts=st.lists(
        st.tuples(
            st.sampled_from(
                ["add", "title", "tag", "untag", "due", "complete", "reopen", "delete", "block",
                 "undo", "redo", *_INVERSIONS]
            ),
            st.integers(0, 1),
            st.integers(0, 4),
        ),
        min_size=6,
        max_size=24,
    )
)  # fmt: skip
def test_an_undo_writes_what_it_reports_and_redo_brings_the_state_before(
    acts: list[tuple[str, int, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(blank(Path(folder, "t.db"))) as store:
        for place, (kind, which, other) in enumerate(acts):
            before, entries = state(store), store.change_log.entries()
            if kind not in _INVERSIONS:
                # Some turns have several batches.
                turn = store.new_change_context(Actor.ASSISTANT, f"turn {place % 5}")
                act(store, kind, which, other % 4, turn)
                continue
            report = _invert(store, kind, other)
            written = store.change_log.entries(limit=len(store.change_log.entries()) - len(entries))
            assert bool(report.changes) is bool(written)
            if not written:
                assert state(store) == before
                assert store.change_log.entries() == entries
            elif all(each.kind == "undo" for each in written):
                after = state(store)
                for again, expected in ((store.tasks.redo, before), (store.tasks.undo, after)):
                    for _ in written:
                        assert _did(again(by=user_context(store)))
                    assert state(store) == expected


def _invert(store: Store, kind: str, other: int) -> UndoReport:
    """Undo or redo; the preview, if there is one, must agree."""
    by, tasks = user_context(store), store.tasks
    match kind:
        case "undo" | "redo":
            preview = store.preview_undo(None, redo=kind == "redo")
            only = preview.batch if preview else None
            report = (tasks.undo if kind == "undo" else tasks.redo)(by=by, only=only)
            assert _did(report) is (preview is not None)
            return report
        case "undo batch":
            batches = [each.batch for each in reversed(store.change_log.entries())]
            return (
                tasks.undo_batch(batches[other % len(batches)], by=by) if batches else UndoReport()
            )
        case _:
            turn_id, overwrite = f"turn {other}", kind == "overwrite"
            expected = tasks.undo_turn(turn_id, by=by, overwrite=overwrite, preview=True)
            report = tasks.undo_turn(turn_id, by=by, overwrite=overwrite)
            assert len(report.changes) == len(expected.changes)
            assert report.conflicts == expected.conflicts
            return report


def test_what_an_undo_or_redo_would_touch_is_known_before(store: Store) -> None:
    def touched(*, redo: bool = False) -> tuple[tuple[int, str, str], ...]:
        preview = store.preview_undo(None, redo=redo)
        return preview.tasks if preview else ()

    assert touched() == ()
    one, two = add(store, "one"), add(store, "two")
    store.tasks.update([one.id, two.id], {"priority": Priority.HIGH}, by=user_context(store))
    assert touched() == ((1, "one", "Changed"), (2, "two", "Changed"))
    assert touched(redo=True) == ()
    store.tasks.undo(by=user_context(store))
    assert touched() == ((2, "two", "Added"),)
    assert touched(redo=True) == ((1, "one", "Changed"), (2, "two", "Changed"))
    store.tasks.complete([one.id], by=user_context(store))
    assert touched() == ((1, "one", "Completed"),)
    store.tasks.delete([one.id], by=user_context(store))
    assert touched() == ((1, "one", "Deleted"),)
    store.tasks.undo(by=user_context(store))
    assert touched(redo=True) == ((1, "one", "Deleted"),)


def test_what_another_user_would_undo_is_not_seen(path: Path) -> None:
    with opened(path) as ann, opened(path, user="bob") as bob:
        add(ann, "one")
        assert bob.preview_undo(None) is None


def test_the_changes_of_an_earlier_turn_are_undone_alone(store: Store) -> None:
    first = store.new_change_context(Actor.ASSISTANT, "first")
    store.tasks.add_many([{"title": "a"}, {"title": "b"}], by=first)
    second = store.new_change_context(Actor.ASSISTANT, "second")
    store.tasks.add({"title": "c"}, by=second)
    # A turn may have several batches: an undo within it begins another one.
    store.tasks.update([1], {"title": "a2", "priority": Priority.HIGH}, by=second)
    store.tasks.update([2], {"title": "b2"}, by=store.new_change_context(Actor.ASSISTANT, "second"))
    store.tasks.update([1], {"title": "mine"}, by=user_context(store))
    preview = store.tasks.undo_turn("second", by=user_context(store), preview=True)
    assert (titles(store), store.tasks.get(1).priority) == (["mine", "b2", "c"], Priority.HIGH)
    report = store.tasks.undo_turn("second", by=user_context(store))
    assert [change.task for change in report.changes] == [change.task for change in preview.changes]
    assert report.conflicts == preview.conflicts == (FieldConflict(1, "mine", "title"),)
    assert (titles(store), store.tasks.get(1).priority) == (["mine", "b"], None)
    again = store.tasks.undo_turn("second", by=user_context(store))
    assert again == UndoReport((), (FieldConflict(1, "mine", "title"),))
    # Each batch is a step of its own for redo; undo goes on to what is not undone.
    redo(store)
    assert titles(store) == ["mine", "b", "c"]
    redo(store)
    assert titles(store) == ["mine", "b2", "c"]
    assert redo(store) == []
    store.tasks.undo_turn("second", by=user_context(store))
    undo(store)
    assert titles(store) == ["a2", "b"]


def test_what_changed_since_is_overwritten_on_request(store: Store) -> None:
    store.tasks.add({"title": "old"}, by=user_context(store))
    turn = store.new_change_context(Actor.ASSISTANT, "turn")
    store.tasks.update([1], {"title": "new", "priority": Priority.HIGH}, by=turn)
    store.tasks.add({"title": "added"}, by=turn)
    store.tasks.update([1], {"title": "mine"}, by=user_context(store))
    store.tasks.update([2], {"notes": "mine"}, by=user_context(store))
    report = store.tasks.undo_turn("turn", by=user_context(store), overwrite=True)
    assert report.conflicts == ()
    assert (titles(store), store.tasks.get(1).priority) == (["old"], None)
    redo(store)
    assert (titles(store), store.tasks.get(1).priority) == (["mine", "added"], Priority.HIGH)
    # What was left alone at first is overwritten by a second undo; redo takes back both.
    store.tasks.undo_turn("turn", by=user_context(store))
    assert (titles(store), store.tasks.get(1).priority) == (["mine", "added"], None)
    store.tasks.undo_turn("turn", by=user_context(store), overwrite=True)
    assert titles(store) == ["old"]
    assert store.turns.changing(["turn"]) == {"turn": True}
    redo(store)
    assert (titles(store), store.tasks.get(1).priority) == (["mine", "added"], None)
    redo(store)
    assert store.tasks.get(1).priority is Priority.HIGH
    assert store.turns.changing(["turn"]) == {"turn": False}


def test_a_turn_that_undid_is_undone_by_redoing(store: Store) -> None:
    add(store, "a")
    turn = store.new_change_context(Actor.ASSISTANT, "turn")
    store.tasks.add({"title": "b"}, by=turn)
    store.tasks.undo(by=turn)
    store.tasks.undo(by=turn)
    store.tasks.add({"title": "c"}, by=turn)
    assert titles(store) == ["c"]
    store.tasks.undo_turn("turn", by=user_context(store))
    assert titles(store) == ["a"]
    assert [each.summary for each in store.change_log.entries(limit=2)] == [
        "Redo: Added a", "Undo: Removed c",
    ]  # fmt: skip
    undo(store)
    assert titles(store) == []
    redo(store)
    redo(store)
    assert titles(store) == ["a", "c"]


class _Steps:
    """Model of undo and redo: the steps that are done and those that redo brings back, in order."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.undone: list[int] = []

    def act(self, kind: str, step: int) -> bool:
        """Apply an act; return False if there is nothing to do."""
        source, sink = self.done, self.undone
        if kind in ("redo", "return"):
            source, sink = sink, source
        match kind:
            case "change":
                self.done.append(step)
                self.undone.clear()
                return True
            case "undo" | "redo" if source:
                sink.append(source.pop())
                return True
            case "undo batch" | "undo turn" if step in self.done:
                self.done.remove(step)
            case "return" if step not in self.done:
                if step in self.undone:
                    self.undone.remove(step)
            case _:
                return False
        sink.append(step)
        return True


def _last_inverse(store: Store, batch: str) -> str:
    inverses = {each.target: each.batch for each in reversed(store.change_log.entries())}
    while batch in inverses:
        batch = inverses[batch]
    return batch


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    acts=st.lists(
        st.tuples(
            st.sampled_from(["change", "undo", "redo", "undo batch", "undo turn", "return"]),
            st.integers(0, 5),
        ),
        min_size=6,
        max_size=16,
    )
)
def test_older_changes_are_undone_in_any_order_and_redone_step_by_step(
    acts: list[tuple[str, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(blank(Path(folder, "t.db"))) as store:
        tasks, steps, batches = store.tasks, _Steps(), list[str]()
        tasks.add({"title": "base"}, by=store.new_change_context(Actor.IMPORT))
        for kind, which in [("change", 0)] * 3 + acts:
            step = len(batches) if kind == "change" else which % len(batches)
            if not steps.act(kind, step):
                continue
            by, turn_id = user_context(store), f"turn {step}"
            match kind:
                case "change":
                    by = store.new_change_context(Actor.ASSISTANT, turn_id)
                    batches.append(by.batch)
                    tasks.update([1], {}, add_tags=[str(step)], by=by)
                    tasks.add({"title": str(step)}, by=by)
                case "undo":
                    tasks.undo(by=by)
                case "redo":
                    tasks.redo(by=by)
                case "undo batch":
                    tasks.undo_batch(batches[step], by=by)
                case "undo turn":
                    tasks.undo_turn(turn_id, by=by)
                case "return":
                    tasks.undo_batch(_last_inverse(store, batches[step]), by=by)
            done = {str(each) for each in steps.done}
            assert set(tasks.get(1).tags) == done
            assert {task.title for task in tasks.find()} == {"base", *done}
            undone = {each.batch for each in store.change_log.entries() if each.is_undone}
            changing = store.turns.changing([f"turn {each}" for each in range(len(batches))])
            for each, batch in enumerate(batches):
                assert (batch in undone) is changing[f"turn {each}"] is (each not in steps.done)


def test_a_task_that_a_turn_added_stays_if_it_was_changed_since(path: Path) -> None:
    with opened(path) as store, opened(path, user="bob") as bob:
        turn = store.new_change_context(Actor.ASSISTANT, "turn")
        store.tasks.add_many([{"title": "a"}, {"title": "b"}], by=turn)
        store.tasks.update([1], {"notes": "mine"}, by=user_context(store))
        assert bob.tasks.undo_turn("turn", by=user_context(bob)) == UndoReport()
        report = store.tasks.undo_turn("turn", by=user_context(store))
        assert [each.field for each in report.conflicts] == ["notes"]
        assert titles(store) == ["a"]


def test_an_undo_says_which_fields_it_changed(store: Store) -> None:
    one, two = add(store, "one"), add(store, "two")
    changes = {"priority": Priority.HIGH, "blocked_by": (one.id,)}
    store.tasks.update([two.id], changes, add_tags=["x"], by=user_context(store))  # type: ignore[arg-type]  # by name
    for invert in (store.tasks.undo, store.tasks.redo):
        report = invert(by=user_context(store))
        assert report.fields == {two.id: {"priority", "blocked_by", "tags"}}


def test_undo_reports_the_oldest_task_first(store: Store) -> None:
    turn = store.new_change_context(Actor.ASSISTANT, "turn")
    store.tasks.add_many([{"title": str(number)} for number in range(1, 9)], by=turn)
    store.tasks.update([2], {"title": "mine"}, by=user_context(store))
    report = store.tasks.undo_turn("turn", by=user_context(store))
    assert [change.task.id for change in report.changes] == [1, 3, 4, 5, 6, 7, 8]
