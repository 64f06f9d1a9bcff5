"""The phrases that may stand in a title: a due moment, a repeat, or a start."""

from __future__ import annotations

from typing import NamedTuple

from todo_tui.domain.phrases.moments import DatePhrase, date_phrase, plain_term
from todo_tui.domain.phrases.parsing import Parser, either, words
from todo_tui.domain.phrases.repeats import repeat_phrase
from todo_tui.domain.phrases.terms import DateTerm, Repeat


class Beginning(NamedTuple):
    """When a task begins to matter: it stays hidden until then.

    Beside a repeat, `starting friday` is its first day unless it is `explicit`
    (`start:friday`).
    """

    term: DateTerm
    explicit: bool = False


Entry = DatePhrase | Repeat | Beginning

beginning: Parser[Beginning] = (
    words(
        "starting", "starting on", "starting from", "starting at", "starts", "starts on",
        "not before", "hide until", "hidden until", "defer until", "deferred until",
    )
    >> plain_term
).map(Beginning)  # fmt: skip
entry_phrase: Parser[Entry] = either(repeat_phrase, beginning, date_phrase)
