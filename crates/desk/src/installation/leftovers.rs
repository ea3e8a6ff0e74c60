//! What a command makes beside its file while it works: it may contain everything. A program that is killed leaves it
//! there, and the next command that writes into the folder removes it. Whoever still uses it holds a lock on it.

use std::fs::{self, File, TryLockError};
use std::path::Path;

/// The folder of a trial restore.
pub(crate) const TRIAL: &str = ".placard-check-";
/// A backup that is not finished.
pub(crate) const BACKUP: &str = ".placard-backup-";
/// Any other file that is not finished.
pub const FILE: &str = ".placard-file-";

/// Whether what was just made is this process's now, until `made` is closed. If not, another one has taken it for a
/// leftover in between.
pub fn take(made: &File, path: &Path) -> bool {
    match made.try_lock() {
        Err(TryLockError::WouldBlock) => false,
        // A file system without locks: nothing is removed there either.
        Ok(()) | Err(TryLockError::Error(_)) => path.symlink_metadata().is_ok(),
    }
}

/// Removes what killed programs left in this folder. What cannot be removed is in nobody's way.
pub fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        let begins = |prefix: &str| name.as_encoded_bytes().starts_with(prefix.as_bytes());
        // This follows no link.
        let Ok(kind) = entry.file_type() else { continue };
        let is_left = (begins(TRIAL) && kind.is_dir()) || ((begins(BACKUP) || begins(FILE)) && kind.is_file());
        let Some(left) = is_left.then(|| File::open(&path).ok()).flatten() else { continue };
        if left.try_lock().is_ok() {
            let _ = if kind.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_uses_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in [".placard-check-left", ".placard-check-used"] {
            fs::create_dir(path(name)).expect("a folder");
            fs::write(path(name).join("copy.db"), "rows").expect("written");
        }
        let others = [".other.part", "placard-check-visible", ".placard-check-file"];
        for name in others.iter().chain(&[".placard-backup-left", ".placard-file-left", ".placard-backup-used"]) {
            fs::write(path(name), "rows").expect("written");
        }
        std::os::unix::fs::symlink(path("placard-check-visible"), path(".placard-backup-link")).expect("a link");
        let used = [".placard-check-used", ".placard-backup-used"];
        let held = used.map(|name| (File::open(path(name)).expect("opened"), path(name)));
        assert!(held.iter().all(|(file, path)| take(file, path)));
        assert!(!take(&File::open(path(used[0])).expect("opened"), &path(used[0])), "it is taken");
        sweep(folder.path());
        let left = [".placard-check-left", ".placard-backup-left", ".placard-file-left"];
        assert!(left.iter().all(|name| !path(name).exists()));
        assert!(others.iter().chain(&used).chain(&[".placard-backup-link"]).all(|name| path(name).exists()));
        drop(held);
        sweep(folder.path());
        assert!(used.iter().all(|name| !path(name).exists()) && others.iter().all(|name| path(name).exists()));
    }
}
