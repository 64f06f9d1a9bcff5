-- What format 11 adds: the order in which the branches of a conversation were shown.
-- A statement ends with a semicolon at the end of its line.

-- The greatest one below a turn is that of the branch shown last.
ALTER TABLE turns ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
UPDATE turns SET shown = seq;
CREATE INDEX turns_shown ON turns (shown);
