-- Files that tell the bank to pay what was approved.
CREATE TABLE payment_files (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  -- 2 withdrawals, 5 publishers' payouts.
  kind SMALLINT NOT NULL CHECK (kind IN (2, 5)),
  -- The bank knows the file by it.
  message TEXT NOT NULL,
  made_by BIGINT NOT NULL REFERENCES operators (id),
  made_person BIGINT NOT NULL,
  made_at BIGINT NOT NULL,
  execute_on BIGINT NOT NULL,
  payments BIGINT NOT NULL CHECK (payments > 0),
  total BIGINT NOT NULL CHECK (total > 0),
  sha256 BLOB NOT NULL DEFAULT x''
);

CREATE TABLE exported_payments (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  file_id BIGINT NOT NULL REFERENCES payment_files (id),
  withdrawal_id BIGINT REFERENCES withdrawals (id),
  request_id BIGINT REFERENCES money_requests (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  -- The bank's statement shows the payment by it.
  end_to_end TEXT NOT NULL UNIQUE,
  -- Who said that the bank did not take it, and who agreed: from then on it is in no file.
  doubted_by BIGINT REFERENCES operators (id),
  doubted_person BIGINT,
  doubted_at BIGINT,
  freed_by BIGINT REFERENCES operators (id),
  freed_at BIGINT,
  CHECK ((withdrawal_id IS NULL) <> (request_id IS NULL)),
  CHECK ((freed_by IS NULL) = (freed_at IS NULL)),
  CHECK (freed_at IS NULL OR doubted_at IS NOT NULL)
);
-- Each is in one file at most.
CREATE UNIQUE INDEX exported_withdrawals ON exported_payments (withdrawal_id) WHERE withdrawal_id IS NOT NULL AND freed_at IS NULL;
CREATE UNIQUE INDEX exported_requests ON exported_payments (request_id) WHERE request_id IS NOT NULL AND freed_at IS NULL;
CREATE INDEX exported_of_file ON exported_payments (file_id);
