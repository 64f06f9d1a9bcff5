"""Real store at a fixed time, and tools called as by a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from todo_tui.domain.task import Actor, Task
from todo_tui.store.store import Store
from todo_tui.tools.base import ToolContext, TurnBatch
from todo_tui.tools.registry import TOOLS


@dataclass
class ToolRunner:
    """Calls tools on one store; `summary` is from the last call."""

    store: Store
    context: ToolContext = field(init=False)
    summary: str = ""

    def __post_init__(self) -> None:
        self.new_turn()

    def new_turn(self) -> None:
        self.context = ToolContext(
            self.store, TurnBatch(lambda: self.store.new_change_context(Actor.ASSISTANT, "turn"))
        )

    def raw(self, name: str, arguments: str) -> dict[str, Any]:
        """Return the response to raw arguments."""
        tool = next(tool for tool in TOOLS if tool.name == name)
        outcome = tool.run(arguments, self.context)
        self.summary = outcome.summary
        answer: dict[str, Any] = json.loads(outcome.text())
        assert answer["status"] in ("success", "error")
        return answer

    def __call__(self, name: str, **arguments: object) -> dict[str, Any]:
        return self.raw(name, json.dumps(arguments))

    def data(self, name: str, **arguments: object) -> dict[str, Any]:
        """Return the data of a successful call."""
        answer = self(name, **arguments)
        assert answer["status"] == "success", answer
        data: dict[str, Any] = answer["data"]
        return data

    def problem(self, name: str, **arguments: object) -> dict[str, str]:
        """Return the error of a failing call."""
        answer = self(name, **arguments)
        assert answer["status"] == "error", answer
        error: dict[str, str] = answer["error"]
        return error

    def add(self, title: str, **arguments: object) -> int:
        """Add a task and return its id."""
        task_id: int = self.data("add_task", title=title, **arguments)["task"]["id"]
        return task_id

    def task(self, task_id: int) -> Task:
        return self.store.tasks.get(task_id)


@pytest.fixture
def tools(open_as: Callable[[str], Store]) -> ToolRunner:
    return ToolRunner(open_as("ann"))
