"""Demo: sample tasks and a scripted conversation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time

from todo_tui.domain.messages import Provider, Request, Role, Usage
from todo_tui.domain.task import Priority
from todo_tui.providers.scripted import Pause, Round, ScriptedProvider, answer, call, calls


@dataclass(frozen=True, slots=True)
class DemoTask:
    """Sample task; `due_in_days` counts from today, `recurrence` is an RRULE."""

    title: str
    due_in_days: int | None = None
    at: time | None = None
    priority: Priority | None = None
    project: str | None = None
    tags: tuple[str, ...] = ()
    recurrence: str | None = None
    done: bool = False


DEMO_TASKS: tuple[DemoTask, ...] = (
    DemoTask("Call the dentist", due_in_days=-1),
    DemoTask("Water the plants", due_in_days=0, recurrence="FREQ=DAILY;INTERVAL=3"),
    DemoTask("Pay rent", due_in_days=2, priority=Priority.HIGH, project="home"),
    DemoTask("Write the quarterly report", due_in_days=9, priority=Priority.MEDIUM, project="work"),
    DemoTask("Book a table for Saturday", due_in_days=1, at=time(18, 0), tags=("family",)),
    DemoTask("Fix the dripping tap", project="home"),
    DemoTask("Renew the passport", due_in_days=25, tags=("errands",)),
    DemoTask("Return the library books", due_in_days=-2, tags=("errands",), done=True),
)
"""Sample tasks in the order of their ids, starting with #1."""

DEMO_LINES: tuple[str, ...] = (
    "add buy milk tomorrow 5pm and call mom on friday",
    "what should I do first?",
    "I called the dentist",
    "undo that",
)
"""Messages to type, in this order, for the script to make sense."""

_THINKING = Pause(0.4)

_WORD = 0.03

_USAGE = Usage(input_tokens=1450, cached_tokens=1280, output_tokens=60)


def demo_provider() -> Provider:
    """Return the scripted provider of the demo."""
    return ScriptedProvider(demo_round)


def demo_round(request: Request) -> Round:
    """Choose the round by the number of user messages and the tool results since the last."""
    spoken = [at for at, each in enumerate(request.messages) if each.role is Role.USER]
    since = request.messages[spoken[-1] :] if spoken else ()
    rounds_played = sum(each.role is Role.ASSISTANT for each in since)
    turn = _TURNS[len(spoken) - 1] if 0 < len(spoken) <= len(_TURNS) else _FINAL_ROUND
    return (_THINKING, *turn[min(rounds_played, len(turn) - 1)])


_TURNS: tuple[tuple[Round, ...], ...] = (
    (
        calls(
            call("add_task", title="Buy milk", due="tomorrow 5pm"),
            call("add_task", title="Call mom", due="friday"),
            usage=_USAGE,
        ),
        answer(
            "Both are on your list: **Buy milk** tomorrow at 17:00 and **Call mom** on Friday.",
            pause=_WORD,
            usage=_USAGE,
        ),
    ),
    (
        calls(call("list_tasks", filter="overdue or today"), usage=_USAGE),
        answer(
            "Start with what is late:\n\n"
            "1. **Call the dentist**, a day late and done in five minutes.\n"
            "2. **Water the plants**, due today.\n\n"
            "*Pay rent* can wait until it is due, but not longer.",
            pause=_WORD,
            usage=_USAGE,
        ),
    ),
    (
        calls(call("complete_task", task_ids=[1], title="Call the dentist"), usage=_USAGE),
        answer("Done. Nothing is overdue any more.", pause=_WORD, usage=_USAGE),
    ),
    (
        calls(call("undo"), usage=_USAGE),
        answer("**Call the dentist** is open again.", pause=_WORD, usage=_USAGE),
    ),
)

_FINAL_ROUND: tuple[Round, ...] = (
    answer(
        "That was the whole demo, and none of it was kept. Quit with Ctrl+Q and run "
        "`todo-tui` to begin a list of your own.",
        pause=_WORD,
    ),
)
