DROP INDEX entries_of_plans;
