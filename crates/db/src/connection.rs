//! Opening a connection of either kind, and the settings each one needs.

use std::fs::{DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection;
use diesel::{Connection, ConnectionError, PgConnection, SqliteConnection};

use crate::{Error, address};

/// A connection to whichever database the installation uses.
#[derive(diesel::MultiConnection)]
pub enum Conn {
    Postgres(PgConnection),
    Sqlite(SqliteConnection),
}

/// Where the data is, as `PLACARD_DATABASE_URL` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Sqlite(PathBuf),
    Postgres(String),
}

/// How long a statement waits for another's lock: less than a caller is let wait.
pub(crate) const LOCK_TIMEOUT: &str = "SET lock_timeout = '3s'";
pub(crate) const BUSY_TIMEOUT: &str = "PRAGMA busy_timeout = 3000";
/// How long a statement may take.
pub(crate) const STATEMENT_TIMEOUT: &str = "SET statement_timeout = '60s'";

impl Target {
    pub fn parse(url: &str) -> Result<Self, Error> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            if path.is_empty() {
                return Err(Error::Connect("sqlite:// needs a path".into()));
            }
            // Other libraries parse parameters there, but here it would be part of the file's name.
            if path.contains('?') {
                return Err(Error::Connect("sqlite:// takes a path alone, without ? and parameters".into()));
            }
            // SQLite itself takes these for something else than the file that we make, lock and keep a mark beside.
            if path == ":memory:" || path.starts_with("file:") {
                return Err(Error::Connect(format!("sqlite:// takes a path alone, and {path} is none")));
            }
            return Ok(Self::Sqlite(path.into()));
        }
        if is_postgres(url) {
            address::says_how_it_is_encrypted(url)?;
            return Ok(Self::Postgres(address::with_patience(url)));
        }
        Err(Error::Connect("the address must begin with sqlite:// or postgres://".into()))
    }

    /// The address of a replica. Waits for it are short, because the primary can answer.
    pub fn parse_replica(url: &str) -> Result<Self, Error> {
        if !is_postgres(url) {
            return Err(Error::Connect("the address must begin with postgres://".into()));
        }
        if url.contains("connect_timeout=") {
            return Self::parse(url);
        }
        let joint = if url.contains('?') { '&' } else { '?' };
        Self::parse(&format!("{url}{joint}connect_timeout=2"))
    }

    pub fn is_sqlite(&self) -> bool {
        matches!(self, Self::Sqlite(_))
    }

    /// Opens a connection for a writer of batches. It repeats a few statements, each with an array of keys that are
    /// found through an index. Planning them each time would cost more than running them, and the statistics may be
    /// from when a table was empty.
    pub(crate) fn open_for_batches(&self) -> Result<Conn, Error> {
        let mut conn = self.open_for_lookups()?;
        if let Conn::Sqlite(_) = conn {
            // SQLite's only writer keeps returning to the ends of every index.
            conn.batch_execute("PRAGMA cache_size = -24576")?;
        }
        Ok(conn)
    }

    /// Opens a connection for a reader of lookups, whose statements are of the same kind. A key has few rows, so
    /// collecting their pages in a bitmap first costs more than it saves.
    pub(crate) fn open_for_lookups(&self) -> Result<Conn, Error> {
        let mut conn = self.open()?;
        if let Conn::Postgres(_) = conn {
            conn.batch_execute(
                "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off; \
                 SET enable_hashjoin = off; SET enable_mergejoin = off;",
            )?;
        }
        Ok(conn)
    }

    pub fn open(&self) -> Result<Conn, Error> {
        match self {
            Self::Sqlite(path) => open_sqlite(path).map(Conn::Sqlite),
            Self::Postgres(url) => open_postgres(url).map(Conn::Postgres),
        }
    }
}

fn is_postgres(url: &str) -> bool {
    url.starts_with("postgres://") || url.starts_with("postgresql://")
}

/// Creates a file that only its owner can read, in a folder that nobody else can enter,
/// unless it exists. An existing file is not opened, because closing it would release the
/// locks that this process has on it.
pub fn create_private(path: &Path) -> Result<(), Error> {
    let failed = |path: &Path, e: std::io::Error| Error::Connect(format!("{}: {e}", path.display()));
    if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(|e| failed(folder, e))?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(failed(path, error)),
        _ => Ok(()),
    }
}

fn open_sqlite(path: &Path) -> Result<SqliteConnection, Error> {
    // SQLite gives its log and the log's index the permissions of the database file.
    create_private(path)?;
    let mut conn = SqliteConnection::establish(&path.to_string_lossy()).map_err(|e| unopened(path, &e.to_string()))?;
    // FULL flushes the log at every commit, so what was acknowledged survives a power
    // cut. A separate thread copies the log into the database: see `checkpoint`.
    let set = conn.batch_execute(&format!(
        "{BUSY_TIMEOUT}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
         PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192; \
         PRAGMA wal_autocheckpoint = 0;"
    ));
    set.map_err(|error| match error.to_string() {
        // The log, or its index; SQLite opens a file that may only be read, and fails at the first lock.
        said if said.contains(UNOPENED) || said.contains("readonly database") => unopened(path, &said),
        _ => error.into(),
    })?;
    Ok(conn)
}

/// SQLite's error for a file that it may not open or create; it does not name the file.
const UNOPENED: &str = "unable to open database file";

/// Mostly somebody ran a program as another user.
fn unopened(path: &Path, said: &str) -> Error {
    let remedy = "it, the files whose names begin with its name, and their folder must be this user's to write, also \
                  for commands that only read: of what is read-only, use a copy";
    Error::Connect(format!("{}: {said}: {remedy}", path.display()))
}

/// The name of our connections in PostgreSQL, so that other versions can be seen.
pub(crate) const PROGRAM: &str = concat!("placard ", env!("CARGO_PKG_VERSION"));

/// Messages are matched (see `Error::is_transient`), so they must be in English. Only a superuser, or a role that was
/// granted it, may set their language, so it is left alone where it is English already.
const ENGLISH: &str = "SELECT set_config('lc_messages', 'C', false) \
     WHERE current_setting('lc_messages') !~ '^((C|POSIX)([.@]|$)|en[_.])'";

fn open_postgres(url: &str) -> Result<PgConnection, Error> {
    let told = |error: ConnectionError| Error::Connect(address::without_password(url, &error.to_string()));
    let mut conn = PgConnection::establish(url).map_err(told)?;
    // JIT compilation takes longer than running any of our queries.
    conn.batch_execute(&format!(
        "SET application_name = '{PROGRAM}'; SET jit = off; {ENGLISH}; {LOCK_TIMEOUT}; {STATEMENT_TIMEOUT}; \
         SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = warning;"
    ))?;
    Ok(conn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_two_kinds_of_address_are_taken() {
        assert_eq!(Target::parse("sqlite://data/a.db").expect("path"), Target::Sqlite("data/a.db".into()));
        assert!(Target::parse("postgres://localhost/x").is_ok());
        for bad in ["", "sqlite://", "sqlite://:memory:", "sqlite://file:/srv/a.db", "mysql://x", "data/a.db"] {
            assert!(Target::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_file_that_is_not_opened_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let told = |path: &Path| open_sqlite(path).map(|_| ()).expect_err("not opened").to_string();
        let path = folder.path().join("placard.db");
        drop(open_sqlite(&path).expect("opened"));
        // A folder in its place cannot be opened by the superuser either.
        let log = folder.path().join("placard.db-wal");
        let _ = std::fs::remove_file(&log);
        std::fs::create_dir(&log).expect("made");
        for wrong in [folder.path(), &path] {
            let told = told(wrong);
            assert!(told.contains(&wrong.display().to_string()) && told.contains(UNOPENED), "{told}");
        }
    }

    #[test]
    fn a_replica_is_a_postgresql_that_is_not_waited_for() {
        let url = |text: &str| match Target::parse_replica(text) {
            Ok(Target::Postgres(url)) => url,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(url("postgres://localhost/b"), "postgres://localhost/b?connect_timeout=2");
        assert!(url("postgres://a/b?sslmode=disable").starts_with("postgres://a/b?sslmode=disable&connect_timeout=2&"));
        assert_eq!(url("postgres://localhost/b?connect_timeout=9"), "postgres://localhost/b?connect_timeout=9");
        assert!(Target::parse_replica("sqlite://data/a.db").is_err());
    }
}
