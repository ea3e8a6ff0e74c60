DROP INDEX audit_by_staff;
