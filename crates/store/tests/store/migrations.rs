//! What a migration may do while servers of the version before work on the same database.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use db::{Conn, Migrations, Target, migrate};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use diesel_migrations::embed_migrations;
use store::testing::{empty_postgres, execute};

/// The last migration of 0.1.0. The ones up to it were run with all servers stopped.
const OF_0_1_0: &str = "00000000000032";

static CONTRACTING: Migrations = Migrations {
    sqlite: embed_migrations!("tests/contracting/sqlite"),
    postgres: embed_migrations!("tests/contracting/postgres"),
};

static WAITING: Migrations =
    Migrations { sqlite: embed_migrations!("tests/waiting"), postgres: embed_migrations!("tests/waiting") };

/// Statements with comments removed and spaces joined.
fn statements(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a migration");
    let code: Vec<_> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let words = |statement: &str| statement.split_whitespace().collect::<Vec<_>>().join(" ");
    code.join(" ").split(';').map(words).filter(|statement| !statement.is_empty()).collect()
}

/// Why a statement would disturb servers at work, given the tables that its own file creates.
fn disturbs(statement: &str, new: &[String]) -> Option<&'static str> {
    let upper = statement.to_uppercase();
    let concerns = |table: &str| new.iter().any(|new| new == table);
    let after = |word: &str| {
        let (_, rest) = statement.split_once(word)?;
        Some(rest.trim_start().split([' ', '(']).next().unwrap_or_default().to_owned())
    };
    // Of a migration that concerns SQLite alone.
    let nothing = upper == "SELECT 1";
    if nothing || upper.starts_with("CREATE TABLE") || upper.starts_with("CREATE FUNCTION") {
        return None;
    }
    if upper.starts_with("CREATE TRIGGER") {
        // No version removed events, so none is refused anything that it does.
        return (!upper.contains(" BEFORE DELETE ON EVENTS ")).then_some("the version before may do what it refuses");
    }
    if upper.starts_with("CREATE INDEX") || upper.starts_with("CREATE UNIQUE INDEX") {
        let of_new = after(" ON ").is_some_and(|table| concerns(&table));
        return (!of_new && !upper.contains(" CONCURRENTLY ")).then_some("building this index locks out every writer");
    }
    if upper.starts_with("ALTER TABLE") {
        if after("ALTER TABLE ").is_some_and(|table| concerns(&table)) {
            return None;
        }
        // No version reads whose a file is; each asks only for a user's.
        if upper == "ALTER TABLE FILES ALTER COLUMN USER_ID DROP NOT NULL" {
            return None;
        }
        if !upper.contains(" ADD COLUMN ") && !upper.ends_with(" NOT VALID") {
            return Some("this reads or rewrites the whole table, or takes something away");
        }
        let slow =
            ["REFERENCES", "UNIQUE", "PRIMARY KEY", "GENERATED", "SERIAL"].iter().any(|word| upper.contains(word));
        let computed = upper.split(" DEFAULT ").nth(1).is_some_and(|default| default.contains('('));
        let empty = upper.contains(" NOT NULL") && !upper.contains(" DEFAULT ");
        return (slow || computed || empty).then_some("this column cannot be added without reading every row");
    }
    // Nobody waits for rows that are only read.
    if upper.starts_with("INSERT INTO") && after("INSERT INTO ").is_some_and(|table| concerns(&table)) {
        return None;
    }
    Some("the version before may still use it, or it changes rows while they are used")
}

fn created(statements: &[String]) -> Vec<String> {
    let tables = statements.iter().filter_map(|statement| statement.strip_prefix("CREATE TABLE "));
    tables.filter_map(|rest| rest.split([' ', '(']).next()).map(str::to_owned).collect()
}

#[test]
fn a_migration_leaves_the_version_before_at_work() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../migrations/postgres");
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("migrations").map(|entry| entry.expect("a folder")) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.split('_').next().is_none_or(|number| number <= OF_0_1_0) || name.ends_with("_contract") {
            continue;
        }
        let statements = statements(&entry.path().join("up.sql"));
        let new = created(&statements);
        for statement in &statements {
            assert_eq!(disturbs(statement, &new), None, "{name}: {statement}");
        }
        seen += 1;
    }
    assert!(seen > 1, "{seen} migrations are newer than 0.1.0");
}

#[test]
fn what_disturbs_is_recognised() {
    let new = ["fresh".to_owned()];
    for good in [
        "SELECT 1",
        "CREATE TABLE fresh (id BIGINT)",
        "CREATE INDEX a ON fresh (id)",
        "INSERT INTO fresh (id) SELECT id FROM events",
        "ALTER TABLE files ALTER COLUMN user_id DROP NOT NULL",
        "CREATE INDEX CONCURRENTLY a ON events (id)",
        "ALTER TABLE events ADD COLUMN a BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE events ADD COLUMN a TEXT",
        "ALTER TABLE events ADD CONSTRAINT a CHECK (id > 0) NOT VALID",
        "CREATE TRIGGER a BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION b()",
    ] {
        assert_eq!(disturbs(good, &new), None, "{good}");
    }
    for bad in [
        "CREATE INDEX a ON events (id)",
        "CREATE UNIQUE INDEX a ON events (id)",
        "ALTER TABLE events ADD COLUMN a BIGINT NOT NULL",
        "ALTER TABLE events ADD COLUMN a BIGINT DEFAULT (random())",
        "ALTER TABLE events ADD COLUMN a BIGINT REFERENCES plans (id)",
        "ALTER TABLE events ALTER COLUMN id TYPE TEXT",
        "ALTER TABLE events DROP COLUMN id",
        "ALTER TABLE events ALTER COLUMN id DROP NOT NULL",
        "INSERT INTO events (id) SELECT id FROM fresh",
        "ALTER TABLE events RENAME TO others",
        "DROP TABLE events",
        "CREATE TRIGGER a BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION b()",
        "UPDATE events SET id = 1",
    ] {
        assert!(disturbs(bad, &new).is_some(), "{bad}");
    }
}

#[test]
fn what_an_older_server_uses_is_not_removed_while_it_is_connected() {
    let database = empty_postgres();
    let target = Target::parse(&database.url).expect("an address");
    let (mut conn, mut server) = (target.open().expect("connected"), target.open().expect("connected"));
    server.batch_execute("SET application_name = 'placard 0.1.9'").expect("named");
    let refused = CONTRACTING.run(&mut conn).expect_err("refused").to_string();
    assert!(refused.contains("00000000000002 removes what placard 0.1.9 still uses"), "{refused}");
    execute(&database.url, "SELECT 1 FROM __diesel_schema_migrations").expect_err("nothing was migrated");

    server.batch_execute("SET application_name = 'psql'").expect("named");
    CONTRACTING.run(&mut conn).expect("a person who looks is no server");
    execute(&database.url, "SELECT old_name FROM things").expect_err("it is gone");
    assert_eq!(CONTRACTING.contracting().expect("read"), ["00000000000002"]);
}

#[test]
fn nobody_waits_behind_a_migration_that_waits() {
    let database = empty_postgres();
    let target = Target::parse(&database.url).expect("an address");
    let (mut conn, mut other, mut long) =
        (target.open().expect("connected"), target.open().expect("connected"), target.open().expect("connected"));
    long.batch_execute("CREATE TABLE things (id BIGINT)").expect("a table");
    long.batch_execute("BEGIN; SELECT * FROM things").expect("it is read for long");
    thread::scope(|scope| {
        let migrated = scope.spawn(move || WAITING.run(&mut conn));
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(2) {
            // Meanwhile, the migration has been waiting for the table.
            other.batch_execute("SET statement_timeout = '1s'; SELECT * FROM things").expect("it is read");
            thread::sleep(Duration::from_millis(5));
        }
        assert!(!migrated.is_finished(), "the table is in use");
        long.batch_execute("COMMIT").expect("ended");
        migrated.join().expect("a thread").expect("migrated in the end");
    });
    execute(&database.url, "SELECT more FROM things").expect("it is there");
}

#[derive(QueryableByName)]
struct Waiting {
    #[diesel(sql_type = BigInt)]
    millis: i64,
}

/// For how long a connection waits for the lock of migrations already.
fn waits(conn: &mut Conn) -> i64 {
    let sql = "SELECT CAST(COALESCE(MAX(EXTRACT(EPOCH FROM clock_timestamp() - query_start)) * 1000, 0) AS BIGINT) AS millis \
               FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
    diesel::sql_query(sql).get_result::<Waiting>(conn).expect("asked").millis
}

#[test]
fn whoever_waits_for_others_migrations_waits_longer_than_a_statement_may_take() {
    let database = empty_postgres();
    let target = Target::parse(&database.url).expect("an address");
    let (mut first, mut second, mut looks) =
        (target.open().expect("connected"), target.open().expect("connected"), target.open().expect("connected"));
    migrate::wait_for_others(&mut first).expect("nobody migrates");
    second.batch_execute("SET statement_timeout = '50ms'").expect("set");
    thread::scope(|scope| {
        let waiting = scope.spawn(move || migrate::wait_for_others(&mut second).map(|()| second));
        while waits(&mut looks) < 200 && !waiting.is_finished() {
            thread::sleep(Duration::from_millis(5));
        }
        drop(first);
        let mut second = waiting.join().expect("no panic").expect("it was waited for");
        second.batch_execute("SELECT 1").expect("it goes on");
    });
}
