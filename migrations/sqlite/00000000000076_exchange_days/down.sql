ALTER TABLE exchange_orders DROP COLUMN day_ends_at;
