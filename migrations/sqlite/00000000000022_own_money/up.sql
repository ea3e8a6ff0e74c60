-- What coupons and promotional credit paid of what was consumed. A bill takes
-- that part of a budget before the user's own money, so it follows from what
-- was consumed before.
ALTER TABLE plan_stats ADD COLUMN platform_paid BIGINT NOT NULL DEFAULT 0;
ALTER TABLE user_stats ADD COLUMN platform_paid BIGINT NOT NULL DEFAULT 0;

UPDATE plan_stats SET platform_paid = c.part FROM (
  SELECT s.plan_id, s.quarter,
    MIN(s.so_far, p.put_amount - p.paid_amount) - MIN(s.so_far - s.consumed, p.put_amount - p.paid_amount) AS part
  FROM (
    SELECT plan_id, quarter, consumed, SUM(consumed) OVER (PARTITION BY plan_id ORDER BY quarter) AS so_far
    FROM plan_stats
  ) s
  JOIN plans p ON p.id = s.plan_id
  WHERE p.put_amount > p.paid_amount
) c WHERE plan_stats.plan_id = c.plan_id AND plan_stats.quarter = c.quarter;

UPDATE user_stats SET platform_paid = c.so_far FROM (
  SELECT u.user_id, u.quarter, SUM(COALESCE(q.part, 0)) OVER (PARTITION BY u.user_id ORDER BY u.quarter) AS so_far
  FROM user_stats u
  LEFT JOIN (SELECT user_id, quarter, SUM(platform_paid) AS part FROM plan_stats GROUP BY user_id, quarter) q
    ON q.user_id = u.user_id AND q.quarter = u.quarter
) c WHERE user_stats.user_id = c.user_id AND user_stats.quarter = c.quarter AND c.so_far > 0;

-- Whether the account that a code opens may act at once (1) or waits until
-- staff activate it (2).
ALTER TABLE authorization_codes ADD COLUMN activation SMALLINT NOT NULL DEFAULT 1 CHECK (activation IN (1, 2));
