-- What a restored backup did not match, in words. Nobody opens the database before an admin has accepted that.
ALTER TABLE installation ADD COLUMN unsound TEXT;

-- Sealed under a key from the secret file: whoever can only write to the database lets nobody in.
ALTER TABLE sessions ADD COLUMN seal BYTEA;
ALTER TABLE tickets ADD COLUMN seal BYTEA;
