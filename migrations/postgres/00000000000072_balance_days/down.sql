DROP TABLE balance_tiles;
DROP TABLE balance_days;
