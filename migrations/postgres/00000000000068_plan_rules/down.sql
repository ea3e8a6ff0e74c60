ALTER TABLE push_subscriptions DROP COLUMN rules;
DROP TABLE plan_rules;
