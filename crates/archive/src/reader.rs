//! Reads the file, and checks whether it is complete.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

use base::hex;
use flate2::bufread::GzDecoder;
use sha2::{Digest, Sha256};
use tar::Archive;

use crate::manifest::{Head, Manifest, PartLine};
use crate::{Error, FORMAT, HEAD, LONGEST_MANIFEST, LONGEST_PART, MANIFEST};

/// A file that was verified completely.
#[derive(Clone, Debug)]
pub struct VerifiedArchive {
    pub head: Head,
    pub manifest: Manifest,
    pub bytes: u64,
    /// The digest of the file itself.
    pub sha256: String,
}

/// Reads only the description of the file.
///
/// # Errors
/// `Io`, `Damaged` or `Newer`.
pub fn head(path: &Path) -> Result<Head, Error> {
    let mut archive = open(path)?;
    let first = archive.entries().and_then(|mut entries| entries.next().transpose()).map_err(read_failed)?;
    let (name, bytes) = first.map(take).transpose()?.ok_or_else(|| Error::damaged("it is empty"))?;
    if name != HEAD {
        return Err(Error::damaged("it is no backup of Placard"));
    }
    parse_head(&bytes)
}

/// Passes every part to `each`, except description and manifest.
///
/// # Errors
/// `Io` or `Damaged`; the errors of `each`.
pub fn parts<E: From<Error>>(path: &Path, mut each: impl FnMut(&str, Vec<u8>) -> Result<(), E>) -> Result<(), E> {
    walk(path, |name, bytes| if name == HEAD || name == MANIFEST { Ok(()) } else { each(name, bytes) })
}

/// Reads the whole file and compares every part with the manifest. `told` is told how
/// many bytes of parts were read.
///
/// # Errors
/// `Io`, `Newer`, or `Damaged` with what is wrong.
pub fn verify(path: &Path, mut told: impl FnMut(u64)) -> Result<VerifiedArchive, Error> {
    let head = head(path)?;
    let (mut found, mut manifest, mut read) = (Vec::new(), None, 0);
    walk(path, |name, bytes| {
        if manifest.is_some() {
            return Err(Error::damaged("something follows its manifest"));
        }
        let length = u64::try_from(bytes.len()).map_err(Error::damaged)?;
        if name == MANIFEST {
            manifest = Some(serde_json::from_slice::<Manifest>(&bytes).map_err(Error::damaged)?);
            return Ok(());
        }
        read += length;
        told(read);
        found.push(PartLine { name: name.to_owned(), bytes: length, sha256: hex::encode(&Sha256::digest(&bytes)) });
        Ok(())
    })?;
    let manifest = manifest.ok_or_else(|| Error::damaged("its manifest is missing: it was cut off"))?;
    compare(&found, &manifest.parts)?;
    let (bytes, sha256) = digest(path)?;
    Ok(VerifiedArchive { head, manifest, bytes, sha256 })
}

fn compare(found: &[PartLine], listed: &[PartLine]) -> Result<(), Error> {
    if let Some((part, _)) = found.iter().zip(listed).find(|(found, listed)| found != listed) {
        return Err(Error::damaged(format!("{} is not what its manifest says", part.name)));
    }
    if found.len() != listed.len() {
        return Err(Error::damaged(format!("it has {} parts, its manifest lists {}", found.len(), listed.len())));
    }
    Ok(())
}

fn open(path: &Path) -> Result<Archive<GzDecoder<BufReader<File>>>, Error> {
    Ok(Archive::new(GzDecoder::new(BufReader::new(File::open(path)?))))
}

fn walk<E: From<Error>>(path: &Path, mut each: impl FnMut(&str, Vec<u8>) -> Result<(), E>) -> Result<(), E> {
    let mut archive = open(path)?;
    for entry in archive.entries().map_err(read_failed)? {
        let (name, bytes) = take(entry.map_err(read_failed)?)?;
        each(&name, bytes)?;
    }
    // The compressed stream ends with a checksum, which is only checked if it is read.
    let mut rest = archive.into_inner();
    std::io::copy(&mut rest, &mut std::io::sink()).map_err(read_failed)?;
    match rest.into_inner().read(&mut [0]).map_err(read_failed)? {
        0 => Ok(()),
        _ => Err(Error::damaged("something follows its end").into()),
    }
}

fn take(mut entry: tar::Entry<'_, impl Read>) -> Result<(String, Vec<u8>), Error> {
    let name = entry.path().map_err(read_failed)?.to_string_lossy().into_owned();
    let most = if name == MANIFEST { LONGEST_MANIFEST } else { LONGEST_PART };
    if entry.size() > most {
        return Err(Error::damaged(format!("{name} is too long")));
    }
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(read_failed)?;
    if u64::try_from(bytes.len()) != Ok(entry.size()) {
        return Err(Error::damaged(format!("{name} was cut off")));
    }
    Ok((name, bytes))
}

fn parse_head(bytes: &[u8]) -> Result<Head, Error> {
    // If the format is newer, only its number can be read.
    let fields: serde_json::Value = serde_json::from_slice(bytes).map_err(Error::damaged)?;
    let format = fields.get("format").and_then(serde_json::Value::as_u64).and_then(|format| u32::try_from(format).ok());
    match format {
        Some(FORMAT) => serde_json::from_value(fields).map_err(Error::damaged),
        Some(newer) if newer > FORMAT => Err(Error::Newer(newer)),
        _ => Err(Error::damaged("its format is unknown")),
    }
}

/// Data that cannot be decompressed or parsed is damaged; a disk that does not answer is
/// not.
fn read_failed(error: std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::NotFound | ErrorKind::IsADirectory => Error::Io(error),
        ErrorKind::UnexpectedEof => Error::damaged("it was cut off"),
        _ => Error::damaged(format!("it cannot be read: {error}")),
    }
}

fn digest(path: &Path) -> Result<(u64, String), Error> {
    let (mut file, mut hasher) = (File::open(path)?, Sha256::new());
    let mut buffer = vec![0; 1 << 16];
    let mut all = 0;
    loop {
        let read = file.read(&mut buffer)?;
        let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        hasher.update(bytes);
        all += u64::try_from(read).map_err(Error::damaged)?;
    }
    Ok((all, hex::encode(&hasher.finalize())))
}
