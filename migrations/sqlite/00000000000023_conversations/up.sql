-- The conversation of each user with customer service. Messages are named by their ids; 0 is before the first.
CREATE TABLE conversations (
  user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id),
  status SMALLINT NOT NULL CHECK (status IN (1, 2)),
  -- Whether staff have a message to read or to answer.
  waits BOOLEAN NOT NULL,
  last_message BIGINT NOT NULL,
  last_by_user BIGINT NOT NULL,
  last_by_staff BIGINT NOT NULL,
  read_by_user BIGINT NOT NULL,
  read_by_staff BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);
CREATE INDEX conversations_by_message ON conversations (last_message);
CREATE INDEX conversations_by_status ON conversations (status, last_message);
CREATE INDEX conversations_waiting ON conversations (waits, last_message);

CREATE TABLE messages (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  author SMALLINT NOT NULL CHECK (author IN (1, 2)),
  operator_id BIGINT REFERENCES operators (id),
  text TEXT NOT NULL,
  -- Ids of files, as a JSON array.
  pictures TEXT NOT NULL,
  -- A message that is sent again under the same key is kept once.
  client_key TEXT,
  created_at BIGINT NOT NULL,
  CHECK ((author = 2) = (operator_id IS NOT NULL))
);
CREATE INDEX messages_by_user ON messages (user_id, id);
CREATE UNIQUE INDEX messages_by_key ON messages (user_id, client_key) WHERE client_key IS NOT NULL;

-- Pictures of conversations are shown to their user and to staff, all others to whoever has their address.
ALTER TABLE files ADD COLUMN private BOOLEAN NOT NULL DEFAULT FALSE;
