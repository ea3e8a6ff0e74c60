-- What moves money and one operator asks for, another approves. Rows that come
-- from the tables of single kinds are still found under the number they had
-- there; a new one's number is its id, which no old one has.
CREATE TABLE money_requests (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  kind SMALLINT NOT NULL,
  old_number BIGINT,
  user_id BIGINT REFERENCES users (id),
  advertiser_id BIGINT REFERENCES advertisers (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT,
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  requested_by BIGINT NOT NULL REFERENCES operators (id),
  requested_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_by BIGINT REFERENCES operators (id),
  decided_at BIGINT,
  -- What the user of a chargeback did not have.
  written_off BIGINT NOT NULL DEFAULT 0 CHECK (written_off >= 0 AND written_off <= amount),
  CHECK (status <> 1 OR (decided_by IS NOT NULL AND decided_by <> requested_by)),
  CHECK ((user_id IS NULL) <> (advertiser_id IS NULL))
);
CREATE UNIQUE INDEX money_requests_old_number ON money_requests (old_number, kind) WHERE old_number IS NOT NULL;
CREATE UNIQUE INDEX money_requests_reference ON money_requests (kind, reference) WHERE status < 2;
CREATE INDEX money_requests_by_kind ON money_requests (kind, id);
CREATE INDEX money_requests_by_user ON money_requests (user_id, id);
CREATE INDEX money_requests_by_status ON money_requests (status, expires_at);

INSERT INTO money_requests (kind, old_number, user_id, amount, reference, status, reason, requested_by, requested_at, expires_at, decided_by, decided_at, written_off)
SELECT kind, id, user_id, amount, reference, status, reason, requested_by, requested_at, requested_at + 604800000, decided_by, decided_at, written_off
FROM (
  SELECT 1 AS kind, id, user_id, amount, reference, status, reason, requested_by, requested_at, decided_by, decided_at, 0 AS written_off FROM recharges
  UNION ALL
  SELECT 2, id, user_id, amount, reference, status, reason, requested_by, requested_at, decided_by, decided_at, written_off FROM chargebacks
  UNION ALL
  SELECT 2 + direction, id, user_id, amount, NULL, status, reason, requested_by, requested_at, decided_by, decided_at, 0 FROM promotions
) AS every
ORDER BY requested_at, kind, id;
UPDATE sqlite_sequence SET seq = MAX(seq, (SELECT MAX(old_number) FROM money_requests)) WHERE name = 'money_requests';
DROP TABLE recharges;
DROP TABLE chargebacks;
DROP TABLE promotions;

-- Who issued an operator's key, which person the operator counts as (of their
-- own without one), and who has confirmed that.
ALTER TABLE operators ADD COLUMN key_from BIGINT REFERENCES operators (id);
ALTER TABLE operators ADD COLUMN person BIGINT REFERENCES operators (id);
ALTER TABLE operators ADD COLUMN confirmed_by BIGINT REFERENCES operators (id);
ALTER TABLE operators ADD COLUMN confirmed_at BIGINT;
ALTER TABLE operators ADD COLUMN last_used_at BIGINT;
UPDATE operators SET key_from = (SELECT MIN(audit.operator_id) FROM audit WHERE audit.action = 'operator.add' AND audit.subject = 'operator:' || operators.id);
-- The first two are people of their own, the others are whoever added them.
UPDATE operators SET person = (
  WITH RECURSIVE first_two AS (SELECT id FROM operators ORDER BY id LIMIT 2),
  hands (id, person) AS (
    SELECT id, id FROM operators WHERE key_from IS NULL OR id IN (SELECT id FROM first_two)
    UNION ALL
    SELECT added.id, hands.person FROM operators AS added JOIN hands ON added.key_from = hands.id
    WHERE added.id NOT IN (SELECT id FROM first_two)
  )
  SELECT hands.person FROM hands WHERE hands.id = operators.id AND hands.person <> operators.id
);

-- The most that a role may request or approve at once, and in a day (UTC).
CREATE TABLE role_limits (
  role SMALLINT NOT NULL PRIMARY KEY,
  at_once BIGINT NOT NULL CHECK (at_once >= 0),
  daily BIGINT NOT NULL CHECK (daily >= at_once)
);
INSERT INTO role_limits (role, at_once, daily) VALUES (2, 5000000, 20000000), (3, 100000000, 500000000);

-- What an operator requested and approved on a day, counted from 1970.
CREATE TABLE operator_days (
  operator_id BIGINT NOT NULL REFERENCES operators (id),
  day BIGINT NOT NULL,
  moved BIGINT NOT NULL CHECK (moved >= 0),
  PRIMARY KEY (operator_id, day)
);
