-- Browsers that are sent what concerns their user while the app is not open.
CREATE TABLE push_subscriptions (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  session_id BIGINT NOT NULL REFERENCES sessions (id),
  -- Of the browser's push service, and what its messages are encrypted with.
  endpoint TEXT NOT NULL,
  p256dh BLOB NOT NULL,
  auth BLOB NOT NULL,
  -- Where the app was opened, which its notices lead to.
  app_url TEXT NOT NULL,
  money BOOLEAN NOT NULL,
  sign_in BOOLEAN NOT NULL,
  service BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX push_subscriptions_of_session ON push_subscriptions (session_id);
CREATE UNIQUE INDEX push_subscriptions_by_endpoint ON push_subscriptions (endpoint);
CREATE INDEX push_subscriptions_of_user ON push_subscriptions (user_id);
-- What is still to be sent. A subscription may go while a notice is written, so nothing refers to it.
CREATE TABLE push_outbox (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  subscription_id BIGINT NOT NULL,
  notice_id BIGINT NOT NULL REFERENCES notifications (id),
  created_at BIGINT NOT NULL,
  -- When it is tried next. While a server sends it, until when that server has time.
  due_at BIGINT NOT NULL,
  tries SMALLINT NOT NULL DEFAULT 0
);
CREATE INDEX push_outbox_due ON push_outbox (due_at, id);
CREATE INDEX push_outbox_of_subscription ON push_outbox (subscription_id);
CREATE INDEX push_outbox_by_age ON push_outbox (created_at);
