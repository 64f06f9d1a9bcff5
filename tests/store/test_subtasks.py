"""Subtasks and dependencies: closed, deleted and restored together, at any depth, in no circle."""

from __future__ import annotations

import pytest

from tests.store.opened import add, day, titles, user_context
from todo_tui.domain.changes import ChangeKind, SubtaskPolicy
from todo_tui.domain.errors import Conflict, NotFound, OpenSubtasks, ValidationError
from todo_tui.domain.task import Status, Task, TaskFields
from todo_tui.store.store import Store
from todo_tui.store.tasks.results import DependencyStatus, SubtaskProgress


def family(store: Store) -> None:
    """#1 Trip: #2 Pack (#3 Socks, #4 Shoes), #5 Book; #6 stands alone."""
    for title, parent in (("Trip", None), ("Pack", 1), ("Socks", 2), ("Shoes", 2), ("Book", 1)):
        add(store, title, parent=parent)
    add(store, "Alone")


def below(store: Store, task_id: int) -> list[tuple[int, str]]:
    return [(each.depth, each.task.title) for each in store.tasks.subtree(task_id)]


def chain(store: Store, length: int) -> None:
    """A task below a task below a task…"""
    links: list[TaskFields] = [
        {"title": f"level {number}", "parent": number - 1 if number > 1 else None}
        for number in range(1, length + 1)
    ]
    store.tasks.add_many(links, by=user_context(store))


# --- closing ------------------------------------------------------------------------


def test_completing_a_parent_asks_about_its_open_subtasks_and_writes_nothing(store: Store) -> None:
    family(store)
    store.tasks.complete([4], by=user_context(store))
    with pytest.raises(OpenSubtasks) as question:
        store.tasks.complete([6, 1], by=user_context(store))
    assert question.value.parents == (6, 1)
    assert question.value.subtasks == ((2, "Pack"), (5, "Book"), (3, "Socks"))
    assert "3 open subtasks: #2 Pack, #5 Book, #3 Socks" in str(question.value)
    assert isinstance(question.value, Conflict)
    assert store.tasks.get(6).is_open


def test_subtasks_are_completed_with_their_parent_or_left_open(store: Store) -> None:
    family(store)
    (done,) = store.tasks.complete([2], by=user_context(store), children=SubtaskPolicy.CLOSE)
    assert [task.title for task in done.children] == ["Socks", "Shoes"]
    (done,) = store.tasks.complete([1], by=user_context(store), children=SubtaskPolicy.LEAVE)
    assert done.children == ()
    assert titles(store) == ["Book", "Alone"]
    assert [change.kind for change in store.tasks.undo(by=user_context(store)).changes] == [
        ChangeKind.REOPENED
    ]
    store.tasks.undo(by=user_context(store))
    assert len(titles(store)) == 6


def test_a_parent_whose_subtasks_are_named_or_closed_is_not_asked_about(store: Store) -> None:
    family(store)
    done = store.tasks.complete([1, 5, 4, 3, 2], by=user_context(store))
    assert [each.task.id for each in done] == [1, 5, 4, 3, 2]
    assert titles(store) == ["Alone"]
    assert store.tasks.complete([1], by=user_context(store))[0].task.status is Status.DONE


@pytest.mark.parametrize("status", [Status.DONE, Status.CANCELLED])
def test_a_status_that_closes_asks_too(store: Store, status: Status) -> None:
    family(store)
    with pytest.raises(OpenSubtasks):
        store.tasks.update([1], {"status": status, "title": "x"}, by=user_context(store))
    assert store.tasks.get(1).title == "Trip"
    store.tasks.update(
        [1], {"status": status}, by=user_context(store), children=SubtaskPolicy.CLOSE
    )
    assert {store.tasks.get(each).status for each in range(1, 6)} == {status}


def test_subtasks_in_the_trash_do_not_count(store: Store) -> None:
    family(store)
    store.tasks.delete([2, 5], by=user_context(store))
    (done,) = store.tasks.complete([1], by=user_context(store))
    assert done.children == ()


# --- trash --------------------------------------------------------------------------


def test_deleting_a_parent_takes_what_is_below_and_restoring_brings_it_back(store: Store) -> None:
    family(store)
    deleted = store.tasks.delete([6, 1], by=user_context(store))
    assert [task.title for task in deleted] == ["Alone", "Trip", "Pack", "Book", "Socks", "Shoes"]
    assert titles(store) == []
    restored = store.tasks.restore([1], by=user_context(store))
    assert [task.title for task in restored] == ["Trip", "Pack", "Book", "Socks", "Shoes"]
    assert below(store, 1) == [(1, "Pack"), (2, "Socks"), (2, "Shoes"), (1, "Book")]
    store.tasks.undo(by=user_context(store))
    store.tasks.undo(by=user_context(store))
    assert len(titles(store)) == 6


def test_what_was_deleted_by_itself_before_stays_in_the_trash(store: Store) -> None:
    family(store)
    store.tasks.delete([3], by=user_context(store))
    store.tasks.delete([1], by=user_context(store))
    restored = store.tasks.restore([1], by=user_context(store))
    assert 3 not in {task.id for task in restored}
    store.tasks.restore([3], by=user_context(store))
    assert below(store, 2) == [(1, "Socks"), (1, "Shoes")]


def test_one_subtask_comes_out_of_the_trash_alone(store: Store) -> None:
    family(store)
    store.tasks.delete([1], by=user_context(store))
    assert [task.id for task in store.tasks.restore([2], by=user_context(store))] == [2, 3, 4]
    assert titles(store) == ["Pack", "Socks", "Shoes", "Alone"]


def test_what_came_out_alone_and_was_taken_back_still_belongs_to_the_rest(store: Store) -> None:
    family(store)
    store.tasks.delete([1], by=user_context(store))
    store.tasks.restore([3], by=user_context(store))
    store.tasks.undo(by=user_context(store))
    assert [task.id for task in store.tasks.restore([1], by=user_context(store))] == [1, 2, 5, 3, 4]


def test_nothing_is_put_under_what_is_in_the_trash(store: Store) -> None:
    family(store)
    store.tasks.delete([5], by=user_context(store))
    with pytest.raises(Conflict, match="#5 is in the trash"):
        add(store, "x", parent=5)
    with pytest.raises(Conflict, match="#5 is in the trash"):
        store.tasks.update([6], {"parent": 5}, by=user_context(store))
    with pytest.raises(Conflict, match="#5 is in the trash"):
        store.tasks.move([6], under=5, by=user_context(store))


# --- circles and depth --------------------------------------------------------------


def test_a_circle_of_parts_is_refused_and_named(store: Store) -> None:
    family(store)
    with pytest.raises(ValidationError, match="#1 contains #2, which contains #3"):
        store.tasks.update([1], {"parent": 3}, by=user_context(store))
    with pytest.raises(ValidationError, match="#1 cannot be a subtask of itself"):
        store.tasks.move([1], under=1, by=user_context(store))
    store.tasks.move([2], top=True, by=user_context(store))
    store.tasks.update([1], {"parent": 3}, by=user_context(store))
    assert below(store, 2) == [(1, "Socks"), (2, "Trip"), (3, "Book"), (1, "Shoes")]


def test_a_circle_of_waiting_is_refused_and_named(store: Store) -> None:
    for title in "abcd":
        add(store, title)
    for waiting, blocker in ((1, 2), (2, 3), (2, 4)):
        store.tasks.update([waiting], {}, add_blockers=[blocker], by=user_context(store))
    with pytest.raises(ValidationError, match="#1 is blocked by #2, which is blocked by #4"):
        store.tasks.update([4], {"blocked_by": (3, 1)}, by=user_context(store))
    assert store.tasks.get(4).blocked_by == ()
    with pytest.raises(ValidationError, match="#4 cannot block itself"):
        store.tasks.update([4], {}, add_blockers=[4], by=user_context(store))


def test_a_thousand_levels_are_as_good_as_one(store: Store) -> None:
    chain(store, 1000)
    with pytest.raises(ValidationError, match=r"#1 contains #2, .* 992 more, .* contains #1000"):
        store.tasks.update([1], {"parent": 1000}, by=user_context(store))
    assert store.tasks.dependency_status([1])[1].progress == SubtaskProgress(0, 999)
    assert store.tasks.subtree(1)[-1].depth == 999
    store.tasks.delete([1], by=user_context(store))
    assert len(store.tasks.restore([1], by=user_context(store))) == 1000
    add(store, "home")
    store.tasks.move([1], under=1001, by=user_context(store))
    store.tasks.update([1001], {"recurrence": "FREQ=DAILY"}, by=user_context(store))
    (done,) = store.tasks.complete([1001], by=user_context(store), children=SubtaskPolicy.CLOSE)
    assert (len(done.children), len(done.reopened_subtasks)) == (1000, 1000)
    assert done.next is not None
    assert store.tasks.subtree(done.next.id)[-1].depth == 1000
    for _ in range(6):
        assert store.tasks.undo(by=user_context(store)).changes
    assert store.tasks.list().total == 1000
    for _ in range(6):
        assert store.tasks.redo(by=user_context(store)).changes
    assert store.tasks.list().total == 1001


def test_a_chain_of_a_thousand_that_wait_is_known(store: Store) -> None:
    links: list[TaskFields] = [{"title": "0"}]
    links += [{"title": str(number), "blocked_by": (number,)} for number in range(1, 1000)]
    store.tasks.add_many(links, by=user_context(store))
    with pytest.raises(ValidationError, match="992 more"):
        store.tasks.update([1], {"blocked_by": (1000,)}, by=user_context(store))
    assert len(store.tasks.blocked_ids()) == 999


# --- standing -----------------------------------------------------------------------


def test_progress_counts_what_is_done_at_any_depth(store: Store) -> None:
    family(store)
    store.tasks.complete([3], by=user_context(store))
    store.tasks.update([5], {"status": Status.CANCELLED}, by=user_context(store))
    assert store.tasks.dependency_status([1, 2, 6, 99]) == {
        1: DependencyStatus(progress=SubtaskProgress(1, 3)),
        2: DependencyStatus(progress=SubtaskProgress(1, 2)),
        6: DependencyStatus(),
        99: DependencyStatus(),
    }
    store.tasks.delete([2], by=user_context(store))
    assert store.tasks.dependency_status([1])[1].progress == SubtaskProgress(0, 0)


def waiting(store: Store, *blockers: int) -> Task:
    return add(store, "waits", blocked_by=blockers)


def test_a_task_is_blocked_as_long_as_one_that_it_waits_for_is_open(store: Store) -> None:
    family(store)
    blocked = waiting(store, 3, 4)
    assert store.tasks.blocked_ids() == {blocked.id}
    assert store.tasks.dependency_status([blocked.id, 3])[blocked.id].blocked
    assert [task.id for task in store.tasks.waiting_for(3)] == [blocked.id]
    (done,) = store.tasks.complete([blocked.id], by=user_context(store))
    assert [task.id for task in done.open_blockers] == [3, 4]
    store.tasks.undo(by=user_context(store))
    both = store.tasks.complete([3, blocked.id], by=user_context(store))
    assert [[task.id for task in each.open_blockers] for each in both] == [[], [4]]
    again = store.tasks.complete([blocked.id], by=user_context(store))
    assert again[0].open_blockers == (), "it was done before"
    store.tasks.undo(by=user_context(store))
    (done,) = store.tasks.complete([3], by=user_context(store))
    assert done.unblocked == done.open_blockers == ()
    (done,) = store.tasks.complete([4], by=user_context(store))
    assert [task.id for task in done.unblocked] == [blocked.id]
    assert store.tasks.blocked_ids() == frozenset()
    store.tasks.undo(by=user_context(store))
    assert store.tasks.dependency_status([blocked.id])[blocked.id].blocked
    store.tasks.delete([4], by=user_context(store))
    assert not store.tasks.dependency_status([blocked.id])[blocked.id].blocked


def test_each_unblocked_task_is_reported_once(store: Store) -> None:
    family(store)
    blocked = waiting(store, 3, 5)
    also = waiting(store, 1)
    (trip,) = store.tasks.complete([1], by=user_context(store), children=SubtaskPolicy.CLOSE)
    assert [task.id for task in trip.unblocked] == [blocked.id, also.id]


def test_state_of_a_subtask_before_and_after_is_reported(store: Store) -> None:
    family(store)
    store.tasks.update([2], {"due": day("2026-11-20"), "parent": None}, by=user_context(store))
    store.tasks.undo(by=user_context(store))
    told = [(each.kind, each.field, each.new, each.undoes) for each in store.tasks.history(2)]
    assert told[0] == ("create", None, "2", False)
    assert ("set", "due", "2026-11-20", False) in told
    assert ("set", "due", None, True) in told
    assert store.tasks.history(99) == ()
    with pytest.raises(NotFound):
        store.tasks.move([2], before=99, by=user_context(store))
