"""Found: what words turn out to mean: tasks, more of them than were meant, or none."""

from __future__ import annotations

from dataclasses import dataclass

from todo_tui.providers.offline.toolwork import Seen


@dataclass(frozen=True, slots=True)
class Found:
    """The tasks that are meant. `missing` are names in a list that fit nothing."""

    tasks: tuple[Seen, ...]
    everything: bool = False
    missing: tuple[str, ...] = ()
    beyond: int = 0
    """How many more there are than can be dealt with at once."""
    filter: str = ""
    """The words of a filter that finds them all, where they are more than that."""


@dataclass(frozen=True, slots=True)
class Several:
    """More tasks fit than were asked for."""

    words: str
    tasks: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """No task fits; `sentence` says why where it is not simply unknown."""

    words: str
    near: tuple[Seen, ...] = ()
    sentence: str = ""


Resolved = Found | Several | Nothing
