-- Everything that asks for a second person is one row here, whatever it is
-- about: what is to be written stands in the proposal, and who asked and who
-- decided are kept as the persons that they were then.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE money_requests_before AS SELECT * FROM money_requests;
CREATE TABLE money_requests_last AS SELECT seq FROM sqlite_sequence WHERE name = 'money_requests';
DROP TABLE money_requests;
CREATE TABLE money_requests (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  kind SMALLINT NOT NULL,
  old_number BIGINT,
  user_id BIGINT REFERENCES users (id),
  advertiser_id BIGINT REFERENCES advertisers (id),
  amount BIGINT NOT NULL CHECK (amount >= 0),
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
  cleared_at BIGINT,
  product_id BIGINT REFERENCES products (id),
  coupon_definition_id BIGINT REFERENCES coupon_definitions (id),
  acceptor_id BIGINT REFERENCES acceptors (id),
  -- JSON: each field that is to change, from what and to what.
  proposal TEXT,
  requested_person BIGINT NOT NULL REFERENCES operators (id),
  decided_person BIGINT REFERENCES operators (id),
  -- When what only the one who asked may see was shown.
  shown_at BIGINT,
  CONSTRAINT money_requests_two_people CHECK (status <> 1 OR (decided_by IS NOT NULL AND decided_by <> requested_by AND decided_person IS NOT NULL AND decided_person <> requested_person)),
  CONSTRAINT money_requests_money CHECK (kind > 6 OR (amount > 0 AND (user_id IS NULL) <> (advertiser_id IS NULL))),
  CONSTRAINT money_requests_subject CHECK (CASE WHEN user_id IS NULL THEN 0 ELSE 1 END + CASE WHEN advertiser_id IS NULL THEN 0 ELSE 1 END + CASE WHEN product_id IS NULL THEN 0 ELSE 1 END + CASE WHEN coupon_definition_id IS NULL THEN 0 ELSE 1 END + CASE WHEN acceptor_id IS NULL THEN 0 ELSE 1 END <= 1)
);
-- Who is which person may have changed since a request was decided; that they
-- were two is known.
INSERT INTO money_requests (id, kind, old_number, user_id, advertiser_id, amount, reference, status, reason, requested_by, requested_at, expires_at, decided_by, decided_at, written_off, cleared_at, requested_person, decided_person)
SELECT id, kind, old_number, user_id, advertiser_id, amount, reference, status, reason, requested_by, requested_at, expires_at, decided_by, decided_at, written_off, cleared_at,
  CASE status WHEN 0 THEN (SELECT COALESCE(o.person, o.id) FROM operators o WHERE o.id = requested_by) ELSE requested_by END,
  decided_by
FROM money_requests_before;
UPDATE sqlite_sequence SET seq = MAX(seq, (SELECT MAX(seq) FROM money_requests_last)) WHERE name = 'money_requests' AND EXISTS (SELECT 1 FROM money_requests_last);
INSERT INTO sqlite_sequence (name, seq) SELECT 'money_requests', seq FROM money_requests_last WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'money_requests');
DROP TABLE money_requests_last;
DROP TABLE money_requests_before;
CREATE UNIQUE INDEX money_requests_old_number ON money_requests (old_number, kind) WHERE old_number IS NOT NULL;
CREATE UNIQUE INDEX money_requests_reference ON money_requests (kind, reference) WHERE status < 2;
CREATE INDEX money_requests_by_kind ON money_requests (kind, id);
CREATE INDEX money_requests_by_user ON money_requests (user_id, id);
CREATE INDEX money_requests_by_status ON money_requests (status, expires_at);
CREATE INDEX money_requests_uncleared ON money_requests (id) WHERE status = 1 AND kind IN (1, 2, 6) AND cleared_at IS NULL;

-- Who the person was that approved, at that moment.
ALTER TABLE withdrawals ADD COLUMN approved_person BIGINT REFERENCES operators (id);
UPDATE withdrawals SET approved_person = (SELECT COALESCE(o.person, o.id) FROM operators o WHERE o.id = withdrawals.approved_by) WHERE approved_by IS NOT NULL;
ALTER TABLE exchange_orders ADD COLUMN approved_person BIGINT REFERENCES operators (id);
UPDATE exchange_orders SET approved_person = (SELECT COALESCE(o.person, o.id) FROM operators o WHERE o.id = exchange_orders.approved_by) WHERE approved_by IS NOT NULL;

-- What support asks for can cost something too; others approve it.
INSERT INTO role_limits (role, at_once, daily) VALUES (1, 1000000, 5000000);

-- A product is a draft until a second person has approved its terms.
ALTER TABLE products ADD COLUMN draft BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE products ADD COLUMN conversions_per_click INTEGER NOT NULL DEFAULT 1 CHECK (conversions_per_click > 0);
-- A plan keeps what was agreed when it was put.
ALTER TABLE plans ADD COLUMN conversions_per_click INTEGER NOT NULL DEFAULT 1 CHECK (conversions_per_click > 0);
ALTER TABLE plans ADD COLUMN landing_url TEXT;
UPDATE plans SET landing_url = (SELECT landing_url FROM products WHERE products.id = plans.product_id);
CREATE INDEX conversions_by_click ON conversions (click_id) WHERE accepted AND reversed_at IS NULL;

-- An advertiser's own key, sealed; one from before has a derived one until it
-- is rotated. And the most that conversions may claim of it on a day.
ALTER TABLE advertisers ADD COLUMN postback_key TEXT;
ALTER TABLE advertisers ADD COLUMN daily_cap BIGINT CHECK (daily_cap >= 0);

-- What conversions have claimed of an advertiser on a day (UTC), counted from 1970.
CREATE TABLE advertiser_days (
  advertiser_id BIGINT NOT NULL REFERENCES advertisers (id),
  day BIGINT NOT NULL,
  claimed BIGINT NOT NULL CHECK (claimed >= 0),
  PRIMARY KEY (advertiser_id, day)
);
