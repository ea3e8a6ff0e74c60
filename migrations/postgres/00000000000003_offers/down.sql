DROP TABLE credit_events;
ALTER TABLE users DROP COLUMN settled_spend;
DROP TABLE promotions;
ALTER TABLE plans DROP COLUMN coupon_id;
DROP TABLE coupons;
DROP TABLE coupon_definitions;
