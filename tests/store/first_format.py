"""A file of the first format with data in every table, as the first release wrote it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Migrations

from todo_tui.store.database import SchemaFormat
from todo_tui.store.schema import first_tables
from todo_tui.store.store import open_database

_ROWS = """
INSERT INTO tasks (user, id, uuid, title, position, created_at, updated_at, folded)
    VALUES ('ann', 1, 'u1', 'Buy milk', '00000001', '2026-11-17T10:00:00.000+00:00',
        '2026-11-17T10:00:00.000+00:00', 'buy milk');
INSERT INTO counters VALUES ('ann', 1);
INSERT INTO conversations (id, user, title, created_at, updated_at, head, newest_message)
    VALUES ('c1', 'ann', 'add milk', '2026-11-17T09:59:00.000+00:00',
        '2026-11-17T10:00:00.000+00:00', 'm2', 2),
    ('c2', 'bob', 'hello', '2026-11-17T11:00:00.000+00:00', '2026-11-17T11:00:00.000+00:00',
        'm3', 3);
INSERT INTO turns (id, conversation_id, user_message_id, status, provider, model, owner_pid,
        owner_started, started_at, ended_at, input_tokens, output_tokens, cost_usd, latency_ms,
        model_calls)
    VALUES ('t1', 'c1', 'm1', 'finished', 'groq', 'oss', 1, '', '2026-11-17T10:00:00.000+00:00',
        '2026-11-17T10:00:01.000+00:00', 100, 10, 0.25, 12.5, 1),
    ('t2', 'c2', 'm3', 'failed', 'groq', 'oss', 1, '', '2026-11-17T11:00:00.000+00:00',
        '2026-11-17T11:00:01.000+00:00', 0, 0, NULL, 12.5, 1);
INSERT INTO messages (id, conversation_id, turn_id, parent_id, depth, role, parts, origin,
        created_at)
    VALUES ('m1', 'c1', 't1', NULL, 1, 'user', '[{"type":"text","text":"add milk"}]', NULL,
        '2026-11-17T10:00:00.000+00:00'),
    ('m2', 'c1', 't1', 'm1', 2, 'assistant', '[{"type":"text","text":"Added."}]', 'groq:oss',
        '2026-11-17T10:00:01.000+00:00'),
    ('m3', 'c2', 't2', NULL, 1, 'user', '[{"type":"text","text":"hello"}]', NULL,
        '2026-11-17T11:00:00.000+00:00');
INSERT INTO model_calls (turn_id, at, provider, model, input_tokens, cached_tokens, output_tokens,
        thinking_tokens, cost_usd, milliseconds, status, error)
    VALUES ('t1', '2026-11-17T10:00:00.500+00:00', 'groq', 'oss', 100, 40, 10, 5, 0.25, 9.5,
        'finished', NULL),
    ('t2', '2026-11-17T11:00:00.500+00:00', 'groq', 'oss', 0, 0, 0, 0, NULL, 9.5, 'failed',
        'Groq did not answer.');
INSERT INTO tool_calls (turn_id, at, call_id, name, summary, arguments, result, status,
        milliseconds)
    VALUES ('t1', '2026-11-17T10:00:00.700+00:00', 'k1', 'add_task', 'Added Buy milk', '{}', '{}',
        'success', 1.5);
INSERT INTO memory VALUES ('ann', 'provider', 'groq');
"""


def write_first_format(path: Path) -> None:
    """Run the first migration alone, and fill its tables."""
    first = Migrations("todo_tui")
    first(name="first_tables")(first_tables)
    open_database(path, wanted=SchemaFormat(1, lambda: first)).close()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(_ROWS)
