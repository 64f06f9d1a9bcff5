"""The search over a long history of conversations, beside a plain query of SQLite."""

from __future__ import annotations

import json
import random
import sqlite3
import statistics
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import accumulate
from pathlib import Path

from tests.benchmarks.report import Row
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

_CEILING_MS = 20.0
_LETTERS = "etaoinshrdlcumwfgypbvk"
_RARE = "quokka"
_SEARCHES = {
    "a rare word": _RARE,
    "a common word": "the",
    "two common words": "the and",
    "a letter": "e",
    "two letters": "re",
}
_COMMON = ("the", "and", "rent", "milk", "report", "return", "ready", "every", "tomorrow")
_MESSAGES = (
    "INSERT INTO messages (id, conversation_id, turn_id, depth, role, parts, created_at)"
    " VALUES (?, ?, ?, 1, ?, ?, ?)"
)


def compare(folder: Path, messages: int, conversations: int, *, runs: int) -> Iterator[Row]:
    """CPU of searches among made-up messages, the rare word beside LIKE over all of them."""
    path = folder / "conversations.db"
    with open_store(path, user="me", clock=Clock("UTC")) as store:
        _fill(path, store.clock.utc().isoformat(), messages, conversations)
        for name, text in _SEARCHES.items():
            ours = [_searching(store, text) for _ in range(runs)]
            theirs = [_scanning(path, text) for _ in range(min(runs, 3))]
            a, b = statistics.median(ours), statistics.median(theirs)
            yield Row(
                f"search for {name}, {messages:,} messages, beside LIKE, CPU",
                a * 1000,
                b * 1000,
                "ms",
                a / b,
                None,
                ceiling=_CEILING_MS,
            )


def _searching(store: Store, text: str) -> float:
    started = time.process_time()
    found = store.conversations.search(text)
    spent = time.process_time() - started
    assert found
    return spent


def _scanning(path: Path, text: str) -> float:
    query = "SELECT DISTINCT conversation_id FROM messages WHERE parts LIKE ? LIMIT 50"
    with closing(sqlite3.connect(path)) as database:
        started = time.process_time()
        database.execute(query, (f"%{text}%",)).fetchall()
        return time.process_time() - started


def _fill(path: Path, now: str, messages: int, conversations: int) -> None:
    """Write turns of a question and an answer each, one conversation after the other."""
    chosen = random.Random(1)  # noqa: S311 - made-up words are not secrets
    words = [
        *_COMMON,
        *("".join(chosen.choices(_LETTERS, k=number % 8 + 2)) for number in range(20_000)),
    ]
    weights = list(accumulate(1 / (place + 5) for place in range(len(words))))
    with closing(sqlite3.connect(path)) as database:
        for number in range(conversations):
            name = f"c{number}"
            database.execute(
                "INSERT INTO conversations (id, user, title, created_at, updated_at,"
                " newest_message) VALUES (?, 'me', ?, ?, ?, ?)",
                (
                    name,
                    f"Conversation {number}",
                    now,
                    now,
                    (number + 1) * messages // conversations,
                ),
            )
            for place in range(messages // conversations // 2):
                turn = f"{name}-{place}"
                asked = f"{turn}-user"
                database.execute(
                    "INSERT INTO turns (id, conversation_id, user_message_id, status, provider,"
                    " model, owner_pid, owner_started, started_at)"
                    " VALUES (?, ?, ?, 'finished', 'made-up', 'model', 0, '', ?)",
                    (turn, name, asked, now),
                )
                database.execute(
                    "INSERT INTO model_calls (user, turn_id, at, provider, model, input_tokens,"
                    " cached_tokens, output_tokens, thinking_tokens, milliseconds, status)"
                    " VALUES ('me', ?, ?, 'made-up', 'model', 9, 0, 9, 0, 1.0, 'finished')",
                    (turn, now),
                )
                for role, length in (("user", 12), ("assistant", 70)):
                    text = chosen.choices(words, cum_weights=weights, k=length)
                    if number % 200 == 7 and place == 3:
                        text.append(_RARE)
                    parts = json.dumps([{"type": "text", "text": " ".join(text)}])
                    database.execute(_MESSAGES, (f"{turn}-{role}", name, turn, role, parts, now))
        database.commit()
