"""The line about time, counts and selection in front of each message of the user."""

import json

from todo_tui.domain.dates.text import weekday_name
from todo_tui.domain.messages import Message, TurnContext
from todo_tui.domain.text import repair_surrogates


def format_context(context: TurnContext) -> str:
    """Return one line in square brackets: time, counts, and the tasks selected in the list."""
    now = context.now
    # A name from strftime would follow the process's locale and miss the provider's cache.
    day = f"{weekday_name(now.weekday())} {now:%Y-%m-%d}"
    counts = (context.open_tasks, context.overdue_tasks, context.due_today)
    facts = [
        f"Now: {day} {now:%H:%M}, {context.zone}",
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


def user_text(message: Message) -> str:
    """Return the text of a user's message, preceded by its context line."""
    text = message.text
    if message.context is not None:
        text = f"{format_context(message.context)}\n\n{text}".rstrip()
    return repair_surrogates(text)
