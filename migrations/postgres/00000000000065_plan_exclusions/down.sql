DROP TABLE plan_exclusions;
