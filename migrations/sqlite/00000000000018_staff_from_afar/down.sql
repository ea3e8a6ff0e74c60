DROP TABLE staff_nonces;
ALTER TABLE operators DROP COLUMN public_key;
