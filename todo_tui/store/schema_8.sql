-- What format 8 adds: conversations that are pinned or deleted, branches, full-text search, the
-- unfinished answer of a running turn.
-- A statement ends with a semicolon at the end of its line.

ALTER TABLE conversations ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1));
-- Set while a conversation is hidden, before it is erased.
ALTER TABLE conversations ADD COLUMN deleted_at TEXT;
CREATE INDEX conversations_in_list ON conversations (user, pinned, newest_message) WHERE deleted_at IS NULL;
CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;
-- Text of the answer so far; NULL once it is a message.
ALTER TABLE turns ADD COLUMN partial TEXT;
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
INSERT INTO message_words (rowid, text) SELECT seq, text FROM message_texts;
CREATE TRIGGER message_words_insert AFTER INSERT ON messages WHEN new.role <> 'tool' BEGIN
    INSERT INTO message_words (rowid, text) SELECT seq, text FROM message_texts WHERE seq = new.seq; END;
-- The index forgets a text only if it is told that text: hence before.
CREATE TRIGGER message_words_delete BEFORE DELETE ON messages WHEN old.role <> 'tool' BEGIN
    INSERT INTO message_words (message_words, rowid, text) SELECT 'delete', seq, text FROM message_texts WHERE seq = old.seq; END;
CREATE TRIGGER message_words_update_before BEFORE UPDATE OF parts ON messages WHEN old.role <> 'tool' BEGIN
    INSERT INTO message_words (message_words, rowid, text) SELECT 'delete', seq, text FROM message_texts WHERE seq = old.seq; END;
CREATE TRIGGER message_words_update_after AFTER UPDATE OF parts ON messages WHEN new.role <> 'tool' BEGIN
    INSERT INTO message_words (rowid, text) SELECT seq, text FROM message_texts WHERE seq = new.seq; END;
