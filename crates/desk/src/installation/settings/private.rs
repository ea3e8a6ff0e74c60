//! File permissions: only the owner may read an installation's files.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The permissions of the group and all others.
const OTHERS: u32 = 0o077;
/// Such a folder is shared, like /tmp, so its permissions are not changed.
const STICKY: u32 = 0o1000;
/// The most entries of the data folder that are checked.
const MOST: usize = 1_000;

/// The files that may be in the data folder besides the database.
const OWN: [&str; 5] = ["files", "secrets.toml", "postgres.mark", "demo.txt", "lost+found"];

/// The problem of a file of secrets with open permissions, and its remedy.
pub const OPEN: &str = "others than its owner may read or write it: chmod 600";

/// Whether others than its owner may read or write a file. A link is followed.
pub fn is_open(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & OTHERS != 0)
}

/// Creates a folder that only its owner can enter, unless it exists.
pub fn folder(path: &Path) -> io::Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|error| match error.kind() {
        // Such as a link to a disk that is not mounted. Whoever makes a file in it must not take this for that file's.
        ErrorKind::AlreadyExists => {
            io::Error::new(ErrorKind::NotADirectory, format!("{} is no folder, or a link to none", path.display()))
        }
        _ => error,
    })
}

/// Removes others' permissions from the data folder, its files and the database, if an
/// older version left them.
pub fn tighten(data_dir: &Path, database_url: &str) {
    let entries = fs::read_dir(data_dir).into_iter().flatten().take(MOST).filter_map(Result::ok);
    let entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let owner = fs::metadata(data_dir).map_or(0, |found| found.uid());
    match entries.iter().find(|path| is_anothers(path, owner)) {
        // Such as /var/lib, if somebody forgot the rest. Without it, nothing else on the machine would work.
        Some(other) => {
            let (folder, other) = (data_dir.display(), other.display());
            tracing::warn!(%folder, %other, "the data folder is used for other things too, so it is not closed");
            OWN.iter().for_each(|name| close(&data_dir.join(name)));
        }
        None => {
            close(data_dir);
            entries.iter().for_each(|path| close(path));
        }
    }
    database_files(database_url).iter().for_each(|path| close(path));
}

/// A folder that no installation makes, and that others may enter or that is not of this folder's owner.
fn is_anothers(path: &Path, owner: u32) -> bool {
    let is_own = OWN.iter().any(|name| path.ends_with(name));
    let Ok(found) = fs::symlink_metadata(path) else { return false };
    !is_own && found.is_dir() && (found.permissions().mode() & OTHERS != 0 || found.uid() != owner)
}

fn database_files(url: &str) -> Vec<PathBuf> {
    let path = url.strip_prefix("sqlite://").filter(|path| !path.is_empty());
    let named = |path: &str| ["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{path}{end}"))).to_vec();
    path.map(named).unwrap_or_default()
}

/// Removes others' permissions. Links are not followed, because their targets are elsewhere.
pub fn close(path: &Path) {
    let Ok(found) = fs::symlink_metadata(path) else { return };
    let mode = found.permissions().mode();
    if found.is_symlink() || mode & OTHERS == 0 || mode & STICKY != 0 {
        return;
    }
    let owner = found.uid();
    match fs::set_permissions(path, Permissions::from_mode(mode & 0o7777 & !OTHERS)) {
        Ok(()) => tracing::info!(path = %path.display(), "closed to everybody but its owner"),
        Err(error) => tracing::warn!(path = %path.display(), owner, %error, "open to others, and cannot be closed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("there").permissions().mode() & 0o777
    }

    #[test]
    fn a_folder_of_before_is_closed_with_what_lies_in_it() {
        let place = tempfile::tempdir().expect("a folder");
        let (data, elsewhere) = (place.path().join("data"), place.path().join("elsewhere"));
        fs::create_dir(&data).expect("made");
        fs::create_dir(data.join("files")).expect("made");
        for file in [data.join("placard.db"), data.join("demo.txt"), elsewhere.clone()] {
            fs::write(&file, "x").expect("written");
            fs::set_permissions(&file, Permissions::from_mode(0o644)).expect("opened");
        }
        fs::set_permissions(&data, Permissions::from_mode(0o755)).expect("opened");
        std::os::unix::fs::symlink(&elsewhere, data.join("link")).expect("linked");
        tighten(&data, "sqlite://nowhere.db");
        let modes = ["", "files", "placard.db", "demo.txt"].map(|name| mode(&data.join(name)));
        assert_eq!(modes, [0o700, 0o700, 0o600, 0o600]);
        assert_eq!(mode(&elsewhere), 0o644, "a link is not followed");
        tighten(&data, &format!("sqlite://{}", elsewhere.display()));
        assert_eq!(mode(&elsewhere), 0o600, "the database, wherever it is");
    }

    #[test]
    fn a_folder_of_everybody_is_not_closed_by_mistake() {
        let place = tempfile::tempdir().expect("a folder");
        let (shared, program) = (place.path().join("lib"), place.path().join("lib/program"));
        fs::create_dir_all(&program).expect("made");
        let (secrets, others) = (shared.join("secrets.toml"), shared.join("others.txt"));
        for (path, bits) in [(&shared, 0o755), (&program, 0o755), (&secrets, 0o644), (&others, 0o644)] {
            if !path.exists() {
                fs::write(path, "x").expect("written");
            }
            fs::set_permissions(path, Permissions::from_mode(bits)).expect("opened");
        }
        tighten(&shared, "sqlite://nowhere.db");
        let modes = [&shared, &program, &others, &secrets].map(|path| mode(path));
        assert_eq!(modes, [0o755, 0o755, 0o644, 0o600], "only what is the installation's");
    }
}
