-- From a plan to the lines of the statement that it is the document of. Bills are left out: they are found by
-- the hold that they are on, and come too often to be in one index more.
CREATE INDEX entries_of_plans ON entries (ref_id, id) WHERE ref_type = 'plan' AND flow <> 3;
