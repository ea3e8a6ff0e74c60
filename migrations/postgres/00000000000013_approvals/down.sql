DROP TABLE advertiser_days;
ALTER TABLE advertisers DROP COLUMN daily_cap;
ALTER TABLE advertisers DROP COLUMN postback_key;
DROP INDEX conversions_by_click;
ALTER TABLE plans DROP COLUMN landing_url;
ALTER TABLE plans DROP COLUMN conversions_per_click;
ALTER TABLE products DROP COLUMN conversions_per_click;
-- What nobody approved is not offered.
UPDATE products SET active = FALSE WHERE draft;
ALTER TABLE products DROP COLUMN draft;
DELETE FROM role_limits WHERE role = 1;
ALTER TABLE exchange_orders DROP COLUMN approved_person;
ALTER TABLE withdrawals DROP COLUMN approved_person;
-- Requests that are not for money are unknown there.
DELETE FROM money_requests WHERE kind > 6;
ALTER TABLE money_requests
  DROP CONSTRAINT money_requests_subject,
  DROP CONSTRAINT money_requests_money,
  DROP CONSTRAINT money_requests_two_people,
  DROP CONSTRAINT money_requests_amount_check,
  DROP COLUMN shown_at,
  DROP COLUMN decided_person,
  DROP COLUMN requested_person,
  DROP COLUMN proposal,
  DROP COLUMN acceptor_id,
  DROP COLUMN coupon_definition_id,
  DROP COLUMN product_id,
  ADD CONSTRAINT money_requests_amount_check CHECK (amount > 0),
  ADD CONSTRAINT money_requests_check1 CHECK (status <> 1 OR (decided_by IS NOT NULL AND decided_by <> requested_by)),
  ADD CONSTRAINT money_requests_check2 CHECK ((user_id IS NULL) <> (advertiser_id IS NULL));
