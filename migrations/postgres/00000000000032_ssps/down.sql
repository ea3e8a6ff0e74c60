ALTER TABLE products DROP COLUMN openrtb;
DROP TABLE plan_sources;
ALTER TABLE plan_slots DROP COLUMN owed_milli;
ALTER TABLE events DROP COLUMN source;
ALTER TABLE events DROP COLUMN cleared_milli;
DROP TABLE plan_bids;
DROP TABLE ssp_days;
DROP TABLE ssps;
ALTER TABLE publishers DROP COLUMN kind;
