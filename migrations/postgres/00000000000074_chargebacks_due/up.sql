-- What chargebacks did not find is due of their users: see store::wallet::chargebacks.
CREATE INDEX money_requests_chargebacks ON money_requests (user_id) WHERE status = 1 AND kind IN (2, 74, 75);
