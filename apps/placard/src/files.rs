//! The files that commands read and write: always those of the machine where the command
//! was typed. A server gets the files it needs with the command; its own files cannot be
//! named.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::terminal;

const MIB: usize = 1024 * 1024;
/// The most that a server returns in files.
const MOST_HANDED_OVER: usize = 64 * MIB;

/// What a command may read.
#[derive(Debug)]
pub enum Files {
    /// Files of this machine.
    Own,
    /// Files sent with the command, by the names as typed; or why one could not be read.
    Sent(BTreeMap<PathBuf, Result<Vec<u8>, String>>),
}

/// Files written by a command, all or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFiles {
    /// Created if it is missing.
    pub folder: Option<PathBuf>,
    /// If one of these exists, nothing is written.
    pub absent: Vec<PathBuf>,
    /// Whether each file must be new.
    pub new: bool,
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl Files {
    /// A file's content, read up to one byte more than `most`; or what is wrong with it.
    pub fn read(&self, path: &Path, most: usize) -> Result<Vec<u8>, String> {
        match self {
            Self::Own => own(path, most),
            Self::Sent(files) => files.get(path).cloned().unwrap_or_else(|| Err("it was not sent".to_owned())),
        }
    }

    /// The same as text, which may not be longer.
    pub fn read_text(&self, path: &Path, most: usize) -> Result<String, String> {
        let bytes = self.read(path, most)?;
        if bytes.len() > most {
            return Err(format!("the file is larger than {} MiB", most / MIB));
        }
        String::from_utf8(bytes).map_err(|_| "stream did not contain valid UTF-8".to_owned())
    }

    /// Writes files where the command was typed.
    pub fn write(&self, files: &OutputFiles) -> Result<(), Failure> {
        match self {
            Self::Own => files.write(),
            Self::Sent(_) if files.size() > MOST_HANDED_OVER => Err(Failure::Usage(format!(
                "more than {} MiB: use the installation's own machine",
                MOST_HANDED_OVER / MIB
            ))),
            Self::Sent(_) if terminal::hand_over(files) => Ok(()),
            Self::Sent(_) => Err(Failure::Usage("there is nobody to write files for".to_owned())),
        }
    }
}

/// A file of this machine.
pub fn own(path: &Path, most: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|e| e.to_string())
}

impl OutputFiles {
    fn size(&self) -> usize {
        self.files.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    /// Writes to this machine.
    pub fn write(&self) -> Result<(), Failure> {
        if let Some(path) = self.absent.iter().find(|path| path.exists()) {
            return Err(wrong(path, "is there already; --overwrite replaces it"));
        }
        if let Some(folder) = &self.folder {
            fs::create_dir_all(folder).map_err(|e| wrong(folder, e))?;
        }
        self.files.iter().try_for_each(|(path, bytes)| write(path, bytes, self.new).map_err(|e| wrong(path, e)))
    }
}

/// If the file must be new, an existing one is never overwritten.
fn write(path: &Path, bytes: &[u8], new: bool) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true);
    let mut file = if new { options.create_new(true) } else { options.create(true).truncate(true) }.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn wrong(path: &Path, problem: impl ToString) -> Failure {
    Failure::Usage(format!("{}: {}", path.display(), problem.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_sent_is_not_read() {
        let sent = BTreeMap::from([
            (PathBuf::from("a.toml"), Ok(b"a".to_vec())),
            (PathBuf::from("b.toml"), Err("No such file or directory (os error 2)".to_owned())),
        ]);
        let files = Files::Sent(sent);
        assert_eq!(files.read(Path::new("a.toml"), 9), Ok(b"a".to_vec()));
        assert!(files.read(Path::new("b.toml"), 9).is_err());
        assert!(files.read(Path::new("/etc/passwd"), 9).is_err() && Path::new("/etc/passwd").exists());
    }

    #[test]
    fn nothing_is_written_over_unasked() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("below/a.toml");
        let files = vec![(path.clone(), b"a".to_vec())];
        let below = Some(folder.path().join("below"));
        let wanted = OutputFiles { folder: below, absent: vec![path.clone()], new: false, files };
        wanted.write().expect("written");
        assert!(matches!(wanted.write(), Err(Failure::Usage(problem)) if problem.contains("is there already")));
        OutputFiles { absent: Vec::new(), ..wanted.clone() }.write().expect("replaced");
        assert!(OutputFiles { absent: Vec::new(), new: true, ..wanted }.write().is_err());
        assert_eq!(fs::read(path).expect("there"), b"a");
    }
}
