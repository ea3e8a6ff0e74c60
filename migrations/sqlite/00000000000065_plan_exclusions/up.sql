-- Where a user's plans are not shown: in a publisher's slot (the source is empty), or on a site or in an app of exchanges
-- (the slot is 0). The plan is 0 for all of the user's plans.
CREATE TABLE plan_exclusions (
  user_id BIGINT NOT NULL REFERENCES users (id),
  plan_id BIGINT NOT NULL,
  slot_id BIGINT NOT NULL,
  source TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, plan_id, slot_id, source)
);
