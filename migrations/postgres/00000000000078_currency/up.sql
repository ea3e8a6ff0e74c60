-- What all amounts of the installation are in, as it was first opened: docs/OPERATIONS.md.
ALTER TABLE installation ADD COLUMN currency TEXT;
