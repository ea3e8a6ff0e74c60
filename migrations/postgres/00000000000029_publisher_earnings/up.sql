-- What publishers earn. Each slot's part of every bill is kept, with the share as it was at that
-- bill, and what is below a minor unit is carried to the next bill of the same plan and slot.
-- Shares are in ten-thousandths.
ALTER TABLE publishers ADD COLUMN share_parts BIGINT NOT NULL DEFAULT 7000 CHECK (share_parts BETWEEN 1000 AND 9500);

-- A plan's figures in each slot. Their rows are covered by the lock on their plan's row.
CREATE TABLE plan_slots (
  plan_id BIGINT NOT NULL,
  slot_id BIGINT NOT NULL,
  impressions BIGINT NOT NULL DEFAULT 0,
  clicks BIGINT NOT NULL DEFAULT 0,
  filtered BIGINT NOT NULL DEFAULT 0,
  -- What the events cost, in thousandths of a minor unit.
  cost_milli BIGINT NOT NULL DEFAULT 0,
  billed BIGINT NOT NULL DEFAULT 0,
  earned BIGINT NOT NULL DEFAULT 0,
  -- In ten-thousandths of a minor unit: earned, and not booked yet.
  earned_carry BIGINT NOT NULL DEFAULT 0 CHECK (earned_carry BETWEEN 0 AND 9999),
  PRIMARY KEY (plan_id, slot_id)
);

-- Plans from before: what was billed for their events up to this one went to one account for
-- all publishers. What those events cost beyond it, less than a minor unit, is carried to the
-- slot of the last of them that cost something.
CREATE TABLE undivided_plans (
  plan_id BIGINT NOT NULL PRIMARY KEY,
  up_to_event BIGINT NOT NULL,
  slot_id BIGINT NOT NULL,
  carried_milli BIGINT NOT NULL
);
INSERT INTO undivided_plans (plan_id, up_to_event, slot_id, carried_milli)
  SELECT p.id, p.rolled_event_id, COALESCE((SELECT e.slot_id FROM events e WHERE e.plan_id = p.id
    AND e.id <= p.rolled_event_id AND e.price_milli > 0 AND e.slot_id IS NOT NULL ORDER BY e.id DESC LIMIT 1),
    (SELECT MIN(id) FROM slots), 0), p.rolled_milli - p.billed * 1000
  FROM plans p WHERE p.rolled_event_id > 0;
INSERT INTO plan_slots (plan_id, slot_id, cost_milli)
  SELECT plan_id, slot_id, carried_milli FROM undivided_plans WHERE carried_milli > 0;

-- The same by UTC day, and with the publisher who owned the slot then, for statements. Views
-- and clicks belong to the day on which they came, money to the day of its bill.
CREATE TABLE slot_days (
  plan_id BIGINT NOT NULL,
  slot_id BIGINT NOT NULL,
  day BIGINT NOT NULL,
  publisher_id BIGINT NOT NULL,
  impressions BIGINT NOT NULL,
  clicks BIGINT NOT NULL,
  billed BIGINT NOT NULL,
  earned BIGINT NOT NULL,
  PRIMARY KEY (plan_id, slot_id, day, publisher_id)
);
CREATE INDEX slot_days_by_publisher ON slot_days (publisher_id, day);

-- Events that do not count, by reason.
CREATE TABLE slot_day_filtered (
  plan_id BIGINT NOT NULL,
  slot_id BIGINT NOT NULL,
  day BIGINT NOT NULL,
  publisher_id BIGINT NOT NULL,
  reason SMALLINT NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (plan_id, slot_id, day, publisher_id, reason)
);
CREATE INDEX slot_day_filtered_by_publisher ON slot_day_filtered (publisher_id, day);

-- Each slot's part of a bill.
CREATE TABLE bill_parts (
  plan_id BIGINT NOT NULL,
  transaction_id BIGINT NOT NULL,
  slot_id BIGINT NOT NULL,
  publisher_id BIGINT NOT NULL,
  share_parts BIGINT NOT NULL,
  billed BIGINT NOT NULL,
  earned BIGINT NOT NULL,
  PRIMARY KEY (plan_id, transaction_id, slot_id)
);

-- A publisher's account is the sum of its entries.
CREATE INDEX entries_of_publishers ON entries (owner_id, recorded_at, amount) WHERE account_kind = 501;
