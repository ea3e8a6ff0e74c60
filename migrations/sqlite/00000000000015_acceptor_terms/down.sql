ALTER TABLE acceptor_rates DROP COLUMN rate_before;
ALTER TABLE acceptors DROP COLUMN draft;
