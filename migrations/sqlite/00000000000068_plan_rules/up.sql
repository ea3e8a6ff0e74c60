-- What users want to be told of while a plan runs, and whether it is paused then.
CREATE TABLE plan_rules (
  plan_id BIGINT NOT NULL REFERENCES plans (id),
  kind SMALLINT NOT NULL,
  action SMALLINT NOT NULL,
  -- What it compares with, in minor units.
  amount BIGINT,
  -- Time without a view counts from here on, if not from a later view.
  since BIGINT NOT NULL,
  -- Since when it holds, and when its user was told last.
  crossed_at BIGINT,
  told_at BIGINT,
  -- When a rule about time is looked at next.
  due_at BIGINT,
  PRIMARY KEY (plan_id, kind)
);
CREATE INDEX plan_rules_due ON plan_rules (due_at) WHERE due_at IS NOT NULL;
-- Whoever sets up a rule is told on the devices that were registered before there were rules.
ALTER TABLE push_subscriptions ADD COLUMN rules BOOLEAN NOT NULL DEFAULT TRUE;
