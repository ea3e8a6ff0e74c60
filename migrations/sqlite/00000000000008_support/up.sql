-- People are found by what they say of themselves: an address however it is
-- written, and the end of a telephone number without what separates its digits.
CREATE INDEX users_by_email ON users (lower(email));
CREATE INDEX users_by_phone ON users (substr(replace(replace(replace(replace(replace(phone, ' ', ''), '-', ''), '(', ''), ')', ''), '+', ''), -7));

-- What staff tell each other about a user. Never changed and never removed,
-- only withdrawn, once.
CREATE TABLE staff_notes (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  text TEXT NOT NULL,
  written_by BIGINT NOT NULL REFERENCES operators (id),
  written_at BIGINT NOT NULL,
  withdrawn_by BIGINT REFERENCES operators (id),
  withdrawn_at BIGINT,
  CHECK ((withdrawn_by IS NULL) = (withdrawn_at IS NULL))
);
CREATE INDEX staff_notes_by_user ON staff_notes (user_id, id);
CREATE TRIGGER staff_notes_no_delete BEFORE DELETE ON staff_notes BEGIN SELECT RAISE(ABORT, 'staff_notes are append-only'); END;
CREATE TRIGGER staff_notes_no_change BEFORE UPDATE ON staff_notes
WHEN OLD.withdrawn_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.user_id <> OLD.user_id OR NEW.text <> OLD.text OR NEW.written_by <> OLD.written_by OR NEW.written_at <> OLD.written_at
BEGIN SELECT RAISE(ABORT, 'staff_notes are append-only'); END;

-- From a figure of a user's down to the entries it is the sum of.
CREATE INDEX entries_by_account ON entries (owner_id, account_kind, id) WHERE account_kind < 200;
