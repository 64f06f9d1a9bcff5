"""Skipping: an occurrence of a repeating task is left out, if it is the one that was meant."""

from __future__ import annotations

import re
from dataclasses import replace

from todo_tui.domain.dates import DateNotUnderstood, read_range
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.acting import act, act_on
from todo_tui.providers.offline.asides import decline
from todo_tui.providers.offline.intents import Act
from todo_tui.providers.offline.resolving import Found, resolve
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.toolwork import Plan, Seen

MISSED = "missed"
_LATE = re.compile(r"(?:this|next) (?:time|once|round)|now|once|just once|one time", re.IGNORECASE)


def skip(session: Session, intent: Act, clause: str) -> Plan[None]:
    """Go on to the next date; where another day was named than it is due, say so instead."""
    resolved = yield from resolve(session, intent.ref)
    if not isinstance(resolved, Found):
        if intent.ask:
            decline(session)
        else:
            yield from act(session, intent, clause)
        return
    if intent.ask and not all(task.repeat_words for task in resolved.tasks):
        decline(session)
        return
    stretch = "" if intent.value == MISSED else intent.value
    others = [task for task in resolved.tasks if not _is_within(session, task, stretch)]
    for task in others:
        due = f"due {task.due_words}" if task.due_words else "not due on any day"
        session.say(
            f"{replies.numbered(task)} is {due}, not {replies.escaped(stretch)}, so nothing was "
            f"skipped. Say “skip #{task.id}” to skip that one.",
            (task,),
        )
    left = tuple(task for task in resolved.tasks if task not in others)
    if left:
        value = MISSED if intent.value == MISSED else ""
        yield from act_on(
            session, replace(intent, value=value), replace(resolved, tasks=left), clause
        )


def _is_within(session: Session, task: Seen, stretch: str) -> bool:
    """Whether a task is due in the days that were named; of what is late, any will do."""
    if not stretch or _LATE.fullmatch(stretch) or not task.repeat_words or task.overdue:
        return True
    if stretch.casefold().startswith("next"):
        # `next week's` is said of the one that comes next as often.
        return True
    try:
        days = read_range(stretch, session.dates.now, session.dates.style)
    except DateNotUnderstood:
        return True
    return task.due is not None and days.first <= task.due.day <= days.last
