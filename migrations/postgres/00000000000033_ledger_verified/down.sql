ALTER TABLE high_water DROP COLUMN verified_at;
