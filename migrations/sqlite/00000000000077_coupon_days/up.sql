-- When the day ends for which the use of a coupon counts among those of its name, as its user's time zone had it then: docs/OFFERS.md.
ALTER TABLE coupons ADD COLUMN used_day_ends_at BIGINT;
