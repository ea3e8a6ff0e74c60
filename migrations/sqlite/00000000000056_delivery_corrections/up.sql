-- The events that a requested correction of delivery is for. What it takes back of each counts once the request is approved.
CREATE TABLE corrected_events (
  request_id BIGINT NOT NULL REFERENCES money_requests (id),
  plan_id BIGINT NOT NULL REFERENCES plans (id),
  event_id BIGINT NOT NULL,
  kind SMALLINT NOT NULL,
  at BIGINT NOT NULL,
  slot_id BIGINT NOT NULL REFERENCES slots (id),
  nonce BLOB NOT NULL,
  price_milli BIGINT NOT NULL,
  -- What its user gets back, and what its publisher was due of that, in thousandths of a minor unit.
  milli BIGINT NOT NULL,
  owed_milli BIGINT NOT NULL,
  PRIMARY KEY (request_id, plan_id, event_id),
  CHECK (milli BETWEEN 0 AND price_milli),
  CHECK (owed_milli BETWEEN 0 AND milli)
);
CREATE INDEX corrected_of_plan ON corrected_events (plan_id, event_id);

-- What an approved correction gives back to a plan's user, and to whom it was charged.
CREATE TABLE delivery_refunds (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  request_id BIGINT NOT NULL REFERENCES money_requests (id),
  plan_id BIGINT NOT NULL REFERENCES plans (id),
  user_id BIGINT NOT NULL REFERENCES users (id),
  publisher_id BIGINT NOT NULL REFERENCES publishers (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  -- Whose money it is.
  own BIGINT NOT NULL CHECK (own >= 0),
  promotional BIGINT NOT NULL CHECK (promotional >= 0),
  coupon BIGINT NOT NULL CHECK (coupon >= 0),
  -- What the publisher gave back of it; the rest is the platform's loss.
  taken BIGINT NOT NULL CHECK (taken >= 0),
  refunded_at BIGINT NOT NULL,
  UNIQUE (request_id, plan_id)
);
CREATE INDEX refunds_of_plan ON delivery_refunds (plan_id);
CREATE INDEX refunds_of_publisher ON delivery_refunds (publisher_id);

-- What was billed to the plan and given back.
ALTER TABLE plans ADD COLUMN refunded BIGINT NOT NULL DEFAULT 0;
-- The part of it that a coupon and credit had paid.
ALTER TABLE plans ADD COLUMN refunded_given BIGINT NOT NULL DEFAULT 0;
