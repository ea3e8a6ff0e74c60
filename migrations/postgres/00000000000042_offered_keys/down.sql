DROP TABLE offered_keys;
ALTER TABLE ssps DROP COLUMN key_origin;
ALTER TABLE publishers DROP COLUMN key_origin;
ALTER TABLE advertisers DROP COLUMN key_origin;
