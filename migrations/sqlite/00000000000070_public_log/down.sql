DROP TABLE log_tiles;
DROP TABLE log_months;
DROP TABLE log_books;
DROP TABLE log_head;
