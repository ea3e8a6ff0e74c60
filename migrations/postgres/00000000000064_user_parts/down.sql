DROP TABLE user_parts;
ALTER TABLE conversions DROP COLUMN device;
ALTER TABLE conversions DROP COLUMN source;
ALTER TABLE conversions DROP COLUMN slot_id;
