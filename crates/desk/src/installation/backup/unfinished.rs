//! A file that gets its final name when it is finished, and is deleted otherwise.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::BackupError;
use crate::installation::leftovers;

pub(super) struct UnfinishedBackup {
    file: NamedTempFile,
    wanted: PathBuf,
}

impl UnfinishedBackup {
    /// Creates the file in the folder of `wanted`, because renaming works only within a file system. If it cannot be
    /// removed, it is hidden, and its name says what it is. The remains of a killed program do not disturb anything.
    pub(super) fn beside(wanted: &Path) -> Result<Self, BackupError> {
        wanted.file_name().ok_or_else(|| failed(wanted, "it names no file"))?;
        if wanted.symlink_metadata().is_ok() {
            return Err(BackupError::FileExists(wanted.to_owned()));
        }
        loop {
            let made = Builder::new().prefix(leftovers::BACKUP).suffix(".part").tempfile_in(folder_of(wanted));
            let file = made.map_err(|error| failed(wanted, error))?;
            if leftovers::take(file.as_file(), file.path()) {
                return Ok(Self { file, wanted: wanted.to_owned() });
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    pub(super) fn open(&self) -> Result<File, BackupError> {
        self.file.as_file().try_clone().map_err(|error| failed(&self.wanted, error))
    }

    /// If another file got the name meanwhile, it is not replaced. No second name is made for that where renaming does
    /// without: shared folders and memory sticks have none.
    pub(super) fn name_it(self) -> Result<(), BackupError> {
        match self.file.persist_noclobber(&self.wanted) {
            Ok(_) => (),
            Err(unnamed) if unnamed.error.kind() == ErrorKind::AlreadyExists => {
                return Err(BackupError::FileExists(self.wanted));
            }
            Err(unnamed) => return Err(failed(&self.wanted, unnamed.error)),
        }
        let synced = File::open(folder_of(&self.wanted)).and_then(|folder| folder.sync_all());
        synced.map_err(|error| failed(&self.wanted, error))
    }
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn failed(path: &Path, problem: impl ToString) -> BackupError {
    BackupError::File { path: path.to_owned(), problem: problem.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_program_left_is_in_nobodys_way() {
        let folder = tempfile::tempdir().expect("a folder");
        let wanted = folder.path().join("a.placard");
        std::mem::forget(UnfinishedBackup::beside(&wanted).expect("made"));
        UnfinishedBackup::beside(&wanted).expect("made beside it").name_it().expect("named");
        assert!(wanted.exists() && UnfinishedBackup::beside(&wanted).is_err());
    }
}
