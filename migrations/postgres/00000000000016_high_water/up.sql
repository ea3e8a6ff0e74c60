-- Tells the installation's secrets from others, and nothing about them; it is
-- set when the database is first used.
ALTER TABLE installation ADD COLUMN secrets TEXT;

-- How far this database has come, to be held against the mark that is kept
-- beside it. Only SQLite counts its commits: on PostgreSQL the row would be
-- touched by all of them at once. The probe of readiness writes the moment.
CREATE TABLE high_water (
  id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1),
  commits BIGINT NOT NULL,
  probed_at BIGINT NOT NULL
);
INSERT INTO high_water (id, commits, probed_at) VALUES (1, 0, 0);
