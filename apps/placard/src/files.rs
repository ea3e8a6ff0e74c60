//! The files that commands read and write: always those of the machine where the command
//! was typed. A server gets the files it needs with the command; its own files cannot be
//! named.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{BufWriter, ErrorKind, IntoInnerError, Read, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use bank::{Problem, decoded};
use desk::installation::leftovers;
use foundation::Error;
use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::terminal;

const MIB: usize = 1024 * 1024;
/// The most that a server returns in files.
const MOST_HANDED_OVER: usize = 64 * MIB;

/// More bytes than a payment file has.
const TRIED: u64 = 1024 * 1024;
/// The mode of a new file, before the umask is applied.
const EVERYBODYS: u32 = 0o666;
const OWNERS: u32 = 0o600;
const PRINTED_AT_A_TIME: u64 = 256 * 1024;

/// The files that a command may read.
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
    /// Whether only their owner may read them. They are new, and written whole or not at all.
    pub private: bool,
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

    /// A file's text of at most `most` bytes, or what is wrong. Programs on Windows write a byte order mark before it, and
    /// some of them UTF-16.
    pub fn read_text(&self, path: &Path, most: usize) -> Result<String, String> {
        let bytes = self.read(path, most)?;
        if bytes.len() > most {
            return Err(format!("the file is larger than {} MiB", most / MIB));
        }
        let text = decoded(&bytes, None).map_err(|problem| match problem {
            Problem::NotUtf8 => "it is not UTF-8".to_owned(),
            other => other.to_string(),
        })?;
        Ok(text.into_owned())
    }

    /// Whether files that must be new can be written, as far as that is known before they are.
    pub fn may_write(&self, files: &OutputFiles) -> Result<(), Failure> {
        match self {
            Self::Own => files.files.iter().try_for_each(|(path, _)| is_new(path)),
            // The caller's machine checked its own files before it sent the command.
            Self::Sent(_) => Ok(()),
        }
    }

    /// A file that only its owner may read, to be written piece by piece; with a path, it can then be finished there.
    pub fn create_unfinished(&self, path: Option<&Path>) -> Result<UnfinishedFile, Failure> {
        let made = match (self, path) {
            (Self::Own, Some(path)) => {
                is_new(path)?;
                beside(path).map(UnfinishedFile::Beside)
            }
            _ => tempfile::tempfile().map(UnfinishedFile::Nameless),
        };
        made.map_err(|e| Failure::Unwritten(e.to_string()))
    }

    /// Moves the file to its place where the command was typed. It replaces nothing.
    pub fn finish(&self, unfinished: UnfinishedFile, path: PathBuf) -> Result<(), Failure> {
        let failed = |e: std::io::Error| Failure::Unwritten(format!("{}: {e}", path.display()));
        match unfinished {
            UnfinishedFile::Beside(file) => appear(file, &path).map_err(failed),
            UnfinishedFile::Nameless(mut file) => {
                // One byte more than may be handed over is refused below.
                let most = u64::try_from(MOST_HANDED_OVER).unwrap_or(u64::MAX).saturating_add(1);
                let mut bytes = Vec::new();
                file.rewind().and_then(|()| file.take(most).read_to_end(&mut bytes)).map_err(failed)?;
                let files = vec![(path, bytes)];
                self.write(&OutputFiles { folder: None, absent: Vec::new(), new: true, private: true, files })
            }
        }
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

/// A file that is not whole yet, and is gone if it never is.
#[derive(Debug)]
pub enum UnfinishedFile {
    /// Beside its place.
    Beside(NamedTempFile),
    /// An unnamed file in the folder for temporary files, which nobody else can open.
    Nameless(File),
}

impl UnfinishedFile {
    /// To write it by.
    pub fn writer(&self) -> Result<BufWriter<File>, Failure> {
        let file = match self {
            Self::Beside(file) => file.as_file(),
            Self::Nameless(file) => file,
        };
        Ok(BufWriter::new(file.try_clone().map_err(unwritten)?))
    }
}

/// An unfinished file with its complete content.
#[derive(Debug)]
pub struct WrittenWhole(File);

impl WrittenWhole {
    pub fn of(writer: BufWriter<File>) -> Result<Self, Failure> {
        Ok(Self(writer.into_inner().map_err(IntoInnerError::into_error).map_err(unwritten)?))
    }

    /// Prints it part by part.
    pub async fn print(self) -> Result<(), Failure> {
        let mut file = self.0;
        file.rewind().map_err(unwritten)?;
        loop {
            let read = tokio::task::spawn_blocking(move || {
                let mut part = Vec::new();
                let read = (&mut file).take(PRINTED_AT_A_TIME).read_to_end(&mut part);
                read.map(|_| (file, part))
            });
            let (rest, part) = read.await.map_err(|e| Error::Internal(e.to_string()))?.map_err(unwritten)?;
            if part.is_empty() || !terminal::print_bytes(&part).await? {
                return Ok(());
            }
            file = rest;
        }
    }
}

fn unwritten(error: std::io::Error) -> Failure {
    Failure::Unwritten(error.to_string())
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
        if self.private {
            // The command's effect is stored, and running it again would not write the file.
            return self.files.iter().try_for_each(|(path, bytes)| {
                write_private(path, bytes).map_err(|e| Failure::Unwritten(format!("{}: {e}", path.display())))
            });
        }
        let mut staged = Vec::new();
        for (path, bytes) in &self.files {
            staged.push((path, Staged::write(path, bytes, self.new).map_err(|e| wrong(path, e))?));
        }
        staged.into_iter().try_for_each(|(path, staged)| staged.finish().map_err(|e| wrong(path, e)))
    }
}

/// Whether a file can be made there: nothing has the name, the folder takes files, and its disk has room. What a file
/// is about may be stored before it is written, so what would keep it from being written is found first.
pub fn is_new(path: &Path) -> Result<(), Failure> {
    match path.symlink_metadata() {
        Ok(_) => return Err(wrong(path, "is there already")),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        // Such as a name that is too long.
        Err(error) => return Err(wrong(path, error)),
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(wrong(folder, "is no folder"));
    }
    let room = |mut tried: NamedTempFile| std::io::copy(&mut std::io::repeat(0).take(TRIED), &mut tried);
    beside(path).and_then(room).map(drop).map_err(|error| wrong(folder, error))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file appears with all of its content, and replaces none.
fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut unfinished = beside(path)?;
    unfinished.write_all(bytes)?;
    appear(unfinished, path)
}

fn beside(path: &Path) -> std::io::Result<NamedTempFile> {
    unfinished(folder_of(path), Permissions::from_mode(OWNERS))
}

/// A new file with a name that nobody typed. What killed commands left in the folder is removed.
fn unfinished(folder: &Path, mode: Permissions) -> std::io::Result<NamedTempFile> {
    leftovers::sweep(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(leftovers::FILE).permissions(mode);
    loop {
        let made = builder.tempfile_in(folder)?;
        if leftovers::take(made.as_file(), made.path()) {
            return Ok(made);
        }
    }
}

fn appear(unfinished: NamedTempFile, path: &Path) -> std::io::Result<()> {
    unfinished.as_file().sync_all()?;
    unfinished.persist_noclobber(path)?;
    File::open(folder_of(path))?.sync_all()
}

/// A file that is whole, but not in its place yet. If there is no room for one of several, none gets its place.
enum Staged<'a> {
    Beside {
        unfinished: NamedTempFile,
        path: PathBuf,
        new: bool,
    },
    /// A device or a pipe, which is written to directly and never replaced.
    Device {
        open: File,
        bytes: &'a [u8],
    },
}

impl<'a> Staged<'a> {
    fn write(path: &Path, bytes: &'a [u8], new: bool) -> std::io::Result<Self> {
        if !new && fs::metadata(path).is_ok_and(|of| !of.is_file()) {
            return Ok(Self::Device { open: OpenOptions::new().write(true).open(path)?, bytes });
        }
        // A link leads to the file as before.
        let there = fs::canonicalize(path).ok().filter(|_| !new);
        let path = there.unwrap_or_else(|| path.to_owned());
        // The file that is tried beside it has a name that nobody typed.
        if !folder_of(&path).is_dir() {
            return Err(std::io::Error::new(ErrorKind::NotFound, "its folder is not there"));
        }
        let mode = fs::metadata(&path).map_or_else(|_| Permissions::from_mode(EVERYBODYS), |of| of.permissions());
        let mut unfinished = unfinished(folder_of(&path), mode)?;
        unfinished.write_all(bytes)?;
        unfinished.as_file().sync_all()?;
        Ok(Self::Beside { unfinished, path, new })
    }

    /// If the file must be new, an existing one is never overwritten. A file that is replaced stays unchanged until
    /// now.
    fn finish(self) -> std::io::Result<()> {
        match self {
            Self::Device { mut open, bytes } => open.write_all(bytes),
            Self::Beside { unfinished, path, new: true } => appear(unfinished, &path),
            Self::Beside { unfinished, path, new: false } => {
                unfinished.persist(&path)?;
                File::open(folder_of(&path))?.sync_all()
            }
        }
    }
}

fn wrong(path: &Path, problem: impl ToString) -> Failure {
    Failure::Usage(format!("{}: {}", path.display(), problem.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, bytes: &[u8], new: bool) -> std::io::Result<()> {
        Staged::write(path, bytes, new)?.finish()
    }

    #[test]
    fn what_was_not_sent_is_not_read() {
        let sent = BTreeMap::from([
            (PathBuf::from("a.toml"), Ok(b"a".to_vec())),
            (PathBuf::from("c.json"), Ok("\u{feff}{}".into())),
            (PathBuf::from("b.toml"), Err("No such file or directory (os error 2)".to_owned())),
        ]);
        let files = Files::Sent(sent);
        assert_eq!(files.read(Path::new("a.toml"), 9), Ok(b"a".to_vec()));
        assert!(files.read(Path::new("b.toml"), 9).is_err());
        assert_eq!(files.read_text(Path::new("c.json"), 9).as_deref(), Ok("{}"));
        assert!(files.read(Path::new("/etc/passwd"), 9).is_err() && Path::new("/etc/passwd").exists());
    }

    #[test]
    fn a_text_is_read_as_programs_on_windows_write_it() {
        let utf_16: Vec<u8> = "\u{feff}name = \"茶\"\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let name = Path::new("a.toml");
        let sent = |bytes: &[u8]| Files::Sent(BTreeMap::from([(PathBuf::from(name), Ok(bytes.to_vec()))]));
        let read = |bytes: &[u8]| sent(bytes).read_text(name, 99);
        assert_eq!(read(&utf_16).as_deref(), Ok("name = \"茶\"\r\n"));
        assert_eq!(read(b"name = \"Gr\xfc\xdfe\""), Err("it is not UTF-8".to_owned()));
        assert!(read(&utf_16[..utf_16.len() - 1]).is_err());
    }

    #[test]
    fn a_private_file_is_its_owners_and_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pay.xml");
        let wanted = OutputFiles {
            folder: None,
            absent: Vec::new(),
            new: true,
            private: true,
            files: vec![(path.clone(), b"accounts".to_vec())],
        };
        Files::Own.may_write(&wanted).expect("possible");
        wanted.write().expect("written");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert!(matches!(wanted.write(), Err(Failure::Unwritten(_))), "and never another in its place");
        assert!(matches!(Files::Own.may_write(&wanted), Err(Failure::Usage(_))));
        assert_eq!(fs::read(&path).expect("there"), b"accounts");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing unfinished is left");
        let nowhere = OutputFiles { files: vec![(folder.path().join("none/pay.xml"), Vec::new())], ..wanted };
        assert!(Files::Own.may_write(&nowhere).is_err());
    }

    #[test]
    fn what_a_killed_command_left_is_removed_by_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pay.xml");
        let (_, left) = beside(&path).and_then(|left| left.keep().map_err(Into::into)).expect("left");
        let used = beside(&path).expect("made");
        write(&path, b"accounts", true).expect("written");
        assert!(!left.exists() && used.path().exists() && path.exists(), "another command still uses its own");
    }

    #[test]
    fn what_would_keep_a_file_from_being_written_is_found_before() {
        let folder = tempfile::tempdir().expect("a folder");
        // Nobody can create a file below /proc, not even root.
        for path in ["/proc/pay.xml".into(), folder.path().join("x".repeat(300)), "/dev/null/pay.xml".into()] {
            assert!(matches!(is_new(&path), Err(Failure::Usage(_))), "{}", path.display());
        }
        is_new(&folder.path().join("pay.xml")).expect("room");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing tried is left");
    }

    #[test]
    fn a_file_keeps_its_place_and_its_readers_when_it_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("a.toml"), folder.path().join("b.toml"));
        fs::write(&file, "old").expect("written");
        fs::set_permissions(&file, Permissions::from_mode(0o640)).expect("set");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        write(&link, b"new", false).expect("replaced");
        assert_eq!(fs::read(&file).expect("there"), b"new");
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
        assert!(link.symlink_metadata().expect("there").is_symlink());
        assert!(write(&file, b"newer", true).is_err(), "it was to be new");
        let nowhere = write(&folder.path().join("none/a.toml"), b"new", false).expect_err("no folder");
        assert_eq!(nowhere.to_string(), "its folder is not there");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing unfinished is left");
    }

    #[test]
    fn a_pipe_is_written_to_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("runs").success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).expect("read")
        });
        write(&pipe, b"anything", false).expect("taken");
        assert!(fs::metadata(&pipe).expect("there").file_type().is_fifo());
        assert_eq!(reader.join().expect("no panic"), b"anything");
    }

    #[test]
    fn nothing_is_written_over_unasked() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("below/a.toml");
        let files = vec![(path.clone(), b"a".to_vec())];
        let below = Some(folder.path().join("below"));
        let wanted = OutputFiles { folder: below, absent: vec![path.clone()], new: false, private: false, files };
        wanted.write().expect("written");
        assert!(matches!(wanted.write(), Err(Failure::Usage(problem)) if problem.contains("is there already")));
        OutputFiles { absent: Vec::new(), ..wanted.clone() }.write().expect("replaced");
        assert!(OutputFiles { absent: Vec::new(), new: true, ..wanted }.write().is_err());
        assert_eq!(fs::read(path).expect("there"), b"a");
    }

    #[test]
    fn one_of_several_that_cannot_be_written_keeps_all_from_their_places() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("c.toml")).expect("a folder");
        for wrong in ["none/b.toml", "c.toml"] {
            let files = vec![(at("a.toml"), b"a".to_vec()), (at(wrong), b"b".to_vec())];
            let wanted = OutputFiles { folder: None, absent: Vec::new(), new: false, private: false, files };
            assert!(matches!(wanted.write(), Err(Failure::Usage(_))), "{wrong}");
            assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "{wrong}");
        }
    }
}
