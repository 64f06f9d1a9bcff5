"""The migrations in their order: the first tables, and what has changed since."""

from __future__ import annotations

from sqlite3 import complete_statement

from sqlite_utils import Database, Migrations

from todo_tui.store.file_format import OPEN_SCOPE, STARTS_OF_OPS
from todo_tui.store.first_tables import CONVERSATIONS, LOG, TASKS

MIGRATIONS = Migrations("todo_tui")


@MIGRATIONS()
def first_tables(db: Database) -> None:
    """Tasks with their whole log, conversations with their whole trace, memory."""
    for script in (TASKS, LOG, CONVERSATIONS):
        _run(db, script)


# What was spent stays when a conversation is deleted: a call then belongs to no turn.
_SPENDING = """
CREATE TABLE booked_calls (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    turn_id TEXT REFERENCES turns (id) ON DELETE SET NULL,
    at TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    cache_written_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL,
    thinking_tokens INTEGER NOT NULL,
    cost_usd REAL,
    milliseconds REAL NOT NULL,
    status TEXT NOT NULL,
    error TEXT
) STRICT;
INSERT INTO booked_calls (
    seq, user, turn_id, at, provider, model, input_tokens, cached_tokens, output_tokens,
    thinking_tokens, cost_usd, milliseconds, status, error
) SELECT
    m.seq, c.user, m.turn_id, m.at, m.provider, m.model, m.input_tokens, m.cached_tokens,
    m.output_tokens, m.thinking_tokens, m.cost_usd, m.milliseconds, m.status, m.error
FROM model_calls m JOIN turns t ON t.id = m.turn_id JOIN conversations c ON c.id = t.conversation_id
ORDER BY m.seq;
DROP TABLE model_calls;
ALTER TABLE booked_calls RENAME TO model_calls;
CREATE INDEX model_calls_by_turn ON model_calls (turn_id, seq);
CREATE INDEX model_calls_by_time ON model_calls (
    user, at,
    cost_usd, status, input_tokens, cached_tokens, cache_written_tokens, output_tokens,
    thinking_tokens  -- the sums of a day read nothing else
);
ALTER TABLE turns ADD COLUMN cache_written_tokens INTEGER NOT NULL DEFAULT 0;
"""

# A message knows the summary that stands for what lies before its turn, so that a
# branch finds its own without a walk.
_SUMMARIES = """
CREATE TABLE summaries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    turn_id TEXT NOT NULL,
    message_id TEXT NOT NULL,  -- the last message that it covers
    depth INTEGER NOT NULL,  -- of that message
    text TEXT NOT NULL,
    origin TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX summaries_by_conversation ON summaries (conversation_id, seq);
ALTER TABLE messages ADD COLUMN summary_id TEXT;
"""


@MIGRATIONS()
def spending_and_summaries(db: Database) -> None:
    """Model calls that can be summed by day, and summaries in place of older messages."""
    for script in (_SPENDING, _SUMMARIES):
        _run(db, script)


# Lists that are sorted and narrowed by any short field read the index of open tasks and
# nothing else; so do projects with their progress, and what was done day by day.
_LISTS = f"""
DROP INDEX tasks_open;
CREATE INDEX tasks_open ON tasks (
    user, (due IS NULL), due_at, position, id,
    due, start, completed_at, status, deleted_at, gone,
    priority, project_folded, parent, recurrence, created_at, updated_at
) WHERE {OPEN_SCOPE};
CREATE INDEX tasks_by_completion ON tasks (
    user, completed_at, id,
    status, deleted_at, gone, due_at, created_at, project_folded
) WHERE completed_at IS NOT NULL;
CREATE INDEX tasks_in_trash ON tasks (user, deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX tasks_by_project ON tasks (
    user, project_folded,
    status, deleted_at, gone, project
) WHERE project IS NOT NULL;
"""

_VIEWS = """
CREATE TABLE views (
    row INTEGER PRIMARY KEY,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    filter_text TEXT NOT NULL,
    key TEXT,
    position INTEGER NOT NULL,
    UNIQUE (user, folded),
    UNIQUE (user, key)
) STRICT;
"""


@MIGRATIONS()
def quick_lists_and_views(db: Database) -> None:
    """Indexes for every way in which tasks are listed, and filters saved under a name."""
    for script in (_LISTS, _VIEWS):
        _run(db, script)


# A move asks for the neighbours of a place, a completion for a series' later occurrences.
_ORDERS = f"""
CREATE INDEX tasks_by_position ON tasks (user, position, id) WHERE {OPEN_SCOPE};
DROP INDEX tasks_by_series;
CREATE INDEX tasks_by_series ON tasks (
    series, slot,
    user, status, deleted_at, gone  -- what is asked of a series reads nothing else
) WHERE series IS NOT NULL;
"""


@MIGRATIONS()
def manual_order_and_series(db: Database) -> None:
    """Neighbours in the manual order, and the occurrences of a series in theirs."""
    _run(db, _ORDERS)


# What comes next is asked after every change, and few tasks have a time or a start.
_MOMENTS = f"""
CREATE INDEX tasks_by_start ON tasks (user, start, start_zone)
    WHERE start IS NOT NULL AND {OPEN_SCOPE};
CREATE INDEX tasks_by_time ON tasks (
    user, (due IS NULL), due_at, id,
    status, deleted_at, gone, due  -- else the index over all open tasks is taken for it
) WHERE length(due) > 10 AND {OPEN_SCOPE};
"""


@MIGRATIONS()
def moments_to_come(db: Database) -> None:
    """Open tasks by when they start, and those that are due at a time of day."""
    _run(db, _MOMENTS)


# A batch lies between its first operation and its last one, with little of others among
# them. What an import says of a new task follows right after its creation. So the log of
# a long import is written without an index entry for each operation.
_SPARSE_LOG = f"""
ALTER TABLE batches ADD COLUMN first_op INTEGER NOT NULL DEFAULT 0;
UPDATE batches SET first_op = coalesce(
    (SELECT min(seq) FROM ops o WHERE o.user = batches.user AND o.batch = batches.batch), last_op
);
DROP INDEX ops_by_batch;
DROP INDEX ops_by_task;
CREATE INDEX ops_by_task ON ops (task_uuid) WHERE {STARTS_OF_OPS};
"""  # noqa: S608 - a constant


@MIGRATIONS()
def sparse_log(db: Database) -> None:
    """A log that is found by its batches, and by the beginnings of what was said of a task."""
    _run(db, _SPARSE_LOG)


def _run(db: Database, script: str) -> None:
    """Each statement of a script, whose last line it ends, within the open transaction.

    sqlite-utils finds the ends letter by letter, which takes most of a first start.
    """
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if line.endswith(";\n") and complete_statement(statement):
            db.execute(statement)
            statement = ""
