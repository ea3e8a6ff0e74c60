-- SQLite checks every new entry against an index's `IN` list, and makes a table in memory for it each time. It
-- compares without one.
DROP INDEX entries_of_the_bank;
CREATE INDEX entries_of_the_bank ON entries (account_kind, amount)
WHERE account_kind = 401 OR account_kind = 402 OR account_kind = 409;
