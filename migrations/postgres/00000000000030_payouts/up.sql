-- Paying publishers. Where one is paid is sealed, and two people agree on it. Its book has what it
-- was paid; what it earned is in the books of the users whose plans were billed.
ALTER TABLE publishers ADD COLUMN destination TEXT;
ALTER TABLE publishers ADD COLUMN destination_since BIGINT;
ALTER TABLE publishers ADD COLUMN book_seq BIGINT NOT NULL DEFAULT 0;
ALTER TABLE publishers ADD COLUMN book_head BYTEA NOT NULL DEFAULT decode(repeat('00', 32), 'hex');

-- A payout is requested and approved like everything that costs money. In a third step somebody
-- other than the approver says that it was paid, under the bank's reference.
ALTER TABLE money_requests ADD COLUMN publisher_id BIGINT REFERENCES publishers (id);
ALTER TABLE money_requests ADD COLUMN paid_by BIGINT REFERENCES operators (id) CHECK (paid_by <> decided_by);
ALTER TABLE money_requests ADD COLUMN paid_person BIGINT REFERENCES operators (id) CHECK (paid_person <> decided_person);
ALTER TABLE money_requests ADD COLUMN paid_at BIGINT CHECK (paid_at IS NULL OR (status = 1 AND paid_by IS NOT NULL AND paid_person IS NOT NULL AND reference IS NOT NULL));
CREATE INDEX money_requests_by_publisher ON money_requests (publisher_id, kind, id) WHERE publisher_id IS NOT NULL;
DROP INDEX money_requests_uncleared;
CREATE INDEX money_requests_uncleared ON money_requests (id) WHERE status = 1 AND kind IN (1, 2, 6, 11) AND cleared_at IS NULL;
