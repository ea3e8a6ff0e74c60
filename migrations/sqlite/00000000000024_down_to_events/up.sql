-- The kind of device that an event came from: nothing finer is kept, and nothing at all of visitors who asked not
-- to be tracked.
ALTER TABLE events ADD COLUMN device SMALLINT;

-- A plan's events, newest first: those that count and those that do not are read one beside the other, however
-- rare either is. Of conversions, most count, and those few that do not are found by themselves. An index of the
-- others would be one more to write for each conversion.
CREATE INDEX events_listed ON events (plan_id, kind, valid, id);
CREATE INDEX conversions_not_counted ON conversions (plan_id, id) WHERE NOT accepted OR reversed_at IS NOT NULL;

-- Which events each bill is for: those of its plan above the bill before it, up to this one. What they cost from
-- the plan's beginning on is in thousandths of a minor unit: what is less than a whole one goes into the next bill.
CREATE TABLE bills (
  plan_id BIGINT NOT NULL,
  up_to_event BIGINT NOT NULL,
  cost_milli BIGINT NOT NULL CHECK (cost_milli > 0),
  -- NULL for all that was billed before this table was made.
  transaction_id BIGINT,
  PRIMARY KEY (plan_id, up_to_event)
);
CREATE UNIQUE INDEX bills_by_transaction ON bills (transaction_id) WHERE transaction_id IS NOT NULL;
INSERT INTO bills (plan_id, up_to_event, cost_milli) SELECT id, rolled_event_id, rolled_milli FROM plans WHERE billed > 0;
