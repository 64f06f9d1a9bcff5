"""Asking: a description of tasks (`my overdue work tasks`) read into words of a filter."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from todo_tui.providers.offline.arranging import read_order
from todo_tui.providers.offline.asked_days import (
    NEGATION,
    cut_out,
    field_touched,
    negated,
    without_days,
)
from todo_tui.providers.offline.dating import Dates
from todo_tui.providers.offline.kinds import CONDITIONS, DID, DONE, NAME, Condition
from todo_tui.providers.offline.words import ARTICLES


@dataclass(frozen=True, slots=True)
class Asked:
    """What a description says: conditions, and what else it names.

    `group` and `rest` may be a project, a tag or part of a title; which of them only
    the list can tell. `clear` says that it surely speaks of tasks.
    """

    conditions: tuple[Condition, ...] = ()
    group: str = ""
    search: str = ""
    clear: bool = False
    rest: str = ""
    except_for: str = ""
    order: str = ""
    """`sort:` and `group:` of the filter, where they were asked for."""

    @property
    def filter(self) -> str:
        """The conditions and the order as one filter."""
        parts = [condition.filter for condition in self.conditions]
        return " ".join((*parts, self.order) if self.order else parts)

    @property
    def is_grouped(self) -> bool:
        """Whether headings were asked for."""
        return "group:" in self.order

    @property
    def is_plain(self) -> bool:
        """Whether it asks for nothing in particular."""
        return not (self.conditions or self.group or self.search or self.rest)

    @property
    def sets_scope(self) -> bool:
        """Whether it says itself if done, hidden or deleted tasks are meant."""
        return any(condition.filter in _SCOPES for condition in self.conditions)


_SCOPES = ("done", "trash", "waiting", "all", "cancelled")


_SEARCH = re.compile(
    r"(?:^|\s)(?:about|containing|mentioning|(?:that|which) (?:mentions?|contains?)|matching|named"
    r"|called|related to|relating to|regarding|concerning|with the words?|having to do with"
    r"|involving|with) (?:the |my )?(?P<q>.+)$",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"(?:^|,? )(?:except(?: for| the)?|but not|other than|excluding|besides|apart from|aside from"
    r"|but|(?:(?:(?:that|which) )?(?:are|is) not|(?:(?:that|which) )?(?:aren't|isn't)|not)"
    r" (?:in|under|from|part of)|outside(?: of)?) (?P<x>.+)$",
    re.IGNORECASE,
)
_GROUP = re.compile(
    rf"(?:^|\s)(?:in|under|for|at|from|of|within)(?: (?:the|my|our))? "
    rf"(?!(?:tasks?|to-?dos?|items?|things|reminders|chores)\b)"
    rf"(?P<g>{NAME}(?: or {NAME})*)(?=$|\s)",
    re.IGNORECASE,
)
_SCOPE = re.compile(
    rf"\s+(?P<scope>(?:in|under|from|within|of) (?:(?:the|my|our) )?{NAME}"
    rf"(?: (?:project|list|category))?|[#@]{NAME})$",
    re.IGNORECASE,
)
"""A group at the end of an exception."""

_FRAME = re.compile(
    r"""
      \b(?:(?:do|should|must|can|will|did|have)\ (?:i|we)\ (?:still\ |currently\ )?
        (?:have|got|need|want)?
      |\ (?:i|we)\ (?:have|had|got|need|'ve\ got|should|must)|i've(?:\ got)?|have\ i\ got
      |are\ there|is\ there|there\ (?:is|are)
      |(?:on|in|to)\ (?:my|the|our)\ (?:(?:to-?\ ?do|task|tasks)\ )?
        (?:list|plate|agenda|schedule|calendar|to-?dos)
      |to\ (?:do|finish|complete|work\ on|get\ done|take\ care\ of)|coming\ up|up\ next|for\ me
      |of\ mine
      |waiting\ for\ me)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_PAST_FRAME = re.compile(
    rf"\b(?:have|'ve|did|had)\b(?! to\b) (?:i|we)?\b"
    rf".*\b(?:{DONE}|{DID}|started?|deleted?|removed?)\b"
    rf"|\b(?:i|we)(?: have|'ve)? (?:did|{DONE}|started|deleted)\b",
    re.IGNORECASE,
)
_NOUNS = re.compile(
    r"\b(?:tasks?|to-?dos?|to do(?: items?)?|items?|things?|stuff|entries|reminders?|chores"
    r"|deadlines?"
    r"|jobs|agenda|overview|summary|rundown|everything|all|list|ones)\b",
    re.IGNORECASE,
)
_FILLERS = ARTICLES | frozenset(
    (
        "is are was were am be of that which what what's who do does did have has had got get i "
        "we me you us there here else still now currently right please again just all every each "
        "any anything something everything most them those these s only both so far yet due list "
        "show whole entire full complete current with and or up on in for to at it already ever"
    ).split()  # reads better than sixty strings
)


def read_asked(text: str, dates: Dates) -> Asked:
    """Take a description apart; what is left over is its `rest`.

    Dates are resolved here, so that the filter carries days and not their names.
    """
    words, order = read_order(" ".join(text.split()))
    left_out = ""
    if match := _EXCEPT.search(words):
        words, left_out = words[: match.start()], match["x"]
        words, left_out = _scoped(words, left_out)
    clear = bool(_FRAME.search(words) or _NOUNS.search(words))
    words, touched = field_touched(words)
    words, conditions, known = _taken_apart(_without_frame(words))
    field = "completed" if "done" in (condition.filter for condition in conditions) else "due"
    field = touched or field
    words, days = without_days(words, dates, field)
    if not days and (match := re.search(r"\bdue\b(?! date)", words, re.IGNORECASE)):
        days = (Condition("due:any", after="with a date"),)
        words = cut_out(words, match.start(), match.end())
    search, group = "", ""
    if match := _SEARCH.search(words):
        search, words = _said_of(match["q"]), words[: match.start()]
    if match := _GROUP.search(words):
        group, words = match["g"].lstrip("#@"), cut_out(words, match.start(), match.end())
    words = _NOUNS.sub(" ", words)
    rest = _said_of(words)
    if touched and days:
        days = (*days, Condition("all"))
    if days and field == "completed":
        conditions = [replace(each, before="") for each in conditions]
    found = tuple(dict.fromkeys((*conditions, *days)))
    sure = clear or known or bool(days) or bool(order)
    return Asked(found, group, search, sure, rest, left_out, order)


def _scoped(words: str, left_out: str) -> tuple[str, str]:
    """`all but the report in work`: what stands behind the exception bounds the whole.

    Only where nothing else does: of the two ways to read it, the one that means fewer.
    """
    scope = _SCOPE.search(left_out)
    if scope is None or _said_of(_NOUNS.sub(" ", words)):
        return words, left_out
    return f"{words} {scope['scope']}", left_out[: scope.start()]


def _said_of(words: str) -> str:
    """The words that tell something; `anything` and its like do not."""
    return " ".join(word for word in words.split() if word.casefold().strip(",.") not in _FILLERS)


def _taken_apart(words: str) -> tuple[str, list[Condition], bool]:
    """The words that are left, the conditions, and whether any word of theirs was known."""
    conditions: list[Condition] = []
    known = False
    for pattern, make in CONDITIONS:
        while match := pattern.search(words):
            condition, start = _denied_or_not(make(match), words, match.start())
            if condition is not None:
                conditions.append(condition)
            known = True
            words = cut_out(words, start, match.end())
    return words, conditions, known


def _denied_or_not(
    condition: Condition | None, words: str, start: int
) -> tuple[Condition | None, int]:
    """The contrary of a condition where the words before it deny it, and where they begin."""
    negation = NEGATION.search(words, 0, start) if condition else None
    if condition is None or negation is None:
        return condition, start
    return negated(condition), negation.start()


def _without_frame(words: str) -> str:
    """The words without `do I have` and its like, but with `have I done` for what is done."""
    return words if _PAST_FRAME.search(words) else " ".join(_FRAME.sub(" ", words).split())
