//! The state that a witness must not lose: its key, and what it cosigned. Each is a small file that is replaced as a
//! whole, so that a crash never leaves half of it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use desk::installation::settings::{OPEN, is_open};
use proof::witness::Refused;
use proof::{Cosigner, NoteKey, NoteSignature, TreeHead, Witness};

const VERSION: &str = "placard-witness/1";

/// A path with something at its end.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn at(path: &Path, problem: impl ToString) -> String {
    format!("{}: {}", path.display(), problem.to_string())
}

/// Writes a file that only its owner reads, and returns once it is on disk.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let new = beside(path, ".new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

fn read(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(path, error)),
    }
}

/// The key beside a file of state, made if neither is there.
pub fn key(state: &Path, name: Option<&str>) -> Result<Cosigner, String> {
    let path = beside(state, ".key");
    if let Some(text) = read(&path)? {
        if is_open(&path) {
            return Err(at(&path, OPEN));
        }
        let key = Cosigner::parse_secret(text.trim_end()).map_err(|bad| at(&path, bad))?;
        if name.is_some_and(|name| name != key.public().name()) {
            return Err(at(&path, format!("its name is {}", key.public().name())));
        }
        // A witness without its state would cosign anything.
        return match state.exists() {
            true => Ok(key),
            false => {
                Err(at(state, "it is missing, and the key was used with it: restore it, or begin with another key"))
            }
        };
    }
    let name = name.ok_or_else(|| at(&path, "there is no key yet: --name says how a new one is called"))?;
    let seed = foundation::random::<32>().map_err(|error| error.to_string())?;
    let key = Cosigner::new(name, &seed).map_err(|_| format!("--name: no key may be called {name:?}"))?;
    // The state is written first: a state without a key is accepted, but a key without a state is refused.
    if !state.exists() {
        write_whole(state, &format!("{VERSION}\n")).map_err(|error| at(state, error))?;
    }
    write_whole(&path, &format!("{}\n", key.secret_text())).map_err(|error| at(&path, error))?;
    Ok(key)
}

/// A witness whose memory is a file that nobody else writes.
#[derive(Debug)]
pub struct Kept {
    witness: Witness,
    path: PathBuf,
    _lock: File,
}

/// Why nothing was cosigned.
#[derive(Debug)]
pub enum NotCosigned {
    Refused(Refused),
    /// The cosigned state could not be stored.
    NotKept(io::Error),
}

impl Kept {
    pub fn open(path: &Path, cosigner: Cosigner, logs: Vec<NoteKey>) -> Result<Self, String> {
        let place = beside(path, ".lock");
        let lock = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&place);
        let lock = lock.map_err(|error| at(&place, error))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => at(path, "another witness uses it"),
            TryLockError::Error(error) => at(&place, error),
        })?;
        let text = read(path)?.ok_or_else(|| at(path, "it is missing"))?;
        let heads = heads(&text).ok_or_else(|| at(path, "it is no state of a witness, or damaged"))?;
        let mut witness = Witness::new(cosigner, logs);
        heads.into_iter().for_each(|(origin, head)| witness.keep(origin, head));
        Ok(Self { witness, path: path.to_owned(), _lock: lock })
    }

    /// Cosigns a checkpoint that extends the one that was cosigned before. When it returns, the new state is on disk.
    pub fn add(&mut self, body: &str, seconds: u64) -> Result<NoteSignature, NotCosigned> {
        let cosigned = self.witness.decide(body, seconds).map_err(NotCosigned::Refused)?;
        if self.witness.heads().get(&cosigned.origin) != Some(&cosigned.head) {
            let mut heads = self.witness.heads().clone();
            heads.insert(cosigned.origin.clone(), cosigned.head);
            let lines: String = heads.iter().map(|(origin, head)| line(origin, head)).collect();
            write_whole(&self.path, &format!("{VERSION}\n{lines}")).map_err(NotCosigned::NotKept)?;
            self.witness.keep(cosigned.origin, cosigned.head);
        }
        Ok(cosigned.line)
    }
}

/// A log's name has no spaces.
fn line(origin: &str, head: &TreeHead) -> String {
    format!("{origin} {} {}\n", head.size, base::hex::encode(&head.root))
}

fn heads(text: &str) -> Option<Vec<(String, TreeHead)>> {
    let lines = text.strip_prefix(VERSION)?.strip_prefix('\n')?;
    lines.lines().map(read_line).collect::<Option<Vec<_>>>().filter(|_| text.ends_with('\n'))
}

fn read_line(text: &str) -> Option<(String, TreeHead)> {
    let (origin, rest) = text.split_once(' ')?;
    let (size, root) = rest.split_once(' ')?;
    let head = TreeHead { size: size.parse().ok()?, root: base::hex::decode(root)? };
    (line(origin, &head).trim_end() == text).then(|| (origin.to_owned(), head))
}
