-- What exchanges said that they have won, by the nonce of the offer: its price is reserved in this
-- lease until then, whichever server is told that it was shown. It goes with its lease.
CREATE TABLE won_offers (
  nonce BLOB NOT NULL PRIMARY KEY CHECK (length(nonce) = 16),
  lease_id BIGINT NOT NULL REFERENCES leases (id) ON DELETE CASCADE,
  until BIGINT NOT NULL
);
CREATE INDEX won_offers_by_lease ON won_offers (lease_id);

-- It does not say which offers have won, as two people agreed.
ALTER TABLE ssps ADD COLUMN silent BOOLEAN NOT NULL DEFAULT FALSE;
