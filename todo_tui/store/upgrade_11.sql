-- From format 11, the last before the first release, to 12. See schema.sql for comments.
-- A statement ends with a semicolon at the end of its line, and only there.

ALTER TABLE tasks ADD COLUMN estimate INTEGER CHECK (estimate > 0);
ALTER TABLE tasks ADD COLUMN reminders TEXT NOT NULL DEFAULT '[]';
DROP INDEX tasks_open;
CREATE INDEX tasks_open ON tasks (
    user, (due IS NULL), due_at, position, id,
    due, start, completed_at, status, deleted_at, gone,
    priority, project_folded, parent, recurrence, created_at, updated_at, estimate
) WHERE status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
CREATE INDEX tasks_by_reminder ON tasks (user, id)
    WHERE reminders <> '[]' AND status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
ALTER TABLE batches ADD COLUMN agent TEXT;
CREATE INDEX batches_by_agent ON batches (user, agent, last_op) WHERE agent IS NOT NULL;
CREATE TABLE proposals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at TEXT NOT NULL,
    calls TEXT NOT NULL,
    expected TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'accepted', 'dropped', 'outdated')),
    decided_at TEXT,
    batch TEXT
) STRICT;
CREATE INDEX proposals_waiting ON proposals (user, id) WHERE state = 'waiting';
CREATE TABLE vectors (
    passage INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (passage, model)
) STRICT;
-- SQLite cannot change a CHECK. The indexes are dropped with the old table.
ALTER TABLE ops RENAME TO ops_11;
CREATE TABLE ops (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    op_id TEXT NOT NULL UNIQUE,
    user TEXT NOT NULL,
    device TEXT NOT NULL,
    clock TEXT NOT NULL,
    batch TEXT NOT NULL,
    turn_id TEXT,
    at TEXT NOT NULL,
    actor TEXT NOT NULL CHECK (actor IN ('user', 'assistant', 'cli', 'mcp', 'sync', 'import')),
    task_uuid TEXT NOT NULL,
    kind TEXT NOT NULL
        CHECK (kind IN ('create', 'destroy', 'set', 'add', 'remove', 'skip', 'purge')),
    field TEXT,
    old TEXT,
    new TEXT,
    undoes TEXT
) STRICT;
INSERT INTO ops SELECT * FROM ops_11;
DROP TABLE ops_11;
CREATE INDEX ops_by_task ON ops (task_uuid) WHERE (actor <> 'import' OR kind <> 'set' OR field = 'parent');
CREATE INDEX ops_by_turn ON ops (turn_id) WHERE turn_id IS NOT NULL;
-- Decisions of the user are kept outside of the file now.
DELETE FROM memory WHERE key IN ('approvals.ask', 'budget:extended') OR key LIKE 'agreed:%';
-- The next entry stands for all tables.
DELETE FROM _sqlite_migrations;
