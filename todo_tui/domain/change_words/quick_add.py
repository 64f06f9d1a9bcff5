"""Quick add: reads a title, dates and signs from one line; splits pasted lists into lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise, takewhile
from typing import NamedTuple

from todo_tui.domain.change_words.schedule import Schedule
from todo_tui.domain.change_words.signs import (
    LITERAL_MARKS,
    Span,
    SpanKind,
    find_last_rank,
    find_literals,
    find_signs,
    find_unread_signs,
    may_have_signs,
    sign_priority,
)
from todo_tui.domain.dates import terms
from todo_tui.domain.dates import title_rules as rules
from todo_tui.domain.dates.combinators import (
    Parser,
    Token,
    Tokens,
    known_words,
    quote_phrase,
    tokenize,
    tokenize_phrase,
)
from todo_tui.domain.dates.moment_grammar import DatePhrase
from todo_tui.domain.dates.reader import DateContext
from todo_tui.domain.dates.title_grammar import (
    StartPhrase,
    TitlePhrase,
    several_moments,
    start_beside_due,
    title_phrase,
)
from todo_tui.domain.dates.title_rules import PhraseVerdict, PossibleDate
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.estimates import parse_estimate
from todo_tui.domain.recurrence.next_occurrence import Recurrence
from todo_tui.domain.task import Priority, TaskFields
from todo_tui.domain.when import DateStyle, When

MAX_DATE_TOKENS = 24
"""Maximum distance of a date from either end of the title, in tokens; in the middle, twice that."""
ESCAPE = "\\"
QUOTES = {'"': '"', "“": "”"}
ENDING_MARKS = frozenset(".,;:!?")
POLITE = frozenset({"please", "pls", "plz"})
JOINING_MARKS = " \t\n,;:-–—|"
BRACKETS = {"(": ")", "[": "]"}
RANGE_MARKS = frozenset({",", "-"})
FIELDS = frozenset({"due", "start", "starts"})
MAX_LINE_LENGTH = 2000
"""Limit above which a text is a title without dates and signs."""
MAX_PHRASES = 4
ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SIGN = re.compile(r"\s*(?:(?:[-*•–—+‣◦▪]|\(?\d{1,4}[.)])\s+)?(?:\[[ xX]?\]\s+)?")
_KINDS: dict[type[TitlePhrase], SpanKind] = {
    DatePhrase: SpanKind.DUE,
    terms.RepeatTerm: SpanKind.RECURRENCE,
    StartPhrase: SpanKind.START,
}


class FoundPhrase(NamedTuple):
    """Title phrase with its tokens, from `first` up to `stop` (excluded)."""

    entry: TitlePhrase
    first: int
    stop: int


class QuickAddLine:
    """Line of quick add: its literal text, its signs, and the tokens that may still be dates."""

    def __init__(self, text: str, literals: Sequence[tuple[int, int]] = ()) -> None:
        self.text = text
        self.literals = sorted((*find_literals(text), *literals))
        self.signs = find_signs(text, self.literals)
        self.cuts: tuple[Span, ...] = ()
        """Dates taken out of the title."""
        self.ends_in_part = False
        self.starts_in_part = 0
        """Number of tokens at the start that are several dates in a row."""
        self.tokens = self._free_tokens()

    def _free_tokens(self) -> Tokens:
        """Tokens outside signs; literal text is one token that no grammar knows."""
        free: list[Token] = []
        for token in tokenize(self.text):
            if any(sign.span.start <= token.start < sign.span.end for sign in self.signs):
                continue
            run = next((run for run in self.literals if run[0] <= token.start < run[1]), None)
            if run is None:
                free.append(token)
            elif not free or free[-1].start != run[0]:
                escaped = self.text[run[0]] == ESCAPE
                word = ESCAPE if escaped else '"'
                free.append(Token(self.text[slice(*run)], word, *run, token.glued))
        return tuple(free)

    def field_from(self, index: int) -> FoundPhrase | None:
        """Return the first date written as `due:friday` or `start:"2 dec"` from a token on."""
        return next(filter(None, map(self._field, range(index, len(self.tokens)))), None)

    def _field(self, index: int) -> FoundPhrase | None:
        tokens = self.tokens
        if tokens[index].glued or tokens[index].word not in FIELDS:
            return None
        if index + 2 >= len(tokens) or tokens[index + 1].word != ":" or not tokens[index + 1].glued:
            bare = start_beside_due(tokens, index)
            return None if bare is None else FoundPhrase(bare[0], index, bare[1])
        value = tokens[index + 2]
        if value.text[:1] in QUOTES and value.text[-1:] == QUOTES[value.text[0]]:
            inner = title_phrase.whole(tokenize_phrase(value.text[1:-1]))
            read = None if inner is None else (inner, index + 3)
        else:
            read = self.longest_from(index + 2)
        if read is None:
            return None
        entry, stop = read
        if tokens[index].word != "due":
            if not isinstance(entry, DatePhrase):
                return None
            entry = StartPhrase(entry.term, explicit=True)
        return FoundPhrase(entry, index, stop)

    def longest_from(
        self, first: int, phrase: Parser[TitlePhrase] = title_phrase
    ) -> tuple[TitlePhrase, int] | None:
        """Return the longest phrase from a token on, and where it ends."""
        window = self.tokens[: first + MAX_DATE_TOKENS]
        readings = [
            (entry, stop) for entry, stop in phrase.read(window, first) if self._is_boundary(stop)
        ]
        return max(readings, key=lambda reading: reading[1], default=None)

    def _is_boundary(self, index: int) -> bool:
        if index >= len(self.tokens):
            return True
        token = self.tokens[index]
        if not token.glued:
            return True
        after = index + 1
        closes = token.word in ENDING_MARKS or token.word in BRACKETS.values()
        return closes and (after >= len(self.tokens) or not self.tokens[after].glued)

    def end_of_dates(self) -> int:
        """Return where a final date would end, before punctuation and `please`."""
        stop = len(self.tokens)
        while stop and _may_follow_date(self.tokens[stop - 1]):
            stop -= 1
        return stop

    def at_end(self) -> FoundPhrase | None:
        """Return the longest phrase that certainly ends the title."""
        tokens, stop = self.tokens, self.end_of_dates()
        if stop < len(tokens) and tokens[stop].word == ".":
            return self._ending(stop + 1) or self._ending(stop)
        return self._bracketed(stop) or self._ending(stop)

    def _bracketed(self, stop: int) -> FoundPhrase | None:
        """Return a phrase in brackets at the end."""
        tokens = self.tokens
        if not stop or tokens[stop - 1].word not in BRACKETS.values():
            return None
        opening = max((i for i in range(stop - 1) if tokens[i].word in BRACKETS), default=None)
        if opening is None or BRACKETS[tokens[opening].word] != tokens[stop - 1].word:
            return None
        entry = title_phrase.whole(tokens[opening + 1 : stop - 1])
        if entry is None:
            return None
        inside = tokens[opening + 1 : stop - 1]
        if isinstance(entry, DatePhrase) and not rules.may_be_date_in_title(entry, inside):
            return None
        return FoundPhrase(entry, opening, stop)

    def _ending(self, stop: int) -> FoundPhrase | None:
        window = self.tokens[:stop]
        for first in range(self._unknown_before(stop), stop):
            if first and window[first].glued:
                continue
            dates = [
                PossibleDate(entry, window[first:], window[:first])
                for entry, end in title_phrase.read(window, first)
                if end == stop
            ]
            verdicts = [rules.judge(rules.END_RULES, date) for date in dates]
            if PhraseVerdict.SURE in verdicts:
                return FoundPhrase(dates[verdicts.index(PhraseVerdict.SURE)].entry, first, stop)
            self.ends_in_part = PhraseVerdict.PART in verdicts
            if any(verdict is not PhraseVerdict.CLAIMED for verdict in verdicts):
                return None
        return None

    def before(self, stop: int) -> FoundPhrase | None:
        """Return the phrase that certainly ends before a token, or before a comma there."""
        self.ends_in_part = False
        return self._ending(stop - (self.tokens[stop - 1].word in RANGE_MARKS))

    def run_before(self, stop: int) -> int:
        """Return where the dates in a row before a token begin."""
        first = stop
        while first and (self.tokens[first - 1].word in rules.JOINS_DATES
                         or self._unknown_before(first) < first):  # fmt: skip
            first -= 1
        starts = (at for at in range(first, stop) if self.longest_from(at) is not None)
        return next(starts, first)

    def _unknown_before(self, stop: int) -> int:
        """Return where words that can belong to a date begin, at most MAX_DATE_TOKENS back."""
        first = stop
        while first > max(0, stop - MAX_DATE_TOKENS) and _may_be_of_date(self.tokens[first - 1]):
            first -= 1
        return first

    def at_start(self, *, hour_known: bool) -> FoundPhrase | None:
        """Return the longest phrase that certainly begins the title."""
        tokens = self.tokens
        window = tokens[:MAX_DATE_TOKENS]
        readings = [
            (entry, stop)
            for entry, stop in title_phrase.read(window, 0)
            if stop < len(tokens) and self._is_boundary(stop)
        ]
        longest = max((stop for _, stop in readings), default=0)
        if rules.may_go_on_with_year(tokens[:longest], tokens[longest:][:4]):
            self.starts_in_part = longest + 1
            return None
        following = longest + (longest < len(window) and window[longest].word in RANGE_MARKS)
        other = title_phrase.longest(window, following)
        if other is not None:
            entry, stop = other
            date = PossibleDate(entry, tokens[following:stop], after=tokens[stop : stop + 4])
            if not rules.is_part_of_noun(date):
                self.starts_in_part = stop if longest else 0
                return None
        for entry, stop in readings:
            date = PossibleDate(entry, tokens[:stop], (), tokens[stop : stop + 4], hour_known)
            if stop == longest and rules.judge(rules.START_RULES, date) is PhraseVerdict.SURE:
                return FoundPhrase(entry, 0, stop)
        return None

    def in_middle(self) -> FoundPhrase | None:
        """Return the first phrase in the middle of the title that is certainly a date."""
        tokens = self.tokens
        reach = range(2, min(len(tokens), 2 * MAX_DATE_TOKENS))
        stops = {at for at in reach if rules.continues_title(tokens[at : at + 4])}
        if not stops:
            return None
        for first in range(1, max(stops)):
            if tokens[first].glued or not _may_be_of_date(tokens[first]):
                continue
            window = tokens[: first + MAX_DATE_TOKENS]
            readings = [
                (entry, stop) for entry, stop in title_phrase.read(window, first) if stop in stops
            ]
            if not readings:
                continue
            entry, stop = max(readings, key=lambda reading: reading[1])
            if rules.is_date_in_middle(PossibleDate(entry, tokens[first:stop], tokens[:first])):
                return FoundPhrase(entry, first, stop)
        return None

    def several_moments(self) -> tuple[int, int] | None:
        """Return the tokens of the first range or pair of dates or times in the title."""
        tokens, one_until = self.tokens, 0
        for first in range(min(len(tokens), 2 * MAX_DATE_TOKENS)):
            if first < one_until or tokens[first].glued or not _may_be_of_date(tokens[first]):
                continue
            readings = several_moments.read(tokens[: first + MAX_DATE_TOKENS], first)
            stop = max((stop for _, stop in readings if self._is_boundary(stop)), default=0)
            if not stop:
                continue
            one = self.longest_from(first)
            if one is None or one[1] < stop:
                return first, stop
            one_until = one[1]
        return None

    def left(self) -> Iterator[str]:
        """Yield the dates that stay in the title."""
        until = 0
        for first, token in enumerate(self.tokens[: 2 * MAX_DATE_TOKENS]):
            found = None if token.glued or first < until else self.longest_from(first)
            if found and rules.is_date_anywhere(found[0], self.tokens[first : found[1]]):
                until = found[1]
                yield self.text[token.start : self.tokens[until - 1].end]

    def unread_repeat(self) -> tuple[int, int] | None:
        """Return the tokens of `every` with a number that is not a recurrence: every 32nd."""
        tokens = self.tokens
        for first, (token, number) in enumerate(pairwise(tokens)):
            is_counted = token.word in rules.REPEATING and number.number is not None
            if not is_counted or token.glued or self.longest_from(first) is not None:
                continue
            run = list(takewhile(_may_be_of_date, tokens[first + 1 :]))
            while run[-1].word not in rules.ENDS_A_REPEAT and run[-1].number is None:
                run.pop()
            stop = first + 1 + len(run)
            names_days = run[-1].word in rules.ENDS_A_REPEAT - rules.AFTER_NUMBERS
            if names_days or (self._is_boundary(stop) and stop == len(tokens)):
                return first, stop
        return None

    def is_all(self, first: int, stop: int) -> bool:
        """Return True if only punctuation would be left without these tokens."""
        left = (*self.tokens[:first], *self.tokens[stop:])
        return not any(token.is_word or token.number is not None or token.word in (ESCAPE, '"')
                       or token.word.isalnum() for token in left)  # fmt: skip

    def cut(self, first: int, stop: int, kind: SpanKind) -> None:
        """Remove tokens from the title; those between signs and other cuts are one span."""
        others = [sign.span.start for sign in self.signs] + [span.start for span in self.cuts]
        start = end = self.tokens[first].start
        for token in self.tokens[first:stop]:
            if any(end <= other < token.start for other in others):
                self.cuts += (Span(start, end, kind.value),)
                start = token.start
            end = token.end
        self.cuts += (Span(start, end, kind.value),)
        rest = self.tokens[stop:]
        if rest:
            rest = (rest[0]._replace(glued=False), *rest[1:])
        self.tokens = (*self.tokens[:first], *rest)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Signs and cut dates, in order."""
        return tuple(sorted((*(sign.span for sign in self.signs), *self.cuts)))

    def read_rank(self) -> None:
        """Read `p2` as a priority where dates and signs leave it at the end of the title."""
        runs = [*self.literals, *((span.start, span.end) for span in self.spans)]
        if not any(sign.span.kind == SpanKind.PRIORITY for sign in self.signs):
            self.signs += find_last_rank(self.text, runs, JOINING_MARKS)

    def title(self) -> str:
        """Return the text without signs and cut dates."""
        pieces: list[str] = []
        last = 0
        for start, end, _ in [*self.spans, (len(self.text), len(self.text), "")]:
            piece = self._unescaped(last, start)
            piece = piece.lstrip(JOINING_MARKS) if last else piece
            piece = piece.rstrip(JOINING_MARKS) if start < len(self.text) else piece
            if piece.strip("".join(ENDING_MARKS) + JOINING_MARKS):
                pieces.append(piece)
            last = end
        title = " ".join(" ".join(pieces).split())
        return _unquoted(title) or " ".join(self.text.split())

    def _unescaped(self, start: int, end: int) -> str:
        """Return a piece of the text without the backslashes that escape words."""
        escapes = {run[0] for run in self.literals if self.text[run[0]] == ESCAPE}
        return "".join(self.text[at] for at in range(start, end) if at not in escapes)


def _may_follow_date(token: Token) -> bool:
    """Return True for a token that may follow a final date: punctuation, an emoji, please."""
    return token.word in ENDING_MARKS | POLITE or not (token.word.isalnum() or token.word.isascii())


def is_surely_title(text: str) -> bool:
    """Return True if a word of the text belongs to no date, field or sign; a fast check."""
    if may_have_signs(text) or not LITERAL_MARKS.isdisjoint(text):
        return False
    others = (token for token in tokenize(text) if token.is_word and not _may_be_of_date(token))
    return any(token.word not in FIELDS | POLITE for token in others)


def _may_be_of_date(token: Token) -> bool:
    return token.number is not None or token.word in known_words


def _unquoted(title: str) -> str:
    """Return a title without the quotation marks around all of it."""
    closing = QUOTES.get(title[:1])
    inner = title[1:-1]
    if closing and len(title) > 2 and title.endswith(closing) and closing not in inner:
        return inner.strip() or title
    return title


class QuickAdd(NamedTuple):
    """Result of reading a line.

    `notes` say what was ambiguous or not understood; `spans` are the pieces of the
    text that became something else than title, in order.
    """

    title: str
    due: When | None = None
    recurrence: Recurrence | None = None
    priority: Priority | None = None
    project: str | None = None
    tags: tuple[str, ...] = ()
    start: When | None = None
    parent: int | None = None
    blocked_by: tuple[int, ...] = ()
    estimate: int | None = None
    notes: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()

    def task_fields(self) -> TaskFields:
        """Return the fields to write."""
        fields = TaskFields(title=self.title, due=self.due, start=self.start)
        fields |= TaskFields(priority=self.priority, project=self.project, tags=self.tags)
        if self.recurrence is not None:
            fields["recurrence"] = self.recurrence.rule
            fields["repeat_from"] = self.recurrence.repeat_from
        if self.parent is not None:
            fields["parent"] = self.parent
        if self.estimate is not None:
            fields["estimate"] = self.estimate
        if self.blocked_by:
            fields["blocked_by"] = self.blocked_by
        return fields


def read_quick_add(
    text: str,
    now: datetime,
    style: DateStyle,
    *,
    words_only: bool = False,
    literals: Sequence[tuple[int, int]] = (),
) -> QuickAdd:
    """Read a line of quick add.

    Only what is certainly a date is taken out of the title, at its end or beginning;
    with `words_only` nothing is, and nothing in `literals`, which are (start, end) spans
    of the text. The title is never empty unless the text is.
    """
    if words_only or len(text) > MAX_LINE_LENGTH:
        return QuickAdd(" ".join(text.split()))
    return _QuickAddReader(text, DateContext(now, style), literals).read()


class _QuickAddReader:
    """Reader of one line: signs first, then fields, then dates at the ends of the rest."""

    def __init__(
        self, text: str, context: DateContext, literals: Sequence[tuple[int, int]]
    ) -> None:
        self.line = QuickAddLine(text, literals)
        self.context = context
        self.schedule = Schedule()
        self.notes: list[str] = []
        self.field_starts: list[tuple[int, int]] = []

    def read(self) -> QuickAdd:
        """Return the reading of the whole line."""
        index = 0
        while (found := self.line.field_from(index)) is not None:
            self.field_starts.append((start := self.line.tokens[found.first].start, start + 1))
            index = found.first if self._take(found) else found.stop
        if (unread := self.line.unread_repeat()) is not None:
            self._note_kept(*unread, "is not understood")
        elif self._read_end():
            if (found := self.line.at_start(hour_known=self.schedule.lacks_day)) is not None:
                self._take(found)
            elif self.line.starts_in_part and not self.notes:
                self._note_kept(0, self.line.starts_in_part, "is not one date")
            if (several := self.line.several_moments()) is not None:
                if not self.notes:
                    self._note_kept(*several, "is not one date")
            elif (found := self.line.in_middle()) is not None:
                self._take_in_middle(found)
        try:
            return self._quick_add()
        except DateNotUnderstood as problem:
            self.line.cuts = ()
            return self._read_signs()._replace(notes=(*self.notes, problem.message))

    def _read_end(self) -> bool:
        """Take phrases from the end; return False if the line is nothing but dates.

        Two phrases that contradict each other are both put back.
        """
        line, schedule = self.line, self.schedule
        tokens, cuts = line.tokens, line.cuts
        for taken in range(MAX_PHRASES):
            found = line.at_end()
            is_all = found is not None and line.is_all(found.first, found.stop)
            count = len(self.notes)
            if found is not None and not is_all and self._take(found, says_conflict=False):
                continue
            if found is not None and is_all and not taken:
                self._note_only_date(found.entry)
            is_part = found is None and line.ends_in_part
            stays = is_all or is_part or (found is not None and not self._may_be_name(found))
            if stays and (taken or is_part):
                first = line.run_before(line.end_of_dates()) if found is None else found.first
                line.tokens, line.cuts = tokens, cuts
                self.schedule = schedule
                if len(self.notes) == count:
                    self._note_kept(first, line.end_of_dates(), "is not one date")
            return not (is_all or (taken and stays))
        return True

    def _take_in_middle(self, found: FoundPhrase) -> None:
        """Take a phrase in the middle: a recurrence with the date before it, or neither."""
        line, count = self.line, len(self.notes)
        tokens, cuts, schedule = line.tokens, line.cuts, self.schedule
        if not self._take(found) or not isinstance(found.entry, terms.RepeatTerm):
            return
        before = line.before(found.first)
        if before is None:
            is_taken = not line.ends_in_part
        else:
            # Where nothing else begins the title, the date does.
            is_taken = before.first > 0 and self._take(before, says_conflict=False)
        if not is_taken:
            line.tokens, line.cuts, self.schedule = tokens, cuts, schedule
            if len(self.notes) == count:
                self._note_kept(line.run_before(found.stop), found.stop, "is not one date")

    def _may_be_name(self, found: FoundPhrase) -> bool:
        """Return True for one word that may be a name or an occasion: tom, sun, christmas."""
        token = self.line.tokens[found.first]
        return found.stop - found.first == 1 and (
            token.word in rules.AMBIGUOUS | rules.HOLIDAYS or rules.is_capitalised(token)
        )

    def _note_kept(self, first: int, stop: int, reason: str) -> None:
        """Note that tokens which are dates stay in the title, and why."""
        start, end = self.line.tokens[first].start, self.line.tokens[stop - 1].end
        kept = quote_phrase(self.line.text[start:end])
        self.notes.append(f"{kept} {reason} and stays in the title")

    def _take(self, found: FoundPhrase, *, says_conflict: bool = True) -> bool:
        """Take the tokens of a phrase out of the title, if it can be resolved and joined."""
        entry, first, stop = found
        if self.line.is_all(first, stop):
            self._note_only_date(entry)
            return False
        joined = self.schedule.with_phrase(entry)
        if joined is None:
            if says_conflict:
                self._note_kept(first, stop, "conflicts with another date")
            return False
        try:
            joined.resolve(self.context)
        except DateNotUnderstood as problem:
            self.notes.append(problem.message)
            return False
        self.schedule = joined
        self.line.cut(first, stop, _KINDS[type(entry)])
        return True

    def _note_only_date(self, entry: TitlePhrase) -> None:
        """Note that a date which is the whole title is none, and why if it cannot be one."""
        joined = Schedule().with_phrase(entry)
        if joined is None:
            return
        try:
            joined.resolve(self.context)
        except DateNotUnderstood as problem:
            self.notes.append(problem.message)
        else:
            title = quote_phrase(self.line.title())
            self.notes.append(f"{title} is the title, not a date. Add other words for a date")

    def _read_signs(self) -> QuickAdd:
        line = self.line
        values: dict[str, list[str]] = {}
        for sign in line.signs:
            values.setdefault(sign.span.kind, []).append(sign.value)
        first = {kind: found[0] for kind, found in values.items()}
        priority, parent = first.get(SpanKind.PRIORITY), first.get(SpanKind.PARENT)
        return QuickAdd(
            line.title(),
            priority=None if priority is None else sign_priority(priority),
            project=first.get(SpanKind.PROJECT),
            tags=tuple(dict.fromkeys(values.get(SpanKind.TAG, ()))),
            parent=None if parent is None else int(parent),
            blocked_by=tuple(dict.fromkeys(map(int, values.get(SpanKind.BLOCKER, ())))),
            estimate=parse_estimate(first.get(SpanKind.ESTIMATE, "")),
            spans=line.spans,
        )

    def _quick_add(self) -> QuickAdd:
        self.line.read_rank()
        title = self.line.title()
        schedule = self.schedule.settle_times(rules.implied_part_of_day(title))
        fields, notes = schedule.resolve(self.context)
        self.notes += notes
        rule = fields.get("recurrence")
        is_read = self.schedule != Schedule()
        says_left = (is_read or not self.notes) and not any("stays" in each for each in self.notes)
        known = [*self.line.literals, *self.field_starts]  # of these notes say why they stay
        signs = find_unread_signs(self.line.text, self.line.spans, known)
        for word in (*(self.line.left() if says_left else ()), *signs):
            self.notes.append(f"{quote_phrase(word)} stays in the title")
        return self._read_signs()._replace(
            due=fields.get("due"),
            recurrence=None if rule is None else Recurrence(rule, fields["repeat_from"]),
            start=fields.get("start"),
            notes=tuple(dict.fromkeys(self.notes)),
        )


def split_task_lines(text: str) -> tuple[str, ...]:
    """Return the non-empty lines of a text without bullets and numbers."""
    lines = (_SIGN.sub("", line, count=1).strip() for line in text.splitlines())
    return tuple(line for line in lines if any(map(str.isalnum, line)) or not line.isascii())
