-- What a call by an operator from elsewhere is verified with; nobody signs with it. Operators from before get theirs
-- when they next sign in where the database is.
ALTER TABLE operators ADD COLUMN public_key BLOB;

-- The calls that were taken, as long as they could be sent again.
CREATE TABLE staff_nonces (
  nonce BLOB NOT NULL PRIMARY KEY,
  good_until BIGINT NOT NULL
);
CREATE INDEX staff_nonces_by_time ON staff_nonces (good_until);
