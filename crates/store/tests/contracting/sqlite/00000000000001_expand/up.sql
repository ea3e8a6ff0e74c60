CREATE TABLE things (id BIGINT, old_name TEXT, name TEXT);
