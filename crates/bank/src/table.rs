//! Reading statements in CSV: a header row, then one row per movement.

mod days;
mod quotes;

use base::Money;
use csv::{ByteRecord, ReaderBuilder};

use crate::account::plain_account;
use crate::amount::DecimalMark;
use crate::mistakes::{Mistakes, Problem};
use crate::sheet::{self, SEPARATORS, header_below, line_of, used};
use crate::statement::{Line, Statement, identify, room};
use crate::{MOST_BYTES, text};
use days::Days;

/// What the file does not contain.
#[derive(Clone, Debug)]
pub struct Form {
    pub account: String,
    /// The only currency allowed in the file.
    pub currency: String,
    pub decimal: DecimalMark,
    pub opening: Option<Money>,
    pub closing: Option<Money>,
}

const COLUMNS: [&str; 7] = ["date", "amount", "currency", "reference", "counterparty", "description", "id"];
const KNOWN: &str = "date, amount, currency, reference, counterparty, description, id";
/// The required columns.
const NEEDED: [&str; 3] = ["date", "amount", "currency"];

/// Reads a statement, or returns all mistakes in it.
///
/// # Errors
/// Each wrong value with its line and column.
pub fn table(bytes: &[u8], form: &Form) -> Result<Statement, Mistakes> {
    if bytes.len() > MOST_BYTES {
        return Err(Mistakes::one(1, "the file", Problem::TooManyBytes { most: MOST_BYTES }));
    }
    let bytes = sheet::with_line_feeds(bytes);
    let (bytes, above) = sheet::rows(&bytes);
    if let Some((line, problem)) = quotes::fault(bytes, separator(bytes)) {
        // The separator of other lines above the header says nothing of quotes below it.
        let fault = || Mistakes::one(line + above, "the line", problem);
        return Err(below(bytes, above).unwrap_or_else(fault));
    }
    let mut reader =
        ReaderBuilder::new().delimiter(separator(bytes)).flexible(true).has_headers(false).from_reader(bytes);
    let mut record = ByteRecord::new();
    let header = match reader.read_byte_record(&mut record) {
        Ok(true) => Header::read(&record).map_err(|mistakes| below(bytes, above).unwrap_or(mistakes))?,
        Ok(false) => return Err(Mistakes::one(1, "the header", Problem::Missing)),
        Err(error) => return Err(Mistakes::one(1, "the header", Problem::Malformed(error.to_string()))),
    };
    let (days, mistakes) = (Days::default(), Mistakes::default());
    let mut rows = Rows { form, header, days, lines: Vec::new(), left_out: 0, mistakes };
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
        // An empty row of a spreadsheet.
        if record.iter().all(|value| value.trim_ascii().is_empty()) {
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

/// Where the header is if it is not on the first line.
fn below(bytes: &[u8], above: u64) -> Option<Mistakes> {
    let is_header = |names: &[&[u8]]| {
        let names: Vec<usize> = names.iter().copied().filter_map(column).collect();
        (0..NEEDED.len()).all(|needed| names.contains(&needed))
    };
    let line = header_below(bytes, above, is_header)?;
    Some(Mistakes::one(1, "the header", Problem::Below { line }))
}

/// The separator that finds the most of our columns in the header, or the most columns if none is ours.
fn separator(bytes: &[u8]) -> u8 {
    let bytes = bytes.trim_ascii_start();
    let end = memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len());
    let header = bytes.get(..end).unwrap_or(bytes);
    let found = |separator: &u8| {
        let names = || header.split(move |byte| byte == separator);
        (names().filter(|name| column(name).is_some()).count(), names().count())
    };
    // Reversed, because max_by_key takes the last of several best.
    SEPARATORS.into_iter().rev().max_by_key(found).unwrap_or(b',')
}

fn column(name: &[u8]) -> Option<usize> {
    let name = std::str::from_utf8(name).ok()?.trim().trim_matches('"').to_ascii_lowercase();
    COLUMNS.iter().position(|column| *column == name)
}

/// The position of each of our columns in the file.
struct Header {
    places: [Option<usize>; COLUMNS.len()],
    width: usize,
}

impl Header {
    fn read(record: &ByteRecord) -> Result<Self, Mistakes> {
        let mut mistakes = Mistakes::default();
        let mut places = [None; COLUMNS.len()];
        let width = used(record);
        for (at, name) in record.iter().take(width).enumerate() {
            let shown = || text::tidy(&String::from_utf8_lossy(name)).chars().take(40).collect::<String>();
            match column(name).and_then(|known| places.get_mut(known)) {
                Some(place @ None) => *place = Some(at),
                Some(Some(_)) => mistakes.add(1, format!("\"{}\"", shown()), Problem::Twice { line: 1 }),
                None => mistakes.add(1, format!("\"{}\"", shown()), Problem::UnknownColumn { known: KNOWN }),
            }
        }
        let header = Self { places, width };
        for needed in NEEDED.into_iter().filter(|needed| header.place(needed).is_none()) {
            mistakes.add(1, needed, Problem::Missing);
        }
        mistakes.none_or(header)
    }

    fn place(&self, column: &str) -> Option<usize> {
        let known = COLUMNS.iter().position(|name| *name == column)?;
        self.places.get(known).copied().flatten()
    }
}

struct Rows<'a> {
    form: &'a Form,
    header: Header,
    days: Days,
    lines: Vec<Line>,
    left_out: u64,
    mistakes: Mistakes,
}

impl Rows<'_> {
    fn read(&mut self, at: u64, record: &ByteRecord) {
        let expected = self.header.width;
        // Nothing is lost with empty values beyond the header.
        if record.len() < expected || used(record) > expected {
            let problem = Problem::OtherWidth { found: record.len(), expected };
            return self.mistakes.add(at, "the line", problem);
        }
        let day = self.value(at, record, "date", days::read);
        let decimal = self.form.decimal;
        let amount = self.value(at, record, "amount", |text| decimal.read_written(text));
        let expected = self.form.currency.clone();
        let currency = self.value(at, record, "currency", |text| same_currency(text, &expected));
        let texts = ["reference", "counterparty", "description"].map(|c| self.value(at, record, c, text::read));
        let id = self.value(at, record, "id", |id| text::bounded(id, text::LONGEST_ID));
        let (Some(day), Some(amount), Some(()), [Some(reference), Some(counterparty), Some(description)], Some(id)) =
            (day, amount, currency, texts, id)
        else {
            return;
        };
        let booked_on = self.days.note(at, day);
        if amount.is_zero() {
            self.left_out += 1;
            return;
        }
        self.days.place(at, day, self.lines.len());
        let references = Some(reference).filter(|reference| !reference.is_empty()).into_iter().collect();
        self.lines.push(Line { id, booked_on, amount, references, counterparty, description, reversal: false });
    }

    /// The value of a column, or an empty text if the file does not have it.
    fn value<T>(
        &mut self,
        at: u64,
        record: &ByteRecord,
        column: &str,
        read: impl Fn(&str) -> Result<T, Problem>,
    ) -> Option<T> {
        let bytes = self.header.place(column).and_then(|place| record.get(place)).unwrap_or_default();
        let read = match std::str::from_utf8(bytes) {
            Ok(text) if text.trim().is_empty() && NEEDED.contains(&column) => Err(Problem::Missing),
            Ok(text) => read(text.trim()),
            Err(_) => Err(Problem::NotUtf8),
        };
        self.mistakes.note(at, column, read)
    }

    fn statement(mut self) -> Result<Statement, Mistakes> {
        self.days.settle(&mut self.lines, "date", &mut self.mistakes);
        let days = || self.lines.iter().map(|line| line.booked_on);
        let (Some(from), Some(to)) = (days().min(), days().max()) else {
            if self.mistakes.is_empty() {
                self.mistakes.add(2, "the first line", Problem::Missing);
            }
            return Err(self.mistakes);
        };
        identify(&mut self.lines);
        let Form { account, currency, opening, closing, .. } = self.form.clone();
        let account = plain_account(&account);
        let (lines, left_out) = (self.lines, self.left_out);
        // Without an opening balance it follows from the closing one.
        let moved = Money::sum(lines.iter().map(|line| line.amount)).ok();
        let opening = opening.or_else(|| closing.and_then(|closing| closing.minus(moved?).ok()));
        let statement =
            Statement { account, currency, number: String::new(), from, to, opening, closing, lines, left_out };
        if self.mistakes.is_empty()
            && let Err(problem) = statement.check_balances()
        {
            self.mistakes.add(1, "--closing", problem);
        }
        self.mistakes.none_or(statement)
    }
}

pub fn same_currency(found: &str, expected: &str) -> Result<(), Problem> {
    if found.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    let found = text::tidy(found).chars().take(12).collect();
    Err(Problem::OtherCurrency { found, expected: expected.to_owned() })
}

#[cfg(test)]
mod tests;
