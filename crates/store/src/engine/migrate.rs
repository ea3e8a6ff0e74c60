//! Bringing a database to the present schema, and what kind of installation it is.

use std::fs::File;

use base::Timestamp;
use diesel::connection::SimpleConnection;
use diesel::migration::MigrationSource;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Text};
use diesel::sqlite::Sqlite;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};

use crate::engine::connection::{LOCK_TIMEOUT, Target, create_private};
use crate::schema::installation;
use crate::{Conn, Error};

const SQLITE: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");
const POSTGRES: EmbeddedMigrations = embed_migrations!("../../migrations/postgres");
/// Any number will do, as long as every process uses the same.
const ADVISORY_LOCK: &str = "7306091124";

/// Whether events and money are real. An installation is one or the other from
/// its first migration on, and for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Realm {
    Live,
    Simulated,
}

impl Realm {
    pub const fn code(self) -> i16 {
        match self {
            Self::Live => 1,
            Self::Simulated => 2,
        }
    }

    pub const fn from_code(code: i16) -> Option<Self> {
        match code {
            1 => Some(Self::Live),
            2 => Some(Self::Simulated),
            _ => None,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Simulated => "simulated",
        }
    }
}

/// Keeps other processes from migrating as long as it lives.
pub(crate) struct KeptOut<'a> {
    target: &'a Target,
    _file: Option<File>,
}

pub(crate) fn keep_out(target: &Target) -> Result<KeptOut<'_>, Error> {
    Ok(KeptOut { target, _file: file_lock(target)? })
}

impl KeptOut<'_> {
    /// On PostgreSQL it is this connection that keeps others out.
    pub(crate) fn open(&self) -> Result<Conn, Error> {
        let mut conn = self.target.open()?;
        if let Conn::Postgres(_) = conn {
            conn.batch_execute(&format!("SET lock_timeout = 0; SELECT pg_advisory_lock({ADVISORY_LOCK})"))?;
        }
        Ok(conn)
    }

    /// Lets others in again, and the connection do what any does.
    fn let_in(self, conn: &mut Conn) -> Result<(), Error> {
        if let Conn::Postgres(_) = conn {
            conn.batch_execute(&format!("SELECT pg_advisory_unlock({ADVISORY_LOCK}); {LOCK_TIMEOUT}"))?;
        }
        Ok(())
    }
}

/// Migrates under a lock that keeps other processes out, then checks the realm.
/// The connection is as good as any other afterwards.
pub(crate) fn prepare(target: &Target, realm: Realm, now: Timestamp) -> Result<Conn, Error> {
    let lock = keep_out(target)?;
    let mut conn = lock.open()?;
    migrate(&mut conn)?;
    crate::engine::months::create(&mut conn, now)?;
    let forgotten = forget_statistics(&mut conn)?;
    record_realm(&mut conn, realm, now)?;
    lock.let_in(&mut conn)?;
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

pub(crate) fn migrate(conn: &mut Conn) -> Result<(), Error> {
    let done = match conn {
        Conn::Postgres(conn) => {
            // Whoever may make no tables may not even look the usual way whether there is one to make.
            if !is_due(conn)? {
                return Ok(());
            }
            conn.run_pending_migrations(POSTGRES).map(|_| ())
        }
        Conn::Sqlite(conn) => conn.run_pending_migrations(SQLITE).map(|_| ()),
    };
    done.map_err(|e| Error::Migrate(e.to_string()))
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    version: String,
}

/// Whether a migration is pending on PostgreSQL.
///
/// # Errors
/// Where one is, and this role may not make it.
fn is_due(conn: &mut PgConnection) -> Result<bool, Error> {
    let mut asks = |question: &str| diesel::sql_query(question).get_result::<Answer>(conn).map(|answer| answer.yes);
    let migrated = asks("SELECT to_regclass('__diesel_schema_migrations') IS NOT NULL AS yes")?;
    let may = asks("SELECT has_schema_privilege(current_schema(), 'CREATE') AS yes")?;
    let done: Vec<Version> = match migrated {
        true => diesel::sql_query("SELECT version::text AS version FROM __diesel_schema_migrations").load(conn)?,
        false => Vec::new(),
    };
    let pending = known()?.into_iter().filter(|known| !done.iter().any(|done| done.version == *known)).count();
    if pending > 0 && !may {
        return Err(Error::Migrate(format!(
            "{pending} migrations are pending, and this role may make no tables: run `placard migrate` as the role that \
             owns them, then deploy/postgres-roles.sql"
        )));
    }
    Ok(pending > 0)
}

/// The schema that this program knows, oldest first.
pub(crate) fn known() -> Result<Vec<String>, Error> {
    // Twins by name, so either will do.
    let all = MigrationSource::<Sqlite>::migrations(&SQLITE).map_err(|e| Error::Migrate(e.to_string()))?;
    let mut versions: Vec<String> = all.iter().map(|migration| migration.name().version().to_string()).collect();
    versions.sort();
    Ok(versions)
}

/// Whether any migration has been run.
pub(crate) fn has_any(conn: &mut Conn) -> Result<bool, Error> {
    applied(conn).map(|versions| !versions.is_empty())
}

fn applied(conn: &mut Conn) -> Result<Vec<String>, Error> {
    let versions = match conn {
        Conn::Postgres(conn) => conn.applied_migrations(),
        Conn::Sqlite(conn) => conn.applied_migrations(),
    };
    let mut versions: Vec<String> =
        versions.map_err(|e| Error::Migrate(e.to_string()))?.iter().map(ToString::to_string).collect();
    versions.sort();
    Ok(versions)
}

/// Brings a database without rows to a schema of the past, or to the present
/// one: what it has beyond that is taken back.
pub(crate) fn to_exactly(conn: &mut Conn, wanted: &[String]) -> Result<(), Error> {
    while applied(conn)?.last().is_some_and(|last| !wanted.contains(last)) {
        let reverted = match conn {
            Conn::Postgres(conn) => conn.revert_last_migration(POSTGRES).map(|_| ()),
            Conn::Sqlite(conn) => conn.revert_last_migration(SQLITE).map(|_| ()),
        };
        reverted.map_err(|e| Error::Migrate(e.to_string()))?;
    }
    while applied(conn)?.len() < wanted.len() {
        let run = match conn {
            Conn::Postgres(conn) => conn.run_next_migration(POSTGRES).map(|_| ()),
            Conn::Sqlite(conn) => conn.run_next_migration(SQLITE).map(|_| ()),
        };
        run.map_err(|e| Error::Migrate(e.to_string()))?;
    }
    match applied(conn)? == wanted {
        true => Ok(()),
        false => Err(Error::Migrate("the database has had other migrations".into())),
    }
}

/// Every list goes by an index that was made for it. SQLite's statistics know
/// only how many rows an owner has on average: where somebody gathered them, a
/// page of one owner's may be looked for among everyone's newest.
/// True where there were any: what this connection has read of them it keeps.
fn forget_statistics(conn: &mut Conn) -> Result<bool, Error> {
    let Conn::Sqlite(conn) = conn else { return Ok(false) };
    #[derive(QueryableByName)]
    struct Found {
        #[diesel(sql_type = BigInt)]
        tables: i64,
    }
    let found: Found = diesel::sql_query(
        "SELECT COUNT(*) AS tables FROM sqlite_master WHERE name IN ('sqlite_stat1', 'sqlite_stat4')",
    )
    .get_result(conn)?;
    conn.batch_execute("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4")?;
    Ok(found.tables > 0)
}

/// Which realm the database is of.
pub fn realm(conn: &mut Conn) -> Result<Realm, Error> {
    let recorded: i16 = installation::table.select(installation::realm).first(conn)?;
    Realm::from_code(recorded).ok_or_else(|| Error::Corrupt(format!("there is no realm {recorded}")))
}

fn record_realm(conn: &mut Conn, realm: Realm, now: Timestamp) -> Result<(), Error> {
    let recorded: Option<i16> = installation::table.select(installation::realm).first(conn).optional()?;
    match recorded {
        None => {
            diesel::insert_into(installation::table)
                .values((
                    installation::id.eq(1),
                    installation::realm.eq(realm.code()),
                    installation::created_at.eq(now.millis()),
                ))
                .execute(conn)?;
            Ok(())
        }
        Some(code) if code == realm.code() => Ok(()),
        Some(code) => {
            let was = Realm::from_code(code).map_or("unknown", Realm::name);
            Err(Error::Migrate(format!("PLACARD_REALM: this database is {was} for ever, not {}", realm.name())))
        }
    }
}
