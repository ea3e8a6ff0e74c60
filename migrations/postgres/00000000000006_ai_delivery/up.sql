-- AI delivery: which creative was chosen for whom, how likely that was, and
-- what was known when it was. Events and conversions of other plans have none.
ALTER TABLE plans ADD COLUMN ai_delivery BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX plans_by_product ON plans (product_id, id);

-- A number of 0 to 7, and 8 to 15 for the same arms in the holdout.
ALTER TABLE events ADD COLUMN arm SMALLINT;
-- The arms it was chosen among, one bit each.
ALTER TABLE events ADD COLUMN among SMALLINT;
-- Per million.
ALTER TABLE events ADD COLUMN propensity INTEGER;
-- The last event of the plan that was known.
ALTER TABLE events ADD COLUMN learned BIGINT;
ALTER TABLE conversions ADD COLUMN arm SMALLINT;

-- One creative before one part of the audience; the holdout's part is counted
-- in both.
CREATE TABLE plan_arms (
  plan_id BIGINT NOT NULL REFERENCES plans (id),
  arm SMALLINT NOT NULL CHECK (arm BETWEEN 0 AND 7),
  content_type SMALLINT NOT NULL,
  audience TEXT NOT NULL,
  -- What was expected when the plan was put: clicks per million impressions.
  prior BIGINT NOT NULL,
  impressions BIGINT NOT NULL DEFAULT 0,
  clicks BIGINT NOT NULL DEFAULT 0,
  conversions BIGINT NOT NULL DEFAULT 0,
  held_impressions BIGINT NOT NULL DEFAULT 0,
  held_clicks BIGINT NOT NULL DEFAULT 0,
  held_conversions BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (plan_id, arm),
  CHECK (held_impressions BETWEEN 0 AND impressions AND held_clicks BETWEEN 0 AND clicks),
  CHECK (held_conversions BETWEEN 0 AND conversions)
) WITH (fillfactor = 70);
