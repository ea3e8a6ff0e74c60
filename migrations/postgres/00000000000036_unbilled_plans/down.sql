DROP TABLE unbilled_plans;
