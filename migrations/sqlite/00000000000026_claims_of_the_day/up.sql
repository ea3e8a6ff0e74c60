-- What conversions have claimed of an advertiser is needed for its last day alone, and its row is
-- locked and written for each conversion anyway. Days (UTC) are counted from 1970.
ALTER TABLE advertisers ADD COLUMN claimed_day BIGINT NOT NULL DEFAULT 0;
ALTER TABLE advertisers ADD COLUMN claimed_that_day BIGINT NOT NULL DEFAULT 0 CHECK (claimed_that_day >= 0);
UPDATE advertisers SET claimed_day = COALESCE((
  SELECT MAX(c.received_at / 86400000) FROM conversions c WHERE c.advertiser_id = advertisers.id AND c.accepted), 0);
UPDATE advertisers SET claimed_that_day = COALESCE((
  SELECT CAST(SUM(c.payout) AS BIGINT) FROM conversions c
  WHERE c.advertiser_id = advertisers.id AND c.accepted AND c.reversed_at IS NULL
    AND c.received_at / 86400000 = advertisers.claimed_day), 0);
DROP TABLE advertiser_days;
