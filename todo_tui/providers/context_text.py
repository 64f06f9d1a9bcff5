"""The moving context of a message as words, the same bytes whenever it is replayed."""

from __future__ import annotations

import json

from todo_tui.domain.conversation import Message, TurnContext

# strftime's names follow the process's locale, and would change what was cached.
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def context_line(context: TurnContext) -> str:
    """One line in square brackets: now, counts, and the tasks marked in the list."""
    now = context.now
    counts = (context.open_tasks, context.overdue_tasks, context.due_today)
    facts = [
        f"Now: {_WEEKDAYS[now.weekday()]} {now:%Y-%m-%d %H:%M}, {context.zone}",
        "{} open, {} overdue, {} due today".format(*counts),
    ]
    if context.date_style.day_first:
        facts.append("dates are written day first")
    if context.selection:
        marked = ", ".join(
            f"#{task_id} {json.dumps(title, ensure_ascii=False)}"
            for task_id, title in context.selection
        )
        facts.append(f"selected: {marked}")
    return f"[{'; '.join(facts)}]"


def spoken(message: Message) -> str:
    """The words of a user's message, its context line before them."""
    if message.context is None:
        return message.text
    return f"{context_line(message.context)}\n\n{message.text}".rstrip()
