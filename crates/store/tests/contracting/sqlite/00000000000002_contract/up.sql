ALTER TABLE things DROP COLUMN old_name;
