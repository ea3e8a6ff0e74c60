-- Uploaded images: what they are. Their bytes are in the storage of files, under the same id.
CREATE TABLE files (
  id TEXT NOT NULL PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES users (id),
  mime TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  size BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX files_by_user ON files (user_id, created_at);
