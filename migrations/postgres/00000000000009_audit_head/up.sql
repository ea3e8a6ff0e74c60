-- The version says what a record's hash is over; those before this migration have the first.
ALTER TABLE audit ADD COLUMN version SMALLINT NOT NULL DEFAULT 1;
CREATE INDEX audit_by_operator ON audit (operator_name, id);
CREATE INDEX audit_by_action ON audit (action, id);
CREATE INDEX audit_by_time ON audit (at, id);

-- Where the chain ends, sealed with a key that is not in the database: it shows
-- that records were cut off. The seal is empty until the next record is written.
CREATE TABLE audit_head (
  id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1),
  records BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  hash BYTEA NOT NULL,
  seal BYTEA NOT NULL
);
INSERT INTO audit_head (id, records, last_id, last_at, hash, seal)
  SELECT 1, COUNT(*), COALESCE(MAX(id), 0), COALESCE((SELECT at FROM audit ORDER BY id DESC LIMIT 1), 0),
    COALESCE((SELECT hash FROM audit ORDER BY id DESC LIMIT 1), decode(repeat('00', 32), 'hex')), ''::bytea
  FROM audit;
