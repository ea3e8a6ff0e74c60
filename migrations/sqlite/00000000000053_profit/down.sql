DROP TABLE user_profits;
ALTER TABLE plans DROP COLUMN reckoned_settled;
ALTER TABLE plans DROP COLUMN reckoned_revenue;
ALTER TABLE plans DROP COLUMN reckoned_milli;
ALTER TABLE plan_stats DROP COLUMN corrected;
ALTER TABLE plan_stats DROP COLUMN fee;
ALTER TABLE plan_stats DROP COLUMN platform_used;
ALTER TABLE plan_stats DROP COLUMN used;
ALTER TABLE plan_stats DROP COLUMN used_milli;
