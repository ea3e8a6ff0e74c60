//! A database with the current schema, which is copied for each test: that takes a tenth
//! of the time of migrating. A PostgreSQL server keeps it for the next run, under a name
//! that changes with the migrations.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;
use tempfile::TempDir;

use super::{START, connect};
use crate::Conn;
use crate::installation::MIGRATIONS;
use crate::installation::months;
use db::{One, Target};

/// The bytes of an SQLite file with the schema, not yet opened as an installation.
pub(super) fn sqlite() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().join("template.db");
        let mut conn = Target::Sqlite(path.clone()).open().expect("opens");
        MIGRATIONS.run(&mut conn).expect("migrates");
        conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)").expect("one file");
        fs::read(path).expect("a file")
    })
}

/// The name of the template database on `server`.
pub(super) fn postgres(server: &str) -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    static COMPLETE: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let name = NAME.get_or_init(|| format!("placard_template_{:016x}", hash_of(&migrations())));
    let mut complete = COMPLETE.lock().unwrap_or_else(PoisonError::into_inner);
    if complete.insert(server.to_owned()) {
        let mut admin = connect(server).expect("the test server answers");
        // Test programs may run in parallel.
        let turn = format!("SET lock_timeout = 0; SELECT pg_advisory_lock({ONE_AT_A_TIME})");
        admin.batch_execute(&turn).expect("a turn");
        if !exists(&mut admin, name) {
            make(&mut admin, server, name);
        }
    }
    name
}

/// Any number that nothing else locks.
const ONE_AT_A_TIME: &str = "7306091126";

/// Creates the template. It gets its name once it is complete, so that no test copies an incomplete one.
fn make(admin: &mut Conn, server: &str, name: &str) {
    let draft = format!("{name}_draft");
    // An interrupted run may have left one.
    for statement in [format!("DROP DATABASE IF EXISTS {draft}"), format!("CREATE DATABASE {draft}")] {
        admin.batch_execute(&statement).expect("a database");
    }
    let mut conn = Target::parse(&format!("{server}/{draft}")).and_then(|target| target.open()).expect("opens");
    MIGRATIONS.run(&mut conn).expect("migrates");
    months::create(&mut conn, START).expect("months");
    drop(conn);
    // Nobody may be connected to a database that is copied, not even autovacuum.
    for statement in [
        format!("ALTER DATABASE {draft} WITH ALLOW_CONNECTIONS FALSE"),
        format!("ALTER DATABASE {draft} RENAME TO {name}"),
    ] {
        admin.batch_execute(&statement).expect("a template");
    }
}

fn exists(admin: &mut Conn, name: &str) -> bool {
    let question = diesel::sql_query("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1) AS yes");
    let answer: One<bool> = question.bind::<Text, _>(name).get_result(admin).expect("an answer");
    answer.0
}

fn migrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations/postgres")
}

fn hash_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("migrations").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.map(|migration| migration.join("up.sql")).collect();
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        fs::read_to_string(file).expect("a migration").hash(&mut hasher);
    }
    hasher.finish()
}
