DROP TABLE chargebacks;
DROP TABLE acceptance_tries;
DROP TABLE exchange_orders;
DROP TABLE exchange_quotes;
DROP TABLE acceptor_rates;
DROP TABLE acceptors;
-- Rejected recharges are gone with what could reject them.
DROP INDEX recharges_reference;
CREATE TABLE recharges_old (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL UNIQUE,
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  requested_by BIGINT NOT NULL REFERENCES operators (id),
  requested_at BIGINT NOT NULL,
  decided_by BIGINT REFERENCES operators (id),
  decided_at BIGINT,
  CHECK (decided_by IS NULL OR decided_by <> requested_by)
);
INSERT INTO recharges_old SELECT id, user_id, amount, reference, status, reason, requested_by, requested_at, decided_by, decided_at FROM recharges WHERE status <> 2;
DROP TABLE recharges;
ALTER TABLE recharges_old RENAME TO recharges;
CREATE INDEX recharges_undecided ON recharges (user_id) WHERE decided_at IS NULL;
