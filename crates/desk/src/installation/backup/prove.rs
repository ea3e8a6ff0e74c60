//! Checking a backup: its digests, and a trial restore.

use std::fs::{File, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use archive::{Head, Manifest, VerifiedArchive};
use auth::{Sealer, Secrets};
use base::Clock;
use foundation::staff::audit_log::verify_audit_of_copy;
use foundation::{App, ProgressCallback, Settings};
use money::wallet::verify::{Verification, verify};
use serde::Serialize;
use store::installation::copy::{self, Column, Kind, Loader, Table};
use store::installation::high_water::{self, Mark};
use store::{Db, Options, Realm};
use tempfile::{Builder, TempDir};

use super::unfinished::folder_of;
use super::{BackupError, aside};
use crate::installation::leftovers;

pub(super) const SECRETS: &str = "secrets.toml";

/// The result of checking a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedBackup {
    pub ok: bool,
    pub bytes: u64,
    pub sha256: String,
    pub created_at: String,
    /// The version of the program that made it.
    pub program: String,
    /// `sqlite` or `postgres`; it can be restored into either.
    pub database: String,
    pub realm: String,
    pub currency: String,
    pub tables: usize,
    pub rows: u64,
    pub files: u64,
    pub missing_files: Vec<String>,
    pub with_secrets: bool,
    /// The state of the database at the backup; `None` in older backups.
    pub reached: Option<String>,
    /// The difference to that state, if rows are missing, in words.
    pub lacks: Option<String>,
    /// The verification of the restored copy, if there is one.
    pub ledger: Option<Verification>,
    pub audit_ok: Option<bool>,
}

impl CheckedBackup {
    /// The problem of the restored copy, if there is one.
    pub(super) fn fault(&self) -> Option<String> {
        if self.ok {
            return None;
        }
        if let Some(lacks) = &self.lacks {
            return Some(lacks.clone());
        }
        let first = self.ledger.as_ref().and_then(|ledger| ledger.faults.first());
        Some(first.cloned().unwrap_or_else(|| "a chain of hashes does not fit".to_owned()))
    }
}

/// Checks a backup with a trial restore into a temporary database; `quick` skips that.
///
/// # Errors
/// `Damaged`, `Newer`, or the file cannot be read.
pub async fn check(path: PathBuf, quick: bool, told: ProgressCallback) -> Result<CheckedBackup, BackupError> {
    prove(path, quick, &told).await
}

pub(super) async fn prove(path: PathBuf, quick: bool, told: &ProgressCallback) -> Result<CheckedBackup, BackupError> {
    let verified = verify_archive(path.clone(), told).await?;
    let proof = if quick { None } else { Some(restore_apart(path, verified.clone(), told).await?) };
    let VerifiedArchive { head, manifest, bytes, sha256 } = verified;
    let reached = mark(&head, None)?.map(|mark| mark.told());
    let RestoreCheck { ledger, audit_ok, lacks } = proof.unwrap_or_default();
    Ok(CheckedBackup {
        ok: ledger.as_ref().is_none_or(|ledger| ledger.ok) && audit_ok != Some(false) && lacks.is_none(),
        bytes,
        sha256,
        created_at: head.created_at,
        program: head.program,
        database: head.database,
        realm: head.realm,
        currency: head.currency,
        tables: manifest.tables.len(),
        rows: manifest.rows(),
        files: manifest.files,
        missing_files: manifest.missing_files,
        with_secrets: manifest.with_secrets,
        reached,
        lacks,
        ledger,
        audit_ok,
    })
}

/// Checks its digests.
pub(super) async fn verify_archive(path: PathBuf, told: &ProgressCallback) -> Result<VerifiedArchive, BackupError> {
    let told = told.clone();
    aside(move || {
        archive::verify(&path, |bytes| told("reading it back, bytes", bytes))
            .map_err(|error| BackupError::from(error).about(&path))
    })
    .await
}

/// The state of the database when the backup was made. With the installation's secrets,
/// its seal is checked.
pub(super) fn mark(head: &Head, sealer: Option<&Sealer>) -> Result<Option<Mark>, BackupError> {
    let read = |text: &String| {
        let mark = Mark::unsealed(text, sealer);
        mark.ok_or_else(|| BackupError::Damaged("its mark is not one that its installation sealed".to_owned()))
    };
    head.mark.as_ref().map(read).transpose()
}

/// The findings in a restored copy.
#[derive(Default)]
struct RestoreCheck {
    ledger: Option<Verification>,
    audit_ok: Option<bool>,
    lacks: Option<String>,
}

/// Whether a trial restore beside this file is possible, before anything is written.
pub(super) fn may_try_beside(path: &Path) -> Result<(), BackupError> {
    trial_url(folder_of(path)).map(drop)
}

/// The address of the database of a trial restore in this folder.
fn trial_url(folder: &Path) -> Result<String, BackupError> {
    let path = std::path::absolute(folder.join("copy.db")).ok();
    let path = path.as_deref().and_then(Path::to_str).filter(|path| !path.contains('?'));
    path.map(|path| format!("sqlite://{path}")).ok_or_else(|| BackupError::File {
        path: folder.to_owned(),
        problem: "a trial restore needs a folder whose name is UTF-8 without ?; --quick does without".to_owned(),
    })
}

/// A folder for everything, which nobody else may read and nobody removes while the second part is open.
fn trial_folder(beside: &Path) -> io::Result<(TempDir, File)> {
    let closed = Permissions::from_mode(0o700);
    loop {
        let folder = Builder::new().prefix(leftovers::TRIAL).permissions(closed.clone()).tempdir_in(beside)?;
        match File::open(folder.path()) {
            Ok(held) if leftovers::take(&held, folder.path()) => return Ok((folder, held)),
            // Another backup has taken it for a leftover.
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
}

/// Restores it next to the backup, where there is room, and checks that copy.
async fn restore_apart(
    path: PathBuf,
    verified: VerifiedArchive,
    told: &ProgressCallback,
) -> Result<RestoreCheck, BackupError> {
    let beside = folder_of(&path).to_owned();
    let failed = |problem: String| BackupError::File { path: beside.clone(), problem };
    leftovers::sweep(&beside);
    // The lock is held until the folder is removed.
    let (folder, _held) = trial_folder(&beside).map_err(|error| failed(error.to_string()))?;
    let url = trial_url(folder.path())?;
    let realm = realm(&verified)?;
    let mark = mark(&verified.head, None)?;
    let (wanted, told_rows) = (wanted(&url, realm, &verified)?, told.clone());
    let tried = aside(move || {
        copy::load(&wanted, |loader| feed(&path, &verified.manifest, loader, &told_rows, &mut |_, _| Ok(())))
    });
    tried.await.map_err(|error| match error {
        // Such as its full disk, which is not the installation's.
        BackupError::App(error) => failed(format!("the trial restore: {error}")),
        other => other,
    })?;
    told("checking the copy", 0);
    let app = open_for_checks(&url, realm)?;
    Ok(RestoreCheck {
        ledger: Some(verify(&app).await?),
        audit_ok: Some(verify_audit_of_copy(&app).await?.ok),
        lacks: lacking(&app, mark).await?,
    })
}

/// Compares a copy with its mark, and says in words what is missing.
pub(super) async fn lacking(app: &App, mark: Option<Mark>) -> Result<Option<String>, BackupError> {
    let Some(mark) = mark else { return Ok(None) };
    Ok(app.db.read(move |conn| high_water::lacking(conn, &mark)).await?)
}

/// Opened for checks, which need no secrets.
pub(crate) fn open_for_checks(url: &str, realm: Realm) -> Result<App, BackupError> {
    let db = Db::open(&Options { url: url.to_owned(), realm, clock: Clock::system() })?;
    let none = Secrets::new([0; 32], [0; 32], [0; 32]);
    Ok(App::new(db, none, Settings::default()))
}

pub(super) fn realm(verified: &VerifiedArchive) -> Result<Realm, BackupError> {
    Realm::from_name(&verified.head.realm)
        .ok_or_else(|| BackupError::Damaged(format!("{} is no realm", verified.head.realm)))
}

pub(super) fn wanted(url: &str, realm: Realm, verified: &VerifiedArchive) -> Result<copy::CopyTarget, BackupError> {
    let tables = verified.manifest.tables.iter().map(|line| {
        let columns = line
            .columns
            .iter()
            .map(|column| Some(Column { name: column.name.clone(), kind: Kind::from_name(&column.kind)? }));
        let columns = columns.collect::<Option<Vec<_>>>();
        let columns = columns.ok_or_else(|| BackupError::Newer(format!("{} has a column unknown here", line.name)))?;
        Ok(Table { name: line.name.clone(), columns, last_id: line.last_id })
    });
    Ok(copy::CopyTarget {
        url: url.to_owned(),
        realm,
        migrations: verified.head.migrations.clone(),
        tables: tables.collect::<Result<_, BackupError>>()?,
    })
}

/// Receives the parts that contain no rows.
pub(super) type PartSink<'a> = dyn FnMut(&str, Vec<u8>) -> Result<(), BackupError> + 'a;

/// Hands every row to the loader, and other parts to `other`. At the end, the number of
/// rows must match the manifest.
pub(super) fn feed(
    path: &Path,
    manifest: &Manifest,
    loader: &mut Loader<'_>,
    told: &ProgressCallback,
    other: &mut PartSink<'_>,
) -> Result<(), BackupError> {
    let mut counted = std::collections::BTreeMap::<String, u64>::new();
    let mut all = 0;
    archive::parts(path, |name, bytes| {
        let Some(table) = name.strip_prefix("tables/").and_then(|rest| rest.split('/').next()) else {
            return other(name, bytes);
        };
        let text = String::from_utf8(bytes).map_err(|_| BackupError::Damaged(format!("{name} is no text")))?;
        let lines: Vec<&str> = text.lines().collect();
        let rows = u64::try_from(lines.len()).unwrap_or(u64::MAX);
        loader.take(table, &format!("[{}]", lines.join(",")))?;
        *counted.entry(table.to_owned()).or_default() += rows;
        all += rows;
        told("restoring rows", all);
        Ok::<_, BackupError>(())
    })?;
    let differs = manifest.tables.iter().find(|t| counted.get(&t.name).copied().unwrap_or(0) != t.rows);
    match differs {
        Some(table) => Err(BackupError::Damaged(format!("{} has not as many rows as it says", table.name))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_restore_is_nobody_elses_to_read_or_to_remove() {
        let beside = tempfile::tempdir().expect("a folder");
        let (folder, held) = trial_folder(beside.path()).expect("made");
        let mode = folder.path().metadata().expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        leftovers::sweep(beside.path());
        assert!(folder.path().exists(), "it is used");
        // As if it were killed.
        let left = folder.keep();
        drop(held);
        leftovers::sweep(beside.path());
        assert!(!left.exists());
    }
}
