//! A database with contents that take long to make, copied for each test that needs them.

use std::fs;

use diesel::connection::SimpleConnection;
use tempfile::TempDir;

use super::{Storage, TestDb, connect, copy_on, open_file};
use db::Target;

/// The content of a database. On PostgreSQL, the database stays there until the server ends.
pub enum Original {
    /// The file, and the mark beside it.
    Sqlite(Vec<u8>, Vec<u8>),
    Postgres {
        server: String,
        name: String,
    },
}

impl TestDb {
    /// Turns this database into an original that others are copied from. Nobody uses it any more.
    pub fn into_original(self) -> Original {
        let Self { db, url, place, .. } = self;
        drop(db);
        match place {
            Storage::Folder { folder: used } => {
                let mark = fs::read(used.path().join("placard.mark")).expect("a mark");
                let folder = TempDir::new().expect("a temporary folder");
                let path = folder.path().join("original.db");
                let mut conn = Target::parse(&url).and_then(|target| target.open()).expect("opens");
                conn.batch_execute(&format!("VACUUM INTO '{}'", path.display())).expect("one file");
                Original::Sqlite(fs::read(path).expect("a file"), mark)
            }
            Storage::Server { database } => {
                let (server, name) = (database.server.clone(), database.name.clone());
                std::mem::forget(database);
                let mut admin = connect(&server).expect("the test server answers");
                // Nobody may be connected to a database that is copied.
                for statement in [
                    format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS FALSE"),
                    format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"),
                ] {
                    admin.batch_execute(&statement).expect("closed");
                }
                Original::Postgres { server, name }
            }
        }
    }
}

impl Original {
    pub fn copy(&self) -> TestDb {
        match self {
            Self::Sqlite(file, mark) => {
                let copy = open_file(file);
                let Storage::Folder { folder } = &copy.place else { panic!("a folder") };
                fs::write(folder.path().join("placard.mark"), mark).expect("written");
                copy
            }
            Self::Postgres { server, name } => copy_on(server, name),
        }
    }
}
