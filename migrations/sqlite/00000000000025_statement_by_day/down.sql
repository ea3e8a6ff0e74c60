DROP INDEX entries_flow_unbilled;
DROP INDEX entries_flow_by_time;
CREATE INDEX entries_flow_by_time ON entries (owner_id, recorded_at, id) WHERE flow IS NOT NULL;
