"""Tokens and errors of the filter language, and the token stream for the parser."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import NamedTuple

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filters.vocabulary import (
    DAY_OPENERS,
    KEYS,
    OPERATORS,
    SIGNS,
    STATES,
    TokenKind,
)
from todo_tui.domain.text import fold_case, join_words, shorten

# Text, not compiled: most words are plain, and `re` caches patterns on first use.
_INSIDE = r"""(?: \\["“”\\]?+ | [^"”\\]++ )*+"""
_QUOTE = rf"""(?x) ["“] {_INSIDE} ["”]"""
_QUOTED = rf"""(?x) ["“] (?P<inside> {_INSIDE} ) ["”]?"""
_OPERATOR = r"(?x) && | & | \|\| | \|"
_PIECE = rf"""{_QUOTE} | & | [^\s|&"“]+ | ["“]"""
_COMPARISON = r"(?: <= | >= | != | [<>=≤≥≠] )"
_KEYED = rf"""(?xs) (?P<head> [^\W\d]\w* ) (?P<dotted> \. (?P<modifier> \w* ) )?
    (?: :? (?P<comparison> {_COMPARISON} ) | : ) (?P<value> .* )"""
_HEADS = "|".join((*KEYS, "date"))
_PHRASES = "|".join((*STATES, *DAY_OPENERS))
_BEGINS_GRAMMAR = rf"""(?ix) [#@!] [^\s!&|)] | [("“]
    | (?: {_HEADS} ) (?: \.\w+ )? (?: : | {_COMPARISON} )
    | (?: {_PHRASES} ) (?= $ | [\s()|&] )"""
_MARKS = r"""\\(?P<kept>["“”\\])|["“”]"""
_NOT_PLAIN = frozenset('"“”\\&|()!')
_SEPARATORS = frozenset(":<>=!≤≥≠")
QUOTE_HINT = "Put words in quotes to search for them literally."
_SHOWN = 60
_VALUE_HINT = "Write no space, e.g. project:work, or put the word in quotes to search for it."


class FilterNames(NamedTuple):
    """Known projects, tags, and the filter text of each saved view by name.

    If projects or tags are None, any name is accepted without a warning.
    """

    projects: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    views: Mapping[str, str] = MappingProxyType({})

    def has_project(self, name: str) -> bool:
        """Return True if a task is in the project or below it, or projects are unknown."""
        if self.projects is None:
            return True
        wanted = fold_case(name)
        return any(f"{fold_case(each)}.".startswith(f"{wanted}.") for each in self.projects)

    def has_tag(self, name: str) -> bool:
        """Return True if a task has the tag, or tags are unknown."""
        return self.tags is None or fold_case(name) in map(fold_case, self.tags)

    @property
    def projects_and_above(self) -> tuple[str, ...]:
        """Projects and their ancestors, each once regardless of case."""
        known: dict[str, str] = {}
        for project in self.projects or ():
            parts = project.split(".")
            for count in range(1, len(parts) + 1):
                path = ".".join(parts[:count])
                known.setdefault(fold_case(path), path)
        return tuple(known.values())

    def view(self, name: str) -> str | None:
        """Return the filter text of a view; None if there is none of that name."""
        wanted = fold_case(name)
        return next((text for each, text in self.views.items() if fold_case(each) == wanted), None)


class FilterWord(NamedTuple):
    """Word of a filter; `quoted` if it began with a quotation mark.

    `text` is without quotation marks, `raw` as it stands at `position`.
    """

    text: str
    raw: str
    position: int
    quoted: bool = False

    @property
    def key(self) -> str:
        """Text compared by the grammar; empty for quoted words, which never are keywords."""
        return "" if self.quoted else SIGNS.get(self.text) or fold_case(self.text)

    @property
    def end(self) -> int:
        """End position in the text."""
        return self.position + len(self.raw)


class KeyedWord(NamedTuple):
    """Word of the form `head.modifier:value`, or with a comparison `sign` in place of the colon.

    `modifier` is None without a dot. `start` is the offset of the value in the word. A quoted
    value is taken literally.
    """

    head: str
    modifier: str | None
    sign: str
    value: str
    quoted: bool
    start: int


def tokenize_filter(text: str) -> Iterator[FilterWord]:
    """Yield the words of one line of text, from left to right."""
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        for word in _words_at(text, position):
            position = word.end
            if word.text:
                yield word


def split_keyed(word: FilterWord) -> KeyedWord | None:
    """Split `key:value` into its parts; None for words of another form."""
    if word.quoted or _SEPARATORS.isdisjoint(word.raw):
        return None
    found = re.fullmatch(_KEYED, word.raw)
    if found is None:
        return None
    value = found["value"]
    return KeyedWord(
        fold_case(found["head"]),
        None if found["dotted"] is None else fold_case(found["modifier"]),
        found["comparison"] or "",
        unquote(value),
        value.startswith(('"', "“")),
        found.start("value"),
    )


def unquote(text: str) -> str:
    """Remove quotation marks; one escaped by a backslash stays."""
    return re.sub(_MARKS, lambda mark: mark["kept"] or "", text)


def _words_at(text: str, position: int) -> Iterator[FilterWord]:
    run = text[position:].split(maxsplit=1)[0]
    if _NOT_PLAIN.isdisjoint(run):
        yield FilterWord(run, run, position)
    elif text[position] == "(":
        yield FilterWord("(", "(", position)
    elif found := re.compile(_QUOTED).match(text, position):
        inside = unquote(found["inside"])
        yield FilterWord(" ".join(inside.split()), found[0], position, quoted=True)
    elif found := re.compile(_OPERATOR).match(text, position):
        yield FilterWord(found[0], found[0], position)
    elif text[position] == "!" and _begins_grammar(text, position + 1):
        # A negation; before other words `!` sets a priority.
        yield FilterWord("!", "!", position)
    else:
        yield from _plain_words(_chunk(text, position), position)


def _begins_grammar(text: str, position: int) -> bool:
    return re.compile(_BEGINS_GRAMMAR).match(text, position) is not None


def _chunk(text: str, position: int) -> str:
    """Return text up to a blank or operator; `R&D` stays whole, `@home&today` does not."""
    end = position
    while found := re.compile(_PIECE).match(text, end):
        if found[0] == "&" and end > position:
            after = len(text) - len(text[end:].lstrip("&"))
            if after == len(text) or text[after].isspace() or _begins_grammar(text, after):
                break
        end = found.end()
    return text[position:end]


def _plain_words(chunk: str, position: int) -> Iterator[FilterWord]:
    """Yield a word and the brackets that close after it; `f(x)` keeps its own."""
    # An unterminated quotation is one match, too: searching its end from each quotation
    # mark would take quadratic time.
    outside = re.sub(_QUOTED, lambda run: run[0] if run.end("inside") == run.end() else "", chunk)
    closing = 0
    while outside.endswith(")") and chunk.endswith(")") and outside.count(")") > outside.count("("):
        chunk, outside = chunk[:-1], outside[:-1]
        closing += 1
    if chunk:
        yield FilterWord(" ".join(unquote(chunk).split()), chunk, position)
    for number in range(closing):
        yield FilterWord(")", ")", position + len(chunk) + number)


class FilterProblem(ValidationError):
    """Filter that cannot be parsed.

    `word` stands at `position` (from 0) of its text; `suggestions` are replacements for
    it, the likeliest first.
    """

    def __init__(
        self,
        message: str,
        *,
        word: str,
        position: int,
        hint: str = QUOTE_HINT,
        suggestions: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, hint=hint)
        self.word = word
        self.position = position
        self.suggestions = suggestions

    @property
    def end(self) -> int:
        """End position of the word in the text."""
        return self.position + len(self.word)


def filter_error(
    word: FilterWord, complaint: str, *, suggestions: Iterable[str] = (), hint: str = QUOTE_HINT
) -> FilterProblem:
    """Build an error: “word” complaint. The hint asks for the suggestions."""
    candidates = tuple(suggestions)
    question = f"Did you mean {join_words(candidates, 'or')}?" if candidates else ""
    return FilterProblem(
        f"“{shorten(word.text, _SHOWN)}” {complaint}.",
        word=word.raw,
        position=word.position,
        hint=f"{question} {hint}".strip(),
        suggestions=candidates,
    )


class TokenStream:
    """Words read from left to right, with the token kind of each."""

    def __init__(self, words: Sequence[FilterWord]) -> None:
        self.words = list(words)
        self.at = 0
        self.kinds: dict[int, TokenKind] = {}
        """Token kind of each word by its position."""
        self.values: dict[int, int] = {}
        """Start of the value of each `key:value`, by the position of its word."""

    @property
    def at_end(self) -> bool:
        """True if no word is left."""
        return self.at >= len(self.words)

    @property
    def word(self) -> FilterWord:
        """Next word; at the end, the last one."""
        return self.words[min(self.at, len(self.words) - 1)]

    def peek(self) -> str:
        """Return the key of the next word; at the end, that of a closing bracket."""
        return ")" if self.at_end else self.words[self.at].key

    def take(self, kind: TokenKind, count: int = 1) -> None:
        """Consume words that share one kind."""
        for word in self.words[self.at : self.at + count]:
            self.kinds[word.position] = kind
        self.at += count

    def mark(self, word: FilterWord, kind: TokenKind) -> None:
        """Record the kind of a word."""
        self.kinds[word.position] = kind

    def value_of(self, word: FilterWord, parts: KeyedWord, kind: TokenKind) -> str:
        """Return the value of a key, which may be the next word; `kind` is its kind.

        Raises:
            FilterProblem: no value follows.
        """
        self.mark(word, kind)
        self.values[word.position] = parts.start
        if parts.value:
            return parts.value
        if parts.quoted or self.at_end or self.peek() in OPERATORS:
            raise filter_error(word, "needs a value right after the colon", hint=_VALUE_HINT)
        self.take(kind)
        return self.words[self.at - 1].text

    def take_pair(self, word: FilterWord, kind: TokenKind) -> None:
        """Record the kind of a word, and consume the next one, which belongs to it."""
        self.mark(word, kind)
        self.take(kind)

    def take_ids(self, value: str) -> str:
        """Consume and return the ids that follow `3,` and a blank."""
        more = ""
        while f"{value}{more}".endswith(",") and self.peek()[:1].isdigit():
            more += self.word.text
            self.take(TokenKind.ID)
        return more

    def following(self, accept: Callable[[FilterWord], bool]) -> list[str]:
        """Return the texts of the next words, up to the first that is not accepted."""
        return [word.text for word in takewhile(accept, self.words[self.at :])]
