"""Pattern language of the assistant: regular expressions made for words.

Case does not count, a plain group captures nothing, and a word in capitals stands for the
expressions of a class: `(tick|check)( off)? {tasks}( NOW)*`. A rule has slots in braces too; their
words are checked when they are filled.
"""

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from todo_tui.domain.dates.text import MONTH_NAMES, WEEKDAY_NAMES
from todo_tui.domain.estimates import ESTIMATE

CLASSES: Mapping[str, str] = {
    "DONE":
        r"(all |both |already |now |finally )*(done|complete|completed|finished|ticked( off)?"
        r"|checked( off)?|sorted|sorted out|dealt with|taken care of|handled|crossed off)",
    "BE":
        r"is|are|was|were|has been|have been|'s|'re|got|gets|should be|must be|needs to be"
        r"|has to be|have to be|ought to be|is now|are now|will be|can be",
    "DELETE":
        r"delete|remove|erase|drop|scratch|trash|bin|scrap|axe|discard|ditch|kill|get rid of"
        r"|throw away|throw out|clear out|clear|purge|wipe|nuke|forget about|forget|lose|rm",
    "CANCEL": r"cancel|call off|abandon",
    "MOVE":
        r"move|reschedule|re-schedule|postpone|push|shift|delay|defer|change|bump|snooze|put off"
        r"|put|set|bring|pull|slip|carry over|carry|update|make|schedule|give|mark|flag|turn"
        r"|switch|edit|extend|raise|lower|file|assign|repeat|prioriti[sz]e|adjust|keep"
        r"|stick",
    "SOONER": r"bring|pull|advance|prepone",
    "FIELD":
        r"due date|due day|due time|deadline|date|time|priority|prio|importance|project|list"
        r"|tags?|labels?|start( date)?|repeat|repetition|recurrence|status|schedule|parent"
        r"|blockers?|notes?|estimate",
    "AMOUNT": ESTIMATE,
    "LASTING":
        r"AMOUNT|(half |a quarter of )?an hour|an hour and a half|(one|two|three) hours?",
    "OPENED":
        r"not done|not complete|not completed|not finished|undone|open|incomplete|unfinished"
        r"|active|pending|not yet done|unchecked|to-?do",
    "SHOW": r"show|list|display|give|see|view|print|tell|read( out)?",
    "NOW": r"now|please|again|instead|too|as well|also|already",
    "ADD": r"add|create|put|make|insert",
    "TASK": r"tasks?|to-? ?dos?|items?|reminders?|errands?|things?",
    "NUMBERED": r"#?\d+(( ?,| ?&|,? and) ?#?\d+)*",
    "GROUP_KIND": r"project|list|folder|category",
    "SUBTASK": r"sub-? ?tasks?|steps?|child(ren)?|parts?",
    "WEEKDAY": "|".join(WEEKDAY_NAMES),
    "MONTH": "|".join(MONTH_NAMES),
    "INSTEAD": r"TAKEN_BACK|make (that|it)|let's say|better",
    "TAKEN_BACK":
        r"no+|nope|nah|wait|hang on|hold on|actually|sorry|or rather|rather|i mean|i meant"
        r"|on second thoughts?|(thinking about|come to think of) it|correction"
        r"|(scratch|scrap|strike) (that|it)",
    "OOPS":
        r"hm+|u+[hm]+|er+m?|o+h|ah|ach|och|ay"
        r"|omg|oops|whoops|dear|damn|argh|ugh|ok|well|pardon( me)?"
        r"|excuse me|my (mistake|bad|fault)|i mis(heard|read|took)|i tell a lie|i lied"
        r"|i was wrong|i (got|mixed) (that|it|them) (wrong|up)",
    "PLACE":
        r"(the )?(first|second|third|fourth|fifth|last|latter|former)( one| task)"
        r"|the (first|second|third|fourth|fifth|last|latter|former)(?! (of|week\w*|day|half|quarter"
        r"|month|year|WEEKDAY|MONTH|(mon|tue|wed|thu|fri|sat|sun)\w*)\b)",
    "NOTE": r"((short|quick|dated|new) )?(notes?|comments?|remarks?|annotations?|description)",
    "NOTING":
        r"add|attach|append|write|put|leave|make|set|pop|stick|jot|drop|save|keep|scribble|note"
        r"|remember",
    "SAYING": r" ?[:;–-] ?|,? (that says|saying that|saying|that reads|that) ",
}  # fmt: skip
Slots = Mapping[str, str]
Check = Callable[[str], bool]
Parts = tuple[re.Pattern[str] | str, ...]
"""A pattern in parts: expressions, and names of slots."""
_SLOT = re.compile(r"\{([a-z]+)\}")
_GROUP_OR_CLASS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|(\()(?!\?)|\b([A-Z_]{2,})\b")
"""Escaped signs and sets of signs stay as they are."""


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile an expression for words."""
    return re.compile(_GROUP_OR_CLASS.sub(_spelled, pattern), re.IGNORECASE | flags)


def _spelled(match: re.Match[str]) -> str:
    group, name = match.groups()
    if name:
        return f"(?:{_GROUP_OR_CLASS.sub(_spelled, CLASSES[name])})"
    return "(?:" if group else match[0]


def lines(patterns: str) -> list[str]:
    """Return patterns that are one a line; a line indented further continues the one before."""
    text = re.sub(r"\n +", "", textwrap.dedent(patterns))
    return [line for line in text.split("\n") if line]


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> Parts:
    """Split the pattern of a rule into expressions and names of slots."""
    pieces = _SLOT.split(pattern)
    return tuple(piece if at % 2 else regex(piece) for at, piece in enumerate(pieces) if piece)


def may_begin(parts: Parts, text: str) -> bool:
    """Return False if the first expression fits nowhere; most rules are left out by this."""
    first = parts[0]
    if isinstance(first, re.Pattern):
        return first.match(text) is not None
    return len(parts) == 1 or isinstance(parts[1], str) or parts[1].search(text, 1) is not None


def fillings(
    parts: Parts, text: str, checks: Mapping[str, Check], at: int = 0
) -> Iterator[dict[str, str]]:
    """Yield every way to fill the slots so that the parts are the text from a place on.

    A slot is one or more whole words; short fillings come first. `checks` has a condition
    for some names.
    """
    if not parts:
        if at == len(text):
            yield {}
        return
    first, rest = parts[0], parts[1:]
    if isinstance(first, re.Pattern):
        ways = _matches(first, text, at, is_last=not rest)
    else:
        ways = _slot_words(first, rest, text, at, checks)
    for end, named in ways:
        for filled in fillings(rest, text, checks, end):
            yield {**named, **filled}


def _matches(
    pattern: re.Pattern[str], text: str, at: int, *, is_last: bool
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield ends of a match, the longest first; optional words may be left to the slot after it."""
    match = pattern.fullmatch(text, at) if is_last else pattern.match(text, at)
    while match:
        end = match.end()
        yield end, {name: words for name, words in match.groupdict().items() if words}
        match = pattern.match(text, at, end - 1) if end > at and not is_last else None


def _slot_words(
    slot: str, rest: Parts, text: str, at: int, checks: Mapping[str, Check]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the words that a slot can have, and where they end."""
    check = checks.get(slot)
    if at and not _is_boundary(text, at):
        return
    for end in _slot_ends(rest, text, at):
        words = text[at:end].strip(" ,:;")
        if words and (check is None or check(words)):
            yield end, {slot: words}


def _slot_ends(rest: Parts, text: str, at: int) -> Iterator[int]:
    """Yield the places where a slot can end, so that the part after it can follow."""
    if not rest:
        yield len(text)
        return
    following = rest[0]
    if isinstance(following, str):
        yield from (end for end in range(at + 1, len(text) + 1) if _is_boundary(text, end))
        return
    match = following.search(text, at + 1)
    while match:
        end = match.start()
        if _is_boundary(text, end) and (len(rest) > 1 or following.fullmatch(text, end)):
            yield end
        match = following.search(text, end + 1) if end < len(text) else None


def _is_boundary(text: str, at: int) -> bool:
    return at == len(text) or not (text[at - 1].isalnum() and text[at].isalnum())
