//! The roles of deploy/postgres-roles.sql: the server works with one that cannot change
//! the past.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use calendar::Zone;
use campaigns::work;
use diesel::prelude::*;
use diesel::sql_query;
use diesel::sql_types::BigInt;
use store::testing::{EmptyDb, connect_to, empty_postgres, execute};
use tokio::runtime::Runtime;

use crate::client::path_of;
use crate::installation::{self, Installation};
use crate::market::{SLOT, open_market};

const ROLES: &str = include_str!("../../../../deploy/postgres-roles.sql");
const APPEND_ONLY: [&str; 4] = ["transactions", "entries", "events", "audit"];

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

fn by(role: &str, database: &EmptyDb) -> String {
    let (scheme, rest) = database.url.split_once("://").expect("an address");
    let (_, host) = rest.split_once('@').expect("a superuser's name");
    format!("{scheme}://{role}@{host}")
}

/// As an admin creates an installation: roles, migrations, and roles again.
fn prepared() -> (EmptyDb, Installation) {
    let database = empty_postgres();
    execute(&database.url, ROLES).expect("the roles are made");
    let owner = Installation::at(&by("placard_owner", &database));
    drop(owner.app());
    execute(&database.url, ROLES).expect("and given their tables");
    let program = owner.with_url(&by("placard_program", &database));
    (database, program)
}

fn refused(url: &str, sql: &str) {
    let error = execute(url, sql).expect_err(sql).to_string();
    assert!(error.contains("permission denied") || error.contains("must be owner"), "{sql}: {error}");
}

#[test]
fn the_servers_own_role_adds_to_the_ledger_and_changes_nothing_of_it() {
    let (database, program) = prepared();
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(open_market(&program.app()));
    let server = program.start();
    let client = server.client();
    let served = client.get(SLOT).expect("an answer").json();
    assert_eq!(client.get(&path_of(&served["impression_url"])).expect("an answer").status, 200);
    let clicked = client.get(&path_of(&served["click_url"])).expect("an answer");
    assert!(!clicked.click_id().is_empty());
    let seen = runtime.block_on(market.figures(&program.app()));
    assert!(seen.iter().any(|found| found.valid.impressions > 0), "an event was kept: {seen:?}");

    let url = by("placard_program", &database);
    for table in APPEND_ONLY {
        execute(&url, &format!("SELECT 1 FROM {table} LIMIT 1")).expect("it reads");
        let column = if table == "audit" { "at" } else { "id" };
        for sql in [
            format!("UPDATE {table} SET {column} = {column}"),
            format!("DELETE FROM {table}"),
            format!("TRUNCATE {table}"),
            format!("ALTER TABLE {table} DISABLE TRIGGER ALL"),
            format!("DROP TABLE {table}"),
        ] {
            refused(&url, &sql);
        }
    }
    // Nor by bypassing the table through its partitions.
    for part in ["entries_rest", "events_rest"] {
        refused(&url, &format!("DELETE FROM {part}"));
        refused(&url, &format!("INSERT INTO {part} SELECT * FROM {part}"));
    }
    // Nor by saying that they are in a file.
    for table in ["event_archives", "archived_plans"] {
        execute(&url, &format!("SELECT 1 FROM {table} LIMIT 1")).expect("it reads");
        refused(&url, &format!("INSERT INTO {table} SELECT * FROM {table}"));
        refused(&url, &format!("UPDATE {table} SET month = month"));
        refused(&url, &format!("DELETE FROM {table}"));
    }
    refused(&url, "CREATE TABLE mine (id BIGINT)");
    refused(&url, "UPDATE __diesel_schema_migrations SET version = version");
    refused(&url, "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE sql AS 'SELECT NULL'");
    // Future months get their partitions all the same.
    execute(&url, "SELECT create_partitions(4102444800000, 1)").expect("partitions");
    refused(&url, "DELETE FROM entries_2100_01");
}

/// What is left of `events` and what is in files, and how many events the plans have.
fn events(database: &EmptyDb) -> (i64, i64, i64) {
    let mut conn = connect_to(&database.url).expect("opens");
    let mut number = |sql: &str| sql_query(format!("SELECT ({sql})::BIGINT AS n")).get_result::<Number>(&mut conn);
    let [left, filed, counted] = [
        "SELECT COUNT(*) FROM events",
        "SELECT COALESCE(SUM(events), 0) FROM archived_plans",
        "SELECT SUM(impressions + clicks + viewable + filtered) FROM plans",
    ]
    .map(|sql| number(sql).expect("a number").n);
    (left, filed, counted)
}

#[test]
fn only_the_owner_moves_events_into_files() {
    let (database, program) = prepared();
    let owner = program.with_url(&by("placard_owner", &database));
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(open_market(&program.app()));
    let server = program.start();
    let served = server.client().get(SLOT).expect("an answer").json();
    assert_eq!(server.client().get(&path_of(&served["impression_url"])).expect("an answer").status, 200);
    drop(server);
    // The plans' days end, and then the time in which conversions count.
    let now = program.app().now();
    let month = Zone::UTC.month(now);
    for days in (5..=60).step_by(5) {
        let app = program.app_at(now.plus_days(days));
        runtime.block_on(work::round(&app)).expect("works");
    }
    assert_eq!(events(&database), (1, 0, 1));
    let later = now.plus_days(60);
    let refused = runtime.block_on(market.archive(&program.app_at(later), month)).expect_err("refused");
    assert_eq!((refused.key(), events(&database)), (Some("owner_needed"), (1, 0, 1)));
    let archived = runtime.block_on(market.archive(&owner.app_at(later), month)).expect("archived");
    assert_eq!((archived.events, events(&database)), (1, (0, 1, 1)));
    assert!(owner.path("files").join(&archived.file).exists(), "{archived:?}");
}

#[test]
fn a_pending_migration_is_left_to_the_owner_and_said_so() {
    let (database, program) = prepared();
    let last =
        "DELETE FROM __diesel_schema_migrations WHERE version = (SELECT MAX(version) FROM __diesel_schema_migrations)";
    execute(&by("placard_owner", &database), last).expect("one is pending");
    let mut command = Command::new(installation::PROGRAM);
    let output = command.env_clear().envs(program.environment()).env("PLACARD_BIND", "127.0.0.1:0").output();
    let output = output.expect("ends");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(errors.starts_with("placard-server: PLACARD_DATABASE_URL: ") && errors.lines().count() == 1, "{errors}");
    assert!(errors.contains("1 migrations are pending") && errors.contains("placard migrate"), "{errors}");
}

#[test]
fn a_role_that_may_not_even_look_is_told_whose_work_it_is() {
    let (database, program) = prepared();
    execute(&database.url, "REVOKE USAGE ON SCHEMA public FROM placard_program").expect("revoked");
    let mut command = Command::new(installation::PROGRAM);
    let output = command.env_clear().envs(program.environment()).env("PLACARD_BIND", "127.0.0.1:0").output();
    let errors = String::from_utf8(output.expect("ends").stderr).expect("text");
    assert!(errors.starts_with("placard-server: PLACARD_DATABASE_URL: ") && errors.lines().count() == 1, "{errors}");
    assert!(errors.contains("this role may make no tables"), "{errors}");
}

#[test]
fn an_installation_that_a_superuser_made_is_handed_over() {
    let database = empty_postgres();
    let superuser = Installation::at(&database.url);
    drop(superuser.app());
    execute(&database.url, ROLES).expect("the roles are made");
    let program = superuser.with_url(&by("placard_program", &database));
    drop(program.app());
    refused(&by("placard_program", &database), "DELETE FROM audit");
    execute(&by("placard_owner", &database), "ALTER TABLE audit ADD COLUMN more BIGINT").expect("it is the owner's");
}

/// As most people make one, and as a hosted PostgreSQL gives it: nobody there is a superuser.
#[test]
fn an_ordinary_role_that_owns_its_database_is_enough() {
    let database = empty_postgres();
    let role = "placard_ordinary";
    let name = database.url.rsplit_once('/').expect("a database").1;
    // Another test's run may have made it.
    let make = format!(
        "DO $$ BEGIN CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
    );
    execute(&database.url, &make).expect("a role");
    execute(&database.url, &format!("ALTER DATABASE \"{name}\" OWNER TO {role}")).expect("its database");
    let url = by(role, &database);
    refused(&url, "SET lc_messages = 'C'");
    let installation = Installation::at(&url);
    let server = installation.start();
    assert_eq!(server.client().get("/readyz").expect("an answer").status, 200);
}

// Each night, `audit verify` tells the same. Meanwhile a trigger could have the program write whatever its owner wants.
#[test]
fn what_somebody_changed_in_the_schema_is_told_at_the_start() {
    let (database, program) = prepared();
    let planted = "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$; \
                   CREATE TRIGGER planted BEFORE UPDATE ON operators FOR EACH ROW EXECUTE FUNCTION planted()";
    execute(&database.url, planted).expect("planted");
    let server = program.start();
    let is_told = |_| {
        sleep(Duration::from_millis(100));
        program.said(&server).contains("the trigger planted of operators was put in")
    };
    assert!((0..50).any(is_told), "{}", program.said(&server));
}
