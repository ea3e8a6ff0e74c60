//! The description of a backup.

use serde::{Deserialize, Serialize};

/// Which database it is from; the first part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub format: u32,
    /// RFC 3339, UTC: no row in it is newer.
    pub created_at: String,
    /// The version of the program that wrote it.
    pub program: String,
    /// `sqlite` or `postgres`; it can be restored into either.
    pub database: String,
    pub realm: String,
    pub currency: String,
    pub migrations: Vec<String>,
    /// Identifies the installation's secrets without revealing them.
    pub secrets: String,
    /// The state of the database, sealed with those secrets; missing in older backups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
}

/// The list of parts; the last part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub tables: Vec<TableLine>,
    pub files: u64,
    /// Files in the database that were missing in the storage, or, for archived events, are
    /// not as they were written.
    pub missing_files: Vec<String>,
    pub with_secrets: bool,
    pub parts: Vec<PartLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableLine {
    pub name: String,
    pub columns: Vec<Column>,
    pub rows: u64,
    /// The last id assigned.
    pub last_id: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    pub kind: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartLine {
    pub name: String,
    pub bytes: u64,
    pub sha256: String,
}

impl Manifest {
    pub fn rows(&self) -> u64 {
        self.tables.iter().map(|table| table.rows).sum()
    }
}
