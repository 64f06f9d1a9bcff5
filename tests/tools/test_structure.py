"""Subtasks, dependencies and recurrences through the tools."""

from __future__ import annotations

import pytest

from tests.tools.conftest import ToolRunner
from todo_tui.domain.task import Status, TaskFields
from todo_tui.domain.when import When


@pytest.fixture
def party(tools: ToolRunner) -> ToolRunner:
    """#1 Plan party with #2 Cake and #3 Music, and #4 Trip."""
    tools.add("Plan party")
    tools.add("Cake", details="under #1")
    tools.add("Music", details="under #1")
    tools.add("Trip")
    return tools


def listed(tools: ToolRunner, words: str) -> list[str]:
    return [task["title"] for task in tools.data("list_tasks", filter=words)["tasks"]]


def test_a_subtask_names_its_parent_which_tells_its_progress(party: ToolRunner) -> None:
    party.data("complete_task", task_ids=[2])

    by_id = {task["id"]: task for task in party.data("list_tasks")["tasks"]}

    assert by_id[3]["parent"] == 1
    assert by_id[1]["subtasks"] == "1 of 2 done"
    assert "subtasks" not in by_id[4]


def test_a_subtree_goes_to_the_trash_and_comes_back_with_its_total(party: ToolRunner) -> None:
    deleted = party.data("delete_task", task_ids=[1])
    assert (deleted["also_deleted_total"], len(deleted["also_deleted"])) == (2, 2)
    assert party.summary == "Deleted Plan party · with 2 subtasks"

    restored = party.data("reopen_task", task_ids=[1])

    assert restored["also_restored_total"] == 2
    assert party.task(3).is_open


def test_moving_a_task_moves_what_is_below_it(party: ToolRunner) -> None:
    party.data("update_task", task_ids=[1], details="under #4")
    assert listed(party, "under:4") == ["Plan party", "Cake", "Music"]

    party.data("update_task", task_ids=[1], details="no parent")

    assert listed(party, "under:4") == []
    assert party.task(1).parent is None
    assert party.task(2).parent == 1


def test_a_circle_is_refused(party: ToolRunner) -> None:
    for words in ("under #2", "under #1"):
        error = party.problem("update_task", task_ids=[1], details=words)
        assert error["type"] == "validation_error"
    assert party.task(1).parent is None


def test_completing_a_parent_names_its_open_subtasks_and_does_nothing(party: ToolRunner) -> None:
    for call in ({"task_ids": [1]}, {"task_ids": [1, 4]}, {"filter": "plan"}):
        answer = party("complete_task", **call)

        assert answer["error"]["type"] == "conflict"
        for told in ("#2 Cake", "#3 Music", "Nothing was done", "ids"):
            assert told in answer["error"]["message"]
        assert answer["data"] == {
            "open_subtasks": [{"id": 2, "title": "Cake"}, {"id": 3, "title": "Music"}],
            "total": 2,
        }
    assert listed(party, "all done") == []


def test_completing_a_parent_with_its_subtasks_completes_all(party: ToolRunner) -> None:
    data = party.data("complete_task", task_ids=[1, 2, 3])

    assert [item["status"] for item in data["results"]] == ["success"] * 3
    assert [party.task(each).status for each in (1, 2, 3)] == [Status.DONE] * 3
    assert party.summary == "Completed Plan party, Cake, Music"


def test_completed_subtasks_are_no_question(party: ToolRunner) -> None:
    party.data("complete_task", task_ids=[2, 3])
    party.data("complete_task", task_ids=[1])
    assert party.task(1).status is Status.DONE


def test_many_open_subtasks_are_counted(tools: ToolRunner) -> None:
    tools.add("Parent")
    many: list[TaskFields] = [{"title": f"Part {each}", "parent": 1} for each in range(30)]
    tools.store.tasks.add_many(many, by=tools.context.batch.shared())
    data = tools("complete_task", task_ids=[1])["data"]
    assert (len(data["open_subtasks"]), data["total"]) == (20, 30)


def test_cancelling_a_parent_asks_too(party: ToolRunner) -> None:
    answer = party("update_task", task_ids=[1], details="cancelled !high")
    assert answer["error"]["type"] == "conflict"
    assert [each["id"] for each in answer["data"]["open_subtasks"]] == [2, 3]
    assert party.task(1).priority is None

    party.data("update_task", task_ids=[1, 2, 3], details="cancelled")

    assert [party.task(each).status for each in (1, 2, 3)] == [Status.CANCELLED] * 3


def test_a_task_waits_for_another_until_that_is_done(tools: ToolRunner) -> None:
    tools.add("Call bank")
    tools.add("Pay rent", details="after #1")
    assert tools.data("list_tasks", filter="#2")["tasks"][0]["blocked"] is True

    early = tools.data("complete_task", task_ids=[2])
    assert early["results"][0]["open_blockers"] == [{"id": 1, "title": "Call bank"}]
    assert tools.summary == "Completed Pay rent though blocked by #1 Call bank"
    tools.data("reopen_task", task_ids=[2])
    data = tools.data("complete_task", task_ids=[1])

    assert data["results"][0]["unblocked"] == [{"id": 2, "title": "Pay rent"}]
    assert "blocked" not in tools.data("list_tasks", filter="#2")["tasks"][0]


def test_blockers_come_and_go_one_by_one(tools: ToolRunner) -> None:
    for title in ("A", "B", "C"):
        tools.add(title)

    tools.data("update_task", task_ids=[3], details="after #1 after #2")
    tools.data("update_task", task_ids=[3], details="-after #1")

    assert tools.task(3).blocked_by == (2,)
    assert tools.summary == "Changed C · no longer blocked by #1"
    error = tools.problem("update_task", task_ids=[2], details="after #3")
    assert error["type"] == "validation_error"


def test_what_repeats_is_reported_in_words_with_its_next_dates(tools: ToolRunner) -> None:
    tools.add("Gym", details="every other friday")

    task = tools.data("list_tasks")["tasks"][0]

    assert "FREQ" not in task["repeat_words"]
    assert task["due"] == "2026-11-20"
    assert task["next_dates"] == ["2026-12-04", "2026-12-18", "2027-01-01"]


@pytest.mark.parametrize("words", ["skip", "cancelled"])
def test_an_occurrence_is_skipped_and_a_series_ended(tools: ToolRunner, words: str) -> None:
    tools.add("Gym", details="every friday")

    item = tools.data("update_task", task_ids=[1], details=words)["results"][0]
    assert (item["task"]["due"], item["skipped"]) == ("2026-11-27", True)
    assert tools.summary == "Skipped Gym · Fri 20 Nov → Fri 27 Nov"
    assert tools.task(1).status is Status.TODO

    tools.data("update_task", task_ids=[1], details="no repeat")
    assert tools.task(1).recurrence is None
    assert tools.task(1).due == When.parse("2026-11-27")


def test_nothing_is_skipped_where_one_task_cannot_be(tools: ToolRunner) -> None:
    tools.add("Gym", details="every friday")
    tools.add("Milk")

    assert tools.problem("update_task", task_ids=[1, 2], details="skip")["type"] == "conflict"

    assert tools.task(1).due == When.parse("2026-11-20")


def test_cancelled_is_a_status_where_nothing_recurs(tools: ToolRunner) -> None:
    tools.add("Gym", details="every friday until 18 december")
    tools.add("Milk")
    tools.data("update_task", task_ids=[1], details="18 december")

    data = tools.data("update_task", task_ids=[1, 2], details="cancelled")

    assert [item["task"]["status"] for item in data["results"]] == ["cancelled", "cancelled"]
    assert not any("skipped" in item for item in data["results"])


def test_completing_what_repeats_brings_its_next_occurrence(tools: ToolRunner) -> None:
    tools.add("Water the plants", details="every monday")

    item = tools.data("complete_task", task_ids=[1])["results"][0]

    assert item["next"]["due"] == "2026-11-30"
    assert tools.summary.startswith("Completed Water the plants; next on ")
