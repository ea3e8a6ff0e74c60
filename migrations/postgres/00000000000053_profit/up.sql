-- Profit by quarter hour: what was used, billed or not, and the fee on revenue, settled or not. They are the differences of
-- the plan's totals after and before it, each rounded down. Old rows are reckoned at the start.
ALTER TABLE plan_stats ADD COLUMN used_milli BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plan_stats ADD COLUMN used BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plan_stats ADD COLUMN platform_used BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plan_stats ADD COLUMN fee BIGINT NOT NULL DEFAULT 0;
-- Accepted conversions that were received in it and taken back.
ALTER TABLE plan_stats ADD COLUMN corrected BIGINT NOT NULL DEFAULT 0;

-- Up to which totals the plan's quarter hours have them, and whether its profit counts as settled. A server of the version
-- before leaves these behind its totals, so that the plan is reckoned again.
ALTER TABLE plans ADD COLUMN reckoned_milli BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plans ADD COLUMN reckoned_revenue BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plans ADD COLUMN reckoned_settled BOOLEAN NOT NULL DEFAULT FALSE;

-- A user's totals of them from the beginning to the end of a quarter hour, beside `user_stats`. `settled_profit` is what
-- settled plans have come to, in the quarter hours in which they earned it.
CREATE TABLE user_profits (
  user_id BIGINT NOT NULL REFERENCES users (id),
  quarter BIGINT NOT NULL,
  used BIGINT NOT NULL,
  platform_used BIGINT NOT NULL,
  fee BIGINT NOT NULL,
  settled_profit BIGINT NOT NULL,
  corrected BIGINT NOT NULL,
  PRIMARY KEY (user_id, quarter)
);
