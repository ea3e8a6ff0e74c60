//! A folder on this machine.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;

/// A program that reads a file and then replaces it holds a lock on this file.
const LOCK: &str = ".replacing";

pub fn open(path: &Path) -> Result<Arc<dyn ObjectStore>, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    // Only this program serves its files.
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| wrong(&error))?;
    try_to_write(path).map_err(|error| wrong(&error))?;
    let store = LocalFileSystem::new_with_prefix(path).map_err(|error| wrong(&error))?;
    Ok(Arc::new(store.with_fsync(true)))
}

/// Fails now rather than at the first upload.
fn try_to_write(path: &Path) -> std::io::Result<()> {
    let tried = path.join(format!(".{}.tried", std::process::id()));
    fs::write(&tried, "")?;
    fs::remove_file(tried)
}

/// Waits until no program replaces anything in the folder, and makes others wait until the returned file is dropped. If
/// files cannot be locked, nobody waits.
pub fn lock(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path.join(LOCK))?;
    match file.lock() {
        Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
        _ => Ok(file),
    }
}
