DROP TABLE plan_arms;
ALTER TABLE conversions DROP COLUMN arm;
ALTER TABLE events DROP COLUMN learned;
ALTER TABLE events DROP COLUMN propensity;
ALTER TABLE events DROP COLUMN among;
ALTER TABLE events DROP COLUMN arm;
DROP INDEX plans_by_product;
ALTER TABLE plans DROP COLUMN ai_delivery;
