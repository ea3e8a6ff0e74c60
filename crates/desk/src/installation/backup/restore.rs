//! Restoring an installation from a backup, completely or not at all.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use archive::VerifiedArchive;
use auth::Secrets;
use base::Clock;
use foundation::staff::audit_log::{AuditCheck, seal_what_was_there, verify_audit_of_copy};
use foundation::{App, Error, ProgressCallback};
use money::wallet::public_log::note_restored;
use money::wallet::verify::{Verification, verify};
use objects::{Objects, Upload};
use serde::Serialize;
use serde_json::{Value, json};
use store::Tx;
use store::installation::high_water::{self, Mark};
use store::installation::{copy, identity};
use store::staff::audit::{self, Action, Actor};
use tokio::runtime::Handle;

use super::prove::{self, SECRETS};
use super::{BackupError, SUBJECT, aside};
use crate::installation::settings::{Installation, InvalidSetting, SkippedChecks, put_new_secrets};

const RESTORED: &str = "backup.restore";

/// Whether passwords and tickets can be verified after the restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretsState {
    /// The installation's own were already there.
    Same,
    /// The secrets were in the backup and have been written.
    Restored,
    /// Other secrets are there, with which the installation cannot be opened.
    Different,
    /// There are no secrets, neither here nor in the backup.
    Missing,
}

/// The result of a restore.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RestoredBackup {
    /// Whether the ledger's laws hold and the audit log's chain is intact.
    pub ok: bool,
    pub created_at: String,
    /// The kind of database it came from: `sqlite` or `postgres`.
    pub from: String,
    pub tables: usize,
    pub rows: u64,
    pub files: u64,
    pub missing_files: Vec<String>,
    pub secrets: SecretsState,
    pub ledger: Verification,
    pub audit_ok: bool,
    /// The first of what does not match the ledger's laws or the audit log, in words. Nobody opens the database
    /// without accepting that.
    pub unsound: Option<String>,
    /// What is missing from the rows according to the backup's own mark, in words.
    pub lacks: Option<String>,
    /// The loss of what was answered after the backup was made, according to the mark of the lost database. Nobody can
    /// open the database before the loss is accepted.
    pub lost: Option<String>,
}

/// Restores into an empty database of either kind. Rows are restored all or not at all;
/// pictures are put into the configured storage.
///
/// # Errors
/// `Damaged` and `Newer`; `NotEmpty`; a variable that belongs to another installation.
/// Then there are no rows, or the database says that its restore did not end.
pub async fn restore(
    installation: &Installation,
    path: PathBuf,
    told: ProgressCallback,
) -> Result<RestoredBackup, BackupError> {
    let verified = prove::verify_archive(path.clone(), &told).await?;
    fits(installation, &verified.head.realm, &verified.head.currency)?;
    let realm = prove::realm(&verified)?;
    let wanted = prove::wanted(&installation.database_url, realm, &verified)?;
    let objects =
        Objects::open(&installation.files).map_err(|problem| InvalidSetting::new("PLACARD_FILES_URL", problem))?;
    let secrets = secrets(&installation.secret_file, &verified.head.secrets, verified.manifest.with_secrets)?;
    let own = match secrets {
        SecretsState::Same => Some(read_secrets(&installation.secret_file)?.sealer()),
        SecretsState::Different | SecretsState::Restored | SecretsState::Missing => None,
    };
    let mark = prove::mark(&verified.head, own.as_ref())?;
    let (handle, secret_file, told_rows) = (Handle::current(), installation.secret_file.clone(), told.clone());
    let files = objects.clone();
    let verified = aside(move || {
        copy::load(&wanted, |loader| {
            let mut archived = ArchivedFiles { handle: &handle, objects: &objects, current: None };
            let mut other = |name: &str, bytes: Vec<u8>| match name.strip_prefix("files/") {
                Some(id) => Ok(handle.block_on(objects.put(id, bytes))?),
                None if name.starts_with("events/") => archived.take(name, bytes),
                None if name == SECRETS && secrets == SecretsState::Restored => write_secrets(&secret_file, &bytes),
                None => Ok(()),
            };
            prove::feed(&path, &verified.manifest, loader, &told_rows, &mut other)?;
            archived.finish()?;
            // The next steps may be interrupted, and then there are rows already.
            Ok::<_, BackupError>(loader.note_restoring()?)
        })?;
        Ok(verified)
    });
    let verified = verified.await?;
    told("checking what was restored", 0);
    let app = prove::open_for_checks(&installation.database_url, realm)?;
    // An older version's schema had no place for that.
    app.db.write(|tx| identity::note_restoring(tx)).await?;
    let (ledger, audited) = (verify(&app).await?, verify_audit_of_copy(&app).await?);
    let lacks = prove::lacking(&app, mark).await?;
    let VerifiedArchive { head, manifest, sha256, .. } = verified;
    let details = json!({ "sha256": sha256, "created_at": head.created_at, "from": head.database });
    note_restored(&app, &files, installation.settings.domain.is_some()).await?;
    let fingerprint = head.secrets.clone();
    let unsound = note_unsound(&app, &ledger, &audited, fingerprint).await?;
    drop(app);
    let lost = hold(installation, secrets, mark, details).await?;
    Ok(RestoredBackup {
        ok: ledger.ok && audited.ok && lacks.is_none() && lost.is_none(),
        created_at: head.created_at,
        from: head.database,
        tables: manifest.tables.len(),
        rows: manifest.rows(),
        files: manifest.files,
        missing_files: manifest.missing_files,
        secrets,
        ledger,
        audit_ok: audited.ok,
        unsound,
        lacks,
        lost,
    })
}

/// Notes in a restored database what does not match in it, and with which secrets it was used. Returns the first of
/// what does not match.
pub(crate) async fn note_unsound(
    app: &App,
    ledger: &Verification,
    audited: &AuditCheck,
    fingerprint: String,
) -> Result<Option<String>, Error> {
    let unsound = ledger.faults.iter().chain(&audited.faults).next().cloned();
    let kept = unsound.clone();
    let noted = app.db.write(move |tx| {
        identity::set_unsound(tx, kept.as_deref())?;
        Ok::<_, Error>(identity::bind_if_free(tx, &fingerprint)?)
    });
    noted.await.map(|()| unsound)
}

/// Compares a restored database with the mark of the one that was there, and lets the audit log know
/// of the restore. Returns what was answered and is missing.
pub(crate) async fn hold(
    installation: &Installation,
    secrets: SecretsState,
    made: Option<Mark>,
    details: Value,
) -> Result<Option<String>, BackupError> {
    let url = &installation.database_url;
    let others = match secrets {
        SecretsState::Different => Some(read_secrets(&installation.secret_file)?.sealer()),
        SecretsState::Same | SecretsState::Restored | SecretsState::Missing => None,
    };
    let lost = high_water::hold_restored(url, &installation.mark()?, made.as_ref(), others.as_ref())?;
    // Without the right secrets, the record cannot be sealed, nor the database opened.
    if matches!(secrets, SecretsState::Same | SecretsState::Restored) {
        let app = match lost {
            None => installation.open_restored(Clock::system())?,
            Some(_) => installation.open_unheld(Clock::system(), SkippedChecks::Mark)?.0,
        };
        seal_what_was_there(&app).await?;
        app.db.write(move |tx| by_nobody(tx, RESTORED, &details, "restored from a backup")).await?;
        drop(app);
        if lost.is_some() {
            high_water::count_from(url, made.as_ref())?;
        }
    }
    Ok(lost)
}

/// Files of archived events, whose parts follow each other.
struct ArchivedFiles<'a> {
    handle: &'a Handle,
    objects: &'a Objects,
    current: Option<(String, Upload)>,
}

impl ArchivedFiles<'_> {
    fn take(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), BackupError> {
        let (file, _) = name.rsplit_once('/').unwrap_or((name, ""));
        if self.current.as_ref().is_none_or(|(current, _)| current != file) {
            self.finish()?;
            let upload = self.handle.block_on(self.objects.upload(file))?;
            self.current = Some((file.to_owned(), upload));
        }
        match &mut self.current {
            Some((_, upload)) => Ok(self.handle.block_on(upload.part(bytes.into()))?),
            None => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), BackupError> {
        match self.current.take() {
            Some((_, upload)) => Ok(self.handle.block_on(upload.finish())?),
            None => Ok(()),
        }
    }
}

/// Records an action without an operator: anybody who runs this program on the machine may restore.
pub(super) fn by_nobody(tx: &mut Tx<'_>, action: &'static str, details: &Value, reason: &str) -> Result<(), Error> {
    let nobody = Actor { id: None, name: "installation".to_owned() };
    let deed = Action { action, subject: SUBJECT.to_owned(), details: details.to_string(), reason: reason.to_owned() };
    Ok(audit::append(tx, &nobody, &deed)?)
}

/// Refuses another currency, whose amounts would differ, and another realm.
pub(crate) fn fits(installation: &Installation, realm: &str, currency: &str) -> Result<(), BackupError> {
    let settings = &installation.settings;
    if realm != installation.realm.name() {
        let problem = format!("the backup is of a {realm} installation");
        return Err(InvalidSetting::new("PLACARD_REALM", problem).into());
    }
    if currency != settings.currency.code {
        let problem = format!("the backup counts in {currency}, not in {}", settings.currency.code);
        return Err(InvalidSetting::new("PLACARD_CURRENCY", problem).into());
    }
    Ok(())
}

/// Compares the secret file with the fingerprint of an installation's secrets.
pub(crate) fn secrets(path: &Path, fingerprint: &str, in_backup: bool) -> Result<SecretsState, BackupError> {
    let wrong = |problem: String| InvalidSetting::new("PLACARD_SECRET_FILE", format!("{}: {problem}", path.display()));
    match fs::read_to_string(path) {
        Ok(_) => {
            let there = read_secrets(path)?;
            let same = there.fingerprint() == fingerprint;
            Ok(if same { SecretsState::Same } else { SecretsState::Different })
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Ok(if in_backup { SecretsState::Restored } else { SecretsState::Missing })
        }
        Err(error) => Err(wrong(error.to_string()).into()),
    }
}

fn read_secrets(path: &Path) -> Result<Secrets, BackupError> {
    let wrong = |problem: String| InvalidSetting::new("PLACARD_SECRET_FILE", format!("{}: {problem}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    Ok(Secrets::parse(&text).map_err(|error| wrong(error.to_string()))?)
}

fn write_secrets(path: &Path, bytes: &[u8]) -> Result<(), BackupError> {
    put_new_secrets(path, bytes)
        .map_err(|error| BackupError::File { path: path.to_owned(), problem: error.to_string() })
}
