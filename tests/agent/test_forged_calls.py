"""A thousand forged tool calls of one user reach nothing of another."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable

from tests.agent.conftest import Harness
from tests.knowledge.stored import add_document
from tests.scripted import answer, calls
from todo_tui.agent.approver import ApproveAll
from todo_tui.domain.changes import UNDO_TOOLS
from todo_tui.domain.events import TraceStep
from todo_tui.domain.messages import ToolCall
from todo_tui.domain.task import Actor, JsonValue, TaskFields
from todo_tui.store.store import Store
from todo_tui.tools.registry import TOOLS

SECRET = "zanzibar"  # noqa: S105  # no password
"""In all that bob has; the forger only knows how it begins."""
GUESS = "zanz"
PLAUSIBLE: dict[str, list[JsonValue]] = {
    "title": ["Buy milk", GUESS, "Task 3"],
    "details": ["!high", "friday", "@home"],
    "due": ["tomorrow", "every monday", "none"],
    "start": ["friday"],
    "repeat": ["every day"],
    "priority": ["high", "none"],
    "status": ["todo", "doing", "cancelled"],
    "tags": [["home"], GUESS],
    "add_tags": ["home"],
    "remove_tags": ["home"],
    "filter": ["all", "trash", GUESS, f"all {GUESS}", f"#{GUESS}", "done"],
    "limit": [1, 200],
    "show": [True],
    "parent": [1, 0],
    "position": ["top", "after 1"],
    "subtasks": ["close", "leave"],
    "last": [True, False],
    "blocked_by": [[1]],
    "add_blockers": [[1]],
    "remove_blockers": [[1]],
}
CALLS = 500
ROUNDS = 10


def forged(chance: random.Random, ids: list[JsonValue], *, undoes: bool) -> ToolCall:
    """Make a call that tries to reach the tasks of another user."""
    tool = chance.choice([tool for tool in TOOLS if undoes or tool.name not in UNDO_TOOLS])
    reach: list[JsonValue] = [
        *ids, ids, "bob", GUESS, "all", "trash", "#1 or #2", f"title:{GUESS}", "user:bob", "*",
        "%", "' OR 1=1 --", '" OR user="bob', "none", None, True, -1, 2**70, [1, [2]],
        {"user": "bob"}, [*ids[:1], "../2"], "\ud800", "1; DELETE FROM tasks",
    ]  # fmt: skip
    declared = list(_parameters(tool.spec.parameters))
    undeclared = ["user_id", "user", "owner", "__class__", "context", "store", "by", "uuid"]
    names = chance.sample(declared, chance.randint(0, len(declared)))
    if chance.random() < 0.2:
        names.append(chance.choice(undeclared))
    odd = chance.random() < 0.4
    arguments = {
        name: chance.choice(reach if odd else PLAUSIBLE.get(name, ["milk"])) for name in names
    }
    if "task_ids" in declared and chance.random() < 0.8:
        arguments["task_ids"] = chance.sample(ids, 2)
        if chance.random() < 0.9:
            arguments.pop("filter", None)
        if chance.random() < 0.5:
            arguments.pop("new_title", None)
    text = json.dumps(arguments)
    if chance.random() < 0.1:
        text = chance.choice([text[:-1], f"[{text}]", "null", text * 2, ""])
    return ToolCall("", tool.name, text)


def _parameters(schema: object) -> dict[str, object]:
    assert isinstance(schema, dict)
    properties: dict[str, object] = schema["properties"]
    return properties


def all_of(store: Store, user: str) -> list[tuple[object, ...]]:
    """Return all rows of a user's tasks and operation log."""
    with sqlite3.connect(store.path) as database:
        rows = database.execute(
            "SELECT * FROM tasks WHERE user = ? ORDER BY id", (user,)
        ).fetchall()
        log = database.execute("SELECT * FROM ops WHERE user = ? ORDER BY seq", (user,)).fetchall()
    database.close()
    return [*rows, *log]


async def test_hundreds_of_forged_calls_neither_read_nor_change_the_tasks_of_another(
    open_as: Callable[[str], Store],
) -> None:
    bob, ann = open_as("bob"), open_as("ann")
    fields: list[TaskFields] = [
        {"title": f"{SECRET} {number}", "notes": SECRET, "project": SECRET, "tags": (SECRET,)}
        for number in range(30)
    ]
    ids: list[JsonValue] = [
        task.id for task in bob.tasks.add_many(fields, by=bob.new_change_context(Actor.USER))
    ]
    bob.tasks.delete([29, 30], by=bob.new_change_context(Actor.USER))
    mine: list[TaskFields] = [{"title": f"Task {number}"} for number in range(30)]
    ann.tasks.add_many(mine, by=ann.new_change_context(Actor.USER))
    add_document(bob, SECRET, f"milk {SECRET}")
    add_document(ann, "Mine", "The milk is in the fridge.")
    before = all_of(bob, "bob")
    chance = random.Random(20261119)  # noqa: S311  # chance, not secrecy
    # An undo may remove all tasks that the other calls could change.
    attempts = [forged(chance, ids, undoes=number > CALLS / 2) for number in range(CALLS)]
    size = CALLS // ROUNDS
    harness = Harness(ann, changes={"approver": ApproveAll()})
    trace: list[TraceStep] = []
    for at in range(0, CALLS, size):
        harness.script(calls(*attempts[at : at + size]), answer("No."))
        trace += (await harness.finished("change all that bob has")).outcome.trace

    assert len(trace) == CALLS
    assert all_of(bob, "bob") == before
    assert not any(SECRET in step.result + step.summary for step in trace)
    succeeded = {step.name for step in trace if step.status == "success"}
    assert succeeded == {tool.name for tool in TOOLS}
