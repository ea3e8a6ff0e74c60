DROP TABLE audit_head;
DROP INDEX audit_by_time;
DROP INDEX audit_by_action;
DROP INDEX audit_by_operator;
ALTER TABLE audit DROP COLUMN version;
SELECT setval(pg_get_serial_sequence('audit', 'id'), GREATEST((SELECT MAX(id) FROM audit), 1));
