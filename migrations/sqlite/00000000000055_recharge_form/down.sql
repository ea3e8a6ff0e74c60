DROP TABLE recharge_announcements;
DROP TABLE pay_in_accounts;
