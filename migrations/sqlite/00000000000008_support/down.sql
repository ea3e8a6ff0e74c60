DROP INDEX entries_by_account;
DROP TABLE staff_notes;
DROP INDEX users_by_phone;
DROP INDEX users_by_email;
