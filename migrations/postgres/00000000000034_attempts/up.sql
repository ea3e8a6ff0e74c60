-- Failed sign-ins by network and by name. `key` is a keyed digest of either, `failures` the
-- times in milliseconds, with commas between them. Rows that no longer count are removed.
CREATE TABLE attempts (
  key BYTEA NOT NULL PRIMARY KEY,
  failures TEXT NOT NULL,
  lapses_at BIGINT NOT NULL
);
CREATE INDEX attempts_by_time ON attempts (lapses_at);
