CREATE TABLE advertiser_days (
  advertiser_id BIGINT NOT NULL REFERENCES advertisers (id),
  day BIGINT NOT NULL,
  claimed BIGINT NOT NULL CHECK (claimed >= 0),
  PRIMARY KEY (advertiser_id, day)
);
INSERT INTO advertiser_days (advertiser_id, day, claimed)
  SELECT advertiser_id, received_at / 86400000, CAST(SUM(payout) AS BIGINT) FROM conversions
  WHERE accepted AND reversed_at IS NULL GROUP BY advertiser_id, received_at / 86400000;
ALTER TABLE advertisers DROP COLUMN claimed_that_day;
ALTER TABLE advertisers DROP COLUMN claimed_day;
