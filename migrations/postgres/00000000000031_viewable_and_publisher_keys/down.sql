DROP INDEX slots_by_publisher;
DROP TABLE slot_requests;
DROP INDEX publishers_by_key;
ALTER TABLE publishers DROP COLUMN key_since;
ALTER TABLE publishers DROP COLUMN key_digest;
ALTER TABLE slot_days DROP COLUMN viewable;
ALTER TABLE plan_slots DROP COLUMN viewable;
ALTER TABLE plans DROP COLUMN viewable;
