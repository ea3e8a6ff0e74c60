//! Writes a file.

use std::io::Write;
use std::sync::Arc;

use base::hex;
use parquet::basic::Compression;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use sha2::{Digest, Sha256};

use crate::{Error, Event, FORMAT, KEY_FORMAT, KEY_GROUPS, KEY_MONTH, KEY_REALM, ROWS_PER_GROUP, columns};

/// The realm and month of a file's events.
#[derive(Clone, Debug)]
pub struct Head {
    /// `live` or `simulated`.
    pub realm: String,
    /// Such as `2026-08`.
    pub month: String,
}

/// The identity of a finished file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    pub bytes: u64,
    /// Of all bytes, in hexadecimal.
    pub sha256: String,
    /// Where the footer begins, and its digest.
    pub footer_at: u64,
    pub footer_sha256: String,
}

/// Takes events sorted by plan and number. Only one row group is in memory.
pub struct Writer<W: Write + Send> {
    file: SerializedFileWriter<Hashing<W>>,
    rows: Vec<Event>,
    groups: Vec<String>,
}

impl<W: Write + Send> Writer<W> {
    /// # Errors
    /// `Io` if the file takes nothing.
    pub fn new(into: W, head: &Head) -> Result<Self, Error> {
        let pair = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
        let properties = WriterProperties::builder()
            .set_created_by("placard".to_owned())
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
            .set_sorting_columns(Some(vec![ascending(columns::PLAN)?, ascending(columns::ID)?]))
            .set_key_value_metadata(Some(vec![
                pair(KEY_FORMAT, FORMAT),
                pair(KEY_REALM, &head.realm),
                pair(KEY_MONTH, &head.month),
            ]));
        let schema = Arc::new(parse_message_type(columns::SCHEMA)?);
        let mut file = SerializedFileWriter::new(Hashing::new(into), schema, Arc::new(properties.build()))?;
        // The bytes before the first row group are written at once.
        file.flush()?;
        file.inner_mut().cut();
        Ok(Self { file, rows: Vec::with_capacity(ROWS_PER_GROUP), groups: Vec::new() })
    }

    /// # Errors
    /// `Damaged` if it does not come after the one before it; `Io`.
    pub fn push(&mut self, event: Event) -> Result<(), Error> {
        if let Some(last) = self.rows.last().filter(|last| (last.plan, last.id) >= (event.plan, event.id)) {
            return Err(Error::damaged(format!("event {} does not come after event {}", event.id, last.id)));
        }
        self.rows.push(event);
        if self.rows.len() >= ROWS_PER_GROUP { self.group() } else { Ok(()) }
    }

    fn group(&mut self) -> Result<(), Error> {
        columns::write(self.file.next_row_group()?, &self.rows)?;
        self.rows.clear();
        self.file.flush()?;
        self.groups.push(self.file.inner_mut().cut());
        Ok(())
    }

    /// Writes the rest, and returns the file with its seal.
    ///
    /// # Errors
    /// `Io`.
    pub fn finish(mut self) -> Result<(W, Seal), Error> {
        if !self.rows.is_empty() {
            self.group()?;
        }
        let footer_at = self.file.inner().written;
        self.file.append_key_value_metadata(KeyValue::new(KEY_GROUPS.to_owned(), self.groups.join(" ")));
        let mut hashing = self.file.into_inner()?;
        hashing.into.flush()?;
        let (bytes, footer_sha256) = (hashing.written, hashing.cut());
        let sha256 = hex::encode(&hashing.all.finalize());
        Ok((hashing.into, Seal { bytes, sha256, footer_at, footer_sha256 }))
    }
}

fn ascending(column: usize) -> Result<SortingColumn, Error> {
    Ok(SortingColumn {
        column_idx: i32::try_from(column).map_err(Error::damaged)?,
        descending: false,
        nulls_first: false,
    })
}

/// Digests of everything written, and of what was written since the last cut.
struct Hashing<W> {
    into: W,
    written: u64,
    all: Sha256,
    part: Sha256,
}

impl<W> Hashing<W> {
    fn new(into: W) -> Self {
        Self { into, written: 0, all: Sha256::new(), part: Sha256::new() }
    }

    fn cut(&mut self) -> String {
        hex::encode(&std::mem::take(&mut self.part).finalize())
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.into.write(bytes)?;
        let taken = bytes.get(..written).unwrap_or_default();
        self.all.update(taken);
        self.part.update(taken);
        self.written += u64::try_from(written).unwrap_or_default();
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.into.flush()
    }
}
