-- Tables and indexes of a new file. The conditions of the partial indexes are those of
-- `OPEN_SCOPE` and `STARTS_OF_OPS` in database.py, literally: SQLite compares the words.
-- A statement ends with a semicolon at the end of its line, and only there.

-- A row that is `gone` is hidden: a task whose creation was undone keeps its id and fields,
-- a removed tag or blocker its order among the others.
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
    estimate INTEGER CHECK (estimate > 0),  -- minutes
    -- JSON array without duplicates: minutes before due as numbers, ascending, then wall times of
    -- wherever the user is, as "2026-11-27T09:00". The log has an operation for each element.
    reminders TEXT NOT NULL DEFAULT '[]',
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
-- Lists that are sorted and filtered by short fields read nothing but this index.
CREATE INDEX tasks_open ON tasks (
    user, (due IS NULL), due_at, position, id,
    due, start, completed_at, status, deleted_at, gone,
    priority, project_folded, parent, recurrence, created_at, updated_at, estimate
) WHERE status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
CREATE INDEX tasks_in_trash ON tasks (user, deleted_at, id) WHERE deleted_at IS NOT NULL;
-- Statistics, and the project tree with its progress, read nothing but these two.
CREATE INDEX tasks_by_completion ON tasks (
    user, completed_at, id,
    status, deleted_at, gone, due_at, created_at, project_folded
) WHERE completed_at IS NOT NULL;
CREATE INDEX tasks_by_project ON tasks (
    user, project_folded,
    status, deleted_at, gone, project
) WHERE project IS NOT NULL;
-- A move looks up the neighbours of a place, a completion the later occurrences of a series.
CREATE INDEX tasks_by_position ON tasks (user, position, id) WHERE status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
CREATE INDEX tasks_by_series ON tasks (
    series, slot,
    user, status, deleted_at, gone
) WHERE series IS NOT NULL;
-- The next reminder is looked up after every change; few tasks have a start or a due time.
CREATE INDEX tasks_by_start ON tasks (user, start, start_zone)
    WHERE start IS NOT NULL AND status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
CREATE INDEX tasks_by_time ON tasks (
    user, (due IS NULL), due_at, id,
    status, deleted_at, gone, due  -- without these the planner prefers tasks_open
) WHERE length(due) > 10 AND status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
CREATE INDEX tasks_by_reminder ON tasks (user, id)
    WHERE reminders <> '[]' AND status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0;
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
-- A batch lies between its first and its last operation, with few of others among them, and the
-- fields that an import sets directly follow the creation of their task. So the log of a long
-- import needs no index entry for each operation. The log by actor and time needs none either: a
-- scan of 100,000 operations takes 18 ms, an index would cost time at every write.
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
CREATE INDEX ops_by_task ON ops (task_uuid) WHERE (actor <> 'import' OR kind <> 'set' OR field = 'parent');
CREATE INDEX ops_by_turn ON ops (turn_id) WHERE turn_id IS NOT NULL;
CREATE TABLE batches (
    user TEXT NOT NULL,
    batch TEXT NOT NULL,
    context_batch TEXT NOT NULL,  -- the batch of the change context that wrote it
    kind TEXT NOT NULL CHECK (kind IN ('do', 'undo', 'redo')),
    target TEXT,
    agent TEXT,  -- name of the program that wrote it through MCP
    first_op INTEGER NOT NULL,
    last_op INTEGER NOT NULL,
    PRIMARY KEY (user, batch)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX batches_in_order ON batches (user, last_op);
CREATE INDEX batches_by_context ON batches (user, context_batch, last_op);
CREATE INDEX batches_by_target ON batches (user, target) WHERE target IS NOT NULL;
CREATE INDEX batches_by_agent ON batches (user, agent, last_op) WHERE agent IS NOT NULL;
-- Changes by agents that wait for a person. Ids are never reused: an agent may ask about an old one.
CREATE TABLE proposals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at TEXT NOT NULL,  -- the day that "tomorrow" in the calls is counted from
    calls TEXT NOT NULL,  -- JSON array of tool calls, each with `name` and `arguments`
    -- JSON object with the uuid of each task that would change and `seq` of its last operation.
    expected TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'accepted', 'dropped', 'outdated')),
    decided_at TEXT,
    batch TEXT  -- that applied it
) STRICT;
CREATE INDEX proposals_waiting ON proposals (user, id) WHERE state = 'waiting';
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
    newest_message INTEGER NOT NULL DEFAULT 0,
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    deleted_at TEXT  -- set while a conversation is hidden, before it is erased
) STRICT;
CREATE INDEX conversations_by_age ON conversations (user, newest_message);
CREATE INDEX conversations_in_list ON conversations (user, pinned, newest_message) WHERE deleted_at IS NULL;
CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;
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
    first_token_ms REAL,
    model_calls INTEGER NOT NULL DEFAULT 0,
    retries INTEGER NOT NULL DEFAULT 0,
    failovers INTEGER NOT NULL DEFAULT 0,
    quality_score REAL,  -- from 0 to 1; NULL for turns that retrieved no passages
    shown INTEGER NOT NULL DEFAULT 0,  -- the greatest one below a turn: the branch shown last
    partial TEXT  -- text of the answer so far; NULL once it is a message
) STRICT;
CREATE INDEX turns_by_conversation ON turns (conversation_id, seq);
CREATE INDEX turns_running ON turns (status) WHERE status = 'running';
CREATE INDEX turns_shown ON turns (shown);
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    turn_id TEXT NOT NULL,
    parent_id TEXT,
    depth INTEGER NOT NULL,  -- number of messages from the first one to this one
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    parts TEXT NOT NULL,
    origin TEXT,
    context TEXT,
    created_at TEXT NOT NULL,
    summary_id TEXT  -- of everything before its turn, so that a branch finds it directly
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id, seq);
CREATE INDEX messages_by_turn ON messages (turn_id, seq);
-- Turns beside and after a turn. The first ones of all conversations have no parent.
CREATE INDEX messages_by_parent ON messages (conversation_id, parent_id, seq) WHERE role = 'user';
CREATE VIEW message_texts (seq, conversation_id, role, text) AS
    SELECT m.seq, m.conversation_id, m.role, (
        SELECT group_concat(json_extract(p.value, '$.text'), char(10)) FROM json_each(m.parts) p
        WHERE json_extract(p.value, '$.type') = 'text'
    ) FROM messages m WHERE m.role <> 'tool';
-- The texts are in the messages; here are only their words. `e*` and `re*` are read from lists of
-- their own: without them, all words that begin so would be merged first.
CREATE VIRTUAL TABLE message_words USING fts5 (
    text, content = '', columnsize = 0, prefix = '1 2', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER message_words_insert AFTER INSERT ON messages WHEN new.role <> 'tool' BEGIN
    INSERT INTO message_words (rowid, text) SELECT seq, text FROM message_texts WHERE seq = new.seq; END;
-- The index forgets a text only if it is told that text: hence before.
CREATE TRIGGER message_words_delete BEFORE DELETE ON messages WHEN old.role <> 'tool' BEGIN
    INSERT INTO message_words (message_words, rowid, text) SELECT 'delete', seq, text FROM message_texts WHERE seq = old.seq; END;
CREATE TRIGGER message_words_update_before BEFORE UPDATE OF parts ON messages WHEN old.role <> 'tool' BEGIN
    INSERT INTO message_words (message_words, rowid, text) SELECT 'delete', seq, text FROM message_texts WHERE seq = old.seq; END;
CREATE TRIGGER message_words_update_after AFTER UPDATE OF parts ON messages WHEN new.role <> 'tool' BEGIN
    INSERT INTO message_words (rowid, text) SELECT seq, text FROM message_texts WHERE seq = new.seq; END;
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
-- Costs outlive their conversation: a call then belongs to no turn.
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
    first_token_ms REAL,
    status TEXT NOT NULL,
    error TEXT,
    error_kind TEXT
) STRICT;
CREATE INDEX model_calls_by_turn ON model_calls (turn_id, seq);
CREATE INDEX model_calls_by_time ON model_calls (
    user, at,
    cost_usd, status, input_tokens, cached_tokens, cache_written_tokens, output_tokens,
    thinking_tokens  -- the sums of a day read nothing else
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
-- Documents with their passages, and a search index over these and over the notes and annotations
-- of tasks.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    path TEXT NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('markdown', 'text', 'html', 'pdf')),
    size INTEGER NOT NULL,
    mtime INTEGER NOT NULL,  -- nanoseconds
    content_hash TEXT NOT NULL,
    added_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('loading', 'ready', 'unreadable', 'removed')),
    problem TEXT NOT NULL DEFAULT '',
    version INTEGER NOT NULL DEFAULT 0,  -- not used, here and in passages; nor is loading
    UNIQUE (user, path)
) STRICT;
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL REFERENCES documents (id),
    version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    headings TEXT NOT NULL,  -- title and headings above the passage, one a line
    page INTEGER,
    line INTEGER,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX passages_by_document ON passages (document, version);
-- A vector is an array of 4-byte floats. Not WITHOUT ROWID: so the index of the key, which tells
-- what passages have a vector, has none of the vectors in it.
CREATE TABLE vectors (
    passage INTEGER NOT NULL REFERENCES passages (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (passage, model)
) STRICT;
-- Folders in which `refresh` looks for new files.
CREATE TABLE document_folders (
    user TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (user, path)
) STRICT, WITHOUT ROWID;
-- The texts are in passages and tasks; here are only their words. The row of a passage has its
-- id, that of a task the negated `tasks.row`: in one index their ranks can be compared. Triggers
-- index tasks, but not passages: each statement with a trigger flushes the index, which takes three
-- times as long as the rest.
CREATE VIRTUAL TABLE passage_words USING fts5 (
    headings, text, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);
-- Bytes of words that are collected before they are written: with the default of 1 MB, indexing
-- takes 15% longer.
INSERT INTO passage_words (passage_words, rank) VALUES ('hashsize', 8388608);
CREATE VIEW task_texts (row, user, id, title, text) AS
    SELECT row, user, id, title, trim(notes || char(10) || coalesce((
        SELECT group_concat(json_extract(value, '$.text'), char(10)) FROM json_each(annotations)
    ), ''), char(10)) FROM tasks WHERE notes <> '' OR annotations <> '[]';
CREATE TRIGGER task_words_insert AFTER INSERT ON tasks WHEN new.notes <> '' OR new.annotations <> '[]' BEGIN
    INSERT INTO passage_words (rowid, headings, text) SELECT -row, title, text FROM task_texts WHERE row = new.row; END;
-- The index forgets a text only if it is told that text: hence before.
CREATE TRIGGER task_words_delete BEFORE DELETE ON tasks WHEN old.notes <> '' OR old.annotations <> '[]' BEGIN
    INSERT INTO passage_words (passage_words, rowid, headings, text) SELECT 'delete', -row, title, text FROM task_texts WHERE row = old.row; END;
CREATE TRIGGER task_words_update_before BEFORE UPDATE OF title, notes, annotations ON tasks WHEN old.notes <> '' OR old.annotations <> '[]' BEGIN
    INSERT INTO passage_words (passage_words, rowid, headings, text) SELECT 'delete', -row, title, text FROM task_texts WHERE row = old.row; END;
CREATE TRIGGER task_words_update_after AFTER UPDATE OF title, notes, annotations ON tasks WHEN new.notes <> '' OR new.annotations <> '[]' BEGIN
    INSERT INTO passage_words (rowid, headings, text) SELECT -row, title, text FROM task_texts WHERE row = new.row; END;
