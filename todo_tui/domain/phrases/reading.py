"""How a text becomes tokens for the grammar, and how a text it cannot read is refused."""

from __future__ import annotations

from todo_tui.domain.phrases.parsing import Parser
from todo_tui.domain.phrases.tokens import Tokens, tokenize

LONGEST = 200
SHOWN = 60
CLOSING_MARKS = frozenset("!?;,")


def phrase_tokens(text: str) -> Tokens:
    """The tokens of a phrase without the punctuation that ends it; none of a long text."""
    tokens = tokenize(text) if len(text) <= LONGEST else ()
    end = len(tokens)
    while end and tokens[end - 1].word in CLOSING_MARKS:
        end -= 1
    if end > 1 and tokens[end - 1].word == "." and tokens[end - 2].number is None:
        end -= 1
    return tokens[:end]


def quoted(text: str) -> str:
    """The text in quotation marks, short, on one line, without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"“{line if len(line) <= SHOWN else line[: SHOWN - 1] + '…'}”"


def complaint(text: str, kind: str, examples: str, phrase: Parser[object]) -> str:
    """What was not understood, as exactly as can be said, and what would be."""
    tokens = phrase_tokens(text)
    understood = phrase.longest(tokens)
    if understood is None or not 0 < understood[1] < len(tokens):
        return f"I do not understand {quoted(text)} as {kind}. Try {examples}."
    known, rest = text[: tokens[understood[1] - 1].end], text[tokens[understood[1]].start :]
    return (
        f"I understand {quoted(known)} as {kind}, but not {quoted(rest)} after it. Try {examples}."
    )
