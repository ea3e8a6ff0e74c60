-- What a restored backup did not match, in words. Nobody opens the database before an admin has accepted that.
ALTER TABLE installation ADD COLUMN unsound TEXT;

-- Sealed under a key from the secret file: whoever can only write to the database lets nobody in.
ALTER TABLE sessions ADD COLUMN seal BLOB;
ALTER TABLE tickets ADD COLUMN seal BLOB;

-- What staff have open in users' accounts ends with their key.
CREATE INDEX sessions_of_staff ON sessions (operator_id) WHERE operator_id IS NOT NULL AND ended_at IS NULL;
