-- A coupon is a draft until a second person has approved its terms.
ALTER TABLE coupon_definitions ADD COLUMN draft BOOLEAN NOT NULL DEFAULT FALSE;
-- How many users may be given one, and how many were. One person defined what
-- is there already: of that no more are given until two have agreed on a number.
ALTER TABLE coupon_definitions ADD COLUMN quantity BIGINT NOT NULL DEFAULT 0 CHECK (quantity >= 0);
ALTER TABLE coupon_definitions ADD COLUMN given BIGINT NOT NULL DEFAULT 0 CHECK (given >= 0);
UPDATE coupon_definitions SET given = (SELECT COUNT(*) FROM coupons WHERE coupons.definition_id = coupon_definitions.id);
