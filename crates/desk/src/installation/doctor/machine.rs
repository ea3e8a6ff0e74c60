//! Checks of the machine: disk space, and writable folders.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use objects::ObjectLocation;
use rustix::fs::{Access, access, statvfs};

use super::Finding;
use crate::installation::settings::Installation;

const MIB: u64 = 1024 * 1024;
const SCARCE: u64 = 1024 * MIB;
const NEARLY_NONE: u64 = 200 * MIB;

pub(super) fn findings(installation: &Installation) -> Vec<Finding> {
    let mut all = vec![disk("disk, data", &installation.data_dir)];
    if let Some(path) = installation.database_url.strip_prefix("sqlite://") {
        let folder = Path::new(path).parent().map(Path::to_owned).unwrap_or_default();
        all.push(disk("disk, database", &folder));
    }
    all.push(files(&installation.files));
    all
}

fn disk(check: &'static str, folder: &Path) -> Finding {
    let folder = existing(folder);
    let free = match statvfs(&folder) {
        Ok(found) => found.f_bavail.saturating_mul(found.f_frsize),
        Err(error) => return Finding::problem(check, format!("{}: {error}", folder.display()), "see that it is there"),
    };
    let found = format!("{} MiB free at {}", free / MIB, folder.display());
    match free {
        ..NEARLY_NONE => Finding::problem(check, found, "make room now: nothing can be written soon"),
        NEARLY_NONE..SCARCE => Finding::warning(check, found, "make room, or add some"),
        SCARCE.. => Finding::ok(check, found),
    }
}

fn files(place: &ObjectLocation) -> Finding {
    let ObjectLocation::Folder(folder) = place else {
        return Finding::ok("files", "a bucket; whether it takes files, the next upload tells");
    };
    let there = existing(folder);
    match access(&there, Access::WRITE_OK) {
        Ok(()) => Finding::ok("files", format!("{} can be written to", there.display())),
        Err(error) => {
            let advice = "let the server's user write there: no picture can be uploaded";
            Finding::problem("files", format!("{}: {error}", there.display()), advice)
        }
    }
}

/// The folder, or its nearest existing parent.
fn existing(folder: &Path) -> PathBuf {
    let there = folder.ancestors().find(|folder| folder.exists());
    there.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

pub(super) fn others_may_read(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
}
