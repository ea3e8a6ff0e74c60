DROP TABLE high_water;
ALTER TABLE installation DROP COLUMN secrets;
