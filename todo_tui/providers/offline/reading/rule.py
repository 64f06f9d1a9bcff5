"""Rule: a pattern of whole clauses, with the request that it stands for.

Slots of a pattern stand in braces: `tasks` and `other` (words that refer to tasks), `change` (a
change of fields), `about` (a description of tasks), `title`, `note`, `name` and `text`. Texts of a
request may name slots, and groups of the pattern.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from todo_tui.providers.offline.language.pattern import Slots, lines
from todo_tui.providers.offline.requests import (
    Change,
    Request,
)

Build = Callable[[Slots], Request | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and its request; not `strong` where it could be a task's title too."""

    pattern: str
    template: Request | Build
    strong: bool = True

    def request(self, slots: Slots) -> Request | None:
        """Return the request with its slots filled; None where the words have no meaning."""
        template = self.template
        if callable(template):
            return template(slots)
        given = {**slots, "other": "{other}"}
        texts: dict[str, Any] = {
            each.name: text.format_map(given)
            for each in fields(template)
            if type(text := getattr(template, each.name)) is str
        }
        if isinstance(template, Change):
            texts["other"] = slots.get("other", "")
        return replace(template, **texts)


def rules_of(template: Request | Build, patterns: str) -> tuple[Rule, ...]:
    """Return a rule for each line; one that is indented further continues the line before.

    A pattern that could be a task's title too begins with `~`.
    """
    return tuple(
        Rule(line.removeprefix("~ "), template, not line.startswith("~"))
        for line in lines(patterns)
    )
