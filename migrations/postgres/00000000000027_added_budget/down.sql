ALTER TABLE plans DROP COLUMN added_amount;
