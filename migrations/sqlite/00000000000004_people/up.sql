-- What staff tell everybody at once: one row, however many read it. A user
-- sees those that began after they registered, in the list with their own.
CREATE TABLE announcements (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  category SMALLINT NOT NULL,
  texts TEXT NOT NULL,
  lang TEXT,
  starts_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX announcements_by_start ON announcements (starts_at, id);

-- Read one by one; and up to which moment everything of a category was read.
CREATE TABLE announcement_reads (
  user_id BIGINT NOT NULL REFERENCES users (id),
  announcement_id BIGINT NOT NULL REFERENCES announcements (id),
  read_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, announcement_id)
);
CREATE TABLE announcement_marks (
  user_id BIGINT NOT NULL REFERENCES users (id),
  category SMALLINT NOT NULL,
  read_through BIGINT NOT NULL,
  PRIMARY KEY (user_id, category)
);

DROP INDEX notifications_by_user;
DROP INDEX notifications_unread;
CREATE INDEX notifications_by_time ON notifications (user_id, created_at, id);
CREATE INDEX notifications_by_category ON notifications (user_id, category, created_at, id);
CREATE INDEX notifications_unread ON notifications (user_id, created_at, id) WHERE read_at IS NULL;

CREATE TABLE feedback (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  topic TEXT NOT NULL,
  content TEXT NOT NULL,
  images TEXT NOT NULL,
  status SMALLINT NOT NULL,
  reply TEXT NOT NULL DEFAULT '',
  created_at BIGINT NOT NULL,
  closed_by BIGINT REFERENCES operators (id),
  closed_at BIGINT
);
CREATE INDEX feedback_by_user ON feedback (user_id, created_at);
CREATE INDEX feedback_by_status ON feedback (status, id);

-- Accounts that may be followed, by the id that followers enter.
CREATE TABLE operated_accounts (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  operated_id TEXT NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  added_at BIGINT NOT NULL,
  removed_at BIGINT
);
CREATE UNIQUE INDEX operated_accounts_by_user ON operated_accounts (user_id) WHERE removed_at IS NULL;

CREATE TABLE follows (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  operated_account BIGINT NOT NULL REFERENCES operated_accounts (id),
  followed_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX follows_by_user ON follows (user_id, id);
CREATE UNIQUE INDEX follows_current ON follows (user_id) WHERE ended_at IS NULL;
CREATE INDEX follows_of_account ON follows (operated_account, id) WHERE ended_at IS NULL;

-- Plans that operated accounts put, until every follower was offered the
-- product: all up to the record `offered_to` were.
CREATE TABLE followed_puts (
  plan_id BIGINT NOT NULL PRIMARY KEY REFERENCES plans (id),
  operated_account BIGINT NOT NULL REFERENCES operated_accounts (id),
  product_id BIGINT NOT NULL REFERENCES products (id),
  put_at BIGINT NOT NULL,
  offered_to BIGINT NOT NULL DEFAULT 0
);

ALTER TABLE plans ADD COLUMN followed_id TEXT;
-- At most one open offer of a product to a follower.
CREATE UNIQUE INDEX plans_followed_open ON plans (user_id, product_id) WHERE followed_id IS NOT NULL AND status = 0;

-- The provider's call that asked for it: the same call twice gets one ticket.
ALTER TABLE tickets ADD COLUMN call_hash BLOB;
CREATE UNIQUE INDEX tickets_by_call ON tickets (call_hash) WHERE call_hash IS NOT NULL;

CREATE INDEX recharges_undecided ON recharges (user_id) WHERE decided_at IS NULL;
CREATE INDEX audit_by_subject ON audit (subject, id);
