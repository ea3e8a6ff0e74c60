DROP TRIGGER events_no_delete ON events;
DROP FUNCTION is_archived(BIGINT);
DROP TABLE archived_plans;
DROP TABLE event_archives;
