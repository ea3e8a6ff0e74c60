DROP TABLE user_looks;
DROP TABLE payment_references;
ALTER TABLE operators DROP COLUMN founder_rotated_at;
ALTER TABLE operators DROP COLUMN founder_since;
ALTER TABLE operators DROP COLUMN rotated_at;
