"""Plans of a day and a week: what is in them, in which order, and what is moved."""

from __future__ import annotations

from datetime import datetime

from tests.rows import each_row
from todo_tui.domain.planning import (
    Habits,
    Plan,
    PlanTask,
    day_heading,
    fitting,
    move_words,
    plan_days,
    plan_remarks,
    span_of,
    task_facts,
)
from todo_tui.domain.when import When

NOW = datetime(2026, 11, 18, 10, 10)  # a Wednesday


def made(*words: str) -> list[PlanTask]:
    """Return tasks of words: `due` after a colon, minutes after `~`, marks `*` and `x`.

    `18T11:00~45` is due on the 18th at 11:00 and takes 45 minutes; `*` is started, `x` blocked,
    `!` urgent, `r` recurring.
    """
    tasks = []
    for number, text in enumerate(words, 1):
        due, _, minutes = text.rstrip("*x!r").partition("~")
        tasks.append(
            PlanTask(
                number,
                f"Task {number}",
                When.parse(f"2026-11-{due}") if due else None,
                int(minutes) if minutes else None,
                urgency=5.0 if "!" in text else 0.0,
                is_started="*" in text,
                is_blocked="x" in text,
                is_recurring="r" in text,
            )
        )
    return tasks


def ids(plan: Plan) -> list[list[int]]:
    return [[task.id for task in day.tasks] for day in plan.days]


def moves(plan: Plan) -> dict[int, str]:
    return {move.task.id: move.to.iso()[8:] for move in plan.moves}


@each_row(
    ("tasks", "order", "moved"),
    [
        ([], [], {}),
        (["18", "17"], [2, 1], {}),
        (["", "19", "25"], [], {}),
        (["18", "!", "19!", "20", "19T10:00!"], [1, 2, 3], {}),
        # What is due in more than a week comes last, however urgent.
        (["26!", "25!", "!", "20!"], [2, 3, 4, 1], {}),
        # A task that repeats belongs to its day: done for today, it is not for today again.
        (["19r!", "20!", "18r", "17r"], [4, 3, 2], {}),
        (["*", "25*", "18"], [1, 2, 3], {}),
        # Nothing is fetched from another day while a task of this one does not fit.
        (["18~240", "18~300", "19~10!", "~10!"], [1], {2: "19"}),
        (["18~240", "18~300r", "19~10!"], [1], {}),
        # Where little time is left, a task without an estimate takes half an hour, too.
        (["18~440", "!", "19!"], [1, 2], {}),
        # What is started and due later or never goes on another day, and keeps its date.
        (["18~480", "25~10*", "~10*"], [1], {}),
        # Fixed times in their places: 1 ends before 11:00, 2 does not.
        (["18~30", "18~60", "18T11:00~30", "18T13:00"], [1, 3, 2, 4], {}),
        (["18T16:00", "18T10:15", "18"], [2, 3, 1], {}),
        # A time that has passed is overdue, and first.
        (["18", "18T09:00"], [2, 1], {}),
        (["17x", "18"], [2], {}),
        # Eight do not fit: the last is moved to the next day with room.
        (["18"] * 8, [1, 2, 3, 4, 5, 6, 7], {8: "19"}),
        (["18"] * 8 + ["19"] * 7, [1, 2, 3, 4, 5, 6, 7], {8: "20"}),
        (["18"] * 8 + ["19x"] * 7, [1, 2, 3, 4, 5, 6, 7], {8: "19"}),
        (["18"] * 7 + ["17"], [8, 1, 2, 3, 4, 5, 6], {7: "19"}),
        # Those at a fixed time stay, however many; a moved one keeps its time.
        (["18"] + ["18T20:00"] * 8, [2, 3, 4, 5, 6, 7, 8, 9], {1: "19"}),
        (["18"] * 7 + ["18T08:00"] * 2, [8, 9, 1, 2, 3, 4, 5], {6: "19", 7: "19"}),
        (["17T08:00"] * 8, [1, 2, 3, 4, 5, 6, 7], {8: "19T08:00"}),
        # Eight hours a day.
        (["18~240", "18~240", "18~10"], [1, 2], {3: "19"}),
        (["18~600", "18~30"], [1], {2: "19"}),
        (["18~240", "18~300", "18~240"], [1, 3], {2: "19"}),
    ],
)
def test_day(tasks: list[str], order: list[int], moved: dict[int, str]) -> None:
    plan = plan_days(made(*tasks), NOW)
    assert ids(plan) == [order]
    assert moves(plan) == moved


def test_recurring_tasks_that_do_not_fit_are_named_and_not_moved() -> None:
    plan = plan_days(made(*["17"] * 7, "14T19:30r", "18"), NOW, days=7)
    assert moves(plan) == {9: "19"}
    assert [task.id for task in plan.recurring] == [8]
    assert "No room for repeating: #8 Task 8. Skip" in " ".join(plan_remarks(plan))
    assert plan.to_json()["recurring"] == [8]


def test_week_has_each_day_and_carries_on_what_does_not_fit() -> None:
    plan = plan_days(made("17", *["18"] * 8, *["19"] * 6, "20", "24", "25", ""), NOW, days=7)
    assert [day.day.day for day in plan.days] == [18, 19, 20, 21, 22, 23, 24]
    assert ids(plan) == [
        [1, 2, 3, 4, 5, 6, 7], [10, 11, 12, 13, 14, 15, 8], [16, 9], [], [], [], [17],
    ]  # fmt: skip
    assert moves(plan) == {8: "19", 9: "20"}
    assert day_heading(plan.days[3], NOW) == "Sat 21 Nov · free"


def test_week_ends_with_what_does_not_fit_into_it() -> None:
    plan = plan_days(made(*["18"] * 60), NOW, days=7)
    assert [len(day.tasks) for day in plan.days] == [7] * 7
    assert len(plan.moves) == 53
    assert list(moves(plan).values())[-4:] == ["26"] * 4


def test_tomorrow_is_in_order_of_time_from_its_first_minute_on() -> None:
    tasks = made("19T09:00", "19T07:00~20", "19", "18T23:30", "19T00:10", "19T06:00")
    begins, days = span_of("tomorrow", NOW)
    assert ids(plan_days(tasks, begins, days=days)) == [[5, 6, 2, 1, 4, 3]]


def test_what_fits_on_no_day_is_told() -> None:
    plan = plan_days(made(*["17"] * 200), NOW)
    assert (len(plan.moves), plan.left) == (98, 95)
    assert plan_remarks(plan) == ["95 more fit on no day of the next two weeks."]


def test_what_the_log_tells() -> None:
    habits = Habits({1: 5}, {2: 6, 3: 1})
    tasks = [*made(*["18"] * 11)]
    plan = plan_days(tasks, NOW, habits)
    assert len(plan.days[0].tasks) == 6
    # On Thursdays one is finished: still three are planned.
    assert list(moves(plan).values()) == ["19"] * 3 + ["20"] * 2
    assert plan_remarks(plan) == ["11 planned; on Wednesdays you finish 6."]
    assert plan_remarks(plan_days(tasks[:6], NOW, habits)) == []


@each_row(
    ("tasks", "heading"),
    [
        (["17", "18"], "Today · 2 tasks"),
        (["17", "19!", "*"], "Today · 3 tasks, 1 of them due"),
        (["19!", "*"], "Today · nothing due, 2 tasks to get ahead"),
        (["*"], "Today · nothing due, 1 task to get ahead"),
        (["18"], "Today · 1 task"),
    ],
)
def test_heading_says_what_is_due(tasks: list[str], heading: str) -> None:
    (day,) = plan_days(made(*tasks), NOW).days
    assert day_heading(day, NOW) == heading


def test_words() -> None:
    tasks = made("17", "18T11:00~45", "18*", "19!", "18x", "18x", "17x", "18x")
    plan = plan_days(tasks, NOW)
    (day,) = plan.days
    assert day_heading(day, NOW) == "Today · 4 tasks, 3 of them due · 45 min"
    assert [task_facts(task, day.day, NOW) for task in day.tasks] == [
        "1 day late",  "11:00 · 45 min", "started", "due tomorrow",
    ]  # fmt: skip
    assert plan_remarks(plan) == [
        "Due, but blocked: #5 Task 5, #6 Task 6, #7 Task 7 and #8 Task 8.",
        "3 tasks without an estimate.",
    ]
    (move,) = plan_days(made(*["18"] * 7, "17"), NOW).moves
    assert move_words(move, NOW) == "today → tomorrow"
    (often,) = (task_facts(PlanTask(1, "a", moves=count), day.day, NOW) for count in (3,))
    assert often == "moved 3 times"


def test_tasks_that_fit_into_some_minutes() -> None:
    tasks = made("~30", "18~31", "17~5x", "~10", "")
    assert [task.id for task in fitting(tasks, 30)] == [1, 4]
    assert len(fitting(made(*["~5"] * 9), 5)) == 7
