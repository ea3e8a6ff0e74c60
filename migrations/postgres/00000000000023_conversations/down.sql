ALTER TABLE files DROP COLUMN private;
DROP TABLE messages;
DROP TABLE conversations;
