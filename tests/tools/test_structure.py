"""Subtasks, dependencies, order, series and annotations through the tools."""

from __future__ import annotations

import pytest

from tests.tools.conftest import Toolbox
from todo_tui.domain.task import Status
from todo_tui.domain.when import When


@pytest.fixture
def party(tools: Toolbox) -> Toolbox:
    """#1 Plan party with #2 Cake and #3 Music, and #4 Trip."""
    tools.add("Plan party")
    tools.add("Cake", parent=1)
    tools.add("Music", parent="#1")
    tools.add("Trip")
    return tools


def listed(tools: Toolbox, words: str) -> list[str]:
    return [task["title"] for task in tools.data("list_tasks", filter=words)["tasks"]]


def test_a_subtask_names_its_parent_which_tells_its_progress(party: Toolbox) -> None:
    party.data("complete_task", task_ids=[2])

    by_id = {task["id"]: task for task in party.data("list_tasks")["tasks"]}

    assert by_id[3]["parent"] == 1
    assert by_id[1]["subtasks"] == "1 of 2 done"
    assert "subtasks" not in by_id[4]


def test_moving_a_task_moves_what_is_below_it(party: Toolbox) -> None:
    party.data("update_task", task_ids=[1], parent=4)
    assert listed(party, "under:4") == ["Plan party", "Cake", "Music"]

    party.data("update_task", task_ids=[1], parent=0)

    assert listed(party, "under:4") == []
    assert party.task(1).parent is None
    assert party.task(2).parent == 1


def test_a_circle_is_refused_by_name(party: Toolbox) -> None:
    error = party.problem("update_task", task_ids=[1], parent=2)

    assert error["type"] == "validation_error"
    assert party.task(1).parent is None


def test_completing_a_parent_asks_about_its_open_subtasks(party: Toolbox) -> None:
    answer = party("complete_task", task_ids=[1])

    assert answer["error"]["type"] == "conflict"
    for told in ("#2 Cake", "#3 Music", '"close"', '"leave"'):
        assert told in answer["error"]["message"]
    assert [each["id"] for each in answer["data"]["open_subtasks"]] == [2, 3]
    assert party.task(1).is_open


@pytest.mark.parametrize(("subtasks", "status"), [("close", Status.DONE), ("leave", Status.TODO)])
def test_the_subtasks_are_closed_or_left_as_asked(
    party: Toolbox, subtasks: str, status: Status
) -> None:
    data = party.data("complete_task", task_ids=[1], subtasks=subtasks)

    assert party.task(1).status is Status.DONE
    assert party.task(2).status is status
    assert data.get("also_completed_total", 0) == (2 if subtasks == "close" else 0)


def test_cancelling_a_parent_asks_too(party: Toolbox) -> None:
    assert party.problem("update_task", task_ids=[1], status="cancelled")["type"] == "conflict"

    party.data("update_task", task_ids=[1], status="cancelled", subtasks="close")

    assert party.task(3).status is Status.CANCELLED


def test_a_subtree_goes_to_the_trash_and_comes_back_with_its_total(party: Toolbox) -> None:
    deleted = party.data("delete_task", task_ids=[1])
    assert (deleted["also_deleted_total"], len(deleted["also_deleted"])) == (2, 2)
    assert party.summary == "Deleted Plan party · 2 subtasks along"

    restored = party.data("reopen_task", task_ids=[1])

    assert restored["also_restored_total"] == 2
    assert party.task(3).is_open


def test_a_task_waits_for_another_until_that_is_done(tools: Toolbox) -> None:
    tools.add("Call bank")
    tools.add("Pay rent", blocked_by=[1])
    assert tools.data("list_tasks", filter="#2")["tasks"][0]["blocked"] is True

    data = tools.data("complete_task", task_ids=[1])

    assert data["results"][0]["unblocked"] == [{"id": 2, "title": "Pay rent"}]
    assert "blocked" not in tools.data("list_tasks", filter="#2")["tasks"][0]


def test_blockers_come_and_go_one_by_one(tools: Toolbox) -> None:
    for title in ("A", "B", "C"):
        tools.add(title)

    tools.data("update_task", task_ids=[3], add_blockers=[1, 2])
    tools.data("update_task", task_ids=[3], remove_blockers=[1])

    assert tools.task(3).blocked_by == (2,)
    assert tools.summary == "Changed C · waits for #1 no more"
    assert tools.problem("update_task", task_ids=[2], add_blockers=[3])["type"] == (
        "validation_error"
    )


@pytest.mark.parametrize(
    ("place", "order"),
    [
        ("before 1", "CAB"), ("after 1", "ACB"), ("top", "CAB"), ("before #2", "ACB"),
        ("bottom", "ABC"), ("above 1", "CAB"),
    ],
)  # fmt: skip
def test_a_task_goes_to_its_place(tools: Toolbox, place: str, order: str) -> None:
    for title in ("A", "B", "C"):
        tools.add(title)

    tools.data("update_task", task_ids=[3], position=place)

    assert "".join(listed(tools, "sort:position")) == order


def test_the_ends_are_those_beside_it(party: Toolbox) -> None:
    party.data("update_task", task_ids=[3], position="top")

    assert listed(party, "parent:1 sort:position") == ["Music", "Cake"]


@pytest.mark.parametrize("place", ["nowhere", "before", "before 3", "after 999"])
def test_a_place_that_is_none_moves_nothing(tools: Toolbox, place: str) -> None:
    for title in ("A", "B", "C"):
        tools.add(title)

    tools.problem("update_task", task_ids=[3], position=place, priority="high")

    assert tools.task(3).priority is None


def test_what_repeats_is_reported_in_words_with_its_next_dates(tools: Toolbox) -> None:
    tools.add("Gym", due="every other friday")

    task = tools.data("list_tasks")["tasks"][0]

    assert "FREQ" not in task["repeat_words"]
    assert task["due"] == "2026-11-20"
    assert task["next_dates"] == ["2026-12-04", "2026-12-18", "2027-01-01"]


def test_an_occurrence_is_skipped_and_a_series_ended(tools: Toolbox) -> None:
    tools.add("Gym", due="every friday")

    data = tools.data("update_task", task_ids=[1], repeat="skip")
    assert data["results"][0]["task"]["due"] == "2026-11-27"
    assert tools.task(1).status is Status.TODO

    tools.data("update_task", task_ids=[1], repeat="none")
    assert tools.task(1).recurrence is None
    assert tools.task(1).due == When.parse("2026-11-27")
    assert tools.problem("update_task", task_ids=[1], repeat="skip")["type"] == "conflict"


def test_missed_occurrences_are_skipped_at_once(tools: Toolbox) -> None:
    tools.add("Water", due="2026-10-01", repeat="every day")
    tools.data("update_task", task_ids=[1], due="2026-10-01")

    tools.data("update_task", task_ids=[1], repeat="skip missed")

    assert tools.task(1).due == When.parse("2026-11-18")


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("skip 2", "2026-12-04"),
        ("skip 1", "2026-11-27"),
        ("skip until 1 january", "2027-01-01"),
        ("skip until 2 january", "2027-01-08"),
    ],
)
def test_several_occurrences_are_skipped(tools: Toolbox, words: str, due: str) -> None:
    tools.add("Gym", due="every friday")

    tools.data("update_task", task_ids=[1], repeat=words)

    assert tools.task(1).due == When.parse(due)


@pytest.mark.parametrize("words", ["skip 0", "skip 401", "skip until blue", "skip until today"])
def test_what_cannot_be_skipped_is_refused(tools: Toolbox, words: str) -> None:
    tools.add("Gym", due="every friday until 18 december")

    tools.problem("update_task", task_ids=[1], repeat=words)

    assert tools.task(1).due == When.parse("2026-11-20")


def test_nothing_is_skipped_past_the_end_of_a_series(tools: Toolbox) -> None:
    tools.add("Gym", due="every friday until 18 december")

    assert tools.problem("update_task", task_ids=[1], repeat="skip 9")["type"] == "conflict"
    assert (
        tools.problem("update_task", task_ids=[1], repeat="skip until 1 jan")["type"] == "conflict"
    )
    assert tools.task(1).due == When.parse("2026-11-20")


def test_skipping_comes_alone(tools: Toolbox) -> None:
    tools.add("Gym", due="every friday")

    error = tools.problem("update_task", task_ids=[1], repeat="skip", priority="high")

    assert error["type"] == "validation_error"
    assert tools.task(1).due == When.parse("2026-11-20")


def test_the_last_completion_of_a_series_brings_no_next(tools: Toolbox) -> None:
    tools.add("Gym", due="every friday")

    item = tools.data("complete_task", task_ids=[1], last=True)["results"][0]

    assert "next" not in item
    assert tools.data("list_tasks")["total"] == 0


def test_a_remark_is_added_with_its_day(tools: Toolbox) -> None:
    tools.add("Call bank")

    tools.data("update_task", task_ids=[1], annotation="no answer")
    tools.data("update_task", task_ids=[1], annotation="again none")

    assert tools.data("list_tasks")["tasks"][0]["annotations"] == [
        "2026-11-18: no answer",
        "2026-11-18: again none",
    ]


def test_groups_come_with_their_totals(tools: Toolbox) -> None:
    tools.add("Report", project="work")
    tools.add("Milk", project="home", tags=["a", "b"])
    tools.add("Slides", project="work")

    data = tools.data("list_tasks", filter="group:project")
    assert [(each["group"], each["total"], each["ids"]) for each in data["groups"]] == [
        ("home", 1, [2]),
        ("work", 2, [1, 3]),
    ]
    assert [task["id"] for task in data["tasks"]] == [2, 1, 3]

    by_tag = tools.data("list_tasks", filter="group:tag", limit=1)
    assert (by_tag["total"], by_tag["shown"]) == (3, 1)
    assert [each["total"] for each in by_tag["groups"]] == [1, 1, 2]


def test_the_order_of_urgency_says_why(tools: Toolbox) -> None:
    tools.add("Later")
    tools.add("Rent", due="2026-11-16", priority="high")

    tasks = tools.data("list_tasks", filter="sort:urgency")["tasks"]

    assert [task["id"] for task in tasks] == [2, 1]
    assert "2 days late" in tasks[0]["urgency"]
    assert "high priority" in tasks[0]["urgency"]
    assert "urgency" not in tools.data("list_tasks")["tasks"][0]


def test_a_list_can_be_shown_in_the_persons_own(tools: Toolbox) -> None:
    tools.add("Report", project="work")

    assert tools.data("list_tasks", filter=" #work ", show=True)["shown_filter"] == "#work"
    assert "shown_filter" not in tools.data("list_tasks", filter="#work")


def test_an_empty_list_doubts_names_that_nothing_has(tools: Toolbox) -> None:
    tools.add("Report", project="work")

    (doubt,) = tools.data("list_tasks", filter="#wrok")["doubts"]

    assert "#work" in doubt


def test_what_was_done_is_listed_with_its_day(tools: Toolbox) -> None:
    tools.add("Report")
    tools.data("complete_task", task_ids=[1])

    (task,) = tools.data("list_tasks", filter="done.after:monday")["tasks"]

    assert task["done"] == "2026-11-18"
