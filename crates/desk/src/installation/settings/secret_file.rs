//! The installation's file of secrets.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use auth::Secrets;
use auth::secrets::RANDOM_BYTES;
use foundation::random;

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

/// Two programs may start at once: each writes its own file and links it to the final
/// name. The second link fails, so both read the same secrets.
fn create(path: &Path) -> Result<(), String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        private::folder(folder).map_err(|e| e.to_string())?;
    }
    let bytes: [u8; RANDOM_BYTES] = random().map_err(|e| e.to_string())?;
    let own = path.with_extension(format!("{}.new", std::process::id()));
    let written = write_private(&own, &Secrets::file_text(&bytes)).and_then(|()| match fs::hard_link(&own, path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    });
    let removed = fs::remove_file(&own);
    written.and(removed).map_err(|e| e.to_string())
}

/// Puts a changed text in the file's place, all of it or nothing.
pub fn replace(path: &Path, change: impl FnOnce(&str) -> Result<String, String>) -> Result<(), String> {
    let text = change(&fs::read_to_string(path).map_err(|e| e.to_string())?)?;
    let own = path.with_extension(format!("{}.new", std::process::id()));
    let replaced = write_private(&own, &text).and_then(|()| fs::rename(&own, path));
    // What could not be put in its place is not left lying about.
    replaced.inspect_err(|_| drop(fs::remove_file(&own))).map_err(|e| e.to_string())
}

fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
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
