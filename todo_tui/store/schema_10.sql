-- What format 10 adds: metrics of turns and model calls: time to the first token, errors by kind, retries, failovers.
-- A statement ends with a semicolon at the end of its line.

ALTER TABLE turns ADD COLUMN first_token_ms REAL;
ALTER TABLE turns ADD COLUMN retries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN failovers INTEGER NOT NULL DEFAULT 0;
ALTER TABLE model_calls ADD COLUMN first_token_ms REAL;
ALTER TABLE model_calls ADD COLUMN error_kind TEXT;
