"""Words and builders that the rules of structure share."""

from __future__ import annotations

import re

from todo_tui.providers.offline.intents import Act, Deed, Intent
from todo_tui.providers.offline.pattern import Build, Slots

SUB = r"(?:sub-? ?tasks?|children|child(?: tasks?)?|sub-?items?|sub-?steps?|steps?|parts?)"

BELOW = r"(?:under|underneath|beneath|inside|within|below)"

ID = r"(?:#|task #?|number )\d+"

CUT_SHORT = re.compile(
    r"(?:^|\s)(?:its|their|the|all|and|of|my|a|an)$|\band (?:everything|anything)$", re.IGNORECASE
)
"""How words end that name nothing by themselves."""


def linked(deed: Deed) -> Build:
    """Do the deed to `{ref}`, with the task that `{other}` names at its other end."""

    def build(slots: Slots) -> Intent | None:
        cut = CUT_SHORT.search(slots["ref"])
        return None if cut else Act(deed, slots["ref"], slots["other"])

    return build
