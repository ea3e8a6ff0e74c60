-- The first two people of an installation are declared on its own machine, and count once both have rotated their keys.
ALTER TABLE operators ADD COLUMN rotated_at BIGINT;
ALTER TABLE operators ADD COLUMN founder_since BIGINT;
ALTER TABLE operators ADD COLUMN founder_rotated_at BIGINT;

-- References of payments as they are compared, and which document has each: the row of a withdrawal (kind 0) or of a
-- request of this kind; none for a payment that is only a transaction.
CREATE TABLE payment_references (
  kind SMALLINT NOT NULL,
  compared TEXT NOT NULL,
  holder BIGINT,
  PRIMARY KEY (kind, compared)
);
CREATE INDEX payment_references_compared ON payment_references (compared);

-- How users' names look, in small letters and as they are shown. Of names from before that look alike, the first has
-- the look, and the others have it with their number.
CREATE TABLE user_looks (
  user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id),
  name_look TEXT NOT NULL UNIQUE,
  shown_look TEXT NOT NULL UNIQUE
);
