-- One row that says for ever what kind of installation this is.
CREATE TABLE installation (
  id SMALLINT NOT NULL PRIMARY KEY CHECK (id = 1),
  realm SMALLINT NOT NULL,
  created_at BIGINT NOT NULL
);

-- People ---------------------------------------------------------------------

CREATE TABLE users (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL,
  username_key TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  nickname TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  avatar TEXT,
  lang TEXT NOT NULL,
  entry SMALLINT NOT NULL,
  status SMALLINT NOT NULL,
  status_reason TEXT NOT NULL DEFAULT '',
  store_opened BOOLEAN NOT NULL,
  operated_id TEXT,
  credit_score INTEGER NOT NULL DEFAULT 100,
  level INTEGER NOT NULL DEFAULT 1,
  vip_until BIGINT,
  pay_password_hash TEXT,
  pay_streak INTEGER NOT NULL DEFAULT 0,
  pay_locked_until BIGINT,
  pay_disabled BOOLEAN NOT NULL DEFAULT FALSE,
  created_at BIGINT NOT NULL
);

CREATE TABLE pay_password_failures (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  at BIGINT NOT NULL
);
CREATE INDEX pay_password_failures_by_user ON pay_password_failures (user_id, at);

CREATE TABLE authorization_codes (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE,
  issued_by BIGINT,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT,
  used_by BIGINT REFERENCES users (id),
  used_at BIGINT
);

CREATE TABLE sessions (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  token_hash BLOB NOT NULL UNIQUE,
  entry SMALLINT NOT NULL,
  device TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);

CREATE TABLE tickets (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  ticket_hash BLOB NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES users (id),
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);

CREATE TABLE operators (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  role SMALLINT NOT NULL,
  key_hash BLOB NOT NULL,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);

CREATE TABLE audit (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  at BIGINT NOT NULL,
  operator_id BIGINT,
  operator_name TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  details TEXT NOT NULL,
  reason TEXT NOT NULL,
  prev_hash BLOB NOT NULL,
  hash BLOB NOT NULL
);

CREATE TABLE notifications (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  category SMALLINT NOT NULL,
  template TEXT NOT NULL,
  params TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  read_at BIGINT
);
CREATE INDEX notifications_by_user ON notifications (user_id, id);
CREATE INDEX notifications_unread ON notifications (user_id) WHERE read_at IS NULL;

-- Tables that grow with every movement and event (entries, events, conversions)
-- have no foreign keys: what writes them has locked the rows they name.

-- The ledger -----------------------------------------------------------------

CREATE TABLE wallets (
  user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id),
  available BIGINT NOT NULL DEFAULT 0 CHECK (available >= 0),
  pending BIGINT NOT NULL DEFAULT 0 CHECK (pending >= 0),
  withdrawing BIGINT NOT NULL DEFAULT 0 CHECK (withdrawing >= 0),
  exchanging BIGINT NOT NULL DEFAULT 0 CHECK (exchanging >= 0),
  deposit BIGINT NOT NULL DEFAULT 0 CHECK (deposit >= 0),
  promotional BIGINT NOT NULL DEFAULT 0 CHECK (promotional >= 0),
  advance BIGINT NOT NULL DEFAULT 0 CHECK (advance <= 0),
  income BIGINT NOT NULL DEFAULT 0,
  book_seq BIGINT NOT NULL DEFAULT 0,
  book_head BLOB NOT NULL
);

CREATE TABLE holds (
  plan_id BIGINT NOT NULL PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES users (id),
  available BIGINT NOT NULL CHECK (available >= 0),
  promotional BIGINT NOT NULL CHECK (promotional >= 0),
  coupon BIGINT NOT NULL CHECK (coupon >= 0)
);
CREATE INDEX holds_by_user ON holds (user_id);

CREATE TABLE advertisers (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  key_version INTEGER NOT NULL DEFAULT 1,
  claims BIGINT NOT NULL DEFAULT 0 CHECK (claims >= 0),
  book_seq BIGINT NOT NULL DEFAULT 0,
  book_head BLOB NOT NULL,
  created_at BIGINT NOT NULL
);

-- A book is a user's (the user's id) or an advertiser's (its id, negated);
-- the transactions of one book are chained by their hashes.
CREATE TABLE transactions (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  book BIGINT NOT NULL,
  book_seq BIGINT NOT NULL,
  kind SMALLINT NOT NULL,
  ref_type TEXT NOT NULL,
  ref_id BIGINT NOT NULL,
  event_time BIGINT NOT NULL,
  recorded_at BIGINT NOT NULL,
  idempotency_key TEXT,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  prev_hash BLOB NOT NULL,
  hash BLOB NOT NULL,
  UNIQUE (book, book_seq)
);

CREATE UNIQUE INDEX transactions_once ON transactions (ref_type, idempotency_key, book) WHERE idempotency_key IS NOT NULL;

CREATE TABLE entries (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  transaction_id BIGINT NOT NULL,
  position SMALLINT NOT NULL,
  account_kind SMALLINT NOT NULL,
  owner_id BIGINT NOT NULL,
  plan_id BIGINT,
  amount BIGINT NOT NULL CHECK (amount <> 0),
  balance_after BIGINT,
  flow SMALLINT,
  available_after BIGINT,
  income_after BIGINT,
  ref_type TEXT NOT NULL,
  ref_id BIGINT NOT NULL,
  remark TEXT NOT NULL,
  recorded_at BIGINT NOT NULL,
  UNIQUE (transaction_id, position)
);
CREATE INDEX entries_flow ON entries (owner_id, id) WHERE flow IS NOT NULL;
CREATE INDEX entries_flow_by_kind ON entries (owner_id, flow, id) WHERE flow IS NOT NULL;
CREATE INDEX entries_flow_by_time ON entries (owner_id, recorded_at, id) WHERE flow IS NOT NULL;
CREATE INDEX entries_by_plan ON entries (plan_id, id) WHERE plan_id IS NOT NULL;

CREATE TABLE idempotency_keys (
  user_id BIGINT NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  request_hash BLOB NOT NULL,
  answer TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, key)
);

CREATE TABLE recharges (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL UNIQUE,
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  requested_by BIGINT NOT NULL REFERENCES operators (id),
  requested_at BIGINT NOT NULL,
  decided_by BIGINT REFERENCES operators (id),
  decided_at BIGINT,
  CHECK (decided_by IS NULL OR decided_by <> requested_by)
);

CREATE TABLE withdrawals (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  user_id BIGINT NOT NULL REFERENCES users (id),
  amount BIGINT NOT NULL CHECK (amount > 0),
  fee BIGINT NOT NULL CHECK (fee >= 0),
  status SMALLINT NOT NULL,
  destination TEXT NOT NULL,
  requested_at BIGINT NOT NULL,
  approved_by BIGINT REFERENCES operators (id),
  approved_at BIGINT,
  paid_by BIGINT REFERENCES operators (id),
  decided_at BIGINT,
  reference TEXT,
  reason TEXT NOT NULL DEFAULT '',
  CHECK (paid_by IS NULL OR paid_by <> approved_by)
);
CREATE INDEX withdrawals_by_user ON withdrawals (user_id, id);
CREATE INDEX withdrawals_by_status ON withdrawals (status, id);

CREATE TABLE bank_cards (
  user_id BIGINT NOT NULL PRIMARY KEY REFERENCES users (id),
  method SMALLINT NOT NULL,
  card_name TEXT NOT NULL DEFAULT '',
  user_name TEXT NOT NULL DEFAULT '',
  mobile TEXT NOT NULL DEFAULT '',
  bank_name TEXT NOT NULL DEFAULT '',
  bank_account TEXT NOT NULL DEFAULT '',
  branch_name TEXT NOT NULL DEFAULT '',
  beneficiary_name TEXT NOT NULL DEFAULT '',
  bank_address TEXT NOT NULL DEFAULT '',
  network TEXT NOT NULL DEFAULT '',
  address TEXT NOT NULL DEFAULT '',
  updated_at BIGINT NOT NULL
);

-- Plans and delivery ---------------------------------------------------------

CREATE TABLE products (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  advertiser_id BIGINT NOT NULL REFERENCES advertisers (id),
  name TEXT NOT NULL UNIQUE,
  summary TEXT NOT NULL,
  image TEXT NOT NULL,
  min_put BIGINT NOT NULL CHECK (min_put > 0),
  max_put BIGINT NOT NULL,
  pricing SMALLINT NOT NULL,
  price BIGINT NOT NULL CHECK (price > 0),
  days INTEGER NOT NULL CHECK (days > 0),
  payout BIGINT NOT NULL CHECK (payout > 0),
  attribution_days INTEGER NOT NULL CHECK (attribution_days >= 0),
  fee_rate TEXT NOT NULL,
  content TEXT NOT NULL,
  targeting TEXT NOT NULL,
  landing_url TEXT,
  active BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL,
  CHECK (max_put >= min_put)
);

CREATE TABLE slots (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  publisher TEXT NOT NULL,
  content_types TEXT NOT NULL,
  audience TEXT NOT NULL,
  active BOOLEAN NOT NULL,
  created_at BIGINT NOT NULL
);

-- Amounts named milli are thousandths of a minor unit: a thousandth of a price
-- per thousand impressions is whole in them.
CREATE TABLE plans (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  plan_no TEXT NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES users (id),
  product_id BIGINT NOT NULL REFERENCES products (id),
  advertiser_id BIGINT NOT NULL REFERENCES advertisers (id),
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  official BOOLEAN NOT NULL,
  paused BOOLEAN NOT NULL DEFAULT FALSE,
  content_type SMALLINT,
  put_amount BIGINT NOT NULL DEFAULT 0,
  paid_amount BIGINT NOT NULL DEFAULT 0,
  unit_milli BIGINT NOT NULL,
  pricing SMALLINT NOT NULL,
  price BIGINT NOT NULL,
  days INTEGER NOT NULL,
  payout BIGINT NOT NULL,
  attribution_days INTEGER NOT NULL,
  fee_rate TEXT NOT NULL,
  reserved_milli BIGINT NOT NULL DEFAULT 0,
  booked_milli BIGINT NOT NULL DEFAULT 0,
  rolled_milli BIGINT NOT NULL DEFAULT 0,
  rolled_event_id BIGINT NOT NULL DEFAULT 0,
  rolled_conversion_id BIGINT NOT NULL DEFAULT 0,
  rolled_at BIGINT NOT NULL DEFAULT 0,
  impressions BIGINT NOT NULL DEFAULT 0,
  clicks BIGINT NOT NULL DEFAULT 0,
  filtered BIGINT NOT NULL DEFAULT 0,
  conversions BIGINT NOT NULL DEFAULT 0,
  billed BIGINT NOT NULL DEFAULT 0,
  returned BIGINT NOT NULL DEFAULT 0,
  revenue BIGINT NOT NULL DEFAULT 0,
  fee BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  put_at BIGINT,
  started_at BIGINT,
  due_at BIGINT,
  finished_at BIGINT,
  settles_at BIGINT,
  settled_at BIGINT,
  next_at BIGINT,
  changed_at BIGINT NOT NULL,
  CHECK (reserved_milli >= 0 AND booked_milli >= 0),
  CHECK (booked_milli + reserved_milli <= put_amount * 1000),
  CHECK (billed >= 0 AND billed * 1000 <= booked_milli AND rolled_milli <= booked_milli),
  CHECK (conversions >= 0 AND revenue >= 0)
);
CREATE INDEX plans_by_user ON plans (user_id, id);
CREATE INDEX plans_by_user_status ON plans (user_id, status, id);
-- What the market learns of, and what is due next.
CREATE INDEX plans_changed ON plans (changed_at);
CREATE INDEX plans_next ON plans (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX plans_put ON plans (user_id, put_at) WHERE put_at IS NOT NULL;

-- Plans with events or conversions that are not rolled up yet, and when they
-- were last; 0 where it is urgent.
CREATE TABLE unrolled_plans (
  plan_id BIGINT NOT NULL PRIMARY KEY REFERENCES plans (id),
  rolled_at BIGINT NOT NULL
);
CREATE INDEX unrolled_plans_by_roll ON unrolled_plans (rolled_at);

CREATE TABLE plan_transitions (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  plan_id BIGINT NOT NULL REFERENCES plans (id),
  status SMALLINT NOT NULL,
  reason TEXT NOT NULL,
  at BIGINT NOT NULL
);
CREATE INDEX plan_transitions_by_plan ON plan_transitions (plan_id, id);

-- A part of a plan's budget that one server may promise to creatives without
-- asking: what is left of it counts as reserved until it ends.
CREATE TABLE leases (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  plan_id BIGINT NOT NULL REFERENCES plans (id),
  holder TEXT NOT NULL,
  left_milli BIGINT NOT NULL CHECK (left_milli >= 0),
  ends_at BIGINT NOT NULL
);
CREATE INDEX leases_by_plan ON leases (plan_id);
CREATE INDEX leases_by_end ON leases (ends_at);

-- A valid event is filed under the moment its creative was issued, which is
-- part of its nonce; others are filed under when they came.
CREATE TABLE events (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  plan_id BIGINT NOT NULL,
  kind SMALLINT NOT NULL,
  nonce BLOB NOT NULL,
  slot_id BIGINT,
  realm SMALLINT NOT NULL,
  at BIGINT NOT NULL,
  filed_at BIGINT NOT NULL,
  valid BOOLEAN NOT NULL,
  reason SMALLINT NOT NULL,
  filter_version SMALLINT NOT NULL,
  price_milli BIGINT NOT NULL CHECK (price_milli >= 0),
  visitor BLOB
);
CREATE INDEX events_by_plan ON events (plan_id, id);
CREATE UNIQUE INDEX events_once ON events (nonce, kind) WHERE valid;
CREATE INDEX events_by_visitor ON events (plan_id, visitor, at) WHERE visitor IS NOT NULL AND valid;

CREATE TABLE conversions (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  advertiser_id BIGINT NOT NULL,
  event_key TEXT NOT NULL,
  click_id TEXT NOT NULL,
  plan_id BIGINT,
  occurred_at BIGINT NOT NULL,
  received_at BIGINT NOT NULL,
  realm SMALLINT NOT NULL,
  accepted BOOLEAN NOT NULL,
  reason SMALLINT NOT NULL,
  payout BIGINT NOT NULL,
  reversed_at BIGINT,
  UNIQUE (advertiser_id, event_key)
);
CREATE INDEX conversions_by_plan ON conversions (plan_id, id);

-- Quarter hours of UTC: every time zone's days and hours are whole in them.
CREATE TABLE plan_stats (
  plan_id BIGINT NOT NULL REFERENCES plans (id),
  quarter BIGINT NOT NULL,
  user_id BIGINT NOT NULL,
  impressions BIGINT NOT NULL DEFAULT 0,
  clicks BIGINT NOT NULL DEFAULT 0,
  filtered BIGINT NOT NULL DEFAULT 0,
  conversions BIGINT NOT NULL DEFAULT 0,
  consumed BIGINT NOT NULL DEFAULT 0,
  revenue BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (plan_id, quarter)
);

-- A user's totals from the beginning to the end of a quarter hour: a stretch of
-- time is the difference of two rows, however long it is.
CREATE TABLE user_stats (
  user_id BIGINT NOT NULL REFERENCES users (id),
  quarter BIGINT NOT NULL,
  impressions BIGINT NOT NULL,
  clicks BIGINT NOT NULL,
  consumed BIGINT NOT NULL,
  revenue BIGINT NOT NULL,
  orders BIGINT NOT NULL,
  invested BIGINT NOT NULL,
  settled BIGINT NOT NULL,
  PRIMARY KEY (user_id, quarter)
);

-- History is append-only; a correction is a new, linked transaction.
CREATE TRIGGER transactions_no_update BEFORE UPDATE ON transactions BEGIN SELECT RAISE(ABORT, 'transactions are append-only'); END;
CREATE TRIGGER transactions_no_delete BEFORE DELETE ON transactions BEGIN SELECT RAISE(ABORT, 'transactions are append-only'); END;
CREATE TRIGGER entries_no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE TRIGGER entries_no_delete BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are append-only'); END;
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit are append-only'); END;
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit are append-only'); END;
