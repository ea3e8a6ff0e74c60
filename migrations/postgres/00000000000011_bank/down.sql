DROP INDEX entries_of_the_bank;
DROP INDEX withdrawals_reference;
DROP INDEX withdrawals_uncleared;
DROP INDEX money_requests_uncleared;
ALTER TABLE withdrawals DROP COLUMN cleared_at;
ALTER TABLE money_requests DROP COLUMN cleared_at;
DROP TABLE bank_matches;
DROP TABLE bank_lines;
DROP TABLE bank_statements;
