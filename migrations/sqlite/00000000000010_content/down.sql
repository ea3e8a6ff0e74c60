DROP INDEX coupons_of_definition;
DROP TABLE sent_notices;
DROP TABLE activities;
DROP TABLE questions;
DROP TABLE contacts;
DROP TABLE content_version;
