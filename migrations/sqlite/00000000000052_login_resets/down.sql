ALTER TABLE users DROP COLUMN pay_setup_held_until;
DROP TABLE login_resets;
