ALTER TABLE bank_lines DROP COLUMN span_id;
DROP TABLE bank_spans;
