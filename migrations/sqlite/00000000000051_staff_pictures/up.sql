-- Pictures of products are nobody's: staff add them, and the digest of their bytes is their id.
CREATE TABLE files_new (
  id TEXT NOT NULL PRIMARY KEY,
  user_id BIGINT REFERENCES users (id),
  mime TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  private BOOLEAN NOT NULL DEFAULT FALSE
);
INSERT INTO files_new (id, user_id, mime, width, height, size, created_at, private)
SELECT id, user_id, mime, width, height, size, created_at, private FROM files;
DROP TABLE files;
ALTER TABLE files_new RENAME TO files;
CREATE INDEX files_by_user ON files (user_id, created_at);
