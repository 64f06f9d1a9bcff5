"""Swapping: two tasks trade places or dates; one goes a line up or down in the manual order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from todo_tui.providers.offline import replies
from todo_tui.providers.offline.acting import ask_which, say_nothing_fits
from todo_tui.providers.offline.adding import offer
from todo_tui.providers.offline.found import Found, Nothing, Resolved, Several
from todo_tui.providers.offline.intents import Act, Deed, Offer, Step, Swap
from todo_tui.providers.offline.offers import sounds_like_task
from todo_tui.providers.offline.references import parts_of
from todo_tui.providers.offline.resolving import refreshed, resolve
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.toolwork import Call, Outcome, Plan, Seen

_ORDER = "sort:position"
_NOT_TWO = "I can swap two tasks with each other: say which, as in “swap milk and bread”."
_TOO_MANY = (
    "Your list is too long for me to see who stands where. Say “put … before …” with the names of "
    "both tasks. Nothing was changed."
)
_BOTH = re.compile(r"(?:both|the two|them|those|these|the first two|the last two)$", re.IGNORECASE)


def trade(session: Session, intent: Swap | Step, clause: str) -> Plan[None]:
    """Change what stands where."""
    match intent:
        case Swap():
            yield from _swap(session, intent, clause)
        case Step():
            yield from _step(session, intent, clause)
        case _:
            assert_never(intent)


def _swap(session: Session, intent: Swap, clause: str) -> Plan[None]:
    """Let two tasks trade places in the manual order, or their dates."""
    pair = yield from _pair(session, intent, clause)
    if pair is None:
        return
    if intent.dates:
        yield from _swap_dates(session, pair)
    else:
        yield from _swap_places(session, pair)


def _step(session: Session, intent: Step, clause: str) -> Plan[None]:
    """Move one task past its neighbours of the same level in the manual order."""
    resolved = yield from resolve(session, intent.ref)
    if not isinstance(resolved, Found) or len(resolved.tasks) != 1:
        _say_unclear(session, intent.ref, resolved, clause)
        return
    task = resolved.tasks[0]
    level = yield from _level(session, task)
    at = next((place for place, each in enumerate(level) if each.id == task.id), None)
    if at is None:
        session.say(_TOO_MANY, (task,))
        return
    to = min(max(at + intent.lines, 0), len(level) - 1)
    if to == at:
        end = "top" if intent.lines < 0 else "bottom"
        said = f"{replies.name(task)} is at the {end} of the manual order already."
        session.say(said, (task,))
        return
    word = "before" if intent.lines < 0 else "after"
    yield from _call(session, (_put(task, word, level[to]),))
    said = f"{replies.name(task)} is right {word} {replies.name(level[to])} now."
    session.say(f"{said}{_but((task, level[to]))}", (task,), deed=Deed.PLACE.value)


def _pair(session: Session, intent: Swap, clause: str) -> Plan[tuple[Seen, Seen] | None]:
    names: tuple[str, ...] = (intent.ref, intent.other) if intent.other else (intent.ref,)
    if not intent.other and not _BOTH.search(intent.ref):
        names = parts_of(intent.ref)
    ends: list[Resolved] = []
    for name in names:
        ends.append((yield from resolve(session, name)))
    if sounds_like_task(clause, session.dates) and all(isinstance(end, Nothing) for end in ends):
        offer(session, Offer(clause))
        return None
    tasks: list[Seen] = []
    for name, resolved in zip(names, ends, strict=True):
        if not isinstance(resolved, Found) or (len(names) == 2 and len(resolved.tasks) != 1):
            _say_unclear(session, name, resolved, clause)
            return None
        tasks += resolved.tasks
    if len(tasks) != 2 or tasks[0].id == tasks[1].id:
        session.speech.say(_NOT_TWO)
        return None
    first, second = yield from refreshed(session, tasks)
    return first, second


def _say_unclear(session: Session, name: str, resolved: Resolved, clause: str) -> None:
    act = Act(Deed.PLACE, name)
    if isinstance(resolved, Nothing):
        say_nothing_fits(session, resolved, clause, act)
    else:
        ask_which(session, act, Several(name, resolved.tasks), clause)


def _swap_places(session: Session, pair: tuple[Seen, Seen]) -> Plan[None]:
    if pair[0].parent != pair[1].parent:
        session.say(
            f"{replies.names(pair, ids=True)} are not parts of the same task, so I did not swap "
            "their places.",
            pair,
        )
        return
    level = yield from _level(session, pair[0])
    places = [at for at, each in enumerate(level) if each.id in (pair[0].id, pair[1].id)]
    if len(places) != 2:
        session.say(_TOO_MANY, pair)
        return
    upper, lower = level[places[0]], level[places[1]]
    calls = [_put(lower, "before", upper)]
    if places[1] - places[0] > 1:
        calls.append(_put(upper, "after", level[places[1] - 1]))
    yield from _call(session, calls)
    said = f"{replies.names(pair)} have swapped places."
    session.say(f"{said}{_but(pair)}", pair, deed=Deed.PLACE.value)


def _swap_dates(session: Session, pair: tuple[Seen, Seen]) -> Plan[None]:
    first, second = pair
    if first.due == second.due:
        session.say(f"{replies.names(pair)} have the same date already.", pair)
        return
    outcomes = yield from _call(session, (_move(first, second), _move(second, first)))
    moved = [item.task for outcome in outcomes for item in outcome.items if item.task]
    dates = [f"{replies.name(each)} is due {each.due_words or 'on no day'}" for each in moved]
    session.say(f"{' and '.join(dates)} now.", moved, deed=Deed.DUE.value)


def _move(task: Seen, other: Seen) -> Call:
    due = other.due.iso() if other.due else "none"
    return Call("update_task", {"task_ids": [task.id], "due": due})


def _put(task: Seen, word: str, beside: Seen) -> Call:
    return Call("update_task", {"task_ids": [task.id], "position": f"{word} {beside.id}"})


def _call(session: Session, calls: Sequence[Call]) -> Plan[tuple[Outcome, ...]]:
    outcomes = yield tuple(calls)
    session.forget()
    return tuple(outcomes)


def _level(session: Session, task: Seen) -> Plan[tuple[Seen, ...]]:
    """The open tasks of the same level in the manual order; none where they are too many."""
    listing = yield from session.look(_ORDER)
    if listing.cut:
        return ()
    return tuple(each for each in listing.tasks if each.parent == task.parent)


def _but(tasks: Sequence[Seen]) -> str:
    dated = any(task.due for task in tasks)
    return " Where tasks have dates, the list still goes by those." if dated else ""
