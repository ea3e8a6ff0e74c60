//! Reads the footer of a file, and single row groups.

use std::ops::Range;
use std::sync::Arc;

use base::{PlanId, Timestamp, hex};
use bytes::buf::Reader;
use bytes::{Buf, Bytes};
use parquet::column::reader::{get_column_reader, get_typed_column_reader};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::statistics::Statistics;
use parquet::schema::parser::parse_message_type;
use sha2::{Digest, Sha256};

use crate::columns::{self, Values};
use crate::{Error, Event, FORMAT, Head, KEY_FORMAT, KEY_GROUPS, KEY_MONTH, KEY_REALM, Seal};

/// The length of the footer's length, and the magic number.
const END: usize = 8;

/// The footer of a file.
#[derive(Debug)]
pub struct Index {
    metadata: ParquetMetaData,
    groups: Vec<Group>,
}

/// The position of a row group, and which events it can contain.
#[derive(Debug)]
struct Group {
    place: Range<u64>,
    sha256: [u8; 32],
    plans: Option<(i64, i64)>,
    ids: Option<(i64, i64)>,
    filed: Option<(i64, i64)>,
    counted: Option<(bool, bool)>,
}

/// The events that are wanted; a row group is read only if it can contain some of them.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub plans: Option<(PlanId, PlanId)>,
    pub ids: Option<(i64, i64)>,
    pub filed: Option<(Timestamp, Timestamp)>,
    pub counted: Option<bool>,
}

impl Group {
    fn of(group: &RowGroupMetaData, sha256: [u8; 32]) -> Result<Self, Error> {
        let numbers = |column: usize| match group.columns().get(column)?.statistics()? {
            Statistics::Int64(found) => Some((*found.min_opt()?, *found.max_opt()?)),
            _ => None,
        };
        let flags = |column: usize| match group.columns().get(column)?.statistics()? {
            Statistics::Boolean(found) => Some((*found.min_opt()?, *found.max_opt()?)),
            _ => None,
        };
        Ok(Self {
            place: place(group)?,
            sha256,
            plans: numbers(columns::PLAN),
            ids: numbers(columns::ID),
            filed: numbers(columns::FILED_AT),
            counted: flags(columns::COUNTED),
        })
    }

    /// Without statistics, it can contain any event.
    fn can_have(&self, wanted: &Wanted) -> bool {
        let meets = |has: Option<(i64, i64)>, wanted: Option<(i64, i64)>| match has.zip(wanted) {
            Some(((low, high), (from, to))) => low <= to && from <= high,
            None => true,
        };
        let counted = match self.counted.zip(wanted.counted) {
            Some(((least, most), wanted)) => wanted == least || wanted == most,
            None => true,
        };
        let plans = wanted.plans.map(|(from, to)| (from.0, to.0));
        let filed = wanted.filed.map(|(from, to)| (from.millis(), to.millis()));
        counted && meets(self.plans, plans) && meets(self.ids, wanted.ids) && meets(self.filed, filed)
    }
}

/// The bytes of all its columns, which follow each other.
fn place(group: &RowGroupMetaData) -> Result<Range<u64>, Error> {
    let (mut from, mut to, mut length) = (u64::MAX, 0, 0_u64);
    for column in group.columns() {
        let begins = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let begins = u64::try_from(begins).map_err(Error::damaged)?;
        let bytes = u64::try_from(column.compressed_size()).map_err(Error::damaged)?;
        let ends = begins.checked_add(bytes).ok_or_else(|| Error::damaged("a column without an end"))?;
        (from, to, length) = (from.min(begins), to.max(ends), length.saturating_add(bytes));
    }
    if to.checked_sub(from) == Some(length) { Ok(from..to) } else { Err(Error::damaged("a row group has gaps")) }
}

impl Index {
    /// Reads the footer: the bytes from [`Seal::footer_at`] to the end of the file.
    ///
    /// # Errors
    /// `Damaged` if it is not what the seal says.
    pub fn open(footer: &[u8], seal: &Seal) -> Result<Self, Error> {
        if hex::encode(&Sha256::digest(footer)) != seal.footer_sha256 {
            return Err(Error::damaged("its footer is not as it was written"));
        }
        let length = footer.len().checked_sub(END).ok_or_else(|| Error::damaged("its footer was cut off"))?;
        let metadata = ParquetMetaDataReader::decode_metadata(footer.get(..length).unwrap_or_default())?;
        if value(&metadata, KEY_FORMAT) != Some(FORMAT) {
            return Err(Error::damaged("its format is unknown to this program"));
        }
        if metadata.file_metadata().schema().get_fields() != parse_message_type(columns::SCHEMA)?.get_fields() {
            return Err(Error::damaged("it has other columns"));
        }
        let digests = value(&metadata, KEY_GROUPS).unwrap_or_default().split_whitespace();
        let digests: Vec<[u8; 32]> = digests.filter_map(hex::decode).collect();
        if digests.len() != metadata.num_row_groups() {
            return Err(Error::damaged("it has not a digest for each row group"));
        }
        let groups = metadata.row_groups().iter().zip(digests);
        let groups = groups.map(|(group, digest)| Group::of(group, digest)).collect::<Result<_, _>>()?;
        Ok(Self { metadata, groups })
    }

    /// The realm and month of the events.
    pub fn head(&self) -> Head {
        let text = |key| value(&self.metadata, key).unwrap_or_default().to_owned();
        Head { realm: text(KEY_REALM), month: text(KEY_MONTH) }
    }

    /// The number of rows.
    pub fn rows(&self) -> i64 {
        self.metadata.file_metadata().num_rows()
    }

    /// The row groups that can have what is wanted, in order.
    pub fn groups(&self, wanted: &Wanted) -> Vec<usize> {
        let all = self.groups.iter().enumerate();
        all.filter(|(_, group)| group.can_have(wanted)).map(|(number, _)| number).collect()
    }

    /// Where a row group is in the file.
    pub fn place(&self, group: usize) -> Option<Range<u64>> {
        Some(self.groups.get(group)?.place.clone())
    }

    /// The rows of a row group from its bytes.
    ///
    /// # Errors
    /// `Damaged` if they are not what was written.
    pub fn read(&self, group: usize, bytes: Bytes) -> Result<Vec<Event>, Error> {
        let known = self.groups.get(group).zip(self.metadata.row_groups().get(group));
        let (known, metadata) = known.ok_or_else(|| Error::damaged("there is no such row group"))?;
        if known.sha256 != <[u8; 32]>::from(Sha256::digest(&bytes)) {
            return Err(Error::damaged(format!("row group {group} is not as it was written")));
        }
        let rows = usize::try_from(metadata.num_rows()).map_err(Error::damaged)?;
        let source = Arc::new(Chunk { begins_at: known.place.start, bytes });
        columns::read(rows, &mut Decoder { source, metadata, rows, column: 0 })
    }
}

fn value<'a>(metadata: &'a ParquetMetaData, key: &str) -> Option<&'a str> {
    let pairs = metadata.file_metadata().key_value_metadata()?;
    pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
}

struct Decoder<'a> {
    source: Arc<Chunk>,
    metadata: &'a RowGroupMetaData,
    rows: usize,
    column: usize,
}

impl Decoder<'_> {
    /// The values of the next column that there are, and for each row whether it has one.
    fn column<T: DataType>(&mut self) -> Result<(Vec<T::T>, Vec<i16>), Error> {
        let column = self.metadata.columns().get(self.column);
        let column = column.ok_or_else(|| Error::damaged("a column is missing"))?;
        self.column += 1;
        let pages = SerializedPageReader::new(Arc::clone(&self.source), column, self.rows, None)?;
        let reader = get_column_reader(column.column_descr_ptr(), Box::new(pages));
        let mut reader = get_typed_column_reader::<T>(reader);
        let (mut values, mut levels, mut read) = (Vec::new(), Vec::new(), 0);
        while read < self.rows {
            let (records, ..) = reader.read_records(self.rows - read, Some(&mut levels), None, &mut values)?;
            if records == 0 {
                return Err(Error::damaged("a column is shorter than its row group"));
            }
            read += records;
        }
        Ok((values, levels))
    }
}

impl Values for Decoder<'_> {
    fn required<T: DataType>(&mut self) -> Result<std::vec::IntoIter<T::T>, Error> {
        Ok(self.column::<T>()?.0.into_iter())
    }

    fn optional<T: DataType>(&mut self) -> Result<std::vec::IntoIter<Option<T::T>>, Error> {
        let (values, levels) = self.column::<T>()?;
        let mut values = values.into_iter();
        let all: Vec<_> = levels.into_iter().map(|level| if level == 0 { None } else { values.next() }).collect();
        Ok(all.into_iter())
    }
}

/// A row group in memory, at its place in the file.
struct Chunk {
    begins_at: u64,
    bytes: Bytes,
}

impl Chunk {
    fn from(&self, start: u64) -> Option<Bytes> {
        let skipped = usize::try_from(start.checked_sub(self.begins_at)?).ok()?;
        (skipped <= self.bytes.len()).then(|| self.bytes.slice(skipped..))
    }
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.begins_at.saturating_add(u64::try_from(self.bytes.len()).unwrap_or(u64::MAX))
    }
}

impl ChunkReader for Chunk {
    type T = Reader<Bytes>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        let rest = self.from(start).ok_or_else(|| ParquetError::EOF("outside of the row group".into()))?;
        Ok(rest.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        let rest = self.from(start).filter(|rest| length <= rest.len());
        Ok(rest.ok_or_else(|| ParquetError::EOF("outside of the row group".into()))?.slice(..length))
    }
}
