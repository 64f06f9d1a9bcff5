"""What was said in a conversation, read along its active branch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from sqlite3 import Connection

from todo_tui.domain.conversation import Message, Role
from todo_tui.store.message_json import message_from_texts
from todo_tui.store.records import Recollection, Summary

# Newest first, and no further back than the reader goes: a sort outside of the
# recursion would walk the whole conversation first.
_BRANCH = """
WITH RECURSIVE branch (depth, parent_id, role, parts, origin, context) AS (
    SELECT m.depth, m.parent_id, m.role, m.parts, m.origin, m.context
        FROM conversations c JOIN messages m ON m.id = c.head WHERE c.id = ?
    UNION ALL
    SELECT m.depth, m.parent_id, m.role, m.parts, m.origin, m.context
        FROM branch b JOIN messages m ON m.id = b.parent_id
    ORDER BY 1 DESC
) SELECT role, parts, origin, context FROM branch
"""
_HEAD = """
SELECT m.depth, s.depth, s.text, s.origin
FROM conversations c
JOIN messages m ON m.id = c.head
LEFT JOIN summaries s ON s.id = m.summary_id
WHERE c.id = ?
"""


def read_history(
    database: Connection, conversation_id: str, limit: int | None
) -> tuple[Message, ...]:
    """The active branch, oldest first, beginning with a user message.

    At most `limit` messages, or more where the newest turn alone is longer.
    """
    return _within(_newest_first(database, conversation_id), limit)


def recollect(database: Connection, conversation_id: str, limit: int) -> Recollection:
    """As `read_history`, but only what no summary covers, and the summary of the rest."""
    head = database.execute(_HEAD, (conversation_id,)).fetchone()
    if head is None:
        return Recollection(())
    depth, covered, text, origin = head
    summary = None if covered is None else Summary(text, origin)
    uncovered = depth - (covered or 0)
    newest_first = islice(_newest_first(database, conversation_id), uncovered)
    messages = _within(newest_first, limit)
    return Recollection(messages, uncovered - len(messages), summary)


def _newest_first(database: Connection, conversation_id: str) -> Iterator[Message]:
    rows = database.execute(_BRANCH, (conversation_id,))
    return (message_from_texts(*row) for row in rows)


def _within(messages: Iterator[Message], limit: int | None) -> tuple[Message, ...]:
    """Oldest first, begun at the oldest user message within the limit."""
    newest_first: list[Message] = []
    opened = False
    for message in messages:
        newest_first.append(message)
        opened = opened or message.role is Role.USER
        if limit is not None and opened and len(newest_first) >= limit:
            break
    users = [at for at, message in enumerate(newest_first) if message.role is Role.USER]
    within = [at for at in users if limit is None or at < limit] or users[:1]
    if not within:
        return ()
    return tuple(reversed(newest_first[: within[-1] + 1]))
