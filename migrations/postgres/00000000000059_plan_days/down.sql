ALTER TABLE plans DROP COLUMN day_used_milli;
ALTER TABLE plans DROP COLUMN day_ends_at;
ALTER TABLE plans DROP COLUMN day_begins_at;
ALTER TABLE plans DROP COLUMN zone;
ALTER TABLE plans DROP COLUMN daily_cap;
