//! A folder on this machine.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;

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
