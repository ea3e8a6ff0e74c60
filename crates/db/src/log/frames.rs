//! Reads SQLite's log as SQLite itself does after a crash: up to the last transaction whose
//! frames all fit their checksums. <https://www.sqlite.org/fileformat2.html#walformat>

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// Its last bit says whether checksums are of big-endian words.
const MAGIC: u32 = 0x377f_0682;
const PAGE_SIZES: [u32; 8] = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536];

/// The last content of each page that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageChanges {
    pub page_size: u32,
    /// The length of the database afterwards; 0 if nothing changed.
    pub database_pages: u32,
    /// The pages by number, beginning with 1.
    pub pages: BTreeMap<u32, Vec<u8>>,
}

impl PageChanges {
    pub fn is_empty(&self) -> bool {
        self.database_pages == 0
    }

    fn bytes(&self) -> usize {
        self.pages.len().saturating_mul(self.page_size as usize)
    }
}

/// The beginning of a log. SQLite begins it anew with other salts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogHeader {
    salts: [u32; 2],
    page_size: u32,
    big_endian: bool,
    sum: Sum,
}

impl LogHeader {
    /// `None` if there is no log, or its header is being written.
    pub fn read(file: &File) -> io::Result<Option<Self>> {
        let mut bytes = [0; HEADER];
        if !read_whole(file, &mut bytes, 0)? {
            return Ok(None);
        }
        let (covered, sum) = bytes.split_at(HEADER - 8);
        let [magic, _, page_size, _, first, second] = words::<6>(covered);
        let big_endian = magic & 1 == 1;
        let header = Self { salts: [first, second], page_size, big_endian, sum: Sum(words(sum)) };
        let fits = Sum::default().over(covered, big_endian) == header.sum;
        Ok((magic & !1 == MAGIC && PAGE_SIZES.contains(&page_size) && fits).then_some(header))
    }
}

/// The checksum of everything in the log up to a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum([u32; 2]);

impl Sum {
    fn over(self, bytes: &[u8], big_endian: bool) -> Self {
        let Self([mut first, mut second]) = self;
        let (pairs, _) = bytes.as_chunks::<8>();
        for &[a, b, c, d, e, f, g, h] in pairs {
            let word = if big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
            first = first.wrapping_add(word([a, b, c, d])).wrapping_add(second);
            second = second.wrapping_add(word([e, f, g, h])).wrapping_add(first);
        }
        Self([first, second])
    }
}

/// The end of a transaction in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogPosition {
    header: LogHeader,
    frames: u64,
    sum: Sum,
}

/// The frames that were found after a position.
pub(super) enum Found {
    /// Everything up to this position; `all` unless the limit was reached.
    Changes { at: LogPosition, all: bool },
    /// The log has other frames before the position than were read.
    Another,
}

impl LogPosition {
    pub const fn beginning(header: LogHeader) -> Self {
        Self { header, frames: 0, sum: header.sum }
    }

    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Adds the frames that were committed after this position to `changes`, about `most` bytes. If the log was
    /// restarted, these are all of its frames.
    pub fn read_on(self, file: &File, most: usize, changes: &mut PageChanges) -> io::Result<Found> {
        // The log may be restarted between the two reads.
        for _ in 0..2 {
            // Without a header, the log was emptied, and nothing is in the new one yet.
            let Some(header) = LogHeader::read(file)? else { return Ok(Found::Changes { at: self, all: true }) };
            if header != self.header {
                return Self::beginning(header).read_same(file, most, changes);
            }
            if self.is_there(file)? {
                return self.read_same(file, most, changes);
            }
        }
        Ok(Found::Another)
    }

    /// Whether the log still has the frame before this position. A commit that failed may have been
    /// read, and is overwritten by the next one.
    fn is_there(&self, file: &File) -> io::Result<bool> {
        let Some(last) = self.frames.checked_sub(1) else { return Ok(true) };
        let mut bytes = [0; FRAME_HEADER];
        if !read_whole(file, &mut bytes, self.offset(last))? {
            return Ok(false);
        }
        let [_, _, first, second, one, other] = words::<6>(&bytes);
        Ok([first, second] == self.header.salts && Sum([one, other]) == self.sum)
    }

    fn offset(&self, frame: u64) -> u64 {
        let length = u64::from(self.header.page_size).saturating_add(FRAME_HEADER as u64);
        frame.saturating_mul(length).saturating_add(HEADER as u64)
    }

    fn read_same(mut self, file: &File, most: usize, changes: &mut PageChanges) -> io::Result<Found> {
        let page_size = self.header.page_size;
        changes.page_size = page_size;
        let (mut frame, mut sum, mut uncommitted) = (self.frames, self.sum, BTreeMap::new());
        let mut bytes = vec![0; FRAME_HEADER + page_size as usize];
        while read_whole(file, &mut bytes, self.offset(frame))? {
            let (head, page) = bytes.split_at(FRAME_HEADER);
            let [number, database_pages, first, second, one, other] = words::<6>(head);
            let (covered, _) = head.split_at(8);
            sum = sum.over(covered, self.header.big_endian).over(page, self.header.big_endian);
            if [first, second] != self.header.salts || Sum([one, other]) != sum || number == 0 {
                break;
            }
            frame = frame.saturating_add(1);
            uncommitted.insert(number, page.to_vec());
            if database_pages > 0 {
                changes.pages.append(&mut uncommitted);
                changes.database_pages = database_pages;
                self = Self { frames: frame, sum, ..self };
                if changes.bytes() >= most {
                    return Ok(Found::Changes { at: self, all: false });
                }
            }
        }
        // Pages that a later transaction cut off.
        if !changes.is_empty() {
            changes.pages.retain(|number, _| *number <= changes.database_pages);
        }
        Ok(Found::Changes { at: self, all: true })
    }
}

/// False if the file ends before.
fn read_whole(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<bool> {
    match file.read_exact_at(bytes, offset) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The first words of these bytes, big-endian as all numbers in the log.
fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let (words, _) = bytes.as_chunks::<4>();
    let mut all = [0; N];
    for (to, from) in all.iter_mut().zip(words) {
        *to = u32::from_be_bytes(*from);
    }
    all
}
