-- When the day for which an order counts in its acceptor's limit ends, as was said when it was put: docs/LEDGER.md.
ALTER TABLE exchange_orders ADD COLUMN day_ends_at BIGINT;
