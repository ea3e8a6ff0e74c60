-- What staff define once: `rate` for a discount, `amount` for the others;
-- valid for `days` from when it is received, or until `ends_at`.
CREATE TABLE coupon_definitions (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  kind SMALLINT NOT NULL,
  effect SMALLINT NOT NULL,
  rate TEXT,
  amount BIGINT CHECK (amount > 0),
  max_value BIGINT CHECK (max_value > 0),
  min_amount BIGINT NOT NULL CHECK (min_amount >= 0),
  days INTEGER CHECK (days > 0),
  ends_at BIGINT,
  operated_id TEXT,
  activity TEXT,
  created_at BIGINT NOT NULL,
  CHECK ((effect = 1) = (rate IS NOT NULL) AND (effect = 1) = (amount IS NULL)),
  CHECK ((days IS NULL) <> (ends_at IS NULL)),
  CHECK ((kind = 4) = (operated_id IS NOT NULL))
);
CREATE INDEX coupon_definitions_by_activity ON coupon_definitions (activity, id) WHERE activity IS NOT NULL;

-- Whether one is used or expired follows from its moments. `activity` is what
-- it was claimed in: once per user, for ever.
CREATE TABLE coupons (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  definition_id BIGINT NOT NULL REFERENCES coupon_definitions (id),
  activity TEXT,
  received_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  plan_id BIGINT REFERENCES plans (id),
  CHECK ((used_at IS NULL) = (plan_id IS NULL))
);
CREATE INDEX coupons_by_user ON coupons (user_id, id);
CREATE INDEX coupons_by_definition ON coupons (user_id, definition_id, id);
CREATE UNIQUE INDEX coupons_once ON coupons (user_id, activity) WHERE activity IS NOT NULL;

-- The coupon stays named even where it was given back.
ALTER TABLE plans ADD COLUMN coupon_id BIGINT;

-- Promotional credit: requested by one operator, approved by another; either may reject.
CREATE TABLE promotions (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  direction SMALLINT NOT NULL,
  amount BIGINT NOT NULL CHECK (amount > 0),
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  requested_by BIGINT NOT NULL REFERENCES operators (id),
  requested_at BIGINT NOT NULL,
  decided_by BIGINT REFERENCES operators (id),
  decided_at BIGINT,
  CHECK (status <> 1 OR decided_by <> requested_by)
);

-- What of settled plans the user's own money paid; the level follows from it.
ALTER TABLE users ADD COLUMN settled_spend BIGINT NOT NULL DEFAULT 0;

-- Every change of a credit score, with the fact behind it.
CREATE TABLE credit_events (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  at BIGINT NOT NULL,
  reason SMALLINT NOT NULL,
  change INTEGER NOT NULL CHECK (change <> 0),
  score INTEGER NOT NULL CHECK (score BETWEEN 0 AND 200),
  ref_type TEXT NOT NULL,
  ref_id BIGINT NOT NULL
);
CREATE INDEX credit_events_by_user ON credit_events (user_id, id);
CREATE UNIQUE INDEX credit_events_of_plan ON credit_events (ref_id, reason) WHERE ref_type = 'plan';
