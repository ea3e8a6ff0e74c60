-- What settled plans came to, by which their user's list is sorted. Plans of before are added at the start.
CREATE TABLE plan_results (
  plan_id BIGINT NOT NULL PRIMARY KEY REFERENCES plans (id),
  user_id BIGINT NOT NULL REFERENCES users (id),
  profit BIGINT NOT NULL,
  -- Profit per own money used, in millionths; 0 if none was used.
  return_millionths BIGINT NOT NULL,
  consumed BIGINT NOT NULL,
  conversions BIGINT NOT NULL
);
CREATE INDEX plan_results_by_profit ON plan_results (user_id, profit, plan_id);
CREATE INDEX plan_results_by_return ON plan_results (user_id, return_millionths, plan_id);
CREATE INDEX plan_results_by_consumed ON plan_results (user_id, consumed, plan_id);
CREATE INDEX plan_results_by_conversions ON plan_results (user_id, conversions, plan_id);
