-- When a plan begins and ends, and in which hours of a week it is shown: seven days from Monday on, each with a 1 for
-- an open hour, by the clocks of the zone.
ALTER TABLE plans ADD COLUMN begins_at BIGINT;
ALTER TABLE plans ADD COLUMN ends_at BIGINT;
ALTER TABLE plans ADD COLUMN hours TEXT;
ALTER TABLE plans ADD COLUMN hours_zone TEXT;
