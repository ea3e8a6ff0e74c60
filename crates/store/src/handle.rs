//! The database of an installation: the engine, with what the store adds to it.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use auth::Sealer;
use base::Clock;
use crossbeam_channel::{Sender, bounded};
use db::Database;

use crate::Error;
use crate::context::Context;
use crate::installation::high_water::{self, Keeper};
use crate::installation::realm::{self, Realm};
use crate::installation::{MIGRATIONS, months};

/// How to open a database.
#[derive(Clone, Debug)]
pub struct Options {
    /// `sqlite://path` or `postgres://…`.
    pub url: String,
    pub realm: Realm,
    pub clock: Clock,
}

/// Version numbers. While they stay the same, the answers of slots cannot have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarketVersion {
    /// Covers slots, products, and what their advertisers can pay.
    pub catalogue: u64,
    pub plans: u64,
}

/// A handle on the database; clones share the same threads, which end with the last one.
#[derive(Clone)]
pub struct Db {
    database: Database<Context>,
    realm: Realm,
    /// Dropping it stops the thread that flushes the mark.
    _closing: Sender<()>,
}

impl Deref for Db {
    type Target = Database<Context>;
    fn deref(&self) -> &Database<Context> {
        &self.database
    }
}

impl Db {
    /// Applies pending migrations under a lock, checks the installation's realm, and
    /// starts the threads.
    ///
    /// # Errors
    /// `Connect`, or `Migrate`, also if it belongs to the other realm.
    pub fn open(options: &Options) -> Result<Self, Error> {
        let Options { url, realm, clock } = options.clone();
        let context = Arc::<Context>::default();
        let now = clock.now();
        let engine = db::Options { url, clock, migrations: &MIGRATIONS };
        let database = Database::open(&engine, context.clone(), |conn| {
            months::create(conn, now)?;
            realm::record(conn, realm, now)
        })?;
        let (closing, closed) = bounded(0);
        let keeper = context.keeper.clone();
        db::spawn("db-mark".into(), move || high_water::keep(&keeper, &closed))?;
        Ok(Self { database, realm, _closing: closing })
    }

    /// Reads reports from the streaming replica at `replica` from now on, as long as it keeps up with the primary at
    /// `primary`. A replica that cannot be reached now is tried again.
    ///
    /// # Errors
    /// `Connect` if either is not the address of a PostgreSQL server.
    pub fn with_replica(self, primary: &str, replica: &str) -> Result<Self, Error> {
        Ok(Self { database: self.database.with_replica(primary, replica)?, ..self })
    }

    /// A handle on the same database, for finding out what a write would answer: everything that is written through it
    /// is rolled back. Commands that are decided in batches cannot be rehearsed.
    #[must_use]
    pub fn rehearsing(&self) -> Self {
        Self { database: self.database.rehearsing(), ..self.clone() }
    }

    pub const fn realm(&self) -> Realm {
        self.realm
    }

    /// Sets the seal of the audit log's end, once for this handle and its clones.
    pub fn seal_with(&self, sealer: Sealer) {
        self.context().sealer.get_or_init(|| sealer);
    }

    /// Maintains the database's high-water mark from now on, for this handle and its clones. The existing mark must
    /// have been checked before.
    ///
    /// # Errors
    /// `Connect` if the file cannot be written.
    pub fn keep_mark(&self, place: &Path, sealer: Sealer) -> Result<(), Error> {
        let keeper = Keeper::begin(self.here(high_water::read_mark)?, place, sealer)?;
        self.context().keeper.get_or_init(|| keeper);
        Ok(())
    }

    /// The next audit record will protect a row that a test creates without a record.
    #[cfg(feature = "testing")]
    pub fn leave_to_next_record(&self, table: &'static str, id: i64) {
        if let Ok(mut rows) = self.context().made_by_test.lock() {
            rows.insert((table, id));
        }
    }

    /// Commits something, to see whether commits work.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn probe(&self) -> Result<(), Error> {
        self.write(high_water::probe).await
    }

    /// The version of the data that slots are answered from, counting changes by this process.
    pub fn market_version(&self) -> MarketVersion {
        let versions = &self.context().market;
        let [catalogue, plans] = [&versions.catalogue, &versions.plans].map(|version| version.load(Ordering::Acquire));
        MarketVersion { catalogue, plans }
    }
}
