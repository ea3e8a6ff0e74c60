-- Who owns slots. Until now a publisher was a name on each slot; names that differ only in case,
-- or in blanks around them, become one publisher. SQLite lowers ASCII
-- letters only, so names that differ in the case of another letter stay two.
CREATE TABLE publishers (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE,
  domain TEXT UNIQUE,
  contact TEXT,
  status SMALLINT NOT NULL CHECK (status BETWEEN 1 AND 3),
  created_at BIGINT NOT NULL
);

INSERT INTO publishers (name, name_key, status, created_at)
  SELECT COALESCE(NULLIF(TRIM(publisher), ''), 'Publisher of ' || key), LOWER(COALESCE(NULLIF(TRIM(publisher), ''), 'Publisher of ' || key)), 1, created_at
  FROM slots WHERE id IN (SELECT MIN(id) FROM slots GROUP BY LOWER(COALESCE(NULLIF(TRIM(publisher), ''), 'Publisher of ' || key))) ORDER BY id;

-- No reference: a column added with one may not have a default, and must not be empty.
ALTER TABLE slots ADD COLUMN publisher_id BIGINT NOT NULL DEFAULT 0;
UPDATE slots SET publisher_id = (SELECT p.id FROM publishers p
  WHERE p.name_key = LOWER(COALESCE(NULLIF(TRIM(publisher), ''), 'Publisher of ' || key)));
ALTER TABLE slots DROP COLUMN publisher;
