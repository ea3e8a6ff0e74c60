//! A separate database and data folder, for the server and for this process.

use std::path::PathBuf;

use base::Clock;
use campaigns::AdServer;
use desk::installation::settings::{self, Values};
use store::testing::{TestDb, postgres};
use tempfile::TempDir;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];

    /// The name in the rows of the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "pg",
        }
    }
}

pub struct Installation {
    pub kind: Kind,
    folder: TempDir,
    url: String,
    /// Keeps the PostgreSQL database alive; SQLite's is in the folder.
    _postgres: Option<TestDb>,
}

impl Installation {
    pub fn new(kind: Kind) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        match kind {
            Kind::Sqlite => {
                let url = format!("sqlite://{}", folder.path().join("placard.db").display());
                Self { kind, folder, url, _postgres: None }
            }
            Kind::Postgres => {
                let db = postgres();
                Self { kind, folder, url: db.url.clone(), _postgres: Some(db) }
            }
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn environment(&self) -> Vec<(String, String)> {
        self.environment_at(self.url.clone())
    }

    fn environment_at(&self, url: String) -> Vec<(String, String)> {
        [
            ("PLACARD_DATA_DIR", self.folder.path().display().to_string()),
            ("PLACARD_DATABASE_URL", url),
            ("PLACARD_LOG", "text".to_owned()),
            ("PLACARD_REALM", "simulated".to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }

    /// The same database and secrets in this process, to prepare data without waiting for
    /// flushes.
    pub fn app(&self) -> AdServer {
        self.app_by(Clock::system())
    }

    pub fn app_by(&self, clock: Clock) -> AdServer {
        let url = match self.kind {
            Kind::Sqlite => self.url.clone(),
            Kind::Postgres => format!("{}?options=-csynchronous_commit%3Doff", self.url),
        };
        let values = Values::from_pairs(self.environment_at(url)).expect("values");
        settings::Installation::read(&values).expect("settings").open(clock).expect("opens")
    }

    pub fn url(&self) -> &str {
        &self.url
    }
}
