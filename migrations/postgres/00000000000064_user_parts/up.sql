-- Where the click of a conversion was: in which slot, on which site or in which app of an exchange, and on which device.
ALTER TABLE conversions ADD COLUMN slot_id BIGINT;
ALTER TABLE conversions ADD COLUMN source TEXT;
ALTER TABLE conversions ADD COLUMN device SMALLINT;

-- A user's totals of a site, a form, a kind of device, and of everything (4), from the beginning to the end of a quarter
-- hour, as in `user_stats`. What a server of the version before counts is in no part, and reports say so.
CREATE TABLE user_parts (
  user_id BIGINT NOT NULL REFERENCES users (id),
  dimension SMALLINT NOT NULL,
  part TEXT COLLATE "C" NOT NULL,
  quarter BIGINT NOT NULL,
  impressions BIGINT NOT NULL,
  clicks BIGINT NOT NULL,
  conversions BIGINT NOT NULL,
  revenue BIGINT NOT NULL,
  used_milli BIGINT NOT NULL,
  PRIMARY KEY (user_id, dimension, part, quarter)
);

-- Of everything, what was counted before is known.
INSERT INTO user_parts (user_id, dimension, part, quarter, impressions, clicks, conversions, revenue, used_milli)
SELECT user_id, 4, '', quarter, CAST(SUM(impressions) OVER w AS BIGINT), CAST(SUM(clicks) OVER w AS BIGINT),
  CAST(SUM(conversions) OVER w AS BIGINT), CAST(SUM(revenue) OVER w AS BIGINT), CAST(SUM(used_milli) OVER w AS BIGINT)
FROM (SELECT user_id, quarter, SUM(impressions) AS impressions, SUM(clicks) AS clicks, SUM(conversions) AS conversions,
  SUM(revenue) AS revenue, SUM(used_milli) AS used_milli FROM plan_stats GROUP BY user_id, quarter) AS q
WINDOW w AS (PARTITION BY user_id ORDER BY quarter);
