"""Skipping: an occurrence of a repeating task is left out, if it is the one that was meant."""

from __future__ import annotations

import re
from dataclasses import replace

from todo_tui.domain.dates.reader import read_range
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.providers.offline import replies
from todo_tui.providers.offline.acting import act, act_on
from todo_tui.providers.offline.adding import offer
from todo_tui.providers.offline.asides import decline, doubt
from todo_tui.providers.offline.found import Found
from todo_tui.providers.offline.intents import Act, Deed, Offer
from todo_tui.providers.offline.offers import sounds_like_task
from todo_tui.providers.offline.resolving import resolve
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.toolwork import Plan, Seen

MISSED = "missed"
_NOW = "now"
_UNTIL = re.compile(r"until ", re.IGNORECASE)
_EXTENT = re.compile(r"until .+|\d+ times", re.IGNORECASE | re.DOTALL)
_LATE = re.compile(r"(?:this|next) (?:time|once|round)|now|once|just once|one time", re.IGNORECASE)


def skip(session: Session, intent: Act, clause: str) -> Plan[None]:
    """Go on to the next date, or past some of them, or let a series end.

    Where another day was named than it is due, that is said instead.
    """
    resolved = yield from resolve(session, intent.ref)
    series = isinstance(resolved, Found) and all(task.repeat_words for task in resolved.tasks)
    if intent.ask and not series:
        _leave(session, clause)
        return
    if intent.deed is Deed.CANCEL:
        deed = Deed.SKIP if series else Deed.DELETE
        intent = replace(intent, deed=deed, value=intent.value if series else "")
    if not isinstance(resolved, Found):
        yield from act(session, intent, clause)
        return
    if intent.deed is Deed.DELETE:
        yield from act_on(session, intent, resolved, clause)
        return
    if intent.value == _NOW:
        named = replies.names(resolved.tasks, ids=True)
        said = f"Shall {named} repeat no more? The present date stays. Say yes or no."
        doubt(session, said, "stop repeating it", resolved.tasks, "it")
        return
    if _EXTENT.fullmatch(intent.value):
        yield from _at_length(session, intent, resolved, clause)
        return
    yield from _as_named(session, intent, resolved, clause)


def _as_named(session: Session, intent: Act, resolved: Found, clause: str) -> Plan[None]:
    """Those that are due in the days that were named; of the others it is said when they are."""
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
        meant = replace(intent, value=MISSED if intent.value == MISSED else "")
        yield from act_on(session, meant, replace(resolved, tasks=left), clause)


def _leave(session: Session, clause: str) -> None:
    """What was said of no series: a new task perhaps."""
    if sounds_like_task(clause, session.dates):
        offer(session, Offer(clause))
    else:
        decline(session)


def _at_length(session: Session, intent: Act, found: Found, clause: str) -> Plan[None]:
    """Past so many dates or up to a day; what does not repeat is hidden until that day."""
    until = _UNTIL.match(intent.value)
    single = tuple(task for task in found.tasks if not task.repeat_words)
    if intent.deed is Deed.SKIP and until and single and not intent.ask:
        hidden = Act(Deed.START, intent.ref, intent.value[until.end() :])
        yield from act_on(session, hidden, replace(found, tasks=single), clause)
        found = replace(found, tasks=tuple(task for task in found.tasks if task.repeat_words))
    if found.tasks:
        yield from act_on(session, intent, found, clause)


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
