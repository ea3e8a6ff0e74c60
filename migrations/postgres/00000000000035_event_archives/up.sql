-- Events of months that are over are moved into files (docs/DELIVERY.md, "Archive of events"). A row says which
-- file holds a month, and by which digests it is recognised. `month` is a number such as 202608, and an event
-- belongs to the month it was filed in.
CREATE TABLE event_archives (
  month BIGINT NOT NULL PRIMARY KEY,
  begins_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL,
  events BIGINT NOT NULL,
  first_id BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  file TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  footer_at BIGINT NOT NULL,
  footer_sha256 TEXT NOT NULL,
  rows_sha256 TEXT NOT NULL,
  archived_at BIGINT NOT NULL,
  archived_by BIGINT NOT NULL
);

-- Which plans have events in which of these files.
CREATE TABLE archived_plans (
  plan_id BIGINT NOT NULL,
  month BIGINT NOT NULL,
  events BIGINT NOT NULL,
  first_id BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  PRIMARY KEY (plan_id, month)
);
CREATE INDEX archived_plans_by_month ON archived_plans (month, plan_id);

-- Only events of a month that is in a file can be removed.
CREATE FUNCTION is_archived(moment BIGINT) RETURNS BOOLEAN LANGUAGE sql STABLE
RETURN EXISTS (SELECT 1 FROM event_archives WHERE begins_at <= moment AND moment < ends_at);
CREATE TRIGGER events_no_delete BEFORE DELETE ON events FOR EACH ROW WHEN (NOT is_archived(OLD.filed_at)) EXECUTE FUNCTION refuse_change();
