"""Sentences: a message cut at the ends of its lines and sentences, lists kept whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from todo_tui.providers.offline.grammar import Grammar, Reading
from todo_tui.providers.offline.intents import Act, Add, Claim, Deed
from todo_tui.providers.offline.items import is_bullet

_SENTENCE = re.compile(
    r"(?<!\b[A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bno)(?<!\bvs)(?<!\bProf)"
    r"(?<!\bevery)(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bapprox)(?<!\bext)(?<!\d)"
    r"[.!?…]+(?=\s+\S)\s+",
    re.IGNORECASE,
)
_NUMBER_END = re.compile(r"(?<=\d)[.!?]\s+(?=[A-Za-z])")


def ends_a_sentence(text: str) -> bool:
    """Whether a sentence ends in the text, before another one."""
    return bool(_SENTENCE.search(text))


def blocks_of(text: str, grammar: Grammar) -> Iterator[str]:
    """Lines; those of a list stay with the line that introduces it."""
    lines = [line.rstrip() for line in text.split("\n")]
    lines = [line for line in lines if line.strip()]
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and _belongs(lines[at], lines[end], grammar):
            end += 1
        yield "\n".join(lines[at:end])
        at = end


def _belongs(head: str, line: str, grammar: Grammar) -> bool:
    """Whether a line is an entry of the list that another line begins."""
    if is_bullet(line):
        return True
    if is_bullet(head):
        return False
    adds = any(isinstance(reading.intent, Add) for reading in grammar.read(head))
    opens = (
        head.rstrip().endswith(":")
        or adds
        or re.fullmatch(r"(?:please )?(?:add|remind me to)", head.strip(), re.IGNORECASE)
    )
    return bool(opens) and not grammar.is_command(line) and not _says_something(line, grammar)


def sentences_of(block: str, grammar: Grammar) -> Iterator[str]:
    """Sentences; of a note all that follows is its text."""
    rest = block.strip()
    at = 0
    while match := _first_end(rest, at):
        head, tail = rest[: match.start()], rest[match.end() :]
        ended = head + match[0].strip()
        if takes_all(grammar.read(head)):
            break
        if _abbreviates(head):
            at = match.end()
            continue
        yield ended
        rest, at = tail, 0
    if rest:
        yield rest


def _first_end(text: str, at: int) -> re.Match[str] | None:
    found = [match for match in (_SENTENCE.search(text, at), _NUMBER_END.search(text, at)) if match]
    return min(found, key=lambda match: match.start(), default=None)


def _abbreviates(head: str) -> bool:
    return bool(re.search(r"(?:^|\s)(?:[A-Za-z]|Dr|Mr|Mrs|Ms|St|Prof|vs|etc|approx|ext)$", head))


def takes_all(readings: tuple[Reading, ...]) -> bool:
    """Whether what was read so far has a text that may go on as it likes."""
    return any(
        isinstance(reading.intent, Act)
        and reading.intent.deed is Deed.NOTE
        and reading.intent.value
        for reading in readings
    )


def _says_something(line: str, grammar: Grammar) -> bool:
    return any(
        isinstance(reading.intent, Claim) and reading.strong for reading in grammar.read(line)
    )
