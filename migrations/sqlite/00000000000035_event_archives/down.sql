DROP TRIGGER events_no_delete;
DROP TABLE archived_plans;
DROP TABLE event_archives;
