-- How far videos were played: docs/DELIVERY.md. What was reported of a view, by the nonce of its creative, as long as more may
-- come: one bit for each report, by its code.
CREATE TABLE played_views (
  nonce BLOB NOT NULL PRIMARY KEY CHECK (length(nonce) = 16),
  plan_id BIGINT NOT NULL REFERENCES plans (id),
  reported SMALLINT NOT NULL,
  -- The part of it that is in plan_videos.
  counted SMALLINT NOT NULL,
  -- When its creative was sent.
  issued_at BIGINT NOT NULL
);
CREATE INDEX played_views_by_time ON played_views (issued_at);
CREATE INDEX played_views_uncounted ON played_views (issued_at) WHERE reported <> counted;
-- In how many views that count a plan's videos were played so far.
CREATE TABLE plan_videos (
  plan_id BIGINT NOT NULL PRIMARY KEY REFERENCES plans (id),
  started BIGINT NOT NULL,
  first_quartile BIGINT NOT NULL,
  midpoint BIGINT NOT NULL,
  third_quartile BIGINT NOT NULL,
  completed BIGINT NOT NULL,
  skipped BIGINT NOT NULL
);
