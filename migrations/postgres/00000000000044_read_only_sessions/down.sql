DROP TABLE contact_changes;
ALTER TABLE tickets DROP COLUMN reason;
ALTER TABLE tickets DROP COLUMN operator_id;
ALTER TABLE sessions DROP COLUMN reason;
ALTER TABLE sessions DROP COLUMN operator_id;
