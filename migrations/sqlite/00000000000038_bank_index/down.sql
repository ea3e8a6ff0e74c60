DROP INDEX entries_of_the_bank;
CREATE INDEX entries_of_the_bank ON entries (account_kind, amount) WHERE account_kind IN (401, 402, 409);
