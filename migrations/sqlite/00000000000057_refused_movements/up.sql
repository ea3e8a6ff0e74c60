-- Movements of their money that users were refused lately: what they asked for, and what they were told.
CREATE TABLE refused_movements (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  refused_at BIGINT NOT NULL,
  endpoint TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- What accompanied the reason, as JSON.
  details TEXT NOT NULL,
  lang TEXT NOT NULL,
  message TEXT NOT NULL,
  request_id TEXT NOT NULL
);
CREATE INDEX refused_movements_of_user ON refused_movements (user_id, id);
CREATE INDEX refused_movements_by_time ON refused_movements (refused_at);
