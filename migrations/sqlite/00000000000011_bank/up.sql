-- What the bank has shown us. A file is known by its digest and cannot be
-- taken in twice; a line is known by the bank's own reference.
CREATE TABLE bank_statements (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  currency TEXT NOT NULL,
  number TEXT NOT NULL,
  from_on BIGINT NOT NULL,
  to_on BIGINT NOT NULL CHECK (to_on >= from_on),
  opening BIGINT,
  closing BIGINT,
  left_out BIGINT NOT NULL CHECK (left_out >= 0),
  digest BLOB NOT NULL UNIQUE,
  imported_by BIGINT NOT NULL REFERENCES operators (id),
  imported_at BIGINT NOT NULL
);

CREATE TABLE bank_lines (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  statement_id BIGINT NOT NULL REFERENCES bank_statements (id),
  account TEXT NOT NULL,
  line_key TEXT NOT NULL,
  booked_on BIGINT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount <> 0),
  -- One reference on each line of the text.
  reference_texts TEXT NOT NULL,
  counterparty TEXT NOT NULL,
  description TEXT NOT NULL,
  reversal BOOLEAN NOT NULL,
  status SMALLINT NOT NULL
);
CREATE UNIQUE INDEX bank_lines_key ON bank_lines (account, line_key);
CREATE INDEX bank_lines_by_statement ON bank_lines (statement_id, id);
CREATE INDEX bank_lines_open ON bank_lines (booked_on, id) WHERE status = 0;

-- That a line is a document, or none of ours where it names none. One person
-- says so and another confirms it; so it is undone.
CREATE TABLE bank_matches (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  line_id BIGINT NOT NULL REFERENCES bank_lines (id),
  request_id BIGINT REFERENCES money_requests (id),
  withdrawal_id BIGINT REFERENCES withdrawals (id),
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  proposed_by BIGINT NOT NULL REFERENCES operators (id),
  proposed_at BIGINT NOT NULL,
  confirmed_by BIGINT REFERENCES operators (id),
  confirmed_at BIGINT,
  doubted_by BIGINT REFERENCES operators (id),
  doubted_at BIGINT,
  undone_by BIGINT REFERENCES operators (id),
  undone_at BIGINT,
  CHECK (request_id IS NULL OR withdrawal_id IS NULL),
  CHECK (confirmed_by IS NULL OR confirmed_by <> proposed_by),
  CHECK (undone_by IS NULL OR undone_by <> doubted_by)
);
-- A line is one document, and a document one line.
CREATE UNIQUE INDEX bank_matches_line ON bank_matches (line_id) WHERE status IN (0, 1, 3);
CREATE UNIQUE INDEX bank_matches_request ON bank_matches (request_id) WHERE status IN (0, 1, 3);
CREATE UNIQUE INDEX bank_matches_withdrawal ON bank_matches (withdrawal_id) WHERE status IN (0, 1, 3);
CREATE INDEX bank_matches_waiting ON bank_matches (id) WHERE status IN (0, 3);

-- When the bank's line was found; what has none yet is looked for.
ALTER TABLE money_requests ADD COLUMN cleared_at BIGINT;
ALTER TABLE withdrawals ADD COLUMN cleared_at BIGINT;
CREATE INDEX money_requests_uncleared ON money_requests (id) WHERE status = 1 AND kind IN (1, 2, 6) AND cleared_at IS NULL;
CREATE INDEX withdrawals_uncleared ON withdrawals (id) WHERE status = 2 AND cleared_at IS NULL;

-- What a payout is called outside is one payout's; an old one that is there
-- twice keeps its text and gets its number.
UPDATE withdrawals SET reference = NULL WHERE TRIM(reference) = '';
UPDATE withdrawals SET reference = reference || '#' || id
WHERE EXISTS (SELECT 1 FROM withdrawals AS older WHERE older.reference = withdrawals.reference AND older.id < withdrawals.id);
CREATE UNIQUE INDEX withdrawals_reference ON withdrawals (reference) WHERE reference IS NOT NULL;

-- The bank, what is not there yet and what is under way to it are sums of few entries.
CREATE INDEX entries_of_the_bank ON entries (account_kind, amount) WHERE account_kind IN (401, 402, 409);
