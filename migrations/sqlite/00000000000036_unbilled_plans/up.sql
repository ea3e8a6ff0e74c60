-- Plans whose counted events are not all billed, and when they are at the latest.
CREATE TABLE unbilled_plans (
  plan_id BIGINT NOT NULL PRIMARY KEY REFERENCES plans (id),
  user_id BIGINT NOT NULL,
  bill_at BIGINT NOT NULL
);
CREATE INDEX unbilled_plans_by_time ON unbilled_plans (bill_at);
CREATE INDEX unbilled_plans_by_user ON unbilled_plans (user_id);
