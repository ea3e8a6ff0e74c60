//! A file that gets its final name when it is finished, and is deleted otherwise.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use auth::hex;
use foundation::random;

use super::BackupError;

pub(super) struct Unfinished {
    own: PathBuf,
    wanted: PathBuf,
}

impl Unfinished {
    /// In the folder of `wanted`, because renaming works only within a file system.
    pub(super) fn beside(wanted: &Path) -> Result<Self, BackupError> {
        let name = wanted.file_name().ok_or_else(|| failed(wanted, "it names no file"))?;
        if wanted.symlink_metadata().is_ok() {
            return Err(BackupError::FileExists(wanted.to_owned()));
        }
        // Not by the process's number, which is the same at every start in a container: what a killed one left would
        // be in the way.
        let number: [u8; 8] = random()?;
        let own = format!(".{}.{}.part", name.to_string_lossy(), hex::encode(&number));
        let unfinished = Self { own: wanted.with_file_name(own), wanted: wanted.to_owned() };
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished.own);
        made.map_err(|error| failed(wanted, error))?;
        Ok(unfinished)
    }

    pub(super) fn path(&self) -> &Path {
        &self.own
    }

    pub(super) fn open(&self) -> Result<File, BackupError> {
        OpenOptions::new().write(true).open(&self.own).map_err(|error| failed(&self.own, error))
    }

    /// If another file got the name meanwhile, it is not replaced.
    pub(super) fn name_it(self) -> Result<(), BackupError> {
        match fs::hard_link(&self.own, &self.wanted) {
            Ok(()) => (),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(BackupError::FileExists(self.wanted.clone()));
            }
            Err(error) => return Err(failed(&self.wanted, error)),
        }
        let folder = self.wanted.parent().filter(|folder| !folder.as_os_str().is_empty());
        let synced = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
        synced.map_err(|error| failed(&self.wanted, error))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // If it cannot be removed, it is at least hidden, and its name says what it is.
        let _ = fs::remove_file(&self.own);
    }
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
        std::mem::forget(Unfinished::beside(&wanted).expect("made"));
        Unfinished::beside(&wanted).expect("made beside it").name_it().expect("named");
        assert!(wanted.exists() && Unfinished::beside(&wanted).is_err());
    }
}
