DROP TABLE audit_head;
DROP INDEX audit_by_time;
DROP INDEX audit_by_action;
DROP INDEX audit_by_operator;
ALTER TABLE audit DROP COLUMN version;
