//! What a backup says about itself.

use serde::{Deserialize, Serialize};

/// What it is of; the first part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    pub format: u32,
    /// RFC 3339, UTC: no row in it is younger.
    pub created_at: String,
    /// The version of the program that wrote it.
    pub program: String,
    /// `sqlite` or `postgres`; either can take it.
    pub database: String,
    pub realm: String,
    pub currency: String,
    pub migrations: Vec<String>,
    /// Tells the installation's secrets from others without telling them.
    pub secrets: String,
    /// How far the database had come, sealed with those secrets; a backup from
    /// before there were marks has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
}

/// Everything in it, the last part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub tables: Vec<TableLine>,
    pub files: u64,
    /// Files that the database knows and the storage did not have.
    pub missing_files: Vec<String>,
    pub with_secrets: bool,
    pub parts: Vec<PartLine>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableLine {
    pub name: String,
    pub columns: Vec<Column>,
    pub rows: u64,
    /// The last id that was given out.
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
