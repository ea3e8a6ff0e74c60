-- Views that were in view for long enough: events of kind 3, counted beside impressions and clicks.
ALTER TABLE plans ADD COLUMN viewable BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plan_slots ADD COLUMN viewable BIGINT NOT NULL DEFAULT 0;
ALTER TABLE slot_days ADD COLUMN viewable BIGINT NOT NULL DEFAULT 0;

-- A publisher's API key, as the digest of the key in hexadecimal; NULL without one.
ALTER TABLE publishers ADD COLUMN key_digest TEXT;
ALTER TABLE publishers ADD COLUMN key_since BIGINT;
CREATE UNIQUE INDEX publishers_by_key ON publishers (key_digest) WHERE key_digest IS NOT NULL;

-- How often slots asked on a day (UTC), and how often they got a creative. Each server process
-- counts for itself, so that no two ever write the same row.
CREATE TABLE slot_requests (
  slot_id BIGINT NOT NULL,
  day BIGINT NOT NULL,
  holder TEXT NOT NULL,
  requests BIGINT NOT NULL,
  filled BIGINT NOT NULL,
  PRIMARY KEY (slot_id, day, holder)
);
CREATE INDEX slots_by_publisher ON slots (publisher_id, id);
