ALTER TABLE exchange_orders DROP COLUMN terms_id;
