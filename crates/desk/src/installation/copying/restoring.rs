//! Restoring a database from its copies, at the last moment that they have or an earlier one.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use archive::copies::{self, CopyHead, CopyList, Increment};
use auth::hex;
use base::Timestamp;
use campaigns::delivery::archive::file_problem;
use foundation::staff::audit_log::verify_audit_of_copy;
use foundation::{App, ProgressCallback, random};
use money::wallet::public_log::note_restored;
use money::wallet::verify::{Verification, verify};
use objects::{ObjectLocation, Objects};
use serde::Serialize;
use serde_json::json;
use store::delivery::archive as archived;
use store::installation::{high_water, identity, soundness};
use store::people::files;

use super::{HEAD, LIST, VARIABLE, pages};
use crate::installation::backup::{
    BackupError, SecretsState, aside, fits, hold, note_unsound, open_for_checks, secrets,
};
use crate::installation::settings::{Installation, InvalidSetting, private};

/// The result of a restore from copies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RestoredCopy {
    /// Whether the ledger's laws hold and the audit log's chain is intact.
    pub ok: bool,
    /// The restored database has everything that was answered before this moment.
    pub until: String,
    pub increments: u64,
    pub files: u64,
    pub missing_files: Vec<String>,
    pub secrets: SecretsState,
    pub ledger: Verification,
    pub audit_ok: bool,
    /// The first of what does not match the ledger's laws or the audit log, in words. Nobody opens the database
    /// without accepting that.
    pub unsound: Option<String>,
    /// The loss of what was answered later, according to the mark of the lost database. Nobody can open the database
    /// before the loss is accepted.
    pub lost: Option<String>,
}

/// Restores the database as it was at `until`, or as late as possible, into SQLite. There must be no
/// database yet.
///
/// # Errors
/// `Damaged`; `FileExists`; a variable that belongs to another installation. Then there is no
/// database, or one that says that its restore did not end.
pub async fn restore_copy(
    installation: &Installation,
    place: &ObjectLocation,
    until: Option<Timestamp>,
    told: ProgressCallback,
) -> Result<RestoredCopy, BackupError> {
    // Opening it would make it, and an address may be mistyped.
    if let ObjectLocation::Folder(folder) = place
        && !folder.is_dir()
    {
        return Err(BackupError::File { path: folder.clone(), problem: "there is no such folder".to_owned() });
    }
    let objects = Objects::open(place).map_err(|problem| InvalidSetting::new(VARIABLE, problem))?;
    let (path, is_earlier) = (target(installation)?, until.is_some());
    let list = get_needed(&objects, LIST).await.and_then(|bytes| Ok(CopyList::read(&bytes)?))?;
    let until = until.map_or(i64::MAX, Timestamp::millis);
    let Some(copy) = list.copies.iter().rfind(|copy| copy.from <= until) else {
        return Err(BackupError::Damaged("no copy is as old as that".to_owned()));
    };
    let bytes = get_needed(&objects, &format!("{}/{HEAD}", copy.name)).await?;
    let (head, after) = (CopyHead::read(&bytes)?, copies::digest(&bytes));
    fits(installation, &head.realm, &head.currency)?;
    let secrets = secrets(&installation.secret_file, &head.secrets, false)?;
    let made = UnnamedDatabase::beside(&path)?;
    take_file(&objects, &head, &made, &told).await?;
    let (until, increments) = take_changes(&objects, &copy.name, after, until, &made, &told).await?;
    if increments < copy.first {
        return Err(BackupError::Damaged(format!("increment {} is missing", increments.saturating_add(1))));
    }
    told("checking what was restored", increments);
    made.check().await?;
    made.note_restoring().await?;
    made.name(&path)?;
    let url = &installation.database_url;
    let app = open_for_checks(url, installation.realm)?;
    // Before anything is written.
    let reached = app.db.read(high_water::read_mark).await?;
    // An older version's schema had no place for that.
    app.db.write(|tx| identity::note_restoring(tx)).await?;
    let (ledger, audited) = (verify(&app).await?, verify_audit_of_copy(&app).await?);
    let (files, missing_files) = take_files(&app, installation, &objects, &told).await?;
    if is_earlier {
        // If the last moment was restored, everything that was published is in the copy, so only an earlier one is
        // noted.
        note_restored(&app, &open_files(installation)?, installation.settings.domain.is_some()).await?;
    }
    let fingerprint = head.secrets.clone();
    let unsound = note_unsound(&app, &ledger, &audited, fingerprint).await?;
    drop(app);
    let until = Timestamp::from_millis(until).to_string();
    let details = json!({ "copy": copy.name, "increments": increments, "until": until });
    let lost = hold(installation, secrets, Some(reached), details).await?;
    let ok = ledger.ok && audited.ok && lost.is_none();
    Ok(RestoredCopy {
        ok,
        until,
        increments,
        files,
        missing_files,
        secrets,
        ledger,
        audit_ok: audited.ok,
        unsound,
        lost,
    })
}

/// The path of the database, where no file may be.
fn target(installation: &Installation) -> Result<PathBuf, BackupError> {
    let Some(path) = installation.database_url.strip_prefix("sqlite://").map(PathBuf::from) else {
        let problem = "copies are of SQLite; `placard backup` moves what was restored to PostgreSQL";
        return Err(InvalidSetting::new("PLACARD_DATABASE_URL", problem).into());
    };
    let log = PathBuf::from(format!("{}-wal", path.display()));
    let there = [&path, &log].into_iter().find(|file| file.symlink_metadata().is_ok()).cloned();
    there.map_or(Ok(path), |there| Err(BackupError::FileExists(there)))
}

async fn get_needed(objects: &Objects, name: &str) -> Result<Vec<u8>, BackupError> {
    objects.whole(name).await?.ok_or_else(|| BackupError::Damaged(format!("{name} is not there")))
}

async fn take_file(
    objects: &Objects,
    head: &CopyHead,
    made: &UnnamedDatabase,
    told: &ProgressCallback,
) -> Result<(), BackupError> {
    let mut offset = 0;
    for part in &head.parts {
        let bytes = get_needed(objects, &part.name).await?;
        if copies::digest(&bytes) != part.sha256 {
            return Err(BackupError::Damaged(format!("{} is not as it was written", part.name)));
        }
        let to = made.handle()?;
        let written = aside(move || {
            let bytes = copies::expanded(&bytes)?;
            Ok(to.write_all_at(&bytes, offset).map(|()| bytes.len() as u64))
        });
        offset = offset.saturating_add(written.await?.map_err(|error| made.failed(&error))?);
        told("restoring the file, bytes", offset);
    }
    Ok(())
}

/// Applies every increment until then; returns the moment of the last, and their number.
async fn take_changes(
    objects: &Objects,
    copy: &str,
    mut after: String,
    until: i64,
    made: &UnnamedDatabase,
    told: &ProgressCallback,
) -> Result<(i64, u64), BackupError> {
    let (mut moment, mut number) = (0, 0_u64);
    loop {
        let next = number.saturating_add(1);
        let Some(bytes) = objects.whole(&pages(copy, next)).await? else {
            // The previous increment was the last, unless there are later ones.
            let later = format!("{next:08}");
            let names = objects.names(&format!("{copy}/pages")).await?;
            return match names.iter().any(|name| *name > later) {
                true => Err(BackupError::Damaged(format!("increment {next} is missing"))),
                false => Ok((moment, number)),
            };
        };
        let digest = copies::digest(&bytes);
        let (to, before) = (made.handle()?, std::mem::replace(&mut after, digest));
        let applied = aside(move || {
            let increment = copies::read_increment(&bytes, &before)?;
            let at = increment.head.at;
            Ok(if at <= until { apply(&to, &increment).map(|()| Some(at)) } else { Ok(None) })
        });
        match applied.await?.map_err(|error| made.failed(&error))? {
            Some(at) => (moment, number) = (at, next),
            None => return Ok((moment, number)),
        }
        told("restoring what changed, increments", number);
    }
}

fn apply(file: &File, Increment { head, pages }: &Increment) -> io::Result<()> {
    let size = u64::from(head.page_size);
    for (number, page) in pages {
        file.write_all_at(page, u64::from(number.saturating_sub(1)).saturating_mul(size))?;
    }
    if head.database_pages > 0 { file.set_len(u64::from(head.database_pages).saturating_mul(size)) } else { Ok(()) }
}

fn open_files(installation: &Installation) -> Result<Objects, InvalidSetting> {
    Objects::open(&installation.files).map_err(|problem| InvalidSetting::new("PLACARD_FILES_URL", problem))
}

/// Puts back the pictures and the files of archived events that were in a folder of the lost machine; returns how many,
/// and those that are nowhere.
async fn take_files(
    app: &App,
    installation: &Installation,
    objects: &Objects,
    told: &ProgressCallback,
) -> Result<(u64, Vec<String>), BackupError> {
    let storage = open_files(installation)?;
    let (mut restored, mut missing) = (0_u64, Vec::new());
    for id in app.db.read(files::all_ids).await? {
        if storage.get(&id).await?.is_some() {
            continue;
        }
        match objects.whole(&format!("files/{id}")).await? {
            Some(bytes) => {
                storage.put(&id, bytes).await?;
                restored = restored.saturating_add(1);
                told("restoring pictures", restored);
            }
            None => missing.push(id),
        }
    }
    for archive in app.db.read(archived::all).await? {
        if file_problem(&storage, &archive).await.is_none() {
            continue;
        }
        objects.copy_to(&storage, &archive.file).await?;
        match file_problem(&storage, &archive).await {
            None => {
                restored = restored.saturating_add(1);
                told("restoring archived events", restored);
            }
            Some(_) => missing.push(archive.file),
        }
    }
    Ok((restored, missing))
}

/// A database that gets its name when it is whole, and is deleted otherwise.
struct UnnamedDatabase(PathBuf);

impl UnnamedDatabase {
    /// Creates a file with a random name, so that neither the remains of a killed restore nor another running one are
    /// in the way.
    fn beside(path: &Path) -> Result<Self, BackupError> {
        let number: [u8; 8] = random()?;
        let own = PathBuf::from(format!("{}.{}.restored", path.display(), hex::encode(&number)));
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = || OpenOptions::new().write(true).create_new(true).mode(0o600).open(&own);
        match folder.map_or(Ok(()), private::folder).and_then(|()| file()) {
            Ok(_) => Ok(Self(own)),
            Err(error) => Err(BackupError::File { path: path.to_owned(), problem: error.to_string() }),
        }
    }

    fn handle(&self) -> Result<File, BackupError> {
        OpenOptions::new().write(true).open(&self.0).map_err(|error| self.failed(&error))
    }

    /// The file itself; the laws of the ledger are checked afterwards.
    async fn check(&self) -> Result<(), BackupError> {
        self.handle()?.sync_all().map_err(|error| self.failed(&error))?;
        let url = format!("sqlite://{}", self.0.display());
        let damage = aside(move || Ok(soundness::damage(&url)?)).await?;
        damage.into_iter().next().map_or(Ok(()), |damage| Err(BackupError::Damaged(damage)))
    }

    /// Marks the database as incomplete for anybody who opens it before the restore has ended: see
    /// [`identity::note_restoring`].
    async fn note_restoring(&self) -> Result<(), BackupError> {
        let url = format!("sqlite://{}", self.0.display());
        aside(move || Ok(identity::note_restoring_in(&url)?)).await?;
        self.handle()?.sync_all().map_err(|error| self.failed(&error))
    }

    /// If a database got the name meanwhile, it is not replaced.
    fn name(self, path: &Path) -> Result<(), BackupError> {
        if path.symlink_metadata().is_ok() {
            return Err(BackupError::FileExists(path.to_owned()));
        }
        fs::rename(&self.0, path).map_err(|error| self.failed(&error))?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> BackupError {
        BackupError::File { path: self.0.clone(), problem: error.to_string() }
    }
}

impl Drop for UnnamedDatabase {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", self.0.display()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_restore_is_in_no_others_way() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("placard.db");
        let killed = UnnamedDatabase::beside(&path).expect("made");
        let first = UnnamedDatabase::beside(&path).expect("made beside it");
        let second = UnnamedDatabase::beside(&path).expect("made beside both");
        first.name(&path).expect("named");
        assert!(matches!(second.name(&path), Err(BackupError::FileExists(_))));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "the other's and the database");
        drop(killed);
    }
}
