DROP INDEX sessions_of_staff;
ALTER TABLE tickets DROP COLUMN seal;
ALTER TABLE sessions DROP COLUMN seal;
ALTER TABLE installation DROP COLUMN unsound;
