//! The installation's file of secrets.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use auth::Secrets;
use auth::secrets::RANDOM_BYTES;
use foundation::random;
use tempfile::NamedTempFile;

use super::private;

/// The secrets; `None` if the file does not exist.
pub(super) fn read(path: &Path) -> Result<Option<Secrets>, String> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|e| e.to_string())?,
    };
    Secrets::parse(&text).map(Some).map_err(|e| e.to_string())
}

/// Reads the secrets. If there is no file, creates one that only its owner can read.
pub(super) fn read_or_create(path: &Path) -> Result<Secrets, String> {
    if let Some(there) = read(path)? {
        return Ok(there);
    }
    create(path)?;
    read(path)?.ok_or_else(|| "it is gone again".to_owned())
}

/// Two programs may start at once. Only one of the files gets the name, so both read the same secrets.
fn create(path: &Path) -> Result<(), String> {
    let bytes: [u8; RANDOM_BYTES] = random().map_err(|e| e.to_string())?;
    match put_new(path, Secrets::file_text(&bytes).as_bytes()) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// Creates a file where there is none, completely or not at all.
pub fn put_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    private::folder(folder_of(path))?;
    unfinished(path, bytes)?.persist_noclobber(path).map_err(|refused| refused.error)?;
    File::open(folder_of(path))?.sync_all()
}

/// Puts a changed text in the file's place, all of it or nothing.
pub fn replace(path: &Path, change: impl FnOnce(&str) -> Result<String, String>) -> Result<(), String> {
    let text = change(&fs::read_to_string(path).map_err(|e| e.to_string())?)?;
    let replaced = unfinished(path, text.as_bytes()).and_then(|file| Ok(file.persist(path)?));
    replaced.and_then(|_| File::open(folder_of(path))?.sync_all()).map_err(|e| e.to_string())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file to disk beside the wanted one, readable only by its owner. Unless it is given a name, it is deleted.
/// The remains of a killed program do not disturb anything.
fn unfinished(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix(".secrets-").tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_key_of_the_log_is_added_for_the_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secrets.toml");
        let before = read_or_create(&path).expect("made");
        crate::installation::secrets::add_log_key(&path).expect("added");
        let after = read(&path).expect("read").expect("there");
        assert_eq!((after.fingerprint(), after.public_log().len()), (before.fingerprint(), 2));
        assert_eq!(after.public_log()[1..], before.public_log()[..]);
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left lying about");
        let refused = replace(&path, |_| Err("no".to_owned()));
        assert_eq!((refused, read(&path).expect("read").expect("there").public_log().len()), (Err("no".to_owned()), 2));
    }

    /// In a container, every start has the same number.
    #[test]
    fn what_a_killed_program_left_is_in_nobodys_way() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secrets.toml");
        let left = path.with_extension(format!("{}.new", std::process::id()));
        fs::write(&left, "half").expect("written");
        let made = read_or_create(&path).expect("made");
        replace(&path, |text| Ok(format!("{text}# said\n"))).expect("replaced");
        assert_eq!(read(&path).expect("read").expect("there").fingerprint(), made.fingerprint());
        assert!(fs::read_to_string(&path).expect("read").ends_with("# said\n"));
        let refused = put_new(&path, b"others").expect_err("one is there");
        assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
        assert!(fs::read_to_string(&path).expect("read").ends_with("# said\n"));
        assert_eq!(fs::read_to_string(&left).expect("read"), "half");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing else is left lying about");
    }

    #[test]
    fn a_link_to_a_disk_that_is_not_mounted_is_told() {
        let place = tempfile::tempdir().expect("a folder");
        let data = place.path().join("data");
        std::os::unix::fs::symlink(place.path().join("mnt/disk"), &data).expect("linked");
        let refused = read_or_create(&data.join("secrets.toml")).map(|_| ()).expect_err("no folder");
        assert_eq!(refused, format!("{} is no folder, or a link to none", data.display()));
    }

    #[test]
    fn secrets_are_made_once_and_for_the_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/secrets.toml");
        let first = read_or_create(&path).expect("made");
        assert_eq!(read_or_create(&path).expect("read").pepper(), first.pepper());
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert_eq!(
            fs::read_dir(folder.path().join("deep")).expect("a folder").count(),
            1,
            "nothing is left lying about"
        );
    }
}
