-- The server processes at work: each tells every few seconds that it is there. Limits that are
-- counted in memory are divided among them.
CREATE TABLE server_processes (
  holder TEXT NOT NULL PRIMARY KEY,
  seen_at BIGINT NOT NULL
);
