//! A fresh database of each kind for tests.
//!
//! The PostgreSQL server is the one in `PLACARD_TEST_POSTGRES` (an address without the
//! database's name); every test gets its own database. Without the variable, tests fail
//! rather than pass unnoticed.

pub mod event_counts;
mod follower;
pub mod history;
mod original;
pub mod parts;
mod people;
pub mod raw;
mod template;

use std::sync::atomic::{AtomicU32, Ordering};

use base::{Clock, Timestamp};
use diesel::connection::SimpleConnection;
use tempfile::TempDir;

use crate::{Db, Options, Realm};
use db::Target;

pub use follower::{Follower, follower};
pub use original::Original;

/// 2026-01-05, a Monday, at noon.
pub const START: Timestamp = Timestamp::from_seconds(1_767_614_400);

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A database that is deleted when dropped.
pub struct TestDb {
    pub db: Db,
    pub clock: Clock,
    pub url: String,
    place: Storage,
}

impl TestDb {
    /// The same installation in the realm `live`.
    pub fn turned_live(self) -> Self {
        let (url, clock, realm) = (self.url.clone(), self.clock.clone(), Realm::Live);
        let turn = format!("UPDATE installation SET realm = {}", realm.code());
        let mut conn = Target::parse(&url).and_then(|target| target.open()).expect("opens");
        conn.batch_execute(&turn).expect("turned");
        let db = Db::open(&Options { url, realm, clock }).expect("opens");
        Self { db, ..self }
    }
}

/// Where it is stored; dropping this deletes it.
enum Storage {
    Folder { folder: TempDir },
    Server { database: Database },
}

struct Database {
    server: String,
    name: String,
}

impl Drop for Database {
    fn drop(&mut self) {
        // The last writers may still be closing their connections.
        if let Ok(mut admin) = connect(&self.server) {
            let _ = admin.batch_execute(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        }
    }
}

fn connect(server: &str) -> Result<crate::Conn, crate::Error> {
    Target::parse(&format!("{server}/postgres")).and_then(|target| target.open())
}

/// The tables of a database. It is not migrated.
pub fn catalog(url: &str) -> Vec<crate::installation::copy::Table> {
    let mut conn = Target::parse(url).and_then(|target| target.open()).expect("opens");
    crate::installation::copy::catalog(&mut conn).expect("a catalog")
}

pub fn sqlite() -> TestDb {
    open_file(template::sqlite())
}

fn open_file(file: &[u8]) -> TestDb {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("placard.db");
    std::fs::write(&path, file).expect("a copy");
    let url = format!("sqlite://{}", path.display());
    open(url, Storage::Folder { folder })
}

pub fn postgres() -> TestDb {
    let server = std::env::var("PLACARD_TEST_POSTGRES")
        .expect("PLACARD_TEST_POSTGRES must name a PostgreSQL server, such as postgres://postgres@127.0.0.1:5499");
    postgres_on(&server)
}

fn postgres_on(server: &str) -> TestDb {
    copy_on(server, template::postgres(server))
}

fn copy_on(server: &str, template: &str) -> TestDb {
    let name = format!("placard_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::SeqCst));
    let mut admin = connect(server).expect("the test server answers");
    // Other tests may be copying the same template.
    admin.batch_execute("SET lock_timeout = 0").expect("set");
    admin.batch_execute(&format!("DROP DATABASE IF EXISTS {name}")).expect("drop");
    // Copied as files, not through the log, which a replica would receive.
    let copy = format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY");
    admin.batch_execute(&copy).expect("create");
    let url = format!("{server}/{name}");
    open(url, Storage::Server { database: Database { server: server.to_owned(), name } })
}

/// An empty PostgreSQL database; it is deleted when dropped.
pub struct EmptyDb {
    pub url: String,
    _database: Database,
}

pub fn empty_postgres() -> EmptyDb {
    let server = std::env::var("PLACARD_TEST_POSTGRES").expect("PLACARD_TEST_POSTGRES must name a PostgreSQL server");
    let name = format!("placard_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::SeqCst));
    connect(&server)
        .expect("the test server answers")
        .batch_execute(&format!("CREATE DATABASE {name}"))
        .expect("create");
    EmptyDb { url: format!("{server}/{name}"), _database: Database { server, name } }
}

/// A connection of one's own, as the role in the address.
pub fn connect_to(url: &str) -> Result<crate::Conn, crate::Error> {
    Target::parse(url).and_then(|target| target.open())
}

/// Executes statements as the role in the address.
pub fn execute(url: &str, sql: &str) -> Result<(), crate::Error> {
    Ok(connect_to(url)?.batch_execute(sql)?)
}

fn open(url: String, place: Storage) -> TestDb {
    let clock = Clock::manual(START);
    let db = Db::open(&Options { url: url.clone(), realm: Realm::Simulated, clock: clock.clone() }).expect("opens");
    TestDb { db, clock, url, place }
}

/// Runs an async test body on SQLite and on PostgreSQL, as two tests: `on_both!(name, |t|
/// { … })` with `t: TestDb`. The body may use `.await`.
#[macro_export]
macro_rules! on_both {
    ($name:ident, |$t:ident| $body:block) => {
        mod $name {
            use super::*;
            async fn body($t: $crate::testing::TestDb) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                body($crate::testing::sqlite()).await
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                body($crate::testing::postgres()).await
            }
        }
    };
}
