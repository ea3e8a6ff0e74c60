-- Everything that asks for a second person is one row here, whatever it is
-- about: what is to be written stands in the proposal, and who asked and who
-- decided are kept as the persons that they were then.
ALTER TABLE money_requests
  ADD COLUMN product_id BIGINT REFERENCES products (id),
  ADD COLUMN coupon_definition_id BIGINT REFERENCES coupon_definitions (id),
  ADD COLUMN acceptor_id BIGINT REFERENCES acceptors (id),
  -- JSON: each field that is to change, from what and to what.
  ADD COLUMN proposal TEXT,
  ADD COLUMN requested_person BIGINT REFERENCES operators (id),
  ADD COLUMN decided_person BIGINT REFERENCES operators (id),
  -- When what only the one who asked may see was shown.
  ADD COLUMN shown_at BIGINT,
  DROP CONSTRAINT money_requests_amount_check,
  DROP CONSTRAINT money_requests_check1,
  DROP CONSTRAINT money_requests_check2;
-- Who is which person may have changed since a request was decided; that they
-- were two is known.
UPDATE money_requests SET
  requested_person = CASE status WHEN 0 THEN (SELECT COALESCE(o.person, o.id) FROM operators o WHERE o.id = requested_by) ELSE requested_by END,
  decided_person = decided_by;
-- What the update left to be checked at the end would bar changing the table.
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE money_requests
  ALTER COLUMN requested_person SET NOT NULL,
  ADD CONSTRAINT money_requests_amount_check CHECK (amount >= 0),
  ADD CONSTRAINT money_requests_two_people CHECK (status <> 1 OR (decided_by IS NOT NULL AND decided_by <> requested_by AND decided_person IS NOT NULL AND decided_person <> requested_person)),
  ADD CONSTRAINT money_requests_money CHECK (kind > 6 OR (amount > 0 AND (user_id IS NULL) <> (advertiser_id IS NULL))),
  ADD CONSTRAINT money_requests_subject CHECK (num_nonnulls(user_id, advertiser_id, product_id, coupon_definition_id, acceptor_id) <= 1);

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
