-- When the whole ledger was last verified without a fault; 0 if never.
ALTER TABLE high_water ADD COLUMN verified_at BIGINT NOT NULL DEFAULT 0;
