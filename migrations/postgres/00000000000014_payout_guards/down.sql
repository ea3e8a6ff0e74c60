ALTER TABLE users DROP COLUMN payouts_held_until;
