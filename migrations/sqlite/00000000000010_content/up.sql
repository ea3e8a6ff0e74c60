-- Content that staff keep from files. One who changes any of it locks this row,
-- and servers see by it that what they hold in memory has changed.
CREATE TABLE content_version (
  id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1),
  version BIGINT NOT NULL
);
INSERT INTO content_version (id, version) VALUES (1, 0);

-- Whom users can turn to, in place of those that the environment names.
-- Texts by language are JSON objects, here and below.
CREATE TABLE contacts (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  list SMALLINT NOT NULL,
  kind BIGINT NOT NULL,
  url TEXT NOT NULL,
  label TEXT NOT NULL,
  place INTEGER NOT NULL,
  active BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL
);

-- Questions beside those built in, or in place of the one of the same name,
-- whose own texts it has where it has none.
CREATE TABLE questions (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  question TEXT NOT NULL,
  answer TEXT NOT NULL,
  place INTEGER,
  active BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL
);

-- Activities beside the one built in, or in its place.
CREATE TABLE activities (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  definition_id BIGINT NOT NULL REFERENCES coupon_definitions (id),
  title TEXT NOT NULL,
  rules TEXT NOT NULL,
  starts_at BIGINT,
  ends_at BIGINT,
  active BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  CHECK (ends_at > starts_at)
);

-- Notifications that a file described, as it described them: each is sent once.
CREATE TABLE sent_notices (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  form TEXT NOT NULL,
  created_at BIGINT NOT NULL
);

-- Whether a coupon was given out settles what of it may change.
CREATE INDEX coupons_of_definition ON coupons (definition_id);
