-- A file of format 11, as the last version before the first release wrote it. Its full-text
-- tables are filled by the triggers, except for the passages.

CREATE TABLE tasks (
    row INTEGER PRIMARY KEY,
    user TEXT NOT NULL,
    id INTEGER NOT NULL,
    uuid TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    notes TEXT NOT NULL DEFAULT '',
    annotations TEXT NOT NULL DEFAULT '[]',
    status TEXT NOT NULL DEFAULT 'todo'
        CHECK (status IN ('todo', 'doing', 'done', 'cancelled')),
    priority TEXT CHECK (priority IN ('high', 'medium', 'low')),
    due TEXT,
    due_zone TEXT,
    due_at INTEGER,
    start TEXT,
    start_zone TEXT,
    project TEXT,
    project_folded TEXT,
    recurrence TEXT,
    repeat_from TEXT NOT NULL DEFAULT 'due'
        CHECK (repeat_from IN ('due', 'next', 'completion')),
    series TEXT,
    slot TEXT,
    parent TEXT REFERENCES tasks (uuid) ON DELETE SET NULL,
    position TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    completed_at TEXT,
    deleted_at TEXT,
    extra TEXT NOT NULL DEFAULT '{}',
    folded TEXT NOT NULL,
    gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)),
    UNIQUE (user, id)
) STRICT;
CREATE INDEX tasks_by_status ON tasks (user, status, (due IS NULL), due_at, position, id);
CREATE INDEX tasks_by_parent ON tasks (parent) WHERE parent IS NOT NULL;
CREATE INDEX tasks_open ON tasks (
    user, (due IS NULL), due_at, position, id,
    due, start, completed_at, status, deleted_at, gone,
    priority, project_folded, parent, recurrence, created_at, updated_at
) WHERE status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
CREATE INDEX tasks_in_trash ON tasks (user, deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX tasks_by_completion ON tasks (
    user, completed_at, id,
    status, deleted_at, gone, due_at, created_at, project_folded
) WHERE completed_at IS NOT NULL;
CREATE INDEX tasks_by_project ON tasks (
    user, project_folded,
    status, deleted_at, gone, project
) WHERE project IS NOT NULL;
CREATE INDEX tasks_by_position ON tasks (user, position, id) WHERE status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
CREATE INDEX tasks_by_series ON tasks (
    series, slot,
    user, status, deleted_at, gone
) WHERE series IS NOT NULL;
CREATE INDEX tasks_by_start ON tasks (user, start, start_zone)
    WHERE start IS NOT NULL AND status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
CREATE INDEX tasks_by_time ON tasks (
    user, (due IS NULL), due_at, id,
    status, deleted_at, gone, due
) WHERE length(due) > 10 AND status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
CREATE TABLE task_tags (
    row INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks (row) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    folded TEXT NOT NULL,
    gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)),
    UNIQUE (task, folded)
) STRICT;
CREATE INDEX task_tags_by_tag ON task_tags (folded, task);
CREATE TABLE task_blockers (
    row INTEGER PRIMARY KEY,
    task INTEGER NOT NULL REFERENCES tasks (row) ON DELETE CASCADE,
    blocker INTEGER NOT NULL REFERENCES tasks (row) ON DELETE CASCADE,
    gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)),
    UNIQUE (task, blocker)
) STRICT;
CREATE INDEX task_blockers_by_blocker ON task_blockers (blocker);
CREATE TABLE counters (
    user TEXT PRIMARY KEY,
    last_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE ops (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    op_id TEXT NOT NULL UNIQUE,
    user TEXT NOT NULL,
    device TEXT NOT NULL,
    clock TEXT NOT NULL,
    batch TEXT NOT NULL,
    turn_id TEXT,
    at TEXT NOT NULL,
    actor TEXT NOT NULL CHECK (actor IN ('user', 'assistant', 'cli', 'mcp', 'import')),
    task_uuid TEXT NOT NULL,
    kind TEXT NOT NULL
        CHECK (kind IN ('create', 'destroy', 'set', 'add', 'remove', 'skip', 'purge')),
    field TEXT,
    old TEXT,
    new TEXT,
    undoes TEXT
) STRICT;
CREATE INDEX ops_by_task ON ops (task_uuid) WHERE (actor <> 'import' OR kind <> 'set' OR field = 'parent');
CREATE INDEX ops_by_turn ON ops (turn_id) WHERE turn_id IS NOT NULL;
CREATE TABLE batches (
    user TEXT NOT NULL,
    batch TEXT NOT NULL,
    context_batch TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('do', 'undo', 'redo')),
    target TEXT,
    first_op INTEGER NOT NULL,
    last_op INTEGER NOT NULL,
    PRIMARY KEY (user, batch)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX batches_in_order ON batches (user, last_op);
CREATE INDEX batches_by_context ON batches (user, context_batch, last_op);
CREATE INDEX batches_by_target ON batches (user, target) WHERE target IS NOT NULL;
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (key, value) VALUES ('device', lower(hex(randomblob(16)))), ('clock', '');
CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    user TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    head TEXT,
    newest_message INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX conversations_by_age ON conversations (user, newest_message);
CREATE TABLE turns (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    user_message_id TEXT NOT NULL,
    status TEXT NOT NULL
        CHECK (status IN ('running', 'finished', 'failed', 'cancelled', 'interrupted')),
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    owner_pid INTEGER NOT NULL,
    owner_started TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    error_kind TEXT,
    error_message TEXT,
    error_hint TEXT,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    cached_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    thinking_tokens INTEGER NOT NULL DEFAULT 0,
    cache_written_tokens INTEGER NOT NULL DEFAULT 0,
    cost_usd REAL,
    latency_ms REAL,
    model_calls INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX turns_by_conversation ON turns (conversation_id, seq);
CREATE INDEX turns_running ON turns (status) WHERE status = 'running';
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    turn_id TEXT NOT NULL,
    parent_id TEXT,
    depth INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    parts TEXT NOT NULL,
    origin TEXT,
    context TEXT,
    created_at TEXT NOT NULL,
    summary_id TEXT
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id, seq);
CREATE INDEX messages_by_turn ON messages (turn_id, seq);
CREATE TABLE summaries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    turn_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    depth INTEGER NOT NULL,
    text TEXT NOT NULL,
    origin TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;
CREATE INDEX summaries_by_conversation ON summaries (conversation_id, seq);
CREATE TABLE model_calls (
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
CREATE INDEX model_calls_by_turn ON model_calls (turn_id, seq);
CREATE INDEX model_calls_by_time ON model_calls (
    user, at,
    cost_usd, status, input_tokens, cached_tokens, cache_written_tokens, output_tokens,
    thinking_tokens
);
CREATE TABLE tool_calls (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    call_id TEXT NOT NULL,
    name TEXT NOT NULL,
    summary TEXT NOT NULL,
    arguments TEXT NOT NULL,
    result TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('success', 'error', 'interrupted')),
    milliseconds REAL NOT NULL
) STRICT;
CREATE INDEX tool_calls_by_turn ON tool_calls (turn_id, seq);
CREATE TABLE memory (
    user TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;
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
ALTER TABLE conversations ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
ALTER TABLE conversations ADD COLUMN deleted_at TEXT;
CREATE INDEX conversations_in_list ON conversations (user, pinned, newest_message) WHERE deleted_at IS NULL;
CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;
ALTER TABLE turns ADD COLUMN partial TEXT;
CREATE INDEX messages_by_parent ON messages (conversation_id, parent_id, seq) WHERE role = 'user';
CREATE VIEW message_texts (seq, conversation_id, role, text) AS
    SELECT m.seq, m.conversation_id, m.role, (
        SELECT group_concat(json_extract(p.value, '$.text'), char(10)) FROM json_each(m.parts) p
        WHERE json_extract(p.value, '$.type') = 'text'
    ) FROM messages m WHERE m.role <> 'tool';
CREATE VIRTUAL TABLE message_words USING fts5 (
    text, content = '', columnsize = 0, prefix = '1 2', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO message_words (rowid, text) SELECT seq, text FROM message_texts;
CREATE TRIGGER message_words_insert AFTER INSERT ON messages WHEN new.role <> 'tool' BEGIN
    INSERT INTO message_words (rowid, text) SELECT seq, text FROM message_texts WHERE seq = new.seq; END;
CREATE TRIGGER message_words_delete BEFORE DELETE ON messages WHEN old.role <> 'tool' BEGIN
    INSERT INTO message_words (message_words, rowid, text) SELECT 'delete', seq, text FROM message_texts WHERE seq = old.seq; END;
CREATE TRIGGER message_words_update_before BEFORE UPDATE OF parts ON messages WHEN old.role <> 'tool' BEGIN
    INSERT INTO message_words (message_words, rowid, text) SELECT 'delete', seq, text FROM message_texts WHERE seq = old.seq; END;
CREATE TRIGGER message_words_update_after AFTER UPDATE OF parts ON messages WHEN new.role <> 'tool' BEGIN
    INSERT INTO message_words (rowid, text) SELECT seq, text FROM message_texts WHERE seq = new.seq; END;
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('markdown', 'text', 'html', 'pdf')),
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    added_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('loading', 'ready', 'unreadable', 'removed')),
    problem TEXT NOT NULL DEFAULT '',
    version INTEGER NOT NULL DEFAULT 0,
    UNIQUE (user, path)
) STRICT;
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents (id),
    version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    headings TEXT NOT NULL,
    page INTEGER,
    line INTEGER,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX passages_by_document ON passages (document, version);
CREATE TABLE document_folders (
    user TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (user, path)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE passage_words USING fts5 (
    headings, text, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO passage_words (passage_words, rank) VALUES ('hashsize', 8388608);
CREATE VIEW task_texts (row, user, id, title, text) AS
    SELECT row, user, id, title, trim(notes || char(10) || coalesce((
        SELECT group_concat(json_extract(value, '$.text'), char(10)) FROM json_each(annotations)
    ), ''), char(10)) FROM tasks WHERE notes <> '' OR annotations <> '[]';
INSERT INTO passage_words (rowid, headings, text) SELECT -row, title, text FROM task_texts;
CREATE TRIGGER task_words_insert AFTER INSERT ON tasks WHEN new.notes <> '' OR new.annotations <> '[]' BEGIN
    INSERT INTO passage_words (rowid, headings, text) SELECT -row, title, text FROM task_texts WHERE row = new.row; END;
CREATE TRIGGER task_words_delete BEFORE DELETE ON tasks WHEN old.notes <> '' OR old.annotations <> '[]' BEGIN
    INSERT INTO passage_words (passage_words, rowid, headings, text) SELECT 'delete', -row, title, text FROM task_texts WHERE row = old.row; END;
CREATE TRIGGER task_words_update_before BEFORE UPDATE OF title, notes, annotations ON tasks WHEN old.notes <> '' OR old.annotations <> '[]' BEGIN
    INSERT INTO passage_words (passage_words, rowid, headings, text) SELECT 'delete', -row, title, text FROM task_texts WHERE row = old.row; END;
CREATE TRIGGER task_words_update_after AFTER UPDATE OF title, notes, annotations ON tasks WHEN new.notes <> '' OR new.annotations <> '[]' BEGIN
    INSERT INTO passage_words (rowid, headings, text) SELECT -row, title, text FROM task_texts WHERE row = new.row; END;
ALTER TABLE turns ADD COLUMN quality_score REAL;
ALTER TABLE turns ADD COLUMN first_token_ms REAL;
ALTER TABLE turns ADD COLUMN retries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN failovers INTEGER NOT NULL DEFAULT 0;
ALTER TABLE model_calls ADD COLUMN first_token_ms REAL;
ALTER TABLE model_calls ADD COLUMN error_kind TEXT;
ALTER TABLE turns ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
UPDATE turns SET shown = seq;
CREATE INDEX turns_shown ON turns (shown);
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
DELETE FROM meta;
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at)
    VALUES (1, 'todo_tui', 'create_tables', '2026-11-26 11:17:01.956011+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at)
    VALUES (2, 'todo_tui', 'search_conversations', '2026-11-26 11:17:01.959135+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at)
    VALUES (3, 'todo_tui', 'documents', '2026-11-26 11:17:01.962024+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at)
    VALUES (4, 'todo_tui', 'record_metrics', '2026-11-26 11:17:01.967583+00:00');
INSERT INTO _sqlite_migrations (id, migration_set, name, applied_at)
    VALUES (5, 'todo_tui', 'order_branches', '2026-11-26 11:17:01.968926+00:00');
INSERT INTO tasks (row, user, id, uuid, title, notes, annotations, status, due, due_at, project, project_folded, recurrence, repeat_from, series, slot, position, created_at, updated_at, completed_at, extra, folded, gone)
    VALUES (1, 'ann', 1, 'e117ca9637af165090a62057ca6934ad', 'Pay rent', 'quince jam', '[]', 'done', '2026-11-20', 1795215599, 'flat', 'flat', 'FREQ=MONTHLY', 'due', 'e117ca9637af165090a62057ca6934ad', '2026-11-20', '00000001', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', '{}', 'pay rent
quince jam
flat
home
money', 0);
INSERT INTO tasks (row, user, id, uuid, title, notes, annotations, status, repeat_from, parent, position, created_at, updated_at, extra, folded, gone)
    VALUES (2, 'ann', 2, 'b6ab8463ea14ff1d82e7ee72da1db7b0', 'Buy paint', '', '[{"at":"2026-11-18T13:30:00.000+00:00","text":"medlar"}]', 'todo', 'due', '899c3915738f54258c62b5cbc7f60291', '00000002', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', '{}', 'buy paint

', 0);
INSERT INTO tasks (row, user, id, uuid, title, notes, annotations, status, repeat_from, position, created_at, updated_at, extra, folded, gone)
    VALUES (3, 'ann', 3, 'd7e4c9b8fe49a8d10f871e493a18f420', 'Paint the door', '', '[]', 'todo', 'due', '00000003', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', '{}', 'paint the door


home', 0);
INSERT INTO tasks (row, user, id, uuid, title, notes, annotations, status, repeat_from, position, created_at, updated_at, extra, folded, gone)
    VALUES (4, 'ann', 4, '2b49465a053056a9c1192bea5a327ae1', 'Removed again', '', '[]', 'todo', 'due', '00000004', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', '{}', 'removed again

', 1);
INSERT INTO tasks (row, user, id, uuid, title, notes, annotations, status, due, due_at, project, project_folded, recurrence, repeat_from, series, slot, position, created_at, updated_at, extra, folded, gone)
    VALUES (5, 'ann', 5, '899c3915738f54258c62b5cbc7f60291', 'Pay rent', 'quince jam', '[]', 'todo', '2026-12-20', 1797807599, 'flat', 'flat', 'FREQ=MONTHLY', 'due', 'e117ca9637af165090a62057ca6934ad', '2026-12-20', '00000001', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', '{}', 'pay rent
quince jam
flat
home
money', 0);
INSERT INTO tasks (row, user, id, uuid, title, notes, annotations, status, repeat_from, position, created_at, updated_at, extra, folded, gone)
    VALUES (6, 'ann', 6, 'fb6a64597963967dae7bd20b694bfa74', 'Call Sam', '', '[]', 'todo', 'due', '00000006', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', '{}', 'call sam

', 0);
INSERT INTO tasks (row, user, id, uuid, title, notes, annotations, status, repeat_from, position, created_at, updated_at, extra, folded, gone)
    VALUES (7, 'bob', 1, 'e098b970059abf9886d347925310f6bd', 'Bob''s task', '', '[]', 'todo', 'due', '00000001', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', '{}', 'bob''s task

', 0);
INSERT INTO task_tags (row, task, tag, folded, gone)
    VALUES (1, 1, 'home', 'home', 0);
INSERT INTO task_tags (row, task, tag, folded, gone)
    VALUES (2, 1, 'money', 'money', 0);
INSERT INTO task_tags (row, task, tag, folded, gone)
    VALUES (3, 3, 'home', 'home', 0);
INSERT INTO task_tags (row, task, tag, folded, gone)
    VALUES (4, 5, 'home', 'home', 0);
INSERT INTO task_tags (row, task, tag, folded, gone)
    VALUES (5, 5, 'money', 'money', 0);
INSERT INTO task_blockers (row, task, blocker, gone)
    VALUES (1, 3, 2, 0);
INSERT INTO counters (user, last_id)
    VALUES ('ann', 6);
INSERT INTO counters (user, last_id)
    VALUES ('bob', 1);
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, new)
    VALUES (1, 'b81c5e1965561fd30e24457100000000', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000000', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'create', '1');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (2, 'b81c5e1965561fd30e24457100000001', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000001', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'set', 'title', '', 'Pay rent');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (3, 'b81c5e1965561fd30e24457100000002', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000002', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'set', 'notes', '', 'quince jam');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (4, 'b81c5e1965561fd30e24457100000003', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000003', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'set', 'due', '2026-11-20');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (5, 'b81c5e1965561fd30e24457100000004', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000004', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'set', 'project', 'flat');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (6, 'b81c5e1965561fd30e24457100000005', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000005', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'set', 'recurrence', 'FREQ=MONTHLY');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (7, 'b81c5e1965561fd30e24457100000006', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000006', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'set', 'series', 'e117ca9637af165090a62057ca6934ad');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (8, 'b81c5e1965561fd30e24457100000007', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000007', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'set', 'slot', '2026-11-20');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (9, 'b81c5e1965561fd30e24457100000008', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000008', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'add', 'tags', 'home');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (10, 'b81c5e1965561fd30e24457100000009', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000009', '634cd1c48be280e096fb0a2069f6bdee', '2026-11-18T13:30:00.000+00:00', 'user', 'e117ca9637af165090a62057ca6934ad', 'add', 'tags', 'money');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, new)
    VALUES (11, '9db4e6f93704e9ca4f5f3f9100000000', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000010', '4b74bc2673a328fc52f1f3f068446804', '2026-11-18T13:30:00.000+00:00', 'user', 'b6ab8463ea14ff1d82e7ee72da1db7b0', 'create', '2');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (12, '9db4e6f93704e9ca4f5f3f9100000001', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000011', '4b74bc2673a328fc52f1f3f068446804', '2026-11-18T13:30:00.000+00:00', 'user', 'b6ab8463ea14ff1d82e7ee72da1db7b0', 'set', 'title', '', 'Buy paint');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (13, '9db4e6f93704e9ca4f5f3f9100000002', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000012', '4b74bc2673a328fc52f1f3f068446804', '2026-11-18T13:30:00.000+00:00', 'user', 'b6ab8463ea14ff1d82e7ee72da1db7b0', 'set', 'parent', 'e117ca9637af165090a62057ca6934ad');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, new)
    VALUES (14, 'ad7ff797b911975f3adcebc100000000', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000013', 'db4cbf121edec9d9bb31f601f2d2dca6', '2026-11-18T13:30:00.000+00:00', 'user', 'd7e4c9b8fe49a8d10f871e493a18f420', 'create', '3');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (15, 'ad7ff797b911975f3adcebc100000001', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000014', 'db4cbf121edec9d9bb31f601f2d2dca6', '2026-11-18T13:30:00.000+00:00', 'user', 'd7e4c9b8fe49a8d10f871e493a18f420', 'set', 'title', '', 'Paint');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (16, 'ad7ff797b911975f3adcebc100000002', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000015', 'db4cbf121edec9d9bb31f601f2d2dca6', '2026-11-18T13:30:00.000+00:00', 'user', 'd7e4c9b8fe49a8d10f871e493a18f420', 'add', 'blocked_by', 'b6ab8463ea14ff1d82e7ee72da1db7b0');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (17, '0a1d035266f57ae79b9aaab100000000', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000016', 'ccb01ff3b83629231abdabe30c5615fd', '2026-11-18T13:30:00.000+00:00', 'user', 'd7e4c9b8fe49a8d10f871e493a18f420', 'set', 'title', 'Paint', 'Paint the door');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (18, '0a1d035266f57ae79b9aaab100000001', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000017', 'ccb01ff3b83629231abdabe30c5615fd', '2026-11-18T13:30:00.000+00:00', 'user', 'd7e4c9b8fe49a8d10f871e493a18f420', 'add', 'tags', 'home');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, new)
    VALUES (19, '0f1baca3b004f0e66c47be4100000000', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000018', 'c3637f3d2eb9ecdef2da8b367ddf4f5f', '2026-11-18T13:30:00.000+00:00', 'user', '2b49465a053056a9c1192bea5a327ae1', 'create', '4');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (20, '0f1baca3b004f0e66c47be4100000001', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000019', 'c3637f3d2eb9ecdef2da8b367ddf4f5f', '2026-11-18T13:30:00.000+00:00', 'user', '2b49465a053056a9c1192bea5a327ae1', 'set', 'title', '', 'Removed again');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, old, undoes)
    VALUES (21, 'a829513b98617f88f3585db100000000', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000020', '1e8807afb8fdf05715b6dbb04f8409d6', '2026-11-18T13:30:00.000+00:00', 'user', '2b49465a053056a9c1192bea5a327ae1', 'destroy', '4', '0f1baca3b004f0e66c47be4100000000');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (22, '603735352b0dc3b6ce1c02c100000000', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000021', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', 'e117ca9637af165090a62057ca6934ad', 'set', 'status', 'todo', 'done');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (23, '603735352b0dc3b6ce1c02c100000001', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000022', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', 'e117ca9637af165090a62057ca6934ad', 'set', 'completed_at', '2026-11-18T13:30:00.000+00:00');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, new)
    VALUES (24, '603735352b0dc3b6ce1c02c100000002', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000023', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'create', '5');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (25, '603735352b0dc3b6ce1c02c100000003', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000024', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'set', 'title', '', 'Pay rent');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (26, '603735352b0dc3b6ce1c02c100000004', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000025', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'set', 'notes', '', 'quince jam');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (27, '603735352b0dc3b6ce1c02c100000005', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000026', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'set', 'due', '2026-12-20');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (28, '603735352b0dc3b6ce1c02c100000006', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000027', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'set', 'project', 'flat');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (29, '603735352b0dc3b6ce1c02c100000007', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000028', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'set', 'recurrence', 'FREQ=MONTHLY');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (30, '603735352b0dc3b6ce1c02c100000008', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000029', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'set', 'series', 'e117ca9637af165090a62057ca6934ad');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (31, '603735352b0dc3b6ce1c02c100000009', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000030', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'set', 'slot', '2026-12-20');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (32, '603735352b0dc3b6ce1c02c100000010', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000031', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'set', 'position', '00000005', '00000001');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (33, '603735352b0dc3b6ce1c02c100000011', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000032', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'add', 'tags', 'home');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, new)
    VALUES (34, '603735352b0dc3b6ce1c02c100000012', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000033', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', '899c3915738f54258c62b5cbc7f60291', 'add', 'tags', 'money');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (35, '603735352b0dc3b6ce1c02c100000013', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000034', '32ec9c3f86ab598ddec3793f0edd5e04', '2026-11-18T13:30:00.000+00:00', 'cli', 'b6ab8463ea14ff1d82e7ee72da1db7b0', 'set', 'parent', 'e117ca9637af165090a62057ca6934ad', '899c3915738f54258c62b5cbc7f60291');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (36, '89814ccef49134744de13ea100000000', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000035', '1ff111ff4bcc392b7e1992e7195ba7b3', '2026-11-18T13:30:00.000+00:00', 'mcp', 'b6ab8463ea14ff1d82e7ee72da1db7b0', 'set', 'annotations', '[]', '[{"at":"2026-11-18T13:30:00.000+00:00","text":"medlar"}]');
INSERT INTO ops (seq, op_id, user, device, clock, batch, turn_id, at, actor, task_uuid, kind, new)
    VALUES (37, 'a1ca40a751cf61d5e755e87100000000', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000036', 'd3292a97cfec226f923265a7dd374fd7', 'ebbd65d83ef5059f0a76770bacaa9b61', '2026-11-18T13:30:00.000+00:00', 'assistant', 'fb6a64597963967dae7bd20b694bfa74', 'create', '6');
INSERT INTO ops (seq, op_id, user, device, clock, batch, turn_id, at, actor, task_uuid, kind, field, old, new)
    VALUES (38, 'a1ca40a751cf61d5e755e87100000001', 'ann', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000037', 'd3292a97cfec226f923265a7dd374fd7', 'ebbd65d83ef5059f0a76770bacaa9b61', '2026-11-18T13:30:00.000+00:00', 'assistant', 'fb6a64597963967dae7bd20b694bfa74', 'set', 'title', '', 'Call Sam');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, new)
    VALUES (39, 'fc5896517b87fac75ea892e100000000', 'bob', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000038', '56fbb64234dc73eea1b1fecd8123c989', '2026-11-18T13:30:00.000+00:00', 'user', 'e098b970059abf9886d347925310f6bd', 'create', '1');
INSERT INTO ops (seq, op_id, user, device, clock, batch, at, actor, task_uuid, kind, field, old, new)
    VALUES (40, 'fc5896517b87fac75ea892e100000001', 'bob', 'c5507dc12ecb3db930ebc7066ca77284', '001795008600000-000039', '56fbb64234dc73eea1b1fecd8123c989', '2026-11-18T13:30:00.000+00:00', 'user', 'e098b970059abf9886d347925310f6bd', 'set', 'title', '', 'Bob''s task');
INSERT INTO batches (user, batch, context_batch, kind, target, first_op, last_op)
    VALUES ('ann', '1e8807afb8fdf05715b6dbb04f8409d6', '1e8807afb8fdf05715b6dbb04f8409d6', 'undo', 'c3637f3d2eb9ecdef2da8b367ddf4f5f', 21, 21);
INSERT INTO batches (user, batch, context_batch, kind, first_op, last_op)
    VALUES ('ann', '1ff111ff4bcc392b7e1992e7195ba7b3', '1ff111ff4bcc392b7e1992e7195ba7b3', 'do', 36, 36);
INSERT INTO batches (user, batch, context_batch, kind, first_op, last_op)
    VALUES ('ann', '32ec9c3f86ab598ddec3793f0edd5e04', '32ec9c3f86ab598ddec3793f0edd5e04', 'do', 22, 35);
INSERT INTO batches (user, batch, context_batch, kind, first_op, last_op)
    VALUES ('ann', '4b74bc2673a328fc52f1f3f068446804', '4b74bc2673a328fc52f1f3f068446804', 'do', 11, 13);
INSERT INTO batches (user, batch, context_batch, kind, first_op, last_op)
    VALUES ('ann', '634cd1c48be280e096fb0a2069f6bdee', '634cd1c48be280e096fb0a2069f6bdee', 'do', 1, 10);
INSERT INTO batches (user, batch, context_batch, kind, first_op, last_op)
    VALUES ('ann', 'c3637f3d2eb9ecdef2da8b367ddf4f5f', 'c3637f3d2eb9ecdef2da8b367ddf4f5f', 'do', 19, 20);
INSERT INTO batches (user, batch, context_batch, kind, first_op, last_op)
    VALUES ('ann', 'ccb01ff3b83629231abdabe30c5615fd', 'ccb01ff3b83629231abdabe30c5615fd', 'do', 17, 18);
INSERT INTO batches (user, batch, context_batch, kind, first_op, last_op)
    VALUES ('ann', 'd3292a97cfec226f923265a7dd374fd7', 'd3292a97cfec226f923265a7dd374fd7', 'do', 37, 38);
INSERT INTO batches (user, batch, context_batch, kind, first_op, last_op)
    VALUES ('ann', 'db4cbf121edec9d9bb31f601f2d2dca6', 'db4cbf121edec9d9bb31f601f2d2dca6', 'do', 14, 16);
INSERT INTO batches (user, batch, context_batch, kind, first_op, last_op)
    VALUES ('bob', '56fbb64234dc73eea1b1fecd8123c989', '56fbb64234dc73eea1b1fecd8123c989', 'do', 39, 40);
INSERT INTO meta (key, value)
    VALUES ('clock', '001795008600000-000039');
INSERT INTO meta (key, value)
    VALUES ('device', 'c5507dc12ecb3db930ebc7066ca77284');
INSERT INTO conversations (id, user, title, created_at, updated_at, head, newest_message, pinned)
    VALUES ('2a7d6c1c7899905a09642c33e71391b8', 'ann', 'please call Sam about the lease', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', '7f8aeacc0f8a4df6a544446670856f9d', 4, 0);
INSERT INTO turns (seq, id, conversation_id, user_message_id, status, provider, model, owner_pid, owner_started, started_at, ended_at, input_tokens, cached_tokens, output_tokens, thinking_tokens, cache_written_tokens, cost_usd, latency_ms, model_calls, retries, failovers, shown)
    VALUES (1, 'ebbd65d83ef5059f0a76770bacaa9b61', '2a7d6c1c7899905a09642c33e71391b8', '09a00ed42d27ca1101cb4f8128b9a6f4', 'finished', 'scripted', 'm', 9216, '856fde7b-5652-4454-974e-d49ea7851597:69916', '2026-11-18T13:30:00.000+00:00', '2026-11-18T13:30:00.000+00:00', 15, 2, 4, 1, 0, 0.001, 250.5, 2, 0, 0, 1);
INSERT INTO messages (seq, id, conversation_id, turn_id, depth, role, parts, created_at)
    VALUES (1, '09a00ed42d27ca1101cb4f8128b9a6f4', '2a7d6c1c7899905a09642c33e71391b8', 'ebbd65d83ef5059f0a76770bacaa9b61', 1, 'user', '[{"type":"text","text":"please call Sam about the lease"}]', '2026-11-18T13:30:00.000+00:00');
INSERT INTO messages (seq, id, conversation_id, turn_id, parent_id, depth, role, parts, origin, created_at)
    VALUES (2, '706abc5a471578de62d577d1c9394833', '2a7d6c1c7899905a09642c33e71391b8', 'ebbd65d83ef5059f0a76770bacaa9b61', '09a00ed42d27ca1101cb4f8128b9a6f4', 2, 'assistant', '[{"type":"text","text":"Let me add it."},{"type":"tool_call","id":"c1","name":"add_task","arguments":"{\"title\": \"Call Sam\"}","meta":{"signature":"s"}}]', 'scripted:m', '2026-11-18T13:30:00.000+00:00');
INSERT INTO messages (seq, id, conversation_id, turn_id, parent_id, depth, role, parts, created_at)
    VALUES (3, '8ad240dc36a9b79cf878011074516273', '2a7d6c1c7899905a09642c33e71391b8', 'ebbd65d83ef5059f0a76770bacaa9b61', '706abc5a471578de62d577d1c9394833', 3, 'tool', '[{"type":"tool_result","call_id":"c1","name":"add_task","content":"{\"status\": \"success\"}","is_error":false,"foreign":[]}]', '2026-11-18T13:30:00.000+00:00');
INSERT INTO messages (seq, id, conversation_id, turn_id, parent_id, depth, role, parts, origin, created_at)
    VALUES (4, '7f8aeacc0f8a4df6a544446670856f9d', '2a7d6c1c7899905a09642c33e71391b8', 'ebbd65d83ef5059f0a76770bacaa9b61', '8ad240dc36a9b79cf878011074516273', 4, 'assistant', '[{"type":"text","text":"Done."}]', 'scripted:m', '2026-11-18T13:30:00.000+00:00');
INSERT INTO model_calls (seq, user, turn_id, at, provider, model, input_tokens, cached_tokens, cache_written_tokens, output_tokens, thinking_tokens, cost_usd, milliseconds, status)
    VALUES (1, 'ann', 'ebbd65d83ef5059f0a76770bacaa9b61', '2026-11-18T13:30:00.000+00:00', 'scripted', 'm', 10, 2, 0, 3, 1, 0.001, 120.0, 'finished');
INSERT INTO model_calls (seq, user, turn_id, at, provider, model, input_tokens, cached_tokens, cache_written_tokens, output_tokens, thinking_tokens, milliseconds, status)
    VALUES (2, 'ann', 'ebbd65d83ef5059f0a76770bacaa9b61', '2026-11-18T13:30:00.000+00:00', 'scripted', 'm', 5, 0, 0, 1, 0, 80.0, 'finished');
INSERT INTO tool_calls (seq, turn_id, at, call_id, name, summary, arguments, result, status, milliseconds)
    VALUES (1, 'ebbd65d83ef5059f0a76770bacaa9b61', '2026-11-18T13:30:00.000+00:00', 'c1', 'add_task', 'Added Call Sam', '{"title": "Call Sam"}', '{"status": "success"}', 'success', 3.25);
INSERT INTO memory (user, key, value)
    VALUES ('ann', 'theme', 'dark');
INSERT INTO views (row, user, name, folded, filter_text, key, position)
    VALUES (1, 'ann', 'Flat', 'flat', '#flat', '1', 1);
INSERT INTO documents (id, user, path, title, kind, size, mtime, content_hash, added_at, state, problem, version)
    VALUES (1, 'ann', '/docs/lease.md', 'Lease', 'markdown', 2, 7, 'hash of (''Due monthly.'', ''Three rents of deposit.'')', '2026-11-18T13:30:00.000+00:00', 'ready', '', 1);
INSERT INTO passages (id, document, version, position, headings, line, text)
    VALUES (1, 1, 1, 0, 'Lease
Rent', 1, 'Due monthly.');
INSERT INTO passages (id, document, version, position, headings, line, text)
    VALUES (2, 1, 1, 1, 'Lease
Rent', 2, 'Three rents of deposit.');
INSERT INTO document_folders (user, path)
    VALUES ('ann', '/docs');
INSERT INTO passage_words (rowid, headings, text) SELECT id, headings, text FROM passages;
PRAGMA user_version = 11;
PRAGMA application_id = 1953457263;
