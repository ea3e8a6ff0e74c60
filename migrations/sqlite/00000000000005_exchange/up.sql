-- Acceptors, who pay out in another currency what users set aside.
CREATE TABLE acceptors (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  kind SMALLINT NOT NULL,
  code_hash BLOB NOT NULL UNIQUE,
  order_limit BIGINT NOT NULL CHECK (order_limit > 0),
  daily_limit BIGINT CHECK (daily_limit > 0),
  quote_seconds INTEGER NOT NULL CHECK (quote_seconds > 0),
  active BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL
);

-- Rates and what was paid are decimals as text: other currencies have decimals of their own.
CREATE TABLE acceptor_rates (
  acceptor_id BIGINT NOT NULL REFERENCES acceptors (id),
  currency TEXT NOT NULL,
  rate TEXT NOT NULL,
  changed_at BIGINT NOT NULL,
  PRIMARY KEY (acceptor_id, currency)
);

-- A rate as it was shown to somebody, and until when it holds.
CREATE TABLE exchange_quotes (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  acceptor_id BIGINT NOT NULL REFERENCES acceptors (id),
  currency TEXT NOT NULL,
  rate TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX exchange_quotes_by_user ON exchange_quotes (user_id, acceptor_id, id);

CREATE TABLE exchange_orders (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  acceptor_id BIGINT NOT NULL REFERENCES acceptors (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  currency TEXT NOT NULL,
  rate TEXT NOT NULL,
  receives TEXT NOT NULL,
  status SMALLINT NOT NULL,
  created_at BIGINT NOT NULL,
  approved_by BIGINT REFERENCES operators (id),
  approved_at BIGINT,
  completed_by BIGINT REFERENCES operators (id),
  decided_at BIGINT,
  reason TEXT NOT NULL DEFAULT '',
  CHECK (completed_by IS NULL OR completed_by <> approved_by)
);
CREATE INDEX exchange_orders_by_user ON exchange_orders (user_id, id);
CREATE INDEX exchange_orders_by_status ON exchange_orders (status, id);
CREATE INDEX exchange_orders_by_day ON exchange_orders (user_id, acceptor_id, created_at);
-- One at a time.
CREATE UNIQUE INDEX exchange_orders_open ON exchange_orders (user_id) WHERE status = 0;

-- Acceptance codes that were wrong, since the last right one.
CREATE TABLE acceptance_tries (
  user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id),
  wrong INTEGER NOT NULL,
  locked_until BIGINT
);

-- Payments that the bank took back. What the user did not have was written off.
CREATE TABLE chargebacks (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  requested_by BIGINT NOT NULL REFERENCES operators (id),
  requested_at BIGINT NOT NULL,
  decided_by BIGINT REFERENCES operators (id),
  decided_at BIGINT,
  written_off BIGINT NOT NULL DEFAULT 0 CHECK (written_off >= 0 AND written_off <= amount),
  CHECK (status <> 1 OR decided_by <> requested_by)
);
CREATE UNIQUE INDEX chargebacks_reference ON chargebacks (reference) WHERE status <> 2;
CREATE INDEX chargebacks_by_user ON chargebacks (user_id, id);

-- A recharge may be rejected, also by who requested it; its reference is free again then.
CREATE TABLE recharges_new (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  requested_by BIGINT NOT NULL REFERENCES operators (id),
  requested_at BIGINT NOT NULL,
  decided_by BIGINT REFERENCES operators (id),
  decided_at BIGINT,
  CHECK (status <> 1 OR decided_by <> requested_by)
);
INSERT INTO recharges_new SELECT id, user_id, amount, reference, status, reason, requested_by, requested_at, decided_by, decided_at FROM recharges;
DROP TABLE recharges;
ALTER TABLE recharges_new RENAME TO recharges;
CREATE UNIQUE INDEX recharges_reference ON recharges (reference) WHERE status <> 2;
