//! Reading statements in CSV: a header row, then one row per movement.

mod columns;
mod currency;
mod days;
mod header;
pub mod quotes;
mod rows;
mod running;
mod sides;

use base::Money;
use csv::{ByteRecord, ReaderBuilder};

use crate::amount::DecimalMark;
use crate::day::Day;
use crate::mistakes::{Mistakes, Problem};
use crate::sheet::{self, LONGEST_HEADER, MARK, SEPARATORS, header_below, line_of};
use crate::statement::{Statement, room};
use crate::{MOST_BYTES, text};
use columns::{Role, role};
pub use days::DayOrder;
use header::{Header, MOST_COLUMNS};
use rows::Rows;
pub use sides::{Side, side};

/// What the importing person must say because the file does not.
#[derive(Clone, Debug)]
pub struct Form {
    pub account: String,
    /// The only currency allowed in the file.
    pub currency: String,
    pub decimal: DecimalMark,
    pub opening: Option<Money>,
    pub closing: Option<Money>,
}

const KNOWN: &str =
    "date, amount, currency, reference, counterparty, description, id, and the names that banks give these";

/// Reads a statement, or returns all mistakes in it.
///
/// # Errors
/// Each wrong value with its line and column.
pub fn table(bytes: &[u8], form: &Form) -> Result<Statement, Mistakes> {
    table_as(bytes, form, Said::default())
}

/// What is assumed for a table that does not say it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said {
    /// Whether it is in the currency of the form, and needs no column for it.
    pub currency: bool,
    pub order: Option<DayOrder>,
    /// The last day that a booking may have.
    pub latest: Option<Day>,
}

/// Reads a table with what a person has said of it.
///
/// # Errors
/// Those of [`table()`].
pub fn table_as(bytes: &[u8], form: &Form, said: Said) -> Result<Statement, Mistakes> {
    if bytes.len() > MOST_BYTES {
        return Err(Mistakes::one(1, "the file", Problem::TooManyBytes { most: MOST_BYTES }));
    }
    let bytes = sheet::with_line_feeds(bytes);
    let (bytes, above) = sheet::rows(&bytes);
    let separator = separator(bytes);
    let bytes = quotes::at_once(bytes, separator).map_err(|(line, problem)| {
        // The separator of other lines above the header says nothing of quotes below it.
        below(bytes, above).unwrap_or_else(|| Mistakes::one(line + above, "the line", problem))
    })?;
    let bytes: &[u8] = &bytes;
    let mut reader = ReaderBuilder::new().delimiter(separator).flexible(true).has_headers(false).from_reader(bytes);
    let mut record = ByteRecord::new();
    let header = match reader.read_byte_record(&mut record) {
        Ok(true) => Header::read(&record, &form.currency, said.currency)
            .map_err(|mistakes| below(bytes, above).or_else(|| instead_of_header(&record)).unwrap_or(mistakes))?,
        Ok(false) => return Err(Mistakes::one(1, "the header", Problem::Missing)),
        Err(error) => return Err(Mistakes::one(1, "the header", Problem::Malformed(error.to_string()))),
    };
    let names = record.clone();
    let mut rows = Rows::new(form, header, said);
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let at = above + error.position().map_or(0, csv::Position::line);
                rows.mistakes.add(at, "the file", Problem::Malformed(error.to_string()));
                break;
            }
        }
        // An empty row of a spreadsheet, or the header again, with its mark, between exports that were put together.
        let is_header = record.iter().map(|name| name.strip_prefix(MARK).unwrap_or(name)).eq(names.iter());
        if is_header || record.iter().all(|value| value.trim_ascii().is_empty()) {
            continue;
        }
        let at = above + line_of(bytes, &record);
        if !room(rows.lines.len(), at, &mut rows.mistakes) {
            break;
        }
        rows.read(at, &record);
    }
    rows.statement()
}

/// Finds the header below the first line.
fn below(bytes: &[u8], above: u64) -> Option<Mistakes> {
    let is_header = |names: &[&[u8]]| {
        let roles: Vec<Role> = names.iter().filter_map(|name| role(name, "")).map(|(role, _)| role).collect();
        let has = |role| roles.contains(&role);
        (has(Role::Date) || has(Role::OtherDate)) && (has(Role::Amount) || (has(Role::Debit) && has(Role::Credit)))
    };
    let line = header_below(bytes, above, is_header)?;
    Some(Mistakes::one(1, "the header", Problem::Below { line }))
}

/// Whether the first line is one of the table's own: no header has a day and an amount.
fn instead_of_header(record: &ByteRecord) -> Option<Mistakes> {
    let cells = record.iter().take(MOST_COLUMNS);
    let cells: Vec<String> = cells.map(|cell| text::plain(String::from_utf8_lossy(cell).trim())).collect();
    let is_day = |cell: &String| matches!(days::read(cell), Ok(_) | Err(Problem::ShortYear));
    let marks = [DecimalMark::Point, DecimalMark::Comma];
    let is_amount = |cell: &String| marks.iter().any(|mark| mark.read_written(cell).is_ok());
    let is_line = cells.iter().any(is_day) && cells.iter().any(is_amount);
    is_line.then(|| Mistakes::one(1, "the header", Problem::NoHeader))
}

/// The separator that finds the most columns that are known in the header, or the most columns if none is.
fn separator(bytes: &[u8]) -> u8 {
    let bytes = bytes.trim_ascii_start();
    let end = memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len());
    let header = bytes.get(..end.min(LONGEST_HEADER)).unwrap_or(bytes);
    let found = |separator: &u8| {
        let names = || header.split(move |byte| byte == separator);
        (names().filter(|name| role(name, "").is_some()).count(), names().count())
    };
    // Reversed, because max_by_key takes the last of several best.
    SEPARATORS.into_iter().rev().max_by_key(found).unwrap_or(b',')
}

pub fn same_currency(found: &str, expected: &str) -> Result<(), Problem> {
    if found.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    let found = text::tidy(found).chars().take(12).collect();
    Err(Problem::OtherCurrency { found, expected: expected.to_owned() })
}

#[cfg(test)]
mod banks_tests;
#[cfg(test)]
mod exports_tests;
#[cfg(test)]
mod tests;
