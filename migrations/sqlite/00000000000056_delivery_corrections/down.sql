ALTER TABLE plans DROP COLUMN refunded_given;
ALTER TABLE plans DROP COLUMN refunded;
DROP TABLE delivery_refunds;
DROP TABLE corrected_events;
