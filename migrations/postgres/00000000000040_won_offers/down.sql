ALTER TABLE ssps DROP COLUMN silent;
DROP TABLE won_offers;
