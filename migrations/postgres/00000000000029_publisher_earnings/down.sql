DROP INDEX entries_of_publishers;
DROP TABLE bill_parts;
DROP TABLE slot_day_filtered;
DROP TABLE slot_days;
DROP TABLE undivided_plans;
DROP TABLE plan_slots;
ALTER TABLE publishers DROP COLUMN share_parts;
