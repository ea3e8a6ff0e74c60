-- What nobody approved is given to nobody.
UPDATE coupon_definitions SET activity = NULL WHERE draft;
ALTER TABLE coupon_definitions DROP COLUMN given;
ALTER TABLE coupon_definitions DROP COLUMN quantity;
ALTER TABLE coupon_definitions DROP COLUMN draft;
