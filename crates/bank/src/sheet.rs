//! Removes what spreadsheets put around a table, for all readers of CSV.

use std::borrow::Cow;

use csv::ByteRecord;

pub use crate::table::quotes::at_once as quotes_at_once;

pub const SEPARATORS: [u8; 4] = [b',', b';', b'\t', b'|'];
/// How far down a header is looked for.
const MOST_ABOVE: usize = 50;
/// The most bytes of a line among which names of columns are looked for.
pub const LONGEST_HEADER: usize = 20_000;
pub const MARK: &[u8] = b"\xef\xbb\xbf";

/// A table whose rows end in a line feed: some programs end them with a carriage return alone.
pub fn with_line_feeds(bytes: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\n', bytes).is_some() || memchr::memchr(b'\r', bytes).is_none() {
        return Cow::Borrowed(bytes);
    }
    Cow::Owned(bytes.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte }).collect())
}

/// The rows without a mark and without a line such as `sep=;`, which Excel writes, and how many lines that was. Old
/// programs mark the end as well, or fill a block behind it.
pub fn rows(bytes: &[u8]) -> (&[u8], u64) {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let end = bytes.iter().rposition(|byte| !matches!(byte, 0 | 0x1a)).map_or(0, |last| last + 1);
    let bytes = bytes.get(..end).unwrap_or(bytes);
    let end = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
    let (first, rest) = bytes.split_at_checked(end).unwrap_or((bytes, &[]));
    match first.trim_ascii().to_ascii_lowercase().as_slice() {
        [b's', b'e', b'p', b'=', _] => (rest, 1),
        b"sep=" => (rest, 1),
        _ => (bytes, 0),
    }
}

/// The line of the header if that is not the first one below so many lines.
pub fn header_below(bytes: &[u8], above: u64, is_header: impl Fn(&[&[u8]]) -> bool) -> Option<u64> {
    let known = |line: &[u8]| {
        let names = |separator: &u8| line.split(|byte| byte == separator).collect::<Vec<_>>();
        SEPARATORS.iter().any(|separator| is_header(&names(separator)))
    };
    let known = |line: &[u8]| line.len() <= LONGEST_HEADER && known(line.trim_ascii_end());
    let line = bytes.split(|byte| *byte == b'\n').take(MOST_ABOVE).position(known)?;
    let line = u64::try_from(line).ok()?.saturating_add(above).saturating_add(1);
    (line > above + 1).then_some(line)
}

/// The text of a formula such as `="00123"`, which keeps a spreadsheet from changing a number.
pub fn unkept(text: &str) -> &str {
    text.strip_prefix("=\"").and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

/// Whether a spreadsheet has rounded a long number: `2.02611E+12` lacks the last digits of it.
pub fn is_rounded(text: &str) -> bool {
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once("E+").is_some_and(|(number, power)| {
        let (whole, decimals) = number.split_once(['.', ',']).unwrap_or((number, ""));
        whole.len() == 1
            && decimals.len() < 20
            && power.len() == 2
            && [whole, decimals, power].into_iter().all(are_digits)
    })
}

/// How many values a row has up to the last one that is not empty. Spreadsheets write separators after the last column,
/// where a sheet was once wider.
pub fn used(record: &ByteRecord) -> usize {
    let empty = record.iter().rev().take_while(|value| value.trim_ascii().is_empty()).count();
    record.len().saturating_sub(empty)
}

/// The line where a record begins. The reader's position is before any blank lines
/// that it skipped.
pub fn line_of(bytes: &[u8], record: &ByteRecord) -> u64 {
    let Some(position) = record.position() else { return 0 };
    let from = usize::try_from(position.byte()).unwrap_or(usize::MAX);
    let blank = bytes.get(from..).unwrap_or_default().iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
    position.line() + u64::try_from(blank.filter(|byte| **byte == b'\n').count()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_spreadsheet_has_rounded_is_told() {
        for text in ["2.02611E+12", "2,0E+12", "2E+12"] {
            assert!(is_rounded(text), "{text}");
        }
        for text in ["2.02611E12", "22.0E+12", "E+12", "2.0E+1", "A2E+12", "RE+12", "2.0.0E+12", "1E+12 x"] {
            assert!(!is_rounded(text), "{text}");
        }
    }
}
