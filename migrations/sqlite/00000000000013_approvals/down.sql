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
PRAGMA defer_foreign_keys = ON;
DELETE FROM money_requests WHERE kind > 6;
CREATE TABLE money_requests_before AS SELECT * FROM money_requests;
DROP TABLE money_requests;
CREATE TABLE money_requests (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  kind SMALLINT NOT NULL,
  old_number BIGINT,
  user_id BIGINT REFERENCES users (id),
  advertiser_id BIGINT REFERENCES advertisers (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT,
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  requested_by BIGINT NOT NULL REFERENCES operators (id),
  requested_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_by BIGINT REFERENCES operators (id),
  decided_at BIGINT,
  written_off BIGINT NOT NULL DEFAULT 0 CHECK (written_off >= 0 AND written_off <= amount),
  cleared_at BIGINT,
  CHECK (status <> 1 OR (decided_by IS NOT NULL AND decided_by <> requested_by)),
  CHECK ((user_id IS NULL) <> (advertiser_id IS NULL))
);
INSERT INTO money_requests (id, kind, old_number, user_id, advertiser_id, amount, reference, status, reason, requested_by, requested_at, expires_at, decided_by, decided_at, written_off, cleared_at) SELECT id, kind, old_number, user_id, advertiser_id, amount, reference, status, reason, requested_by, requested_at, expires_at, decided_by, decided_at, written_off, cleared_at FROM money_requests_before;
DROP TABLE money_requests_before;
CREATE UNIQUE INDEX money_requests_old_number ON money_requests (old_number, kind) WHERE old_number IS NOT NULL;
CREATE UNIQUE INDEX money_requests_reference ON money_requests (kind, reference) WHERE status < 2;
CREATE INDEX money_requests_by_kind ON money_requests (kind, id);
CREATE INDEX money_requests_by_user ON money_requests (user_id, id);
CREATE INDEX money_requests_by_status ON money_requests (status, expires_at);
CREATE INDEX money_requests_uncleared ON money_requests (id) WHERE status = 1 AND kind IN (1, 2, 6) AND cleared_at IS NULL;
