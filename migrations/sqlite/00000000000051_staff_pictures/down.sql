CREATE TABLE files_old (
  id TEXT NOT NULL PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES users (id),
  mime TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  private BOOLEAN NOT NULL DEFAULT FALSE
);
INSERT INTO files_old (id, user_id, mime, width, height, size, created_at, private)
SELECT id, user_id, mime, width, height, size, created_at, private FROM files WHERE user_id IS NOT NULL;
DROP TABLE files;
ALTER TABLE files_old RENAME TO files;
CREATE INDEX files_by_user ON files (user_id, created_at);
