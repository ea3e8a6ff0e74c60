-- How the key came to its holder: 0 printed to staff, 1 claimed by a link, 2 the public half of a
-- pair, 3 there is none yet. Keys from before counterparties got theirs themselves were printed.
ALTER TABLE advertisers ADD COLUMN key_origin SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE publishers ADD COLUMN key_origin SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE ssps ADD COLUMN key_origin SMALLINT NOT NULL DEFAULT 0;

-- A key that counts once a second person has confirmed its fingerprint: one for each request.
CREATE TABLE offered_keys (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  request_id BIGINT NOT NULL UNIQUE REFERENCES money_requests (id),
  -- Of an advertiser, or of a publisher or exchange.
  advertiser_id BIGINT REFERENCES advertisers (id),
  publisher_id BIGINT REFERENCES publishers (id),
  -- 1 claimed, 2 brought: as above.
  origin SMALLINT NOT NULL,
  -- The SHA-256 of the link that claims it; what is brought has none.
  link_digest BLOB UNIQUE,
  -- A public key or a token's digest in hexadecimal, or a signing key, sealed; none before it is
  -- claimed, nor after it counts.
  material TEXT,
  fingerprint TEXT,
  offered_at BIGINT NOT NULL,
  claimed_at BIGINT,
  CHECK ((advertiser_id IS NULL) <> (publisher_id IS NULL)),
  CHECK (origin = 1 OR fingerprint IS NOT NULL),
  CHECK ((fingerprint IS NULL) = (claimed_at IS NULL))
);
CREATE INDEX offered_keys_by_advertiser ON offered_keys (advertiser_id);
