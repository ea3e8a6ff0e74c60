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

/// What is wrong with a file of secrets, and what to do.
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
    close(data_dir);
    let entries = fs::read_dir(data_dir).into_iter().flatten().take(MOST).filter_map(Result::ok);
    entries.for_each(|entry| close(&entry.path()));
    database_files(database_url).iter().for_each(|path| close(path));
}

fn database_files(url: &str) -> Vec<PathBuf> {
    let path = url.strip_prefix("sqlite://").filter(|path| !path.is_empty());
    let named = |path: &str| ["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{path}{end}"))).to_vec();
    path.map(named).unwrap_or_default()
}

/// Links are not followed, because their targets are elsewhere.
fn close(path: &Path) {
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
}
