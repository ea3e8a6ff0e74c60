-- Two roles for an installation on PostgreSQL 15 or later. Run it as a superuser in the installation's database, once
-- when the database is new and again after every migration; it may be run as often as one likes:
--
--   psql -d placard -f deploy/postgres-roles.sql
--   PLACARD_DATABASE_URL=postgres://placard_owner@…/placard placard migrate
--   psql -d placard -f deploy/postgres-roles.sql
--
-- placard_owner   has the tables and migrates them. Nothing runs with it otherwise.
-- placard_program is the servers' and, on their machines, `placard`'s. What the ledger, the events and the audit say it
--                 can add to and read, and neither change nor delete; it makes no tables.
--
-- Passwords are yours to set: ALTER ROLE placard_program PASSWORD '…'.

DO $$
DECLARE
  role TEXT;
BEGIN
  FOREACH role IN ARRAY ARRAY['placard_owner', 'placard_program'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
        EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE', role);
      END IF;
    -- Somebody made it in another database of this server meanwhile.
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END LOOP;
END $$;

-- Messages are read by the program, in one language.
DO $$ BEGIN
  IF NOT has_parameter_privilege('placard_program', 'lc_messages', 'SET') THEN
    GRANT SET ON PARAMETER lc_messages TO placard_owner, placard_program;
  END IF;
EXCEPTION WHEN OTHERS THEN
  -- Parameters are the whole server's: somebody else may have granted it meanwhile.
  IF NOT has_parameter_privilege('placard_program', 'lc_messages', 'SET') THEN RAISE; END IF;
END $$;

DO $$ BEGIN
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO placard_owner, placard_program', current_database());
END $$;
REVOKE ALL ON SCHEMA public FROM PUBLIC, placard_program;
GRANT USAGE, CREATE ON SCHEMA public TO placard_owner;
GRANT USAGE ON SCHEMA public TO placard_program;

-- An installation that another role made becomes the owner's.
DO $$
DECLARE
  thing REGCLASS;
  function REGPROCEDURE;
BEGIN
  FOR thing IN
    SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND relowner <> 'placard_owner'::regrole
  LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO placard_owner', thing);
  END LOOP;
  FOR function IN
    SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proowner <> 'placard_owner'::regrole
  LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO placard_owner', function);
  END LOOP;
END $$;

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM PUBLIC, placard_program;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO placard_program;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO placard_program;

DO $$
DECLARE
  thing RECORD;
BEGIN
  -- A partition is written through its table, whose privileges hold then.
  FOR thing IN
    SELECT oid::regclass AS name, relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND relname <> '__diesel_schema_migrations'
  LOOP
    IF thing.relname IN ('transactions', 'entries', 'events', 'audit') THEN
      EXECUTE format('GRANT INSERT ON %s TO placard_program', thing.name);
    -- Which events are in files, only the owner says.
    ELSIF thing.relname IN ('event_archives', 'archived_plans') THEN
      NULL;
    ELSE
      EXECUTE format('GRANT INSERT, UPDATE, DELETE ON %s TO placard_program', thing.name);
    END IF;
  END LOOP;
  -- Servers make the partitions of the months to come, with the owner's hands.
  IF to_regprocedure('create_partitions(bigint, integer)') IS NOT NULL THEN
    ALTER FUNCTION create_partitions(BIGINT, INTEGER) SECURITY DEFINER SET search_path = public, pg_temp;
    REVOKE ALL ON FUNCTION create_partitions(BIGINT, INTEGER) FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION create_partitions(BIGINT, INTEGER) TO placard_program;
    -- Looking whether the month after next is there must not need more than reading it.
    ALTER DEFAULT PRIVILEGES FOR ROLE placard_owner IN SCHEMA public GRANT SELECT ON TABLES TO placard_program;
  END IF;
END $$;
