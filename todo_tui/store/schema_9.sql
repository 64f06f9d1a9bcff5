-- What format 9 adds: documents with their passages, and a search index over these and over the
-- notes and annotations of tasks; the quality of answers from them.
-- A statement ends with a semicolon at the end of its line.

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
    -- A document is loading until all of its first passages are written.
    state TEXT NOT NULL CHECK (state IN ('loading', 'ready', 'unreadable', 'removed')),
    problem TEXT NOT NULL DEFAULT '',
    version INTEGER NOT NULL DEFAULT 0,
    UNIQUE (user, path)
) STRICT;
-- Only passages of the version of their document are visible; the others are being written or
-- deleted, a few at a time. A version is the id of its first passage.
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
INSERT INTO passage_words (rowid, headings, text) SELECT -row, title, text FROM task_texts;
CREATE TRIGGER task_words_insert AFTER INSERT ON tasks WHEN new.notes <> '' OR new.annotations <> '[]' BEGIN
    INSERT INTO passage_words (rowid, headings, text) SELECT -row, title, text FROM task_texts WHERE row = new.row; END;
-- The index forgets a text only if it is told that text: hence before.
CREATE TRIGGER task_words_delete BEFORE DELETE ON tasks WHEN old.notes <> '' OR old.annotations <> '[]' BEGIN
    INSERT INTO passage_words (passage_words, rowid, headings, text) SELECT 'delete', -row, title, text FROM task_texts WHERE row = old.row; END;
CREATE TRIGGER task_words_update_before BEFORE UPDATE OF title, notes, annotations ON tasks WHEN old.notes <> '' OR old.annotations <> '[]' BEGIN
    INSERT INTO passage_words (passage_words, rowid, headings, text) SELECT 'delete', -row, title, text FROM task_texts WHERE row = old.row; END;
CREATE TRIGGER task_words_update_after AFTER UPDATE OF title, notes, annotations ON tasks WHEN new.notes <> '' OR new.annotations <> '[]' BEGIN
    INSERT INTO passage_words (rowid, headings, text) SELECT -row, title, text FROM task_texts WHERE row = new.row; END;
-- From 0 to 1; NULL for turns that retrieved no passages.
ALTER TABLE turns ADD COLUMN quality_score REAL;
