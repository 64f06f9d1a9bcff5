"""Split a message into sentences and clauses, in order; lists stay whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from todo_tui.providers.offline.grammar import Grammar, Reading
from todo_tui.providers.offline.intents import (
    Act,
    Add,
    Ask,
    Claim,
    Deed,
    Offer,
    Shape,
    Show,
    Talk,
    Unknown,
)
from todo_tui.providers.offline.items import counts_days, is_bullet
from todo_tui.providers.offline.references import names_subtree
from todo_tui.providers.offline.words import peeled

_SENTENCE = re.compile(
    r"(?<!\b[A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bno)(?<!\bvs)(?<!\bProf)"
    r"(?<!\bevery)(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bapprox)(?<!\bext)(?<!\d)"
    r"[.!?…]+(?=\s+\S)\s+",
    re.IGNORECASE,
)
_NUMBER_END = re.compile(r"(?<=\d)[.!?]\s+(?=[A-Za-z])")
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
"""Return True if a clause that may be a command is one, since it fits a task that exists."""


def ends_a_sentence(text: str) -> bool:
    """Return True if a sentence ends in the text, before another one."""
    return bool(_SENTENCE.search(text))


def blocks_of(text: str, grammar: Grammar) -> Iterator[str]:
    """Lines; those of a list stay with the line that introduces it."""
    lines = [line.rstrip() for line in text.split("\n")]
    lines = [line for line in lines if line.strip()]
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and _belongs(lines[at], lines[end], grammar):
            end += 1
        yield "\n".join(lines[at:end])
        at = end


def _belongs(head: str, line: str, grammar: Grammar) -> bool:
    """Return True if a line is an entry of the list that another line begins."""
    if is_bullet(line):
        return True
    if is_bullet(head):
        return False
    adds = any(isinstance(reading.intent, Add) for reading in grammar.read(head))
    opens = (
        head.rstrip().endswith(":")
        or adds
        or re.fullmatch(r"(?:please )?(?:add|remind me to)", head.strip(), re.IGNORECASE)
    )
    return bool(opens) and not grammar.is_command(line) and not _says_something(line, grammar)


def sentences_of(block: str, grammar: Grammar) -> Iterator[str]:
    """Sentences; of a note all that follows is its text."""
    rest = block.strip()
    at = 0
    while match := _first_end(rest, at):
        head, tail = rest[: match.start()], rest[match.end() :]
        ended = head + match[0].strip()
        if takes_all(grammar.read(head)):
            break
        if _abbreviates(head):
            at = match.end()
            continue
        yield ended
        rest, at = tail, 0
    if rest:
        yield rest


def _first_end(text: str, at: int) -> re.Match[str] | None:
    found = [match for match in (_SENTENCE.search(text, at), _NUMBER_END.search(text, at)) if match]
    return min(found, key=lambda match: match.start(), default=None)


def _abbreviates(head: str) -> bool:
    return bool(re.search(r"(?:^|\s)(?:[A-Za-z]|Dr|Mr|Mrs|Ms|St|Prof|vs|etc|approx|ext)$", head))


def takes_all(readings: tuple[Reading, ...]) -> bool:
    """Return True if what was read so far has a text that may go on as it likes."""
    return any(
        isinstance(reading.intent, Act)
        and reading.intent.deed is Deed.NOTE
        and reading.intent.value
        for reading in readings
    )


def _says_something(line: str, grammar: Grammar) -> bool:
    return any(
        isinstance(reading.intent, Claim) and reading.strong for reading in grammar.read(line)
    )


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
    """Return True if there is a place at which a text might be cut."""
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
    """Return True if a command follows mere preamble: `tomorrow is crazy, so add …`."""
    if not _PAUSE.search(joint) or _DEPENDS.search(left) or _enumerates(left, right):
        return False
    if not all(isinstance(reading.intent, Unknown) for reading in grammar.read(left)):
        return False
    after = grammar.read(_up_to_joint(right, grammar))
    return all(reading.strong and isinstance(reading.intent, Add | Act) for reading in after)


def _holds_together(text: str, grammar: Grammar) -> bool:
    """Return True if a text is one wish, although a joint stands in it.

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
    """Return True if a joint stands between two numbers of tasks, or behind `under the party`."""
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
    """Return True if a wish that stands at a joint would be taken for part of a task's name."""
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
    """Return True if what follows a joint can be a clause; a bare name or number cannot."""
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
