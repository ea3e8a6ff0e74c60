ALTER TABLE installation DROP COLUMN currency;
