//! Brings a database to the current schema.

use std::fs::File;
use std::thread;
use std::time::Duration;

use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::migration::{Migration, MigrationSource, Result as Migrated};
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};

use crate::connection::{LOCK_TIMEOUT, STATEMENT_TIMEOUT, Target, create_private};
use crate::row::One;
use crate::{Conn, Error, versions};

/// An arbitrary number that every process uses.
const ADVISORY_LOCK: &str = "7306091124";

/// How long a migration waits for a table, and how often it comes again: for a minute.
const WAITS_MILLIS: u32 = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(400);
const TRIES: u32 = 120;

/// How the name of a migration ends that removes what the version before still uses.
const CONTRACTS: &str = "_contract";

/// A program's migrations, oldest first. Each exists for both databases, under the same
/// name.
pub struct Migrations {
    pub sqlite: EmbeddedMigrations,
    pub postgres: EmbeddedMigrations,
}

struct Of(&'static EmbeddedMigrations);

impl<DB: Backend> MigrationSource<DB> for Of {
    fn migrations(&self) -> Migrated<Vec<Box<dyn Migration<DB>>>> {
        self.0.migrations()
    }
}

/// Keeps other processes from migrating while it exists.
pub struct KeptOut<'a> {
    target: &'a Target,
    _file: Option<File>,
}

/// Waits until no other process migrates.
///
/// # Errors
/// `Connect` if the lock file cannot be created.
pub fn keep_out(target: &Target) -> Result<KeptOut<'_>, Error> {
    Ok(KeptOut { target, _file: file_lock(target)? })
}

impl KeptOut<'_> {
    /// Opens a connection. On PostgreSQL, it holds the lock.
    ///
    /// # Errors
    /// `Connect`.
    pub fn open(&self) -> Result<Conn, Error> {
        let mut conn = self.target.open()?;
        wait_for_others(&mut conn)?;
        Ok(conn)
    }

    /// Releases the lock, and restores the connection's normal settings.
    fn release(self, conn: &mut Conn) -> Result<(), Error> {
        if let Conn::Postgres(_) = conn {
            conn.batch_execute(&format!("SELECT pg_advisory_unlock({ADVISORY_LOCK}); {LOCK_TIMEOUT}"))?;
        }
        Ok(())
    }
}

/// Waits until no other process migrates, however long its migrations take, and then keeps others
/// out: this connection holds the lock.
///
/// # Errors
/// Those of the database.
pub fn wait_for_others(conn: &mut Conn) -> Result<(), Error> {
    if let Conn::Postgres(_) = conn {
        conn.batch_execute("SET lock_timeout = 0; SET statement_timeout = 0")?;
        conn.batch_execute(&format!("SELECT pg_advisory_lock({ADVISORY_LOCK})"))?;
        conn.batch_execute(STATEMENT_TIMEOUT)?;
    }
    Ok(())
}

/// Migrates under a lock that keeps other processes out, and runs the program's own
/// preparation. The connection can be used normally afterwards.
pub(crate) fn prepare(
    target: &Target,
    migrations: &'static Migrations,
    then: impl FnOnce(&mut Conn) -> Result<(), Error>,
) -> Result<Conn, Error> {
    let lock = keep_out(target)?;
    let mut conn = lock.open()?;
    migrations.run(&mut conn)?;
    let forgotten = forget_statistics(&mut conn)?;
    then(&mut conn)?;
    lock.release(&mut conn)?;
    if forgotten { target.open() } else { Ok(conn) }
}

/// SQLite has no lock of its own that spans several migrations.
fn file_lock(target: &Target) -> Result<Option<File>, Error> {
    let Target::Sqlite(path) = target else { return Ok(None) };
    let io = |e: std::io::Error| Error::Connect(format!("{}: {e}", path.display()));
    let path = path.with_extension("migrating");
    create_private(&path)?;
    let file = File::open(&path).map_err(io)?;
    file.lock().map_err(io)?;
    Ok(Some(file))
}

impl Migrations {
    /// Runs pending migrations.
    ///
    /// # Errors
    /// `Migrate`.
    pub fn run(&'static self, conn: &mut Conn) -> Result<(), Error> {
        let done = match conn {
            Conn::Postgres(conn) => {
                // A role that cannot create tables cannot use the normal check either.
                if !self.is_due(conn)? {
                    return Ok(());
                }
                self.run_between_others(conn)
            }
            Conn::Sqlite(conn) => conn.run_pending_migrations(Of(&self.sqlite)).map(|_| ()),
        };
        done.map_err(|e| Error::Migrate(e.to_string()))
    }

    /// While a migration waits for a table, everybody else waits behind it. So it gives up soon,
    /// and comes again. Migrations that are done stay done.
    fn run_between_others(&'static self, conn: &mut PgConnection) -> Migrated<()> {
        conn.batch_execute(&format!("SET lock_timeout = '{WAITS_MILLIS}ms'"))?;
        let mut tries = 0;
        let done = loop {
            tries += 1;
            match conn.run_pending_migrations(Of(&self.postgres)) {
                Err(error) if tries < TRIES && error.to_string().contains("due to lock timeout") => {
                    thread::sleep(BETWEEN_TRIES);
                }
                ended => break ended.map(|_| ()),
            }
        };
        conn.batch_execute("SET lock_timeout = 0")?;
        done
    }

    /// Whether a migration is pending on PostgreSQL.
    ///
    /// # Errors
    /// If one is, and this role may not run it.
    fn is_due(&self, conn: &mut PgConnection) -> Result<bool, Error> {
        let mut asks =
            |question: &str| diesel::sql_query(question).get_result::<One<bool>>(conn).map(|answer| answer.0);
        let migrated = asks("SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS yes")?;
        // If the role may not use the schema at all, there is no current schema.
        let may = asks("SELECT COALESCE(has_schema_privilege(current_schema(), 'CREATE'), FALSE) AS yes")?;
        // SQL_ASCII keeps bytes as they come. Any other encoding lacks most languages' letters.
        let lossy = asks("SELECT current_setting('server_encoding') NOT IN ('UTF8', 'SQL_ASCII') AS yes")?;
        let done: Vec<One<String>> = match migrated {
            true => diesel::sql_query("SELECT version::text AS version FROM __diesel_schema_migrations").load(conn)?,
            false => Vec::new(),
        };
        let pending = self.known()?.into_iter().filter(|known| !done.iter().any(|done| done.0 == *known)).count();
        if lossy && !migrated {
            let remedy = "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0";
            return Err(Error::Migrate(format!("the database's encoding cannot hold every name and text: {remedy}")));
        }
        if pending > 0 && !may {
            return Err(Error::Migrate(format!(
                "{pending} migrations are pending, and this role may make no tables: run `placard migrate` as the role \
                 that owns them, then deploy/postgres-roles.sql"
            )));
        }
        if pending > 0 {
            self.keep_others(conn, &done)?;
        }
        Ok(pending > 0)
    }

    /// # Errors
    /// If a pending migration removes what another version, which is connected, still uses.
    fn keep_others(&self, conn: &mut PgConnection, done: &[One<String>]) -> Result<(), Error> {
        let contracting = self.contracting()?;
        let Some(first) = contracting.iter().find(|one| !done.iter().any(|done| done.0 == **one)) else {
            return Ok(());
        };
        match versions::others_on_postgres(conn)? {
            others if others.is_empty() => Ok(()),
            others => Err(Error::Migrate(format!(
                "migration {first} removes what {} still uses, which is connected: replace it everywhere first",
                others.join(", ")
            ))),
        }
    }

    /// The migrations that remove what the version before uses. Their names end so.
    ///
    /// # Errors
    /// `Migrate`.
    pub fn contracting(&self) -> Result<Vec<String>, Error> {
        let all = MigrationSource::<Sqlite>::migrations(&self.sqlite).map_err(|e| Error::Migrate(e.to_string()))?;
        let names = all.iter().map(|migration| migration.name());
        Ok(names.filter(|name| name.to_string().ends_with(CONTRACTS)).map(|name| name.version().to_string()).collect())
    }

    /// The migrations known to this program, oldest first.
    ///
    /// # Errors
    /// `Migrate`.
    pub fn known(&self) -> Result<Vec<String>, Error> {
        // Both databases have the same names, so either will do.
        let all = MigrationSource::<Sqlite>::migrations(&self.sqlite).map_err(|e| Error::Migrate(e.to_string()))?;
        let mut versions: Vec<String> = all.iter().map(|migration| migration.name().version().to_string()).collect();
        versions.sort();
        Ok(versions)
    }

    /// Brings a database without rows to exactly these migrations: later ones are
    /// reverted.
    ///
    /// # Errors
    /// `Migrate`, also if the database has had unknown ones.
    pub fn to_exactly(&'static self, conn: &mut Conn, versions: &[String]) -> Result<(), Error> {
        while read_applied(conn)?.last().is_some_and(|last| !versions.contains(last)) {
            let reverted = match conn {
                Conn::Postgres(conn) => conn.revert_last_migration(Of(&self.postgres)).map(|_| ()),
                Conn::Sqlite(conn) => conn.revert_last_migration(Of(&self.sqlite)).map(|_| ()),
            };
            reverted.map_err(|e| Error::Migrate(e.to_string()))?;
        }
        while read_applied(conn)?.len() < versions.len() {
            let run = match conn {
                Conn::Postgres(conn) => conn.run_next_migration(Of(&self.postgres)).map(|_| ()),
                Conn::Sqlite(conn) => conn.run_next_migration(Of(&self.sqlite)).map(|_| ()),
            };
            run.map_err(|e| Error::Migrate(e.to_string()))?;
        }
        match read_applied(conn)? == versions {
            true => Ok(()),
            false => Err(Error::Migrate("the database has had other migrations".into())),
        }
    }
}

/// Whether any migration has been run.
///
/// # Errors
/// `Migrate`.
pub fn has_any(conn: &mut Conn) -> Result<bool, Error> {
    read_applied(conn).map(|versions| !versions.is_empty())
}

fn read_applied(conn: &mut Conn) -> Result<Vec<String>, Error> {
    let versions = match conn {
        Conn::Postgres(conn) => conn.applied_migrations(),
        Conn::Sqlite(conn) => conn.applied_migrations(),
    };
    let mut versions: Vec<String> =
        versions.map_err(|e| Error::Migrate(e.to_string()))?.iter().map(ToString::to_string).collect();
    versions.sort();
    Ok(versions)
}

/// Removes SQLite's statistics. Every list uses an index made for it, but the statistics
/// only know how many rows an owner has on average. With them, the planner may search for
/// an owner's page among everyone's newest rows. True if there were any: this connection
/// still uses those it has read.
fn forget_statistics(conn: &mut Conn) -> Result<bool, Error> {
    let Conn::Sqlite(conn) = conn else { return Ok(false) };
    let found: One<i64> = diesel::sql_query(
        "SELECT COUNT(*) AS tables FROM sqlite_master WHERE name IN ('sqlite_stat1', 'sqlite_stat4')",
    )
    .get_result(conn)?;
    conn.batch_execute("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4")?;
    Ok(found.0 > 0)
}
