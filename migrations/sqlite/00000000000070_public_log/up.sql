-- The public log of the ledger: docs/PROOF.md. Its end, which is one row, made when the log begins.
CREATE TABLE log_head (
  id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1),
  origin TEXT NOT NULL,
  -- The last one that was signed.
  checkpoint TEXT NOT NULL,
  -- Every transaction up to this id was looked at.
  reached_id BIGINT NOT NULL
);
-- How many transactions of a book are in it, and which leaf the last of them is.
CREATE TABLE log_books (
  book BIGINT NOT NULL PRIMARY KEY,
  sealed BIGINT NOT NULL,
  last_leaf BIGINT NOT NULL,
  -- Of UTC, such as 202611: that of the last one, or of one before it if that was later.
  month BIGINT NOT NULL
);
-- The last transaction of each month that is over for a book, from its first transaction of a later one on.
CREATE TABLE log_months (
  book BIGINT NOT NULL,
  month BIGINT NOT NULL,
  sequence BIGINT NOT NULL,
  leaf BIGINT NOT NULL,
  PRIMARY KEY (book, month)
);
-- The tree itself, as it is published: 256 hashes a row, fewer in the last one of a level.
CREATE TABLE log_tiles (
  level SMALLINT NOT NULL,
  number BIGINT NOT NULL,
  hashes BLOB NOT NULL,
  PRIMARY KEY (level, number)
);
