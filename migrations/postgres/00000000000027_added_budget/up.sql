-- The part of a plan's budget that was added after its put: the put's own amount is the rest.
ALTER TABLE plans ADD COLUMN added_amount BIGINT NOT NULL DEFAULT 0 CHECK (added_amount >= 0);
