"""Moments: what undo and redo brought back, and what day and time it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from todo_tui.providers.offline import replies
from todo_tui.providers.offline.intents import StepBack, TellTime
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.toolwork import Call, Plan, Seen


def step_back(session: Session, intent: StepBack) -> Plan[None]:
    """Undo or redo, once for each time that was asked for."""
    tool, verb = ("redo", "Redone") if intent.redo else ("undo", "Undone")
    # In one message: the same call in a later one would count as a repeat of the first.
    outcomes = yield tuple(Call(tool, ordered=True) for _ in range(intent.times))
    session.forget()
    for outcome in outcomes:
        if outcome.error:
            session.say(replies.escaped(outcome.error))
            return
        session.say(
            f"{verb}: {_changes(outcome.changes, redo=intent.redo)}",
            [task for _, task in outcome.changes],
            deed=tool,
        )
        for conflict in outcome.conflicts:
            session.speech.say(f"I left {replies.quoted(conflict)} as it is: it was changed since.")


_CHANGES = {
    "added": "is back",
    "updated": "is as it was",
    "completed": "is done again",
    "reopened": "is open again",
    "deleted": "is off the list",
    "restored": "is back",
    "purged": "is gone",
}


def _changes(changes: Sequence[tuple[str, Seen]], *, redo: bool) -> str:
    reopened = {task.title for kind, task in changes if kind == "reopened"}
    phrases = [
        f"the next {replies.name(task)} is taken away"
        if kind == "purged" and task.title in reopened
        else f"{replies.name(task)} {_state(kind, redo=redo)}"
        for kind, task in changes[:5]
    ]
    if len(changes) > 5:
        phrases.append(f"and {len(changes) - 5} more")
    return f"{', '.join(phrases)}." if phrases else "there was nothing to change."


def _state(kind: str, *, redo: bool) -> str:
    again = redo and kind == "updated"
    return "is changed again" if again else _CHANGES.get(kind, "is changed back")


def tell_time(session: Session, intent: TellTime) -> Plan[None]:
    """The date and the time of day, or which date a day is."""
    if intent.day:
        day = session.dates.when(re.sub(r"^(?:on |the )", "", intent.day))
        if day is not None:
            session.speech.say(
                f"{intent.day[:1].upper()}{replies.escaped(intent.day[1:])} is "
                f"{_long(datetime.combine(day.day, datetime.min.time()))}"
                f"{_away((day.day - session.dates.now.date()).days)}."
            )
            return
        session.speech.say(f"I did not understand {replies.quoted(intent.day)} as a day.")
        return
    outcome = yield from session.call("current_time")
    try:
        now = datetime.fromisoformat(outcome.words("now"))
    except ValueError:
        now = session.dates.now
    session.speech.say(f"It is {_long(now)}, {now:%H:%M}.")


def _away(days: int) -> str:
    return f", in {days:,} days" if days > 1 else ""


def _long(day: datetime) -> str:
    return f"{day:%A}, {day.day} {day:%B %Y}"
