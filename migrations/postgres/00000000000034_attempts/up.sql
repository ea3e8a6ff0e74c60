-- Failed sign-ins by network and by name. `key` is a keyed digest of either, `failures` the
-- times in milliseconds, eight bytes each. Rows that no longer count are removed.
CREATE TABLE attempts (
  key BYTEA NOT NULL PRIMARY KEY,
  failures BYTEA NOT NULL,
  lapses_at BIGINT NOT NULL
);
CREATE INDEX attempts_by_time ON attempts (lapses_at);
