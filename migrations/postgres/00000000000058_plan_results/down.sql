DROP INDEX plans_by_user_product;
DROP TABLE plan_results;
