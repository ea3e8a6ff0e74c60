ALTER TABLE slots ADD COLUMN publisher TEXT NOT NULL DEFAULT '';
UPDATE slots SET publisher = (SELECT p.name FROM publishers p WHERE p.id = publisher_id);
ALTER TABLE slots DROP COLUMN publisher_id;
DROP TABLE publishers;
