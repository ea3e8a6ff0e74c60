DROP TABLE log_keys;
ALTER TABLE log_head DROP COLUMN signed_at;
ALTER TABLE log_head DROP COLUMN number;
