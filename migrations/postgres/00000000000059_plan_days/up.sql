-- What a plan may spend on a day, and what its events cost on the day between these times. Its days are those of the zone.
ALTER TABLE plans ADD COLUMN daily_cap BIGINT;
ALTER TABLE plans ADD COLUMN zone TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE plans ADD COLUMN day_begins_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plans ADD COLUMN day_ends_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plans ADD COLUMN day_used_milli BIGINT NOT NULL DEFAULT 0;
