DROP INDEX entries_of_before;
DROP TABLE balance_tiles;
DROP TABLE balance_days;
