-- All users' balances at the end of a day, as the public log has them: docs/PROOF.md. The row is made when a server begins to
-- read them; the record is there when all of it is stored.
CREATE TABLE balance_days (
  origin TEXT NOT NULL,
  -- Its first moment (UTC).
  day BIGINT NOT NULL,
  -- Whose tiles are its own; another one if another server begins anew.
  tree BIGINT NOT NULL UNIQUE,
  begun_at BIGINT NOT NULL,
  -- Order and salts follow from it.
  secret BLOB NOT NULL,
  -- When the balances were read.
  read_at BIGINT,
  record TEXT,
  -- What others own, as of the same moment.
  claims BIGINT,
  owed BIGINT,
  -- The record's place in the log.
  leaf BIGINT,
  PRIMARY KEY (origin, day)
);
-- The tree's leaves, 256 a row, with the path of their root.
CREATE TABLE balance_tiles (
  tree BIGINT NOT NULL,
  -- By which a user's leaf is found: no leaf of an earlier row has a larger one.
  first_key BIGINT NOT NULL,
  number BIGINT NOT NULL,
  leaves BLOB NOT NULL,
  above BLOB NOT NULL,
  PRIMARY KEY (tree, first_key)
);
