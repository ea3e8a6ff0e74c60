-- The stretches of an account's history that statements cover. One that overlaps others becomes one with them. Without
-- balances nothing proves it yet.
CREATE TABLE bank_spans (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  statement_id BIGINT NOT NULL UNIQUE REFERENCES bank_statements (id),
  from_on BIGINT NOT NULL,
  to_on BIGINT NOT NULL CHECK (to_on >= from_on),
  opening BIGINT,
  closing BIGINT,
  -- The stretch that it became a part of, which is newer.
  part_of BIGINT,
  CHECK ((opening IS NULL) = (closing IS NULL))
);
CREATE INDEX bank_spans_of ON bank_spans (account, id);

-- Where a line belongs that another statement than its own has proved.
ALTER TABLE bank_lines ADD COLUMN span_id BIGINT;

-- A statement kept only the lines that no other had: its stretch ends at its closing balance and begins before these.
INSERT INTO bank_spans (account, statement_id, from_on, to_on, opening, closing)
SELECT s.account, s.id,
  CASE WHEN l.lines > 0 THEN l.from_on ELSE s.to_on END,
  s.to_on,
  CASE WHEN s.opening IS NULL OR s.closing IS NULL THEN NULL ELSE s.closing - l.moved END,
  CASE WHEN s.opening IS NULL OR s.closing IS NULL THEN NULL ELSE s.closing END
FROM bank_statements s JOIN (
  SELECT t.id AS id, COUNT(b.id) AS lines, MIN(b.booked_on) AS from_on,
    CAST(COALESCE(SUM(b.amount), 0) AS BIGINT) AS moved
  FROM bank_statements t LEFT JOIN bank_lines b ON b.statement_id = t.id GROUP BY t.id
) l ON l.id = s.id ORDER BY s.id;
