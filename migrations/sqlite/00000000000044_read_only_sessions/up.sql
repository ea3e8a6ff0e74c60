-- Who of staff started a session in a user's account, and why: such a session only reads. A ticket of staff says it
-- until it is used; one of the provider's server has the digest of its call instead.
ALTER TABLE sessions ADD COLUMN operator_id BIGINT;
ALTER TABLE sessions ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE tickets ADD COLUMN operator_id BIGINT;
ALTER TABLE tickets ADD COLUMN reason TEXT NOT NULL DEFAULT '';

-- What a user's e-mail address (1) and telephone number (2) were before each change, so that whoever is about to call
-- the user sees whether the number is new. Erased with the account.
CREATE TABLE contact_changes (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  kind SMALLINT NOT NULL CHECK (kind IN (1, 2)),
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  changed_at BIGINT NOT NULL
);
CREATE INDEX contact_changes_by_user ON contact_changes (user_id, changed_at, id);
