ALTER TABLE authorization_codes DROP COLUMN activation;
ALTER TABLE user_stats DROP COLUMN platform_paid;
ALTER TABLE plan_stats DROP COLUMN platform_paid;
