-- Until when nothing leaves the account: its payout account or its transaction password is new, and its owner
-- should have the time to say that it was somebody else.
ALTER TABLE users ADD COLUMN payouts_held_until BIGINT;
