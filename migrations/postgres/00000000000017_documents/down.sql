ALTER TABLE transactions DROP COLUMN document;
