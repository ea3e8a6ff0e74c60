//! The format on the wire: a command with its files, and its output.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::path::PathBuf;

use base::refuse_if;
use serde::{Deserialize, Serialize};

use crate::files::OutputFiles;
use crate::terminal::OutputItem;

/// A bank statement has at most 32 MiB; the rest is for the arguments.
pub const MOST_ASKED: usize = 33 * 1024 * 1024;
/// Says that the command is still running, so that no proxy times out.
pub const BEAT: [u8; 5] = [b'.', 0, 0, 0, 0];

/// A command as typed.
#[derive(Debug, PartialEq, Eq)]
pub struct RemoteCommand {
    pub arguments: Vec<String>,
    /// The width of the caller's terminal.
    pub width: usize,
    /// The files that its arguments name, or why one could not be read.
    pub files: BTreeMap<PathBuf, Result<Vec<u8>, String>>,
}

#[derive(Serialize, Deserialize)]
struct CommandHead {
    arguments: Vec<String>,
    width: usize,
    files: Vec<FileHead>,
}

/// A file's header; its bytes follow.
#[derive(Serialize, Deserialize)]
struct FileHead {
    path: PathBuf,
    size: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl RemoteCommand {
    /// A line of JSON, followed by the bytes of all files.
    pub fn bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let of = |(path, file): (&PathBuf, &Result<Vec<u8>, String>)| {
            let size = file.as_ref().map_or(0, Vec::len);
            FileHead { path: path.clone(), size, problem: file.as_ref().err().cloned() }
        };
        let files = self.files.iter().map(of).collect();
        let head = CommandHead { arguments: self.arguments.clone(), width: self.width, files };
        with_bytes(&head, self.files.values().flatten())
    }

    /// `None` for anything that [`RemoteCommand::bytes`] would not write.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (head, mut rest) = apart::<CommandHead>(bytes)?;
        let mut files = BTreeMap::new();
        for FileHead { path, size, problem } in head.files {
            let (file, behind) = rest.split_at_checked(size)?;
            rest = behind;
            files.insert(path, problem.map_or_else(|| Ok(file.to_vec()), Err));
        }
        Some(Self { arguments: head.arguments, width: head.width, files })
    }
}

#[derive(Serialize, Deserialize)]
struct OutputFilesHead {
    folder: Option<PathBuf>,
    absent: Vec<PathBuf>,
    new: bool,
    #[serde(default)]
    private: bool,
    files: Vec<(PathBuf, usize)>,
}

/// One item of output: its kind, its length, and its bytes.
pub fn frame(printed: &OutputItem) -> Vec<u8> {
    match printed {
        OutputItem::Text(text) => framed(b't', text.as_bytes()),
        OutputItem::Bytes(bytes) => framed(b'b', bytes),
        OutputItem::Error(text) => framed(b'e', text.as_bytes()),
        OutputItem::Code(code) => framed(b'x', &[*code]),
        OutputItem::Files(OutputFiles { folder, absent, new, private, files }) => {
            let sizes = files.iter().map(|(path, bytes)| (path.clone(), bytes.len())).collect();
            let (folder, absent) = (folder.clone(), absent.clone());
            let head = OutputFilesHead { folder, absent, new: *new, private: *private, files: sizes };
            framed(b'f', &with_bytes(&head, files.iter().map(|(_, bytes)| bytes)).unwrap_or_default())
        }
    }
}

fn framed(kind: u8, bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes();
    [&[kind], &length[..], bytes].concat()
}

/// The next item of output.
///
/// # Errors
/// Reading fails, or the answer ends without an item that says so.
pub fn next(wire: &mut impl Read) -> std::io::Result<OutputItem> {
    loop {
        let mut head = [0; 5];
        wire.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let length = u64::from(u32::from_be_bytes(length));
        let mut bytes = Vec::new();
        refuse_if(wire.take(length).read_to_end(&mut bytes)? as u64 != length, ErrorKind::UnexpectedEof)?;
        if kind != b'.' {
            return parse_item(kind, bytes).ok_or_else(|| ErrorKind::InvalidData.into());
        }
    }
}

fn parse_item(kind: u8, bytes: Vec<u8>) -> Option<OutputItem> {
    match kind {
        b't' => String::from_utf8(bytes).ok().map(OutputItem::Text),
        b'e' => String::from_utf8(bytes).ok().map(OutputItem::Error),
        b'b' => Some(OutputItem::Bytes(bytes)),
        b'x' => bytes.first().copied().map(OutputItem::Code),
        b'f' => parse_files(&bytes).map(OutputItem::Files),
        _ => None,
    }
}

fn parse_files(bytes: &[u8]) -> Option<OutputFiles> {
    let (OutputFilesHead { folder, absent, new, private, files: sizes }, mut rest) = apart::<OutputFilesHead>(bytes)?;
    let mut files = Vec::new();
    for (path, size) in sizes {
        let (file, behind) = rest.split_at_checked(size)?;
        rest = behind;
        files.push((path, file.to_vec()));
    }
    Some(OutputFiles { folder, absent, new, private, files })
}

fn with_bytes<'a>(
    head: &impl Serialize,
    parts: impl Iterator<Item = &'a Vec<u8>>,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec(head)?;
    bytes.push(b'\n');
    parts.for_each(|part| bytes.extend_from_slice(part));
    Ok(bytes)
}

fn apart<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<(T, &'a [u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (head, rest) = bytes.split_at_checked(end)?;
    Some((serde_json::from_slice(head).ok()?, rest.get(1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_comes_as_it_was_typed() {
        let files = BTreeMap::from([
            (PathBuf::from("a.toml"), Ok(b"a\nb".to_vec())),
            (PathBuf::from("b.toml"), Err("is missing".to_owned())),
            (PathBuf::from("c.toml"), Ok(vec![0, 255])),
        ]);
        let asked =
            RemoteCommand { arguments: vec!["notify".into(), "--body".into(), "a\nb".into()], width: 80, files };
        let bytes = asked.bytes().expect("bytes");
        assert_eq!(RemoteCommand::parse(&bytes), Some(asked));
        for cut in 0..bytes.len() {
            assert_eq!(RemoteCommand::parse(&bytes[..cut]), None, "{cut}");
        }
    }

    #[test]
    fn what_was_printed_comes_in_its_order() {
        let files = OutputFiles {
            folder: Some("f".into()),
            absent: vec!["f/a".into()],
            new: false,
            private: true,
            files: vec![("f/a".into(), b"1\n2".to_vec()), ("f/b".into(), Vec::new())],
        };
        let all = [
            OutputItem::Text("\u{1b}[1mid\u{1b}[0m\n".into()),
            OutputItem::Bytes(vec![0, 255]),
            OutputItem::Files(files),
            OutputItem::Error("placard: no\n".into()),
            OutputItem::Code(2),
        ];
        let bytes: Vec<u8> = all.iter().flat_map(|one| [BEAT.to_vec(), frame(one)].concat()).collect();
        let mut wire = bytes.as_slice();
        for one in &all {
            assert_eq!(&next(&mut wire).expect("a frame"), one);
        }
        assert_eq!(next(&mut wire).expect_err("the end").kind(), ErrorKind::UnexpectedEof);
        assert!(next(&mut &bytes[..8]).is_err());
    }
}
