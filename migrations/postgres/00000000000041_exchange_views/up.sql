-- How the views of an exchange were first reported on a day (UTC): by the picture in the ad, or by the exchange's
-- notice; and how many pictures came after a notice. A row is locked while notices of its exchange are judged.
CREATE TABLE ssp_views (
  slot_id BIGINT NOT NULL,
  day BIGINT NOT NULL,
  by_picture BIGINT NOT NULL,
  by_notice BIGINT NOT NULL,
  confirmed BIGINT NOT NULL,
  PRIMARY KEY (slot_id, day)
) WITH (fillfactor = 50);
-- The same by plan, as counted from its events.
ALTER TABLE slot_days ADD COLUMN by_picture BIGINT NOT NULL DEFAULT 0;
ALTER TABLE slot_days ADD COLUMN by_notice BIGINT NOT NULL DEFAULT 0;
ALTER TABLE slot_days ADD COLUMN confirmed BIGINT NOT NULL DEFAULT 0;

-- How many views an exchange may bill without a picture, as agreed: the ten-thousandths of a day's confirmed views,
-- a plus, and so many more. NULL for what is agreed unless something else is.
ALTER TABLE ssps ADD COLUMN unconfirmed TEXT;

-- How much of a lease may be promised in the auctions of exchanges, in thousandths of a minor unit.
ALTER TABLE leases ADD COLUMN exchanges_milli BIGINT NOT NULL DEFAULT 0;
