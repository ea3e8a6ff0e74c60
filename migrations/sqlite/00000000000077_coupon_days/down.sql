ALTER TABLE coupons DROP COLUMN used_day_ends_at;
