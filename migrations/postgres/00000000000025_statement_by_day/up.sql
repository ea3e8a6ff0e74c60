-- The statement for reading adds up a day's bills: the index that leads to a day now has
-- all that is added up, and bills are in no index more than before.
DROP INDEX entries_flow_by_time;
CREATE INDEX entries_flow_by_time ON entries (owner_id, recorded_at, id, flow, plan_id, account_kind, amount) WHERE flow IS NOT NULL;
-- Every other line is listed by itself, and would be hard to find among the bills.
CREATE INDEX entries_flow_unbilled ON entries (owner_id, recorded_at, id, flow, account_kind, amount) WHERE flow IS NOT NULL AND flow <> 3;
