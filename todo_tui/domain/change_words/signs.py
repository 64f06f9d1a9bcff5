"""Signs of quick add (`!high #project @tag ~30m under #12`), literal text, and their positions."""

import re
from collections import deque
from collections.abc import Sequence
from enum import StrEnum
from itertools import compress
from typing import NamedTuple, TypeAlias

from todo_tui.domain.dates.terms import word_set
from todo_tui.domain.estimates import ESTIMATE, parse_estimate
from todo_tui.domain.task import PRIORITY_WORDS, Priority

SIGN = (
    r"""(?<!\S)(?:
        !(?P<level>high|medium|med|low|[123])
      | (?P<bangs>!{2,3})
      | (?:\#|proj(?:ect)?:)(?P<project>(?!\d+(?![\w.-]))\w[\w.&/-]*)
      | (?:@|\+|tags?:)(?P<tag>[^\W\d_][\w./&-]*)
      | (?<=\S\s)p(?P<rank>[123])(?=(?:\s+[!\#@+]\S+)*\s*$)
      | pri(?:ority)?:(?P<word>high|medium|med|low|[hml123])
      | ~(?P<estimate>"""
    + ESTIMATE
    + r""")
      | (?P<link>under|after)[ \t]+\#(?P<id>\d{1,18})(?!\.\w)
    )(?=$|[\s,.;:!?)\]])"""
)
_SIGN_MARKS = frozenset("!#@:+~")
"""Characters of which every sign but a rank contains one."""
LITERAL = r"""(?<!\w)"[^"\n]++"(?!\w)
      | (?<!\w)“[^“”\n]++”(?!\w)
      | (?<!\w)`[^`\n]++`(?!\w)
      | (?<!\S)\\(?=[\w\#@!+~])\S+
      | (?<!\S)\S*(?:://|www\.)\S+
      | (?<!\S)[^\s@]+@\S+"""
LITERAL_MARKS = frozenset('"“`\\:@.')
"""Characters of which every literal span contains one."""
RANK = re.compile(r"(?<!\S)p([123])(?![^\s,;])", re.IGNORECASE)
"""Priority of quick add at the end of a title."""
_LOOKS_LIKE_SIGN = re.compile(
    r"""(?<!\S)(?: [!@+\#](?=[^\W\d_])\S+ | !\d\S* | p\d(?!\S) | ~\d+[^\W\d]\S*
    | (?P<id>[@\#]\d+)(?=[.,;:!?]*(?:\s|$))
    | (?:due|starts?|tags?|pri|prio|priority|proj|project):[^\s/]\S* )""",
    re.VERBOSE | re.IGNORECASE,
)
_COUNTED = word_set("numbered_things") | {"bug", "bugs", "pr", "mr"}
"""Words before the number of a thing: exit #4."""
BANG_PRIORITIES = {"!!!": Priority.HIGH, "!!": Priority.MEDIUM}
LiteralSpan: TypeAlias = tuple[int, int]
"""Start and end (excluded) of characters in a text."""


class SpanKind(StrEnum):
    """Kind of a span of quick add."""

    DUE = "due"
    RECURRENCE = "recurrence"
    PRIORITY = "priority"
    PROJECT = "project"
    TAG = "tag"
    START = "start"
    PARENT = "parent"
    BLOCKER = "blocker"
    ESTIMATE = "estimate"


class Span(NamedTuple):
    """Characters `start` to `end` (excluded) of the text, and their kind."""

    start: int
    end: int
    kind: str


class Sign(NamedTuple):
    """Sign with its value as typed."""

    span: Span
    value: str


def may_have_signs(text: str) -> bool:
    """Return False for a text that certainly has no sign; a fast check."""
    return not _SIGN_MARKS.isdisjoint(text) or RANK.search(text) is not None


def find_literals(text: str) -> list[tuple[int, int]]:
    """Return spans of literal text: quoted, escaped with a backslash, addresses."""
    if LITERAL_MARKS.isdisjoint(text):
        return []
    return [match.span() for match in re.finditer(LITERAL, text, re.VERBOSE)]


def find_signs(text: str, literals: list[tuple[int, int]]) -> list[Sign]:
    """Return the signs of a text, in order; of tags and blockers all, of others the first."""
    if not may_have_signs(text):
        return []
    found: list[Sign] = []
    seen: set[str] = set()
    # Sorted in reverse, so that `pop()` takes the next one.
    ahead = sorted(literals, reverse=True)
    literal_until = 0
    for match in re.finditer(SIGN, text, re.VERBOSE | re.IGNORECASE):
        while ahead and ahead[-1][0] <= match.start():
            literal_until = max(literal_until, ahead.pop()[1])
        if match.start() < literal_until:
            continue
        kind, value = _kind_and_value(match)
        if kind in seen and kind not in (SpanKind.TAG, SpanKind.BLOCKER):
            continue
        if kind is SpanKind.ESTIMATE and parse_estimate(value) is None:
            continue
        seen.add(kind)
        trimmed = value.rstrip(".-/&")
        end = match.end() - (len(value) - len(trimmed))
        found.append(Sign(Span(match.start(), end, kind.value), trimmed))
    return found


def find_last_rank(text: str, runs: Sequence[LiteralSpan], joining: str) -> list[Sign]:
    """Return the rank at the end of what is left without these runs and marks, if there is one.

    It needs a title before it.
    """
    rank = next(iter(deque(RANK.finditer(text), maxlen=1)), None)
    if rank is None:
        return []
    free = [not any(start <= at < end for start, end in runs) for at in range(len(text))]
    before, after = (
        "".join(compress(text[part], free[part])).strip(joining)
        for part in (slice(rank.start()), slice(rank.end(), None))
    )
    is_last = free[rank.start()] and before and not after
    return [Sign(Span(*rank.span(), SpanKind.PRIORITY.value), rank[1])] if is_last else []


def find_unread_signs(
    text: str, read: Sequence[Span], literals: Sequence[LiteralSpan]
) -> list[str]:
    """Return the words that look like signs but are neither read nor literal."""
    known = [*literals, *((span.start, span.end) for span in read)]
    return [
        match[0].rstrip(".,;:!?")
        for match in _LOOKS_LIKE_SIGN.finditer(text)
        if not any(start <= match.start() < end for start, end in known)
        and not (match["id"] and _COUNTED.intersection(text[: match.start()].lower().split()[-1:]))
    ]


def _kind_and_value(match: re.Match[str]) -> tuple[SpanKind, str]:
    if match["project"]:
        return SpanKind.PROJECT, match["project"]
    if match["tag"]:
        return SpanKind.TAG, match["tag"]
    if match["estimate"]:
        return SpanKind.ESTIMATE, match["estimate"]
    if match["link"]:
        is_parent = match["link"].lower() == "under"
        return SpanKind.PARENT if is_parent else SpanKind.BLOCKER, match["id"]
    return SpanKind.PRIORITY, match["level"] or match["bangs"] or match["rank"] or match["word"]


def sign_priority(value: str) -> Priority:
    """Return the priority named by a sign."""
    return BANG_PRIORITIES.get(value) or PRIORITY_WORDS[value.lower()]


def toggle_literal(
    literals: Sequence[LiteralSpan], spans: Sequence[Span], cursor: int
) -> tuple[LiteralSpan, ...]:
    """Make the span at the cursor literal, or interpret it again.

    Applies to the span that contains the cursor or ends at it; else to the last span
    before it; else to the first one.
    """
    ranges = sorted({*literals, *((span.start, span.end) for span in spans)})
    if not ranges:
        return ()
    here = [each for each in ranges if each[0] <= cursor <= each[1]]
    before = [each for each in ranges if each[1] < cursor]
    chosen = (here or before or ranges[:1])[-1]
    if chosen in literals:
        return tuple(each for each in literals if each != chosen)
    return tuple(sorted((*literals, chosen)))


def remap_literals(
    literals: Sequence[LiteralSpan], before: str, after: str
) -> tuple[LiteralSpan, ...]:
    """Move literal spans along with an edit; drop those that were edited themselves."""
    if before == after:
        return tuple(literals)
    most = min(len(before), len(after))
    head = next((at for at in range(most) if before[at] != after[at]), most)
    tail = next((at for at in range(most - head) if before[-1 - at] != after[-1 - at]), most - head)
    changed_to = len(before) - tail
    shift = len(after) - len(before)
    kept: list[LiteralSpan] = []
    for start, end in literals:
        if end <= head:
            kept.append((start, end))
        elif start >= changed_to:
            kept.append((start + shift, end + shift))
    return tuple(kept)
