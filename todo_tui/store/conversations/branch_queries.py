"""The tree of messages: turns and history of a branch, and the branches beside a turn."""

from collections.abc import Iterator
from itertools import islice
from sqlite3 import Connection

from todo_tui.domain.errors import NotFound
from todo_tui.domain.messages import Message, Role
from todo_tui.store.conversations.records import ModelHistory, Summary, message_from_json

ALL = -1
"""Limit of a query that has none."""
# Newest first and lazily: a sort outside of the recursion would first read the whole
# conversation.
_BRANCH = """
WITH RECURSIVE branch (depth, parent_id, role, parts, origin, context) AS (
    SELECT depth, parent_id, role, parts, origin, context FROM messages WHERE id = ?
    UNION ALL
    SELECT m.depth, m.parent_id, m.role, m.parts, m.origin, m.context
        FROM branch b JOIN messages m ON m.id = b.parent_id
    ORDER BY 1 DESC
) SELECT role, parts, origin, context FROM branch
"""
# Newest first; each turn follows a message of the one before it.
_TURNS_OF_BRANCH = """
WITH RECURSIVE branch (place, id, asked) AS (
    SELECT 0, id, user_message_id FROM turns WHERE id = ? AND conversation_id = ?
    UNION ALL
    SELECT b.place + 1, t.id, t.user_message_id FROM branch b
        JOIN messages a ON a.id = b.asked
        JOIN messages p ON p.id = a.parent_id
        JOIN turns t ON t.id = p.turn_id
    LIMIT ?
) SELECT id FROM branch ORDER BY place
"""
# Only a leaf is shown, and a turn when it begins; thus the one shown last is a leaf.
_LEAF_SHOWN_LAST = """
WITH RECURSIVE below (id, shown) AS (
    SELECT id, shown FROM turns WHERE id = ?
    UNION ALL
    SELECT t.id, t.shown FROM below b
        CROSS JOIN messages m ON m.turn_id = b.id
        CROSS JOIN messages a ON a.conversation_id = m.conversation_id AND a.parent_id = m.id
            AND a.role = 'user' AND a.turn_id <> b.id
        CROSS JOIN turns t ON t.id = a.turn_id
) SELECT m.turn_id, m.id FROM messages m
WHERE m.turn_id = (SELECT id FROM below ORDER BY shown DESC LIMIT 1) ORDER BY m.seq DESC LIMIT 1
"""
_BESIDE = """
SELECT s.turn_id FROM turns t
JOIN messages a ON a.id = t.user_message_id
JOIN messages s ON s.conversation_id = a.conversation_id AND s.parent_id IS a.parent_id
    AND s.role = 'user'
WHERE t.id = ? ORDER BY s.seq
"""
# The newest message of a turn, or of the active branch.
_HEAD = """
SELECT m.id, m.depth, s.depth, s.text, s.origin
FROM conversations c
JOIN messages m ON m.id = CASE WHEN :turn IS NULL THEN c.head ELSE
    (SELECT id FROM messages WHERE turn_id = :turn AND conversation_id = c.id
        ORDER BY seq DESC LIMIT 1) END
LEFT JOIN summaries s ON s.id = m.summary_id
WHERE c.id = :conversation
"""


def read_history(
    database: Connection, conversation_id: str, turn_id: str | None, limit: int
) -> ModelHistory:
    """Return the history of the active branch, or of the branch up to a turn."""
    head = database.execute(_HEAD, {"conversation": conversation_id, "turn": turn_id}).fetchone()
    if head is None:
        return ModelHistory(())
    message_id, depth, covered, text, origin = head
    uncovered = depth - (covered or 0)
    rows = islice(database.execute(_BRANCH, (message_id,)), uncovered)
    messages = _within((message_from_json(*row) for row in rows), limit)
    summary = None if covered is None else Summary(text, origin)
    return ModelHistory(messages, uncovered - len(messages), summary)


def ids_of_branch(
    database: Connection, conversation_id: str, limit: int = ALL, before: str | None = None
) -> list[str]:
    """Return the newest turns of the active branch, or those before `before`, newest last."""
    start, skipped = before, 1
    if before is None:
        (start,) = database.execute(
            "SELECT (SELECT turn_id FROM messages WHERE id = head) FROM conversations WHERE id = ?",
            (conversation_id,),
        ).fetchone()
        skipped = 0
    rows = database.execute(_TURNS_OF_BRANCH, (start, conversation_id, limit + skipped)).fetchall()
    return [turn_id for (turn_id,) in reversed(rows[skipped:])]


def ids_beside(database: Connection, turn_id: str) -> list[str]:
    """Return the turns that follow the same message as this one, itself included, in order."""
    return [beside for (beside,) in database.execute(_BESIDE, (turn_id,))]


def leaf_shown_last(database: Connection, turn_id: str) -> tuple[str, str]:
    """Return the last turn, and its last message, of the branch with the turn shown last."""
    leaf, message = database.execute(_LEAF_SHOWN_LAST, (turn_id,)).fetchone()
    return leaf, message


def parent_of_turn(database: Connection, conversation_id: str, turn_id: str) -> str | None:
    """Return the message that the turn follows; None for the first one."""
    row: tuple[str | None] | None = database.execute(
        "SELECT a.parent_id FROM turns t JOIN messages a ON a.id = t.user_message_id"
        " WHERE t.id = ? AND t.conversation_id = ?",
        (turn_id, conversation_id),
    ).fetchone()
    if row is None:
        raise NotFound("Turn not found.")
    return row[0]


def _within(messages: Iterator[Message], limit: int) -> tuple[Message, ...]:
    """Keep the newest messages within the limit, starting with a user message; oldest first."""
    newest_first: list[Message] = []
    opened = False
    for message in messages:
        newest_first.append(message)
        opened = opened or message.role is Role.USER
        if opened and len(newest_first) >= limit:
            break
    users = [at for at, message in enumerate(newest_first) if message.role is Role.USER]
    within = [at for at in users if at < limit] or users[:1]
    if not within:
        return ()
    return tuple(reversed(newest_first[: within[-1] + 1]))
