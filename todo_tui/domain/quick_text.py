"""The text of quick add while it is taken apart: which tokens are left, what was cut out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from todo_tui.domain.phrases.entries import Beginning, Entry, entry_phrase
from todo_tui.domain.phrases.moments import DatePhrase
from todo_tui.domain.phrases.parsing import known_words
from todo_tui.domain.phrases.reading import phrase_tokens
from todo_tui.domain.phrases.title_ends import Verdict, judge_end, may_stand_in_title
from todo_tui.domain.phrases.title_middles import goes_on, sure_in_middle
from todo_tui.domain.phrases.title_starts import sure_at_start
from todo_tui.domain.phrases.tokens import Token, Tokens, tokenize
from todo_tui.domain.quick_marks import Span, SpanKind, literal_runs, signs

REACH = 24
"""Tokens from either end of the title within which a date is looked for; twice as many in it."""
ESCAPE = "\\"
QUOTES = {'"': '"', "“": "”"}
ENDING_MARKS = frozenset(".,;:!?")
POLITE = frozenset({"please", "pls", "plz"})
JOINING_MARKS = " \t\n,;:-–—|"
BRACKETS = {"(": ")", "[": "]"}
RANGE_MARKS = frozenset({",", "-"})
FIELDS = frozenset({"due", "start", "starts"})


class Found(NamedTuple):
    """An entry and the tokens that say it, `first` to `stop` (excluded)."""

    entry: Entry
    first: int
    stop: int


class QuickText:
    """A line, its literal runs and signs, and the tokens that may still be dates."""

    def __init__(self, text: str, literals: Sequence[tuple[int, int]] = ()) -> None:
        self.text = text
        self.literals = sorted((*literal_runs(text), *literals))
        self.signs = signs(text, self.literals)
        self.spans: list[Span] = [sign.span for sign in self.signs]
        self._sign_cuts = [(span.start, span.end) for span in self.spans]
        self._cuts: list[tuple[int, int]] = []
        self.ends_in_part = False
        self.tokens = self._free_tokens()

    def _free_tokens(self) -> Tokens:
        """The tokens outside signs; a literal run is one token that no grammar knows."""
        free: list[Token] = []
        for token in tokenize(self.text):
            if any(start <= token.start < end for start, end in self._sign_cuts):
                continue
            run = next((run for run in self.literals if run[0] <= token.start < run[1]), None)
            if run is None:
                free.append(token)
            elif not free or free[-1].start != run[0]:
                escaped = self.text[run[0]] == ESCAPE
                word = ESCAPE if escaped else '"'
                free.append(Token(self.text[slice(*run)], word, *run, token.glued))
        return tuple(free)

    # --- looking ---------------------------------------------------------------------

    def field_from(self, index: int) -> Found | None:
        """The first entry from a token on that is written as `due:friday` or `start:"2 dec"`."""
        found = (self._field(at) for at in range(index, len(self.tokens)))
        return next((entry for entry in found if entry is not None), None)

    def _field(self, index: int) -> Found | None:
        tokens = self.tokens
        if index + 2 >= len(tokens) or tokens[index].glued or tokens[index].word not in FIELDS:
            return None
        if tokens[index + 1].word != ":" or not tokens[index + 1].glued:
            return None
        value = tokens[index + 2]
        if value.text[:1] in QUOTES and value.text[-1:] == QUOTES[value.text[0]]:
            inner = entry_phrase.whole(phrase_tokens(value.text[1:-1]))
            read = None if inner is None else (inner, index + 3)
        else:
            read = self._longest_from(index + 2)
        if read is None:
            return None
        entry, stop = read
        if tokens[index].word != "due":
            if not isinstance(entry, DatePhrase):
                return None
            entry = Beginning(entry.term, explicit=True)
        return Found(entry, index, stop)

    def _longest_from(self, first: int) -> tuple[Entry, int] | None:
        window = self.tokens[: first + REACH]
        readings = [
            (entry, stop)
            for entry, stop in entry_phrase.read(window, first)
            if self._is_boundary(stop)
        ]
        return max(readings, key=lambda reading: reading[1], default=None)

    def _is_boundary(self, index: int) -> bool:
        """Whether a phrase may stop before this token."""
        if index >= len(self.tokens):
            return True
        token = self.tokens[index]
        if not token.glued:
            return True
        after = index + 1
        closes = token.word in ENDING_MARKS or token.word in BRACKETS.values()
        return closes and (after >= len(self.tokens) or not self.tokens[after].glued)

    def at_end(self) -> Found | None:
        """The longest entry that surely ends the title."""
        tokens, stop = self.tokens, len(self.tokens)
        while stop and _only_closes(tokens[stop - 1]):
            stop -= 1
        if stop < len(tokens) and tokens[stop].word == ".":
            return self._ending(stop + 1) or self._ending(stop)
        return self._bracketed(stop) or self._ending(stop)

    def _bracketed(self, stop: int) -> Found | None:
        """An entry in brackets at the end."""
        tokens = self.tokens
        if not stop or tokens[stop - 1].word not in BRACKETS.values():
            return None
        opening = max((i for i in range(stop - 1) if tokens[i].word in BRACKETS), default=None)
        if opening is None or BRACKETS[tokens[opening].word] != tokens[stop - 1].word:
            return None
        entry = entry_phrase.whole(tokens[opening + 1 : stop - 1])
        if entry is None:
            return None
        inside = tokens[opening + 1 : stop - 1]
        if isinstance(entry, DatePhrase) and not may_stand_in_title(entry, inside):
            return None
        return Found(entry, opening, stop)

    def _ending(self, stop: int) -> Found | None:
        window = self.tokens[:stop]
        for first in range(self._unknown_before(stop), stop):
            if first and window[first].glued:
                continue
            verdicts = [
                (judge_end(entry, window[:first], window[first:]), entry)
                for entry, end in entry_phrase.read(window, first)
                if end == stop
            ]
            for verdict, entry in verdicts:
                if verdict is Verdict.SURE:
                    return Found(entry, first, stop)
            self.ends_in_part = any(verdict is Verdict.PART for verdict, _ in verdicts)
            if any(verdict is not Verdict.BORROWED for verdict, _ in verdicts):
                return None
        return None

    def _unknown_before(self, stop: int) -> int:
        """Where the words that can belong to a date begin, at most REACH back."""
        first = stop
        while first > max(0, stop - REACH) and _may_be_of_date(self.tokens[first - 1]):
            first -= 1
        return first

    def at_start(self, *, hour_known: bool) -> Found | None:
        """The longest entry that surely begins the title."""
        tokens = self.tokens
        window = tokens[:REACH]
        readings = [
            (entry, stop)
            for entry, stop in entry_phrase.read(window, 0)
            if stop < len(tokens) and self._is_boundary(stop)
        ]
        longest = max((stop for _, stop in readings), default=0)
        goes_on = longest + (longest < len(window) and window[longest].word in RANGE_MARKS)
        if entry_phrase.longest(window, goes_on) is not None:
            return None
        for entry, stop in readings:
            after = tokens[stop : stop + 4]
            if stop == longest and sure_at_start(
                entry, tokens[:stop], after, hour_known=hour_known
            ):
                return Found(entry, 0, stop)
        return None

    def in_middle(self) -> Found | None:
        """The first entry after which the title surely goes on."""
        tokens = self.tokens
        reach = range(2, min(len(tokens), 2 * REACH))
        stops = {at for at in reach if goes_on(tokens[at : at + 2])}
        if not stops:
            return None
        for first in range(1, max(stops)):
            if tokens[first].glued or not _may_be_of_date(tokens[first]):
                continue
            reading = self._longest_from(first)
            if reading is None or reading[1] not in stops:
                continue
            entry, stop = reading
            if sure_in_middle(entry, tokens[:first], tokens[first:stop]):
                return Found(entry, first, stop)
        return None

    def is_one_word(self, found: Found) -> bool:
        """Whether an entry is a single word, which may as well be a name: tom, sun."""
        return found.stop - found.first == 1

    # --- cutting -----------------------------------------------------------------------

    def is_all(self, first: int, stop: int) -> bool:
        """Whether nothing but marks would be left without these tokens."""
        left = (*self.tokens[:first], *self.tokens[stop:])
        return not any(token.is_word or token.number is not None or token.word in (ESCAPE, '"')
                       or token.word.isalnum() for token in left)  # fmt: skip

    def cut(self, first: int, stop: int, kind: SpanKind) -> None:
        """Take tokens out of the title and mark their runs as of a kind."""
        run_start = run_end = self.tokens[first].start
        for token in self.tokens[first:stop]:
            if any(run_end <= start < token.start for start, _ in self._sign_cuts):
                self._mark(run_start, run_end, kind)
                run_start = token.start
            run_end = token.end
        self._mark(run_start, run_end, kind)
        rest = self.tokens[stop:]
        if rest:
            rest = (rest[0]._replace(glued=False), *rest[1:])
        self.tokens = (*self.tokens[:first], *rest)

    def put_back(self, tokens: Tokens) -> None:
        """Undo the cuts since the line had these tokens."""
        kept = {token.start for token in tokens}
        self.tokens = tokens
        self.spans = [s for s in self.spans if s.start not in kept or self._is_sign(s)]
        self._cuts = [cut for cut in self._cuts if cut[0] not in kept]

    def _is_sign(self, span: Span) -> bool:
        return (span.start, span.end) in self._sign_cuts

    def _mark(self, start: int, end: int, kind: SpanKind) -> None:
        self.spans.append(Span(start, end, kind.value))
        self._cuts.append((start, end))

    def title(self, *, dates: bool = True) -> str:
        """What is left: without signs, and without the dates that were cut."""
        cuts = sorted([*self._sign_cuts, *(self._cuts if dates else [])])
        pieces: list[str] = []
        last = 0
        for start, end in [*cuts, (len(self.text), len(self.text))]:
            piece = self._unescaped(last, start)
            piece = piece.lstrip(JOINING_MARKS) if last else piece
            piece = piece.rstrip(JOINING_MARKS) if start < len(self.text) else piece
            if piece.strip("".join(ENDING_MARKS) + JOINING_MARKS):
                pieces.append(piece)
            last = end
        title = " ".join(" ".join(pieces).split())
        return _unquoted(title) or " ".join(self.text.split())

    def _unescaped(self, start: int, end: int) -> str:
        """A piece of the text without the backslashes that kept words from being read."""
        escapes = {run[0] for run in self.literals if self.text[run[0]] == ESCAPE}
        return "".join(self.text[at] for at in range(start, end) if at not in escapes)


def _only_closes(token: Token) -> bool:
    """What may follow a date at the end of a title: punctuation, a picture, please."""
    return token.word in ENDING_MARKS | POLITE or not (token.word.isalnum() or token.word.isascii())


def _may_be_of_date(token: Token) -> bool:
    return token.number is not None or token.word in known_words


def _unquoted(title: str) -> str:
    """A title that is one quotation, without its quotation marks."""
    closing = QUOTES.get(title[:1])
    inner = title[1:-1]
    if closing and len(title) > 2 and title.endswith(closing) and closing not in inner:
        return inner.strip() or title
    return title
