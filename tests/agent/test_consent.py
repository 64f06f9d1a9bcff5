"""Tool calls that need approval, and the questions about them."""

from __future__ import annotations

import pytest

from tests.agent.conftest import Harness, ScriptedApprover, kinds
from tests.scripted import answer, call, calls
from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.events import ApprovalAsked, StepStatus
from todo_tui.domain.messages import ToolCall
from todo_tui.domain.task import Actor
from todo_tui.domain.when import When
from todo_tui.tools.base import ToolContext, ToolResponse, tool
from todo_tui.tools.registry import TOOLS


async def asked_about(
    harness: Harness, rules: ApprovalSettings, *asked: ToolCall, answers: tuple[bool, ...] = ()
) -> list[ApprovalQuestion]:
    """Return the questions of a turn with these calls in one message."""
    approver = ScriptedApprover(list(answers))
    harness.changes |= {"approver": approver, "approvals": rules}
    harness.script(calls(*asked), answer("Done."))
    events = await harness.events()
    told = [event for event in events if isinstance(event, ApprovalAsked)]
    assert [(each.call_id, each.question, each.details) for each in told] == [
        (question.call_id, question.words, question.details) for question in approver.asked
    ]
    return approver.asked


def seeded(harness: Harness, count: int = 3) -> None:
    by = harness.store.new_change_context(Actor.USER)
    names = ["Buy milk", "Call mom", "Pay rent", *(f"Task {number}" for number in range(4, 99))]
    harness.store.tasks.add_many([{"title": title} for title in names[:count]], by=by)
    due = When.parse("2026-11-19T17:00")
    harness.store.tasks.update([1], {"due": due}, by=harness.store.new_change_context(Actor.USER))


TODAY = When.parse("2026-11-18")
EVERY_CHANGE = "Asks before every change (set in Settings)"
ONE_OF_EACH = [
    call("list_tasks"),
    call("add_task", title="New"),
    call("complete_task", task_ids=[1]),
]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (ApprovalSettings(), None),
        (ApprovalSettings(ApprovalMode.WRITES), "Make 2 changes to 2 tasks?"),
        (ApprovalSettings(ApprovalMode.ALWAYS), "Run 3 tool calls?"),
        (ApprovalSettings(tools=("complete_task",)), "Complete “Buy milk”?"),
        (ApprovalSettings(tools=("list_tasks", "undo")), "List tasks?"),
        (ApprovalSettings(more_than=2), None),
        (ApprovalSettings(more_than=1), None),
        (ApprovalSettings(more_added=0), "Add “New”?"),
        (ApprovalSettings(more_than=0), "Make 2 changes to 2 tasks?"),
    ],
    ids=str,
)
async def test_a_person_is_asked_once_by_kind_by_name_or_by_how_much(
    harness: Harness, rules: ApprovalSettings, words: str | None
) -> None:
    seeded(harness)

    asked = await asked_about(harness, rules, *ONE_OF_EACH)

    assert [question.words for question in asked] == ([words] if words else [])


@pytest.mark.parametrize(
    ("asked", "words", "details"),
    [
        (
            call("delete_task", task_ids=[1, 2, 3]),
            "Delete 3 tasks?",
            ("#1 Buy milk · tomorrow 17:00", "#2 Call mom", "#3 Pay rent"),
        ),
        (call("delete_task", task_ids=[2]), "Delete “Call mom”?", ("#2 Call mom",)),
        (
            call("complete_task", task_ids=[2, 99]),
            "Complete “Call mom”?",
            ("#2 Call mom",),
        ),
        (
            call("update_task", task_ids=[2], details="fri 9am @x", new_title="Mom", notes=""),
            "Change “Call mom”?",
            (
                "due → Fri 20 Nov 09:00 · +@x",
                "title → Mom",
                "notes → none",
                "#2 Call mom",
            ),
        ),
        (
            call("add_task", title="Fix\n\x1b[31mtap", details="every monday !high", notes="Hall"),
            "Add “Fix tap”?",
            ("every Monday · first Mon 23 Nov · high priority", "notes → Hall"),
        ),
        (
            call("undo"),
            "Undo the last change?",
            ("Today 14:30 by you in the app", "Changed #1 Buy milk"),
        ),
        # What is the same for all stands once above them, with what they were and are.
        (
            call("update_task", task_ids=[1, 4], details="1 week later no priority"),
            "Change 2 tasks?",
            (
                "1 week later · no priority",
                "#1 Buy milk · tomorrow 17:00",
                "#4 Old receipts · today · ✓ done · ≡ has notes",
            ),
        ),
        (
            call("update_task", task_ids=[2], details="starts friday"),
            "Change “Call mom”?",
            ("from Fri 20 Nov", "#2 Call mom"),
        ),
        (call("list_tasks", filter="#work"), "List tasks?", ("filter: #work",)),
    ],
    ids=lambda value: value.name if isinstance(value, ToolCall) else None,
)
async def test_the_question_says_what_would_change(
    harness: Harness, asked: ToolCall, words: str, details: tuple[str, ...]
) -> None:
    seeded(harness)
    if "receipts" in "".join(details):
        store, by = harness.store.tasks, harness.store.new_change_context(Actor.USER)
        store.add({"title": "Old receipts", "notes": "In the box", "due": TODAY}, by=by)
        store.complete([4], by=by)

    (question,) = await asked_about(harness, ApprovalSettings(ApprovalMode.ALWAYS), asked)

    why = ("Asks before every tool call (set in Settings)",)
    assert question == ApprovalQuestion(
        words, why + details, asked.id, reasons=1, allowable=asked.name != "undo"
    )


async def test_a_tool_that_nobody_has_words_for_is_asked_about_by_its_name(
    harness: Harness,
) -> None:
    @tool("Painting…")
    def paint_house(context: ToolContext, title: str, how_much: int) -> ToolResponse:
        """Paint."""
        return ToolResponse(None, "Painted")

    harness.changes["tools"] = (*TOOLS, paint_house)
    asked = call("paint_house", title="blue", how_much=3)

    (question,) = await asked_about(harness, ApprovalSettings(ApprovalMode.WRITES), asked)

    assert question.words == "Run paint_house?"
    assert question.details[question.reasons :] == ("title: blue", "how much: 3")


async def test_what_cannot_run_is_not_asked_about(harness: Harness) -> None:
    asked = await asked_about(
        harness,
        ApprovalSettings(ApprovalMode.ALWAYS, more_than=0),
        ToolCall("c1", "add_task", '{"title": "Buy mi'),
        call("add_task", name="Milk"),
        call("make_coffee"),
        ToolCall("c4", "delete_task", '{"task_ids": "all of them"}'),
    )

    assert asked == []


async def test_calls_that_touch_too_much_only_together_are_asked_about_once(
    harness: Harness,
) -> None:
    adds = [call("add_task", title=f"Task {number}") for number in range(6)]

    (question,) = await asked_about(harness, ApprovalSettings(more_than=5), *adds)

    assert question.words == "Add 6 tasks?"
    assert question.details == (
        "Asks before adding more than 5 tasks at once (set in Settings)",
        *(f"Add Task {number}" for number in range(6)),
    )
    assert question.call_id == adds[0].id
    assert len(harness.titles()) == 6


async def test_calls_of_several_kinds_are_asked_about_as_changes(harness: Harness) -> None:
    seeded(harness)
    asked = [
        call("complete_task", task_ids=[1, 2]),
        call("list_tasks"),
        call("update_task", task_ids=[3], details="friday"),
        call("update_task", task_ids=[1, 3], details="!high @x"),
        call("add_task", title="Bread", details="today"),
    ]

    (question,) = await asked_about(harness, ApprovalSettings(more_than=2), *asked)

    assert question.words == "Make 4 changes to 4 tasks?"
    assert question.details[question.reasons :] == (
        "Complete #1 Buy milk · tomorrow 17:00",
        "Complete #2 Call mom",
        "Change #3 Pay rent",
        "  due → Fri 20 Nov",
        # What changes in several stands above them.
        "Change 2 tasks: high priority · +@x",
        "  #1 Buy milk · tomorrow 17:00",
        "  #3 Pay rent",
        "Add Bread",
        "  due → today",
    )


async def test_a_call_that_touches_too_much_is_asked_about_apart_from_the_others(
    harness: Harness,
) -> None:
    seeded(harness, 8)
    asked = [
        call("add_task", title="One"),
        call("delete_task", task_ids=[1, 2, 3, 4]),
        call("add_task", title="Two"),
    ]

    (question,) = await asked_about(
        harness, ApprovalSettings(more_than=3), *asked, answers=(False,)
    )

    assert question.words == "Delete 4 tasks?"
    assert harness.store.tasks.counts().open == 10


async def test_a_no_holds_for_all_that_was_asked_about_together(harness: Harness) -> None:
    adds = [call("add_task", title=f"Task {number}") for number in range(6)]
    harness.changes |= {
        "approver": ScriptedApprover([False]),
        "approvals": ApprovalSettings(more_than=5),
    }
    harness.script(calls(*adds), answer("Fine."))

    end = await harness.finished()

    assert harness.titles() == []
    assert [step.status for step in end.outcome.trace] == [StepStatus.ERROR] * 6
    assert '"unauthorized"' in end.outcome.trace[-1].result


async def test_the_messages_of_a_turn_are_counted_together(harness: Harness) -> None:
    approver = ScriptedApprover()
    harness.changes |= {"approver": approver, "approvals": ApprovalSettings(more_than=2)}
    adds = [calls(*(call("add_task", title=title) for title in pair)) for pair in ("ab", "cd")]
    harness.script(*adds, answer("Done."))

    await harness.finished()

    (question,) = approver.asked
    assert question.words == "Add 2 tasks?"
    assert question.details == (
        "Asks before adding more than 2 tasks at once, 2 so far (set in Settings)",
        "Add c",
        "Add d",
    )


async def test_an_undo_is_counted_by_what_it_would_touch(harness: Harness) -> None:
    by = harness.store.new_change_context(Actor.USER)
    harness.store.tasks.add_many([{"title": f"Task {number}"} for number in range(50)], by=by)

    (question,) = await asked_about(harness, ApprovalSettings(more_than=5), call("undo"))

    assert question.words == "Undo the last change?"
    assert len(question.details) == 40
    assert question.details[:3] == (
        "Asks before changing more than 5 tasks at once (set in Settings)",
        "Today 14:30 by you in the app",
        "Added #1 Task 0",
    )
    assert question.details[-1] == "… and 13 more lines"


async def test_a_question_comes_before_its_tool_starts(harness: Harness) -> None:
    harness.changes |= {
        "approver": ScriptedApprover(),
        "approvals": ApprovalSettings(ApprovalMode.WRITES),
    }
    harness.script(calls(call("add_task", title="One")), answer("Ok."))

    assert kinds(await harness.events())[2:5] == ["ApprovalAsked", "ToolStarted", "ToolFinished"]


def family(harness: Harness) -> None:
    """#1 Buy milk with #2 Call mom, and below that #3 Pay rent."""
    seeded(harness)
    harness.store.tasks.update([2], {"parent": 1}, by=harness.store.new_change_context(Actor.USER))
    harness.store.tasks.update([3], {"parent": 2}, by=harness.store.new_change_context(Actor.USER))


@pytest.mark.parametrize(
    ("asked", "words", "details"),
    [
        (
            call("delete_task", filter="milk or mom"),
            "Delete 2 tasks?",
            ("filter: milk or mom", "#1 Buy milk · tomorrow 17:00", "#2 Call mom"),
        ),
        (
            call("update_task", filter="all", details="fri"),
            "Change 3 tasks?",
            (
                "filter: all", "due → Fri 20 Nov",
                "#1 Buy milk · tomorrow 17:00", "#2 Call mom", "#3 Pay rent",
            ),
        ),
        (
            call("update_task", task_ids=[3], details="under #1 after #2"),
            "Change “Pay rent”?",
            ("under #1 · after #2", "#3 Pay rent"),
        ),
    ],
    ids=["some", "all", "links"],
)  # fmt: skip
async def test_the_rows_that_a_filter_finds_are_previewed(
    harness: Harness, asked: ToolCall, words: str, details: tuple[str, ...]
) -> None:
    seeded(harness)

    (question,) = await asked_about(harness, ApprovalSettings(ApprovalMode.WRITES), asked)

    assert question == ApprovalQuestion(
        words, (EVERY_CHANGE, *details), asked.id, reasons=1, allowable=True
    )


@pytest.mark.parametrize(
    ("asked", "words", "rows"),
    [
        (
            call("delete_task", task_ids=[1]),
            "Delete 3 tasks?",
            ("#1 Buy milk · tomorrow 17:00", "  #2 Call mom", "    #3 Pay rent"),
        ),
        (
            call("update_task", task_ids=[2], details="no parent"),
            "Change “Call mom”?",
            ("no parent", "#2 Call mom"),
        ),
    ],
    ids=["delete", "move"],
)
async def test_what_goes_along_is_previewed_and_counted(
    harness: Harness, asked: ToolCall, words: str, rows: tuple[str, ...]
) -> None:
    family(harness)

    (question,) = await asked_about(harness, ApprovalSettings(ApprovalMode.WRITES), asked)

    assert (question.words, question.details) == (words, (EVERY_CHANGE, *rows))


@pytest.mark.parametrize(
    ("asked", "words", "rows"),
    [
        (call("complete_task", filter="all"), "Complete 2 tasks?", "#1 #3"),
        (call("complete_task", task_ids=[2, 3, 99]), "Complete “Pay rent”?", "#3"),
        (call("reopen_task", filter="all"), "Reopen “Call mom”?", "#2"),
        (call("delete_task", task_ids=[4, 1]), "Delete “Buy milk”?", "#1"),
        (call("reopen_task", task_ids=[1, 4]), "Reopen “Old receipts”?", "#4"),
        (call("update_task", filter="all", details="tomorrow 5pm"), "Change 2 tasks?", "#2 #3"),
        (call("update_task", filter="all", details="+@Shop"), "Change 2 tasks?", "#1 #2"),
        (call("update_task", filter="all", details="-@shop"), "Change “Pay rent”?", "#3"),
        (call("update_task", filter="all", details="#home"), "Change “Pay rent”?", "#3"),
        (call("update_task", filter="all", details="-after #3"), "Change “Buy milk”?", "#1"),
        (call("update_task", filter="open", details="1 week later"), "Change “Buy milk”?", "#1"),
        (call("update_task", task_ids=[1, 2], notes="In the hall"), "Change “Buy milk”?", "#1"),
    ],
    ids=lambda value: value.name if isinstance(value, ToolCall) else None,
)  # fmt: skip
async def test_tasks_that_stay_as_they_are_are_not_in_the_question(
    harness: Harness, asked: ToolCall, words: str, rows: str
) -> None:
    seeded(harness)
    tasks, by = harness.store.tasks, harness.store.new_change_context(Actor.USER)
    tasks.add({"title": "Old receipts"}, by=by)
    tasks.update([1, 2], {"project": "home"}, by=by)
    tasks.update([2], {"notes": "In the hall"}, by=by)
    tasks.update([3], {"tags": ("shop",)}, by=by)
    tasks.update([1], {"blocked_by": (3,)}, by=by)
    tasks.complete([2], by=by)
    tasks.delete([4], by=by)

    (question,) = await asked_about(harness, ApprovalSettings(ApprovalMode.WRITES), asked)

    assert question.words == words
    named = [line.split()[0] for line in question.details if line.startswith("#")]
    assert [each for each in named if each != "#home"] == rows.split()


async def test_what_changes_nothing_is_not_asked_about(harness: Harness) -> None:
    seeded(harness)
    by = harness.store.new_change_context(Actor.USER)
    harness.store.tasks.complete([3], by=by)

    asked = await asked_about(
        harness,
        ApprovalSettings(ApprovalMode.WRITES),
        call("update_task", task_ids=[1], details="tomorrow 17:00 no project"),
        call("update_task", filter="milk", new_title="Buy milk"),
        call("update_task", task_ids=[1, 2], details="todo"),
        call("complete_task", filter="all rent"),
        call("reopen_task", task_ids=[1, 99]),
        call("redo"),
    )

    assert asked == []


async def test_what_an_earlier_call_makes_a_change_is_asked_about_after_it(
    harness: Harness,
) -> None:
    seeded(harness)

    asked = await asked_about(
        harness,
        ApprovalSettings(ApprovalMode.WRITES),
        call("update_task", task_ids=[1], details="friday"),
        call("update_task", task_ids=[1], details="tomorrow 17:00"),
    )

    assert [question.details[1] for question in asked] == [
        "due → Fri 20 Nov",
        "due → tomorrow 17:00",
    ]


async def test_a_filter_counts_by_what_it_finds(harness: Harness) -> None:
    seeded(harness, 9)

    (question,) = await asked_about(
        harness, ApprovalSettings(more_than=5), call("complete_task", filter="task")
    )

    assert question.words == "Complete 6 tasks?"
    assert harness.store.tasks.counts().open == 3


async def test_a_yes_is_about_the_tasks_that_were_shown(harness: Harness) -> None:
    seeded(harness)

    class Slow(ScriptedApprover):
        async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
            by = harness.store.new_change_context(Actor.USER)
            harness.store.tasks.add({"title": "Milk for the cat"}, by=by)
            return await super().decide(question)

    harness.changes |= {"approver": Slow(), "approvals": ApprovalSettings(ApprovalMode.WRITES)}
    harness.script(calls(call("delete_task", filter="milk")), answer("Done."))

    end = await harness.finished()

    assert harness.store.tasks.get(1).deleted_at is not None
    assert "Milk for the cat" in harness.titles()
    assert '"left":"1 more' in end.outcome.trace[-1].result


async def test_what_found_nothing_when_it_was_weighed_touches_nothing_later(
    harness: Harness,
) -> None:
    seeded(harness)
    titles = ("New one", "New two", "Other")
    asked = [
        *(call("add_task", title=title) for title in titles),
        call("delete_task", filter="new"),
    ]

    (question,) = await asked_about(harness, ApprovalSettings(more_than=2), *asked)

    assert question.words == "Add 3 tasks?"
    assert set(titles) < set(harness.titles())
