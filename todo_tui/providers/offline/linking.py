"""Linking: deeds with a task at either end, such as `#3 waits for #2`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from todo_tui.providers.offline.acting import act_on, ask_which, say_nothing_fits
from todo_tui.providers.offline.asides import decline
from todo_tui.providers.offline.found import Found, Nothing, Resolved, Several
from todo_tui.providers.offline.intents import Act, Deed
from todo_tui.providers.offline.matching import find_strictly
from todo_tui.providers.offline.references import (
    ById,
    ByKind,
    ByName,
    ByPointing,
    BySubtree,
    read_reference,
)
from todo_tui.providers.offline.resolving import resolve
from todo_tui.providers.offline.session import Session
from todo_tui.providers.offline.toolwork import Plan, Seen

LINKED = frozenset({Deed.NEST, Deed.BLOCK, Deed.UNBLOCK, Deed.PLACE})
_BARE = ("none", "*", "top", "bottom")
"""Values that name no other task."""

_BESIDE = re.compile(r"(?P<word>before|after) (?P<other>.+)", re.IGNORECASE | re.DOTALL)
_CLAUSES = {
    Deed.NEST: "make {} a subtask of {}",
    Deed.BLOCK: "make {} wait for {}",
    Deed.UNBLOCK: "make {} no longer wait for {}",
}


def link(session: Session, intent: Act, clause: str) -> Plan[None]:
    """Find the tasks at both ends, ask where one is unclear, else do it."""
    mine = yield from resolve(session, intent.ref)
    if not isinstance(mine, Found):
        if isinstance(mine, Nothing) and (yield from _is_talk(session, intent)):
            decline(session)
            return
        _say_unclear(session, intent, mine, clause)
        return
    if intent.deed in (Deed.NEST, Deed.PLACE):
        mine = _without_what_comes_along(session, intent.ref, mine)
    if intent.value in _BARE:
        yield from _unlink(session, intent, mine, clause)
        return
    yield from _link_to(session, intent, mine)


def _without_what_comes_along(session: Session, words: str, mine: Found) -> Found:
    """Only the topmost of tasks that are moved: what is below them stays below them.

    Tasks that were each named are all moved.
    """
    reference = read_reference(words, session.dates)
    if isinstance(reference, ById | ByName):
        return mine
    moved = {task.id for task in mine.tasks}
    tops = tuple(task for task in mine.tasks if task.parent not in moved)
    beyond = 0 if isinstance(reference, BySubtree) else mine.beyond
    return replace(mine, tasks=tops, beyond=beyond)


def _unlink(session: Session, intent: Act, mine: Found, clause: str) -> Plan[None]:
    """Do what names no other task; of many, those that wait for nothing are left out."""
    if intent.deed is Deed.UNBLOCK and len(mine.tasks) > 1:
        mine = replace(mine, tasks=tuple(task for task in mine.tasks if task.blocked_by))
    if not mine.tasks:
        session.speech.say("None of these waits for anything, so nothing was changed.")
        return
    yield from act_on(session, intent, mine, clause)


def _link_to(session: Session, intent: Act, mine: Found) -> Plan[None]:
    """Find the task at the other end, ask where it is unclear, else do it."""
    words = intent.value
    if intent.deed is Deed.PLACE and (match := _BESIDE.fullmatch(words)):
        words = match["other"]
    # Who picks one of several at this end shall not be asked of the other end again.
    settled = _said_by_number(intent, mine.tasks, words)
    found = yield from resolve(session, words)
    if isinstance(found, Nothing) and not found.near and _is_vague(session, intent.ref):
        decline(session)
        return
    if not isinstance(found, Found):
        _say_unclear(session, replace(intent, ref=words), found, settled)
        return
    alone = intent.deed in (Deed.NEST, Deed.PLACE)
    if alone and len(found.tasks) > 1:
        _say_unclear(session, replace(intent, ref=words), Several(words, found.tasks), settled)
        return
    ends = {task.id for task in found.tasks} & {task.id for task in mine.tasks}
    if ends and len(mine.tasks) > len(ends):
        # Of many, the one at the other end is left out: `all work tasks wait for the budget`.
        mine = replace(mine, tasks=tuple(task for task in mine.tasks if task.id not in ends))
        settled = _said_by_number(intent, mine.tasks, words)
    elif ends:
        session.speech.say("Both ends are the same task, so nothing was changed.")
        return
    yield from act_on(session, replace(intent, other=found.tasks), mine, settled)


def unnest(session: Session, intent: Act, clause: str) -> Plan[bool]:
    """`take the cake out of plan party`: out of that task; False where it is none of its."""
    mine = yield from resolve(session, intent.ref)
    if not isinstance(mine, Found) or not all(task.parent for task in mine.tasks):
        return False
    wanted = " or ".join(f"#{task.parent}" for task in mine.tasks)
    parents = (yield from session.look(wanted)).tasks
    words = intent.value.replace("-", " ")
    if len(find_strictly(words, parents)) != 1:
        return False
    yield from act_on(session, Act(Deed.NEST, intent.ref, "none"), mine, clause)
    return True


def _said_by_number(intent: Act, tasks: Sequence[Seen], words: str) -> str:
    """The command with the tasks of its first end by their numbers."""
    numbers = " and ".join(f"#{task.id}" for task in tasks)
    if intent.deed is Deed.PLACE:
        return f"put {numbers} {intent.value.split(' ', 1)[0]} {words}"
    return _CLAUSES[intent.deed].format(numbers, words)


def _is_vague(session: Session, words: str) -> bool:
    """Whether words are such as everybody begins a sentence with: `it depends on the weather`."""
    return isinstance(read_reference(words, session.dates), ByKind | ByPointing)


def _is_talk(session: Session, intent: Act) -> Plan[bool]:
    """Whether neither end is a task: `my mother waits for the bus`."""
    ends = (intent.ref, intent.value)
    if not all(isinstance(read_reference(end, session.dates), ByName) for end in ends):
        return False
    other = yield from resolve(session, intent.value)
    return isinstance(other, Nothing) and not other.near


def _say_unclear(session: Session, intent: Act, resolved: Resolved, clause: str) -> None:
    match resolved:
        case Several():
            ask_which(session, intent, resolved, clause)
        case Nothing():
            say_nothing_fits(session, resolved, clause, intent)
        case Found():
            pass
        case _:
            assert_never(resolved)
