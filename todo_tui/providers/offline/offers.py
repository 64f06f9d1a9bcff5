"""Offers: words that sound like a task although nobody said to add it."""

from __future__ import annotations

import re

from todo_tui.providers.offline.dating import Dates
from todo_tui.providers.offline.verbs import is_verb

_FOR_A_MODEL = frozenset(
    "write tell translate explain calculate sing play draw compose summarise summarize "
    "define give show say "
    "talk guess google compare describe imagine help make open turn set start run search "
    "look think let try "
    "stop wait keep be have do know love like hate see hear go come use want thank program "
    "code generate "
    "count like light shut dance smile greet surprise".split()
)
_STATING = frozenset(
    "is are was were isn't aren't wasn't weren't has had should can could will would must "
    "may".split()
)
"""Words after which the one before was a thing that something is said of."""

_TO_ME = re.compile(r"\b(?:me|you|your|yourself|us)\b", re.IGNORECASE)
_MOST_WORDS = 14


def sounds_like_task(text: str, dates: Dates) -> bool:
    """Whether a sentence reads like a line of a to-do list: `buy milk tomorrow`.

    With a date at its end any verb will do; without one it takes an errand's verb.
    """
    # Quick add brings the grammar of rhythms: needed only here and to add.
    from todo_tui.domain.change_words.quick_add import read_quick_add

    words = text.split()
    if not 2 <= len(words) <= _MOST_WORDS or not is_verb(words[0].lower()):
        return False
    if words[1].lower() in _STATING:
        return False
    if _TO_ME.search(text) or text.endswith("?"):
        return False
    if words[0].lower() not in _FOR_A_MODEL:
        return True
    found = read_quick_add(text, dates.now, dates.style)
    return found.due is not None or found.recurrence is not None
