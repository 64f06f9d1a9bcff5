"""Clauses: a message cut into the single things that it says, in order.

A sentence ends a clause; so does "and", "then" or a comma, where what follows is a
command of its own and what stands before it means something too. Within an addition
only what is surely a command parts it, since a task's title may begin with any verb.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from todo_tui.providers.offline.courtesy import peeled
from todo_tui.providers.offline.grammar import Grammar, Reading
from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    Deed,
    Offer,
    Shape,
    Show,
    Talk,
    Unknown,
)
from todo_tui.providers.offline.items import counts_days
from todo_tui.providers.offline.references import names_subtree
from todo_tui.providers.offline.sentences import (
    blocks_of,
    ends_a_sentence,
    sentences_of,
    takes_all,
)

_JOINT = re.compile(
    r"\s*(?:;|,\s*and then|,\s*and also|,\s*and|,\s*then|,\s*but|,\s*also|\band then\b"
    r"|\band also\b|\band\b|\bthen\b|\bbut\b|&|,|—|–|\bplus\b|\bafter that\b"
    r"|\bas well as\b)\s+",
    re.IGNORECASE,
)
_GAPPED = re.compile(r"^(?P<verb>[A-Za-z]+) ", re.IGNORECASE)
_CORRECTED = re.compile(
    r"(?P<verb>[a-z]+) (?P<was>.+?)[,.;–—-]+ ?(?:(?:no|oops|sorry|oh)[, ]+)*(?:wait|no wait|wait no"
    r"|scratch that|(?:or )?rather|i (?:mean|meant)|make that)[, ]+(?:i (?:mean|meant) )?"
    r"(?P<item>[^,]+)",
    re.IGNORECASE,
)
_BELOW = re.compile(r"(?:under|underneath|beneath|below) \S", re.IGNORECASE)
_LINKS = (Deed.NEST, Deed.BLOCK, Deed.UNBLOCK, Deed.PLACE)
_COMMANDING = re.compile(
    r"(?:then |also )?(?:add|put|move|make|set|mark|block|unblock|tag|delete|remove|complete|finish"
    r"|remind|skip|rename|nest|let|show|list)\b",
    re.IGNORECASE,
)
_MOST = 100
"""Clauses that are read of one message."""

_MOST_JOINTS = 24
"""Joints of one sentence at which it may be cut; what goes on longer is no list of commands."""

_PAUSE = re.compile(r"[,;—–]|\bbut\b", re.IGNORECASE)
_DEPENDS = re.compile(
    r"\b(?:if|unless|when|whenever|once|until|in case|after|before|suppose|imagine|though"
    r"|although|while|said|says|say|tells?|told|asks?|asked|wants?|wanted|thinks?|thought|wrote"
    r"|writes|not|never|\w+n't)\b",
    re.IGNORECASE,
)
"""Words by which what follows is no wish, or the wish of somebody else."""

Fits = Callable[[str], bool]
"""Whether a clause that may be a command is one, since it fits a task that exists."""


def split_clauses(text: str, grammar: Grammar, fits: Fits = lambda _: False) -> tuple[str, ...]:
    """The clauses of a message, each to be read by itself."""
    clauses: list[str] = []
    for block in blocks_of(text, grammar):
        if "\n" in block:
            clauses.append(block)
            continue
        for sentence in sentences_of(block, grammar):
            clauses += _split_sentence(sentence, grammar, fits)
    return tuple(clause for clause in clauses if clause.strip())[:_MOST]


def has_joint(text: str) -> bool:
    """Whether there is a place at which a text might be cut."""
    return bool(_JOINT.search(text)) or ends_a_sentence(text)


def _corrected(sentence: str, grammar: Grammar) -> str:
    """`delete the dentist, no wait, the bank`: only what was said last is meant."""
    match = _CORRECTED.fullmatch(sentence)
    if match is None:
        return sentence
    said = {type(reading.intent) for reading in grammar.read(f"{match['verb']} {match['was']}")}
    for instead in (match["item"], f"{match['verb']} {match['item']}"):
        if grammar.is_command(instead) or instead != match["item"]:
            meant = {type(reading.intent) for reading in grammar.read(instead)}
            if meant & said & {Act, Add}:
                return instead
    return sentence


def _split_sentence(sentence: str, grammar: Grammar, fits: Fits) -> list[str]:
    rest = _corrected(sentence.strip(), grammar)
    clauses: list[str] = []
    start = 0
    for _ in range(_MOST_JOINTS):
        match = _JOINT.search(rest, start)
        if match is None or (start == 0 and _holds_together(rest, grammar)):
            break
        left, right = rest[: match.start()].strip(" ,"), rest[match.end() :]
        if counts_days(left, right):
            start = match.end()
        elif left and right and not clauses and _is_preamble(left, match[0], right, grammar):
            rest, start = right, 0
        elif left and right and (parted := _parted(left, right, grammar, fits)):
            clauses.append(left)
            rest, start = parted, 0
        else:
            start = match.end()
    clauses.append(rest)
    return clauses


def _is_preamble(left: str, joint: str, right: str, grammar: Grammar) -> bool:
    """Whether a command follows words that only lead up to it: `tomorrow is crazy, so add …`."""
    if not _PAUSE.search(joint) or _DEPENDS.search(left) or _enumerates(left, right):
        return False
    if not all(isinstance(reading.intent, Unknown) for reading in grammar.read(left)):
        return False
    after = grammar.read(_up_to_joint(right, grammar))
    return all(reading.strong and isinstance(reading.intent, Add | Act) for reading in after)


def _holds_together(text: str, grammar: Grammar) -> bool:
    """Whether a text is one wish, although a joint stands in it.

    It says what becomes of the subtasks or of the series, means a task and what is
    below it, or links several tasks to one.
    """
    return any(
        (reading.strong or _with_below(reading))
        and (
            (isinstance(reading.intent, Act) and _is_whole(reading.intent))
            or (isinstance(reading.intent, Add) and reading.intent.parent and _BELOW.match(text))
        )
        for reading in grammar.read(text)
    )


def _with_below(reading: Reading) -> bool:
    return isinstance(reading.intent, Act) and names_subtree(reading.intent.ref)


def _is_whole(intent: Act) -> bool:
    if intent.deed is Deed.COMPLETE and intent.value:
        return True
    if names_subtree(intent.ref):
        return not has_joint(intent.value)
    parts = _JOINT.split(intent.ref)
    return (
        intent.deed in _LINKS
        and len(parts) > 1
        and not has_joint(intent.value)
        and not any(_COMMANDING.match(part) for part in parts)
    )


def _enumerates(left: str, right: str) -> bool:
    """Whether a joint stands between two numbers of tasks, or behind `under the party`."""
    numbers = re.search(r"#?\d+$", left) and re.match(r"#?\d+\b", right)
    return bool(numbers or _BELOW.match(left))


def _parted(left: str, right: str, grammar: Grammar, fits: Fits) -> str:
    """What follows a joint as a clause of its own, empty where it is none."""
    before = grammar.read(left)
    if takes_all(before) or all(isinstance(reading.intent, Unknown) for reading in before):
        return ""
    following = _up_to_joint(right, grammar)
    after = grammar.read(following)
    if all(isinstance(reading.intent, Unknown | Offer) for reading in before):
        adds = all(reading.strong and isinstance(reading.intent, Add) for reading in after)
        return right if adds else ""
    if not any(_stands_alone(reading) for reading in after):
        return _gapped(left, right, grammar)
    open_ended = any(_is_open_ended(reading) for reading in before)
    if open_ended and not any(reading.strong for reading in after) and not fits(following):
        return ""
    return right


def _up_to_joint(right: str, grammar: Grammar) -> str:
    """The right side as far as it is one clause.

    That is up to its first joint, where what stands on both sides of it is something by
    itself, or where the whole is nothing; else it is the whole.
    """
    match = _JOINT.search(right)
    if match is None:
        return right
    head, tail = right[: match.start()], right[match.end() :]
    parts = _means_something(head, grammar) and any(
        _stands_alone(reading) for reading in grammar.read(tail)
    )
    if parts or not _means_something(right, grammar) or _swallows_command(right, grammar):
        return head
    return right


def _swallows_command(text: str, grammar: Grammar) -> bool:
    """Whether a wish that stands at a joint would be taken for part of a task's name."""
    joints = list(islice(_JOINT.finditer(text), _MOST_JOINTS))
    return all(
        isinstance(reading.intent, Act) and _JOINT.search(reading.intent.ref)
        for reading in grammar.read(text)
    ) and any(
        _COMMANDING.match(text, joint.end()) and grammar.is_command(text[joint.end() :])
        for joint in joints
    )


def _means_something(clause: str, grammar: Grammar) -> bool:
    return not all(isinstance(reading.intent, Unknown | Offer) for reading in grammar.read(clause))


def _gapped(left: str, right: str, grammar: Grammar) -> str:
    """`move milk to friday and rent to monday`: the verb of the left side holds for the right."""
    verb = _GAPPED.match(peeled(left))
    if verb is None or not re.search(r"\b(?:to|with|as|by|until|for|on|at)\b", right):
        return ""
    carried = f"{verb['verb']} {right}"
    acts = [r.intent for r in grammar.read(left) if isinstance(r.intent, Act)]
    deeds = [act.deed for act in acts]
    first = grammar.read(carried)[0]
    if not deeds or not isinstance(first.intent, Act):
        return ""
    if deeds[0] is Deed.DUE and not acts[0].value:  # `schedule lunch with Sam` lacks its date yet
        return ""
    # A date on either side of the joint is two wishes, however weak each is by itself.
    dated = first.intent.deed is deeds[0] is Deed.DUE
    return carried if first.strong or dated else ""


def _stands_alone(reading: Reading) -> bool:
    """Whether what follows a joint can be a clause; a bare name or number cannot."""
    match reading.intent:
        case Unknown() | Offer() | Talk():
            return False
        case Ask() | Show():
            return reading.strong
        case _:
            return True


def _is_open_ended(reading: Reading) -> bool:
    match reading.intent:
        case Add() | Offer():
            return True
        case Act(deed=Deed.RENAME):
            return True
        case Ask(shape=Shape.SEARCH):
            return True
        case _:
            return False
