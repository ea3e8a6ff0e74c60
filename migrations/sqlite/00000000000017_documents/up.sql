-- The digest of the document that money was moved for, as it was then; the
-- transaction's hash covers it.
ALTER TABLE transactions ADD COLUMN document BLOB;
