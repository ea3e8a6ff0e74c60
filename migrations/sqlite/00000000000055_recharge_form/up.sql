-- Accounts that users pay in to, as two of staff agreed on them. Texts by language are JSON objects.
CREATE TABLE pay_in_accounts (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  beneficiary TEXT NOT NULL,
  account TEXT NOT NULL,
  -- Of a wallet's address; an account at a bank has none.
  network TEXT,
  bank TEXT,
  bic TEXT,
  note TEXT NOT NULL,
  place INTEGER NOT NULL,
  active BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL
);

-- Payments that users say they have made. They decide nothing: staff credit what the bank reports.
CREATE TABLE recharge_announcements (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  pay_in_account_id BIGINT NOT NULL REFERENCES pay_in_accounts (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  announced_at BIGINT NOT NULL,
  closed_at BIGINT,
  -- 1 credited, 2 withdrawn. One that lapsed is not written to.
  outcome SMALLINT CHECK (outcome IN (1, 2)),
  CHECK ((closed_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX recharge_announcements_by_user ON recharge_announcements (user_id, id);
CREATE INDEX recharge_announcements_open ON recharge_announcements (id) WHERE outcome IS NULL;
