-- Ad exchanges that ask for bids by OpenRTB, called SSPs (supply-side platforms). An SSP is a
-- publisher with one slot, in which everything is counted that it delivers.
ALTER TABLE publishers ADD COLUMN kind SMALLINT NOT NULL DEFAULT 0 CHECK (kind IN (0, 1));

-- It has no key until two people have agreed on it.
CREATE TABLE ssps (
  publisher_id BIGINT NOT NULL PRIMARY KEY REFERENCES publishers (id),
  slot_id BIGINT NOT NULL UNIQUE REFERENCES slots (id),
  key_hash BLOB UNIQUE,
  -- On whose behalf the platform bids, where the SSP knows seats.
  seat TEXT
);

-- How many of its requests had which outcome, by UTC day.
CREATE TABLE ssp_days (
  publisher_id BIGINT NOT NULL,
  day BIGINT NOT NULL,
  outcome SMALLINT NOT NULL,
  number BIGINT NOT NULL,
  PRIMARY KEY (publisher_id, day, outcome)
);

-- How often a plan's ads were offered in an SSP's auctions.
CREATE TABLE plan_bids (
  plan_id BIGINT NOT NULL,
  slot_id BIGINT NOT NULL,
  bids BIGINT NOT NULL,
  PRIMARY KEY (plan_id, slot_id)
);

-- The price at which an SSP's auction was won, in thousandths of a minor unit, and the site or app.
ALTER TABLE events ADD COLUMN cleared_milli BIGINT CHECK (cleared_milli >= 0);
ALTER TABLE events ADD COLUMN source TEXT;
-- What an SSP is owed by these prices. Publishers earn a share, and have nothing here.
ALTER TABLE plan_slots ADD COLUMN owed_milli BIGINT NOT NULL DEFAULT 0 CHECK (owed_milli >= 0);

-- A plan's figures on each site and in each app of an SSP.
CREATE TABLE plan_sources (
  plan_id BIGINT NOT NULL,
  slot_id BIGINT NOT NULL,
  source TEXT NOT NULL,
  impressions BIGINT NOT NULL,
  clicks BIGINT NOT NULL,
  viewable BIGINT NOT NULL,
  cost_milli BIGINT NOT NULL,
  PRIMARY KEY (plan_id, slot_id, source)
);

-- What SSPs are told of a product, as JSON: its categories, its deals, and its pictures' sizes.
ALTER TABLE products ADD COLUMN openrtb TEXT;
