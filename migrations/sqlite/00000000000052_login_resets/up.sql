-- A code with which a user who forgot the login password sets another: one for each approved request. Each of the two
-- operators is shown one half of it, once; only keyed hashes of the halves are kept.
CREATE TABLE login_resets (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  request_id BIGINT NOT NULL UNIQUE REFERENCES money_requests (id),
  -- None before they were shown.
  asker_half BLOB,
  approver_half BLOB,
  good_until BIGINT NOT NULL,
  wrong_tries SMALLINT NOT NULL DEFAULT 0,
  -- 0 open, 1 used, 2 tried too often, 3 replaced.
  status SMALLINT NOT NULL DEFAULT 0
);
CREATE INDEX login_resets_by_user ON login_resets (user_id, id);

-- After such a reset without a transaction password, none is set and no payout account is bound before this.
ALTER TABLE users ADD COLUMN pay_setup_held_until BIGINT;
