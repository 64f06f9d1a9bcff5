"""What a filter means where it does not say it: open tasks, and none of the trash."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from todo_tui.domain.filter_terms import (
    And,
    AnyStatus,
    DayField,
    Filter,
    HasId,
    HasIds,
    HasStatus,
    InTrash,
    IsOpen,
    IsReady,
    IsStarted,
    IsWaiting,
    Not,
    Or,
    Side,
    Within,
    all_of,
)

NOT_IN_TRASH = Not(InTrash())
OPEN_TASKS = all_of(NOT_IN_TRASH, IsOpen())
"""What a list without a filter shows."""

_DECIDES_STATUS = (
    HasId,
    HasIds,
    HasStatus,
    IsOpen,
    AnyStatus,
    InTrash,
    IsWaiting,
    IsStarted,
    IsReady,
)


def with_default_scope(wanted: Filter) -> Filter:
    """What was asked for, among open tasks and outside the trash unless it says otherwise.

    Each side of an `or` is asked by itself, so `done or today` means what is done,
    and what is open and due today. What is denied decides nothing: `not done`
    still means open tasks. Done twice it is as if done once.
    """
    return _scoped(_scoped(wanted, IsOpen(), _decides_status), NOT_IN_TRASH, _decides_trash)


def _decides_status(term: Filter) -> bool:
    if isinstance(term, Within | Side):
        return term.of is DayField.COMPLETED
    return isinstance(term, _DECIDES_STATUS)


def _decides_trash(term: Filter) -> bool:
    return isinstance(term, InTrash) or term == NOT_IN_TRASH


class _Decision(StrEnum):
    NEVER = "never"
    PARTLY = "partly"
    ALWAYS = "always"


def _decision(wanted: Filter, decides: Callable[[Filter], bool]) -> _Decision:
    """Whether a filter says by itself what the scope would say."""
    if decides(wanted):
        return _Decision.ALWAYS
    match wanted:
        case And(parts):
            found = {_decision(part, decides) for part in parts}
            strongest = (_Decision.ALWAYS, _Decision.PARTLY)
            return next((each for each in strongest if each in found), _Decision.NEVER)
        case Or(parts):
            found = {_decision(part, decides) for part in parts}
            return found.pop() if len(found) == 1 else _Decision.PARTLY
        case _:
            return _Decision.NEVER


def _scoped(wanted: Filter, scope: Filter, decides: Callable[[Filter], bool]) -> Filter:
    match _decision(wanted, decides), wanted:
        case _Decision.ALWAYS, _:
            return wanted
        case _Decision.PARTLY, Or(parts):
            return Or(tuple(_scoped(part, scope, decides) for part in parts))
        case _Decision.PARTLY, And(parts):
            return And(
                tuple(
                    _scoped(part, scope, decides)
                    if _decision(part, decides) is _Decision.PARTLY
                    else part
                    for part in parts
                )
            )
        case _:
            return all_of(scope, wanted)
