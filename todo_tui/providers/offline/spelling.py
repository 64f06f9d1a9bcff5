"""Spelling: a command whose first word has a slip in it, put right."""

from __future__ import annotations

from todo_tui.providers.offline.verbs import base_form, is_verb
from todo_tui.providers.offline.words import distance

_COMMANDS = (
    "complete delete remove rename reopen reschedule postpone remind finish cancel change "
    "finished completed search create untag restore annotate prioritize prioritise uncheck undo "
    "redo move mark list show find remember schedule reminder done clear erase snooze repeat "
    "raise lower tomorrow what's overdue"
).split()
_ALONE = ("undo", "redo", "list", "help", "tomorrow", "next", "today")
"""Words that are a message by themselves."""

_SHORTEST = 4


def respell_command(text: str) -> str | None:
    """The text with its first word replaced by the one command that it nearly is.

    None where it is a word in its own right, or near to none or to several.
    """
    word, _, rest = text.partition(" ")
    given = word.casefold().strip(",:")
    if len(given) < _SHORTEST or not given.isalpha() or given in _COMMANDS:
        return None
    if is_verb(given) or base_form(given) != given:
        return None
    near = [
        command
        for command in (_COMMANDS if rest else _ALONE)
        if abs(len(command) - len(given)) <= 2
        and command[0] == given[0]
        and distance(given, command) <= (1 if len(command) < 6 else 2)
    ]
    best = sorted(near, key=lambda command: distance(given, command))
    if not best or (len(best) > 1 and distance(given, best[0]) == distance(given, best[1])):
        return None
    return f"{best[0]} {rest}".strip()
