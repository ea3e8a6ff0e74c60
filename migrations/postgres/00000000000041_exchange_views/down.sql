ALTER TABLE leases DROP COLUMN exchanges_milli;
ALTER TABLE ssps DROP COLUMN unconfirmed;
ALTER TABLE slot_days DROP COLUMN confirmed;
ALTER TABLE slot_days DROP COLUMN by_notice;
ALTER TABLE slot_days DROP COLUMN by_picture;
DROP TABLE ssp_views;
