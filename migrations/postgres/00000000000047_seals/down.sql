ALTER TABLE tickets DROP COLUMN seal;
ALTER TABLE sessions DROP COLUMN seal;
ALTER TABLE installation DROP COLUMN unsound;
