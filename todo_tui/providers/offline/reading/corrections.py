"""Corrections within a message, worked in before it is read: `on tuesday, no, wednesday at 2`.

A value takes the place of the last one of its type; what else was said before and behind it stays.
"""

from collections.abc import Sequence

from todo_tui.providers.offline.language.change_phrases import ChangeReader, is_time
from todo_tui.providers.offline.language.clauses import WAITING, Span, Word, spans_of, words_of
from todo_tui.providers.offline.language.pattern import regex
from todo_tui.providers.offline.language.phrases import in_order
from todo_tui.providers.offline.language.words import (
    hide_quoted,
    peeled,
    straightened,
    surely_verb,
    word_set,
)

_MARK = regex(
    r"(?P<pause>[,;.!–—-]+\s*|\s+)((OOPS|but)[,. ]+)*"
    r"(?P<words>(TAKEN_BACK|oops)([,.! –—-]+(TAKEN_BACK|oops))*"
    r"([,.! –—-]+(better )?make (that|it))?)(?P<end>[,.!:–—-]*)(\s+|$)"
)
"""Words that take back what was just said."""
_NOT_THIS = regex(r"\s*[,;–—-]+\s*not (?P<old>(\w+ ){0,2}?\w+)(, | [–—-] | but )(?=\S)")
_RETRACTION = regex(
    r"(please |just )?(ignore|forget|scrap|disregard|cancel|leave)"
    r" (that|it|this|what i (just )?said)( one)?(?=$|[,.!;]| i\b)[,.!; ]*(?P<rest>.*)"
)
_LEADS = frozenset("to on at by for until till before from in".split())
_STATING = word_set("stating_words")
"""Words of a statement: what follows tells why."""
_MOST = 3
"""Corrections in one message."""
NEVER_MIND = "never mind"


def repaired(text: str, changes: ChangeReader) -> str:
    """Return a message with its corrections of values worked in."""
    if "\n" in text.strip() or not (_MARK.search(text) or _NOT_THIS.search(text)):
        return text
    quoted = hide_quoted(straightened(text))
    said = quoted.text
    for _ in range(_MOST):
        again = _once(said, changes)
        if again == said:
            break
        said = again
    return text if said == quoted.text else quoted.kept(said)


def _once(text: str, changes: ChangeReader) -> str:
    for match in _NOT_THIS.finditer(text):
        if changes.is_date(match["old"]):
            text = f"{text[: match.start()]}, no, {text[match.end() :]}"
    for match in _MARK.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        if not before.strip() or before.split()[-1].casefold() in WAITING:
            continue
        is_bare = " " not in match["words"] and not (match["pause"].strip() or match["end"])
        if not is_bare and (taken_back := _RETRACTION.fullmatch(after)):
            rest = peeled(taken_back["rest"])
            return rest if rest and surely_verb(rest.split()[0].casefold()) else NEVER_MIND
        if repair := _replaced(words_of(before), words_of(after), changes, touches=is_bare):
            return repair
    return text


def _replaced(
    before: Sequence[Word], after: Sequence[Word], changes: ChangeReader, *, touches: bool
) -> str:
    """Return the words with the value behind the mark in the place of the one before it.

    With `touches` the one before has to stand right before the mark: `tuesday no wednesday`.
    """
    new = _first(after, changes)
    if new is None or _states(after[new.end : new.end + 1]):
        # `no, tuesday is the meeting`
        return ""
    kind = _kind(new.change, changes)
    for old in reversed(list(spans_of(before, changes))):
        if touches and old.end != len(before):
            break
        old_kind = _kind(old.change, changes)
        if not old.change or not (old_kind == kind or (old_kind == "day" and kind == "time")):
            continue
        if touches and old_kind != kind:
            break
        value = _value(before, old, after[: new.end], kind, changes)
        rest = _typed(after[new.end :])
        if _states(after[new.end + 1 : new.end + 3]):
            # `no, sunday, Jean is here on saturday`: what follows tells why.
            rest = []
        head = _typed(before[: old.start])
        tail = _typed(before[old.end :])
        return " ".join((*head, *value, *tail, *rest))
    return ""


def _first(words: Sequence[Word], changes: ChangeReader) -> Span | None:
    """Return the value with which words begin; a bare number is an hour."""
    signs = (at for at, word in enumerate(words) if at and word.typed[0] in "#@!~")
    words = words[: next(signs, len(words))]
    if not words:
        return None
    span = next(iter(spans_of(words, changes)), None)
    if span is not None and span.start == 0 and span.change:
        return span
    hour = changes.words(f"at {words[0].said}") if words[0].said[:1].isdigit() else None
    is_last = len(words) == 1 or bool(words[1].pause)
    return Span(0, 1, hour) if hour and is_last else None


def _value(
    words: Sequence[Word],
    old: Span,
    new: Sequence[Word],
    kind: str,
    changes: ChangeReader,
) -> list[str]:
    """Return the new value, with the part of the old one that it leaves as it was."""
    given = [word.typed.strip(",.;!?–—") for word in new]
    typed = [word.typed.strip(",;!?–—") for word in words[old.start : old.end]]
    if kind == "time" and not given[0][0].isalpha():
        given = ["at", *given]
    lead = [typed[0]] if typed[0].casefold() in _LEADS else []
    cut = _time_in(words[old.start : old.end], changes)
    if kind == "time" and _kind(old.change, changes) == "day":
        return [*typed[:cut], *given]
    if kind == "day" and cut < len(typed) and not _has_time(new, changes):
        given = [*given, *typed[cut:]]
    return given if given[0].casefold() in _LEADS or kind == "time" else [*lead, *given]


def _time_in(words: Sequence[Word], changes: ChangeReader) -> int:
    """Return the place of the time at the end of a date; the number of words if it has none."""
    for cut in range(1, len(words)):
        read = changes.words(in_order(" ".join(word.said for word in words[cut:])))
        if read and is_time(read):
            return cut
    return len(words)


def _has_time(words: Sequence[Word], changes: ChangeReader) -> bool:
    return changes.has_time(changes.words(in_order(" ".join(word.said for word in words))) or "")


def _kind(change: str, changes: ChangeReader) -> str:
    """Return the type of change words: `time`, `day`, or the sign of a field."""
    if is_time(change):
        return "time"
    return "day" if changes.is_date(change) else change[:1]


def _states(words: Sequence[Word]) -> bool:
    return any(word.low in _STATING or word.typed.endswith("'s") for word in words)


def _typed(words: Sequence[Word]) -> list[str]:
    return [word.typed for word in words]
