"""What a half-typed `#project` or `@tag` of a quick-add line could become."""

from __future__ import annotations

import re
from collections.abc import Iterable

from todo_tui.domain.filter_completion import Candidate, Completions, ranked
from todo_tui.domain.filter_names import FilterNames
from todo_tui.domain.filter_tokens import TokenKind
from todo_tui.domain.quick_literals import Stretch
from todo_tui.domain.quick_marks import literal_runs, signs
from todo_tui.domain.task import Priority
from todo_tui.domain.text import folded

MOST = 20
_BEGUN = re.compile(r"(?<!\S)(?P<sign>[#@!])(?P<name>[^\s#@!]*)$")
_REST = re.compile(r"[^\s#@!]*")


def sign_completions(
    text: str, cursor: int, names: FilterNames, literals: Iterable[Stretch] = ()
) -> Completions:
    """Names that exist for the sign that the cursor is in, the likeliest first."""
    nothing = Completions(cursor, cursor, ())
    begun = _BEGUN.search(text[:cursor])
    kept = (*literal_runs(text), *literals)
    if begun is None or any(start <= begun.start() < end for start, end in kept):
        return nothing
    rest = _REST.match(text, cursor)
    end = rest.end() if rest is not None else cursor
    sign, name = begun["sign"], begun["name"]
    known, kind = {
        "#": (names.projects_and_above, TokenKind.PROJECT),
        "@": (names.tags or (), TokenKind.TAG),
        "!": (tuple(each.value for each in Priority), TokenKind.PRIORITY),
    }[sign]
    found = [each for each in ranked(name, known) if _can_be_typed(sign + each)]
    typed = text[begun.start() : end]
    candidates = tuple(Candidate(sign + each, kind) for each in found[:MOST])
    if candidates and folded(candidates[0].text) == folded(typed):
        candidates = candidates[1:]
    return Completions(begun.start(), end, candidates)


def _can_be_typed(sign: str) -> bool:
    """Whether quick add reads the whole of it as one sign; names with blanks it does not."""
    found = signs(sign, [])
    return len(found) == 1 and found[0].span.end == len(sign)
