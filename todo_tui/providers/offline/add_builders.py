"""Builders of additions: which wishes are tasks, which may be, and which are only said."""

from __future__ import annotations

import re
from dataclasses import replace

from todo_tui.providers.offline.intents import Add, Intent, Offer
from todo_tui.providers.offline.pattern import Slots
from todo_tui.providers.offline.verbs import is_verb

_NOT_TASKS = re.compile(
    r"(?:know|ask|tell you|say|understand|think|believe|admit|see|hear|be|go|leave|sleep"
    r"|stop|agree|disagree"
    r"|complain|confess|talk to you|speak to you|vent|use the (?:bathroom|toilet)|pee"
    r"|get going|run|rest|laugh|cry)\b",
    re.IGNORECASE,
)
_NEEDED = re.compile(
    r"(?:help|advice|you|a break|a minute|a moment|a hug|some help|nothing|more time|to)\b", re.I
)
_HINDSIGHT = re.compile(r"(?:have|'ve) (?:\w+ed|\w+en|paid|bought|done|gone|sent|made|got)\b", re.I)
"""What follows `I should` where it is too late."""

_OUTING = re.compile(r"(?:go (?:for|to)|see|run) (?!bed\b|sleep\b)\S+ \S+", re.IGNORECASE)
"""What is done at a time that is set, unlike `go crazy`."""

_IDLE = re.compile(
    r"(?:work|smile|win|live|die|wait|hurry|relax|dream|study|hope)"
    r"(?: (?:hard|harder|late|early|more|less|a lot|all day|today|tomorrow|tonight|again))*",
    re.IGNORECASE,
)
"""What fills a day without being a thing to tick off."""

_ASIDES = (
    *("know", "ask you", "tell you", "say", "understand", "think", "admit", "confess"),
    "complain",
)
"""Verbs with which somebody says something: it takes more words to make a task of them."""


def item(slots: Slots) -> Intent:
    """Add what was said, with what else was said of it."""
    return Add(slots["item"], slots.get("extra", ""))


def needed(slots: Slots) -> Intent | None:
    """`I need to …`: a task, if it is one thing to do and not said in passing."""
    words = slots["item"]
    if _IDLE.fullmatch(words):
        return None
    if words.casefold() in ("do", "do something", "go", "leave", "sleep"):
        return None
    fewest = 8 if words.casefold().startswith(_ASIDES) else 3
    return None if _NOT_TASKS.match(words) and len(words.split()) < fewest else Add(words)


def offered(slots: Slots) -> Intent | None:
    """`I should …`: perhaps a task, which is asked."""
    words = slots["item"]
    if _IDLE.fullmatch(words) or _HINDSIGHT.match(words):
        return None
    return None if _NOT_TASKS.match(words) or _NEEDED.match(words) else Offer(words)


def remembered(slots: Slots) -> Intent | None:
    """`remember to …`; who is to be remembered is no task."""
    somebody = slots["item"].casefold() in ("me", "us", "you", "it", "that", "him", "her", "them")
    return None if somebody else item(slots)


def intended(slots: Slots) -> Intent | None:
    """A plan of the speaker's own: with a date to it, it is as good as said to be added."""
    if _OUTING.match(slots["item"]):
        return Offer(slots["item"], intended=True)
    offer = offered(slots)
    if isinstance(offer, Offer) and _is_deed(slots["item"]):
        return replace(offer, intended=True)
    return offer


def headed(slots: Slots) -> Intent:
    """`urgent: call the landlord`, where the heading makes a task of a deed only."""
    words = slots["item"]
    return Add(words, slots["extra"]) if _is_deed(words) else Offer(words)


def put_on_list(slots: Slots) -> Intent | None:
    """`put bread on my list`; what is put back was there before."""
    back = slots["item"].casefold().endswith(" back")
    return None if back else item(slots)


def deed(slots: Slots) -> Intent | None:
    """Add what begins with a verb, as what is to be done does."""
    return Add(slots["item"]) if _is_deed(slots["item"]) else None


def dated(slots: Slots) -> Intent:
    """Add what was said, due at `{when}`."""
    return Add(slots["item"], slots["when"])


def filed(slots: Slots) -> Intent:
    """Add what was said, in the project that `{extra}` names."""
    return Add(slots["item"], f"#{slots['extra']}")


def _is_deed(words: str) -> bool:
    return is_verb(words.split()[0].lower())
