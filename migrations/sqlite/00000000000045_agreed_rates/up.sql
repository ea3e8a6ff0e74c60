-- The approved request that agreed on the rate of an order.
ALTER TABLE exchange_orders ADD COLUMN terms_id BIGINT;
