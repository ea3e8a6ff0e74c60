DROP TABLE plan_results;
