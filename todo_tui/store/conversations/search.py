"""The list of conversations, and the search over their titles and messages."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from sqlite3 import Connection
from typing import NamedTuple

from todo_tui.domain.messages import NO_USAGE, Role, Usage, UsageSum
from todo_tui.domain.text import (
    fold_case,
    plain_line,
    repair_surrogates,
    shorten,
    strip_accents,
    strip_markdown,
)
from todo_tui.store.conversations.queries import COLUMNS, USAGE_SUMS, conversation_values
from todo_tui.store.conversations.records import ConversationEntry, ConversationMatch, TurnMatch

MAX_HITS = 3_000
"""Number of the newest matching messages that a search reads."""
_MAX_WORDS = 100
"""FTS5 refuses more than 256 in one expression."""
_LONGEST_LINE = 120
"""Characters of last words and of a matching line."""
_BEFORE_MATCH = 40
"""Characters of a matching line before the match, if the line is cut."""
_ENTRIES = f"""
SELECT {COLUMNS}, x.role, substr(x.text, 1, 1000), t.provider, t.model,
    (SELECT count(*) FROM turns n WHERE n.conversation_id = c.id)
FROM json_each(?) w JOIN conversations c ON c.id = w.value
LEFT JOIN messages h ON h.id = c.head
LEFT JOIN turns t ON t.id = h.turn_id
LEFT JOIN message_texts x ON x.seq = (SELECT l.seq FROM messages m
    JOIN message_texts l ON l.seq = m.seq
    WHERE m.turn_id = h.turn_id AND trim(l.text) <> '' ORDER BY m.seq DESC LIMIT 1)
ORDER BY w.key
"""  # noqa: S608 - constants
_USAGE = f"""
SELECT t.conversation, {USAGE_SUMS}
FROM (SELECT id, conversation_id AS conversation FROM turns
    WHERE conversation_id IN (SELECT value FROM json_each(?))) t
JOIN model_calls m ON m.turn_id = t.id GROUP BY t.conversation
"""  # noqa: S608 - constants
# The index over words yields the newest first, and nothing is sorted.
_HITS = """
SELECT m.conversation_id, c.newest_message, m.turn_id, w.rowid
FROM message_words w
CROSS JOIN messages m ON m.seq = w.rowid
CROSS JOIN conversations c ON c.id = m.conversation_id
WHERE message_words MATCH ? AND c.user = ? AND c.deleted_at IS NULL
ORDER BY w.rowid DESC LIMIT ?
"""
_HITS_IN_CONVERSATION = """
SELECT m.turn_id, w.rowid
FROM message_words w
CROSS JOIN messages m ON m.seq = w.rowid
WHERE message_words MATCH ? AND m.conversation_id = ?
ORDER BY w.rowid DESC LIMIT ?
"""
# What restates the steps of its turn is not on screen: their summaries are.
_SHOWN_TEXT = """
SELECT m.role, (SELECT group_concat(json_extract(p.value, '$.text'), char(10))
    FROM json_each(m.parts) p WHERE json_extract(p.value, '$.type') = 'text'
    AND json_extract(p.value, '$.meta.restates_steps') IS NOT 1
), (SELECT group_concat(c.summary, char(10)) FROM tool_calls c WHERE c.turn_id = m.turn_id
    AND m.parts LIKE '%"restates_steps"%')
FROM messages m WHERE m.seq = ?
"""
_TITLES = """
SELECT id, newest_message, title FROM conversations
WHERE user = ? AND deleted_at IS NULL ORDER BY newest_message DESC, rowid DESC
"""


_TOKEN = re.compile(r"[^\W_]+")


class _Match(NamedTuple):
    """The newest matching message of a conversation, or its title."""

    newest_message: int
    turn_id: str | None
    message: int
    title: str | None


def read_entries(database: Connection, ids: list[str]) -> tuple[ConversationEntry, ...]:
    """Return the conversations of these ids as listed, in that order."""
    wanted = json.dumps(ids)
    usage = {
        conversation_id: UsageSum(Usage(*sums[:5]), *sums[5:])
        for conversation_id, *sums in database.execute(_USAGE, (wanted,))
    }
    return tuple(
        ConversationEntry(
            *conversation_values(tuple(row)),
            shorten(" ".join(" ".join(_lines(role, text or "")).split()), _LONGEST_LINE),
            provider or "",
            model or "",
            turns,
            usage.get(row[0], NO_USAGE),
        )
        for *row, role, text, provider, model, turns in database.execute(_ENTRIES, (wanted,))
    )


def find_turns(
    database: Connection, conversation_id: str, text: str, limit: int
) -> tuple[TurnMatch, ...]:
    """Return the turns of a conversation that match, as `ConversationStore.find_turns`."""
    words, patterns, query = _parse(text)
    if not words:
        return ()
    hits = database.execute(_HITS_IN_CONVERSATION, (query, conversation_id, MAX_HITS))
    found: dict[str, TurnMatch] = {}
    for turn_id, message in hits:
        if turn_id not in found and (lines := _shown_lines(database, message, patterns)):
            found[turn_id] = TurnMatch(turn_id, *_matching_line(lines, patterns))
            if len(found) == limit:
                break
    return tuple(found.values())


def _parse(text: str) -> tuple[list[str], list[re.Pattern[str]], str]:
    """Return the words of a search, their patterns, and the expression for FTS5."""
    typed = plain_line(repair_surrogates(unicodedata.normalize("NFC", text))).split()
    words = [word for word in typed if _TOKEN.search(word)][:_MAX_WORDS]
    if not words:
        return [], [], ""
    patterns = [_pattern(word) for word in words[:-1]] + [_pattern(words[-1], is_last=True)]
    # FTS5 splits a quoted word as it split the messages: `to-do` is a phrase.
    quoted = " ".join('"' + word.replace('"', '""') + '"' for word in words)
    return words, patterns, f"{quoted}*"


def search(database: Connection, user: str, text: str, limit: int) -> tuple[ConversationMatch, ...]:
    """Return the user's conversations that match, as `ConversationStore.search`."""
    words, patterns, query = _parse(text)
    if not words:
        return ()
    found: dict[str, _Match] = {}
    hits = database.execute(_HITS, (query, user, MAX_HITS))
    for conversation_id, newest, turn_id, message in hits:
        if conversation_id not in found and _shown_lines(database, message, patterns):
            found[conversation_id] = _Match(newest, turn_id, message, None)
            if len(found) == limit:
                break
    has_title = (
        (conversation_id, _Match(newest, None, 0, title))
        for conversation_id, newest, title in database.execute(_TITLES, (user,))
        if all(each.search(_fold(title)) for each in patterns)
    )
    for conversation_id, by_title in islice(has_title, limit):
        found.setdefault(conversation_id, by_title)
    newest_first = sorted(found, key=lambda each: found[each].newest_message, reverse=True)
    matches = []
    for entry in read_entries(database, newest_first[:limit]):
        hit = found[entry.id]
        lines = [hit.title or ""]
        if hit.title is None:
            lines = _shown_lines(database, hit.message, patterns)
        line, span = _matching_line(lines, patterns)
        matches.append(ConversationMatch(entry, line, span, hit.turn_id))
    return tuple(matches)


def _shown_lines(
    database: Connection, message: int, patterns: Sequence[re.Pattern[str]]
) -> list[str]:
    """Return the lines of a message as shown; empty if a word that was found is not in them."""
    role, text, steps = database.execute(_SHOWN_TEXT, (message,)).fetchone()
    lines = [*_lines(role, text or ""), *(steps or "").splitlines()]
    if steps is None:
        return lines
    whole = _fold(unicodedata.normalize("NFC", "\n".join(lines)))
    return lines if all(pattern.search(whole) for pattern in patterns) else []


def _lines(role: str | None, text: str) -> Iterator[str]:
    """Yield the lines of a message as plain text; models write Markdown, people do not.

    The signs of a quoted document are escaped in the Markdown of the answer: two layers.
    """
    for line in text.splitlines():
        plain = plain_line(line).strip()
        is_markdown = role == Role.ASSISTANT
        yield strip_markdown(strip_markdown(plain)) if is_markdown else plain


def _pattern(word: str, *, is_last: bool = False) -> re.Pattern[str]:
    """Return a pattern for folded text that matches where FTS5 matches the word."""
    literal = r"[\W_]++".join(map(re.escape, _TOKEN.findall(_fold(word))))
    literal = rf"(?<![^\W_]){literal}" + ("" if is_last else r"(?![^\W_])")
    return re.compile(literal)


def _fold(text: str) -> str:
    """Remove case and accents, character by character, so that positions stay the same."""
    return text.lower() if text.isascii() else "".join(map(_fold_character, text))


@lru_cache(maxsize=1024)
def _fold_character(character: str) -> str:
    return (strip_accents(fold_case(character)) or character)[0]


def _matching_line(
    lines: Iterable[str], patterns: Sequence[re.Pattern[str]]
) -> tuple[str, tuple[int, int]]:
    """Return the line with the most words, cut around the last word in it, and its place there."""
    best = ""
    matches: list[re.Match[str]] = []
    for each in lines:
        line = unicodedata.normalize("NFC", each)
        folded = _fold(line)
        here = [match for pattern in patterns if (match := pattern.search(folded))]
        if len(here) > len(matches) or not best:
            best, matches = line, here
        if len(here) == len(patterns):
            break
    start, end = matches[-1].span() if matches else (0, 0)
    if len(best) <= _LONGEST_LINE:
        return best, (start, end)
    cut = max(0, min(start - _BEFORE_MATCH, len(best) - _LONGEST_LINE))
    line = shorten(best[cut:], _LONGEST_LINE)
    if cut:
        line = f"…{line[1:]}"
    return line, (start - cut, min(end - cut, len(line)))
