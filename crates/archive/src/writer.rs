//! Writes the file, part by part.

use std::fs::File;
use std::io::Write;

use base::hex;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tar::{Builder, Header};

use crate::manifest::{Head, Manifest, PartLine, TableLine};
use crate::{Error, HEAD, MANIFEST};

pub struct Writer {
    tar: Builder<GzEncoder<File>>,
    parts: Vec<PartLine>,
    modified: u64,
}

impl Writer {
    /// `modified` is the parts' modification time, in Unix seconds.
    ///
    /// # Errors
    /// Those of writing the file, here and below.
    pub fn new(file: File, head: &Head, modified: u64) -> Result<Self, Error> {
        let tar = Builder::new(GzEncoder::new(file, Compression::default()));
        let mut writer = Self { tar, parts: Vec::new(), modified };
        writer.part(HEAD, &json(head)?)?;
        Ok(writer)
    }

    pub fn part(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let length = u64::try_from(bytes.len()).map_err(Error::damaged)?;
        self.append(name, length, bytes)?;
        self.parts.push(PartLine { name: name.to_owned(), bytes: length, sha256: hex::encode(&Sha256::digest(bytes)) });
        Ok(())
    }

    fn append(&mut self, name: &str, length: u64, bytes: &[u8]) -> Result<(), Error> {
        let mut header = Header::new_gnu();
        header.set_size(length);
        header.set_mode(0o600);
        header.set_mtime(self.modified);
        Ok(self.tar.append_data(&mut header, name, bytes)?)
    }

    /// Ends the file and flushes it to disk.
    pub fn finish(
        mut self,
        tables: Vec<TableLine>,
        files: u64,
        missing_files: Vec<String>,
        with_secrets: bool,
    ) -> Result<(), Error> {
        let parts = std::mem::take(&mut self.parts);
        let manifest = json(&Manifest { tables, files, missing_files, with_secrets, parts })?;
        let length = u64::try_from(manifest.len()).map_err(Error::damaged)?;
        self.append(MANIFEST, length, &manifest)?;
        let mut file = self.tar.into_inner()?.finish()?;
        file.flush()?;
        Ok(file.sync_all()?)
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec_pretty(value).map_err(Error::damaged)
}
