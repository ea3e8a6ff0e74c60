-- A log that begins anew, and what signs a log: docs/PROOF.md.
-- How many logs there were before, and one.
ALTER TABLE log_head ADD COLUMN number SMALLINT NOT NULL DEFAULT 1;
-- When the checkpoint was signed.
ALTER TABLE log_head ADD COLUMN signed_at BIGINT NOT NULL DEFAULT 0;
-- The public keys of each log, the last of which signs. None is ever removed.
CREATE TABLE log_keys (
  log SMALLINT NOT NULL,
  number SMALLINT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  since BIGINT NOT NULL,
  PRIMARY KEY (log, number)
);
