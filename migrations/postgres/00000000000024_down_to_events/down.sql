DROP TABLE bills;
DROP INDEX conversions_not_counted;
DROP INDEX events_listed;
ALTER TABLE events DROP COLUMN device;
