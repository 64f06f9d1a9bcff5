"""Builders: what rules make of the slots they have filled."""

from __future__ import annotations

import re

from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    Deed,
    Incomplete,
    Intent,
    Shape,
    Show,
    Why,
)
from todo_tui.providers.offline.pattern import Build, Slots
from todo_tui.providers.offline.slot_values import LEVELS, level_of, names_in, unlabelled

_NO_NAME = re.compile(r"#\d|\bwith\b", re.IGNORECASE)
"""What stands in no name of a tag or project, but in the words for a task."""

_THE_LIST = re.compile(
    r"(?:(?:the|my) )?(?:(?:task |to-?do )?list|order|view|pane|screen)|the|my|our|an?|this|that",
    re.IGNORECASE,
)
"""What names no project or tag either."""


def act(deed: Deed, value: str = "") -> Build:
    """Do the deed, with a value that the pattern implies."""
    return lambda slots: Act(deed, slots["ref"], value)


def due(slots: Slots) -> Intent:
    """Set the due date to what `{when}` says."""
    return Act(Deed.DUE, slots["ref"], slots["when"])


_NEW_WITH_SEVERAL = re.compile(
    r"(?!(?:the|my|our|this|that|these|those)\b).* (?:with|for|between) .*(?:\band\b|,|&)",
    re.IGNORECASE,
)
"""`a review with Carol and Bob`: what is not there yet, and no two tasks by their names."""


def scheduled(slots: Slots) -> Intent:
    """Set a due date, or add a task with it where there is none."""
    title = unlabelled(slots["ref"])
    if _NEW_WITH_SEVERAL.match(slots["ref"]):
        return Add(f"{title} {slots['when']}")
    return Act(Deed.DUE, slots["ref"], slots["when"], f"{title} {slots['when']}")


def it_due(slots: Slots) -> Intent:
    """Set the due date of what was named last."""
    return Act(Deed.DUE, "it", slots["when"])


def shift(direction: str) -> Build:
    """Move the due date by `{span}`, `earlier` or `later`."""

    def build(slots: Slots) -> Intent:
        span = re.sub(r"^another ", "1 ", slots["span"], flags=re.IGNORECASE)
        return Act(Deed.SHIFT, slots["ref"], f"{span.replace(' more ', ' ')} {direction}")

    return build


def level(slots: Slots) -> Intent | None:
    """Set the priority that `{level}` names."""
    level = level_of(slots["level"])
    return Act(Deed.PRIORITY, slots["ref"], level) if level else None


def stated_level(slots: Slots) -> Intent | None:
    """`the report is urgent`; of a rent that is high, or of everything, nothing follows."""
    plain = slots["level"].casefold()
    weight = plain in LEVELS and plain.split()[-1] in ("urgent", "important", "critical")
    if slots["ref"].casefold() in ("everything", "all", "it all", "nothing", "life"):
        return None
    return level(slots) if weight or plain not in LEVELS else None


def named(deed: Deed) -> Build:
    """Do the deed with the names in `{name}`."""

    def build(slots: Slots) -> Intent | None:
        names = names_in(slots["name"])
        if _NO_NAME.search(slots["name"]) or _THE_LIST.fullmatch(slots["name"]):
            return None
        return Act(deed, slots["ref"], names) if names else None

    return build


def value(deed: Deed, slot: str) -> Build:
    """Do the deed with the words of a slot as they stand."""
    return lambda slots: Act(deed, slots["ref"], slots[slot])


def lacks(question: str, template: str) -> Build:
    """Ask for the part that a command lacks; `{blank}` is its place in the template."""
    return lambda slots: Incomplete(
        question, template.format_map({**slots, "blank": "{}"}), slots["ref"]
    )


def ask(shape: Shape, slot: str = "np", *, beside: bool = False) -> Build:
    """Ask about the tasks that a slot describes; `beside`: in the list beside the chat."""
    return lambda slots: Ask(shape, slots[slot], show=beside)


def show(aspect: str = "") -> Build:
    """Ask about the one task of `{ref}`; `aspect` is what is asked of it."""
    return lambda slots: Show(slots["ref"], aspect)


def why(slots: Slots) -> Intent:
    """Ask why `{ref}` presses so, or whether it presses more than `{other}`."""
    return Why(slots["ref"], slots.get("other") or "")
