//! Reading the table.

use bank::sheet::{self, SEPARATORS, header_below, line_of, used};
use bank::{Problem, decoded};
use base::refuse_if;
use campaigns::delivery::postback::Postback;
use csv::{ByteRecord, ReaderBuilder};

/// A row, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sale {
    pub line: usize,
    pub postback: Postback,
}

/// A mistake in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub line: usize,
    pub column: String,
    pub problem: String,
}

const COLUMNS: [&str; 4] = ["event_id", "click_id", "occurred_at", "reverse"];
/// More mistakes are not listed, because nobody corrects more at once.
const MOST_MISTAKES: usize = 20;

/// Reads all rows.
///
/// # Errors
/// The first mistakes, each with its line.
pub fn read(bytes: &[u8]) -> Result<Vec<Sale>, Vec<Mistake>> {
    let text = match decoded(bytes, None) {
        Ok(text) => text,
        // Told with line and column.
        Err(Problem::NotUtf8) => return rows_of(bytes),
        Err(problem) => return Err(vec![mistake(1, "the file", &problem.to_string())]),
    };
    rows_of(text.as_bytes())
}

fn rows_of(bytes: &[u8]) -> Result<Vec<Sale>, Vec<Mistake>> {
    let bytes = sheet::with_line_feeds(bytes);
    let (bytes, above) = sheet::rows(&bytes);
    let separator = separator(bytes);
    let bytes = sheet::quotes_at_once(bytes, separator).map_err(|(line, problem)| {
        let fault = || mistake(line + above, "the line", &problem.to_string());
        vec![below(bytes, above).unwrap_or_else(fault)]
    })?;
    let bytes: &[u8] = &bytes;
    let mut reader = ReaderBuilder::new().delimiter(separator).flexible(true).has_headers(false).from_reader(bytes);
    let (mut record, mut places, mut sales, mut mistakes) = (ByteRecord::new(), None, Vec::new(), Vec::new());
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let line = above + error.position().map_or(0, csv::Position::line);
                mistakes.push(mistake(line, "", &error.to_string()));
                break;
            }
        }
        let line = above + line_of(bytes, &record);
        let Some(places) = &places else {
            places = Some(Places::of(&record).map_err(|mistake| vec![below(bytes, above).unwrap_or(mistake)])?);
            continue;
        };
        // An empty row of a spreadsheet.
        if record.iter().all(|value| value.trim_ascii().is_empty()) {
            continue;
        }
        match places.sale(&record) {
            Ok(postback) => sales.push(Sale { line: number(line), postback }),
            Err((column, problem)) => mistakes.push(mistake(line, column, problem)),
        }
        if mistakes.len() == MOST_MISTAKES {
            break;
        }
    }
    match (places, sales.is_empty(), mistakes.is_empty()) {
        (_, _, false) => Err(mistakes),
        (None, ..) | (_, true, _) => Err(vec![mistake(1, "", "there are no rows below the names of the columns")]),
        _ => Ok(sales),
    }
}

fn mistake(line: u64, column: &str, problem: &str) -> Mistake {
    Mistake { line: number(line), column: column.to_owned(), problem: problem.to_owned() }
}

fn number(line: u64) -> usize {
    usize::try_from(line).unwrap_or(usize::MAX)
}

/// Finds the header below the first line.
fn below(bytes: &[u8], above: u64) -> Option<Mistake> {
    let is_header = |names: &[&[u8]]| {
        let names: Vec<Option<usize>> = names.iter().map(|name| column(name)).collect();
        let [event_id, click_id, _, reverse] = [0, 1, 2, 3].map(|column| names.contains(&Some(column)));
        event_id && (click_id || reverse)
    };
    let line = header_below(bytes, above, is_header)?;
    Some(mistake(1, "the header", &Problem::Below { line }.to_string()))
}

fn column(name: &[u8]) -> Option<usize> {
    let name = String::from_utf8_lossy(name).trim().trim_matches('"').to_lowercase();
    COLUMNS.iter().position(|column| *column == name)
}

/// The one that stands in the first line.
fn separator(bytes: &[u8]) -> u8 {
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    SEPARATORS.into_iter().find(|separator| first.contains(separator)).unwrap_or(b',')
}

/// The position of each column.
struct Places([Option<usize>; 4]);

impl Places {
    fn of(header: &ByteRecord) -> Result<Self, Mistake> {
        let mut places = [None; 4];
        for (place, name) in header.iter().take(used(header)).enumerate() {
            let found = column(name).and_then(|at| places.get_mut(at));
            let name = String::from_utf8_lossy(name).trim().to_lowercase();
            match found {
                Some(free @ None) => *free = Some(place),
                Some(Some(_)) => return Err(mistake(1, &name, "is there twice")),
                None => return Err(mistake(1, &name, "is none of event_id, click_id, occurred_at, reverse")),
            }
        }
        match places {
            [None, ..] => Err(mistake(1, "event_id", "is missing")),
            [_, None, _, None] => Err(mistake(1, "click_id", "is missing")),
            _ => Ok(Self(places)),
        }
    }

    fn sale(&self, row: &ByteRecord) -> Result<Postback, (&'static str, &'static str)> {
        let Self([event_id, click_id, occurred_at, reverse]) = self;
        refuse_if(used(row) > self.0.iter().flatten().count(), ("", "has more values than there are columns"))?;
        let text = |place: &Option<usize>, column| {
            let value = place.and_then(|place| row.get(place)).unwrap_or_default();
            std::str::from_utf8(value)
                .map(|text| sheet::unkept(text.trim()).trim().to_owned())
                .map_err(|_| (column, "is not UTF-8"))
        };
        let occurred_at = text(occurred_at, "occurred_at")?;
        let postback = Postback {
            event_id: text(event_id, "event_id")?,
            click_id: text(click_id, "click_id")?,
            occurred_at: Some(occurred_at).filter(|at| !at.is_empty()),
            reverse: match text(reverse, "reverse")?.to_lowercase().as_str() {
                "" | "no" | "false" | "0" => false,
                "yes" | "true" | "1" => true,
                _ => return Err(("reverse", "must be yes or no")),
            },
        };
        // The first sale would take such an id for ever, and all others would be its duplicates.
        let rounded = ("event_id", "was rounded by a spreadsheet; take the table as it was before");
        refuse_if(sheet::is_rounded(&postback.event_id), rounded)?;
        postback.check().map_err(|field| (field.name(), "is not valid"))?;
        Ok(postback)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        match read(text.as_bytes()) {
            Ok(sales) => sales.iter().map(|sale| format!("{}:{} ", sale.line, sale.postback.event_id)).collect(),
            Err(mistakes) => mistakes.iter().map(|m| format!("{}:{} {};", m.line, m.column, m.problem)).collect(),
        }
    }

    #[test]
    fn a_table_is_read_as_spreadsheets_write_it() {
        assert_eq!(told("event_id,click_id\na,c\nb,c\n"), "2:a 3:b ");
        assert_eq!(told("\u{feff}Event_ID;click_id;reverse\r\na;c;\r\n;;\r\nb;;yes\r\n"), "2:a 4:b ");
        assert_eq!(told("click_id\tevent_id\nc\t \"a\" \n"), "2:a ");
        assert_eq!(told("event_id;click_id\n \"a\";c\n\"b\" ;c\n"), "2:a 3:b ");
        let sales = read(b"event_id,click_id,occurred_at,reverse\na,c,2026-11-26T04:36:48+02:00,no\n").expect("read");
        assert_eq!(
            sales.first().and_then(|sale| sale.postback.occurred_at.as_deref()),
            Some("2026-11-26T04:36:48+02:00")
        );
    }

    #[test]
    fn what_spreadsheets_put_around_a_table_is_no_part_of_it() {
        assert_eq!(told("event_id;click_id;;\r\na;c;;\r\nb;c\r\n"), "2:a 3:b ");
        assert_eq!(told("event_id;click_id;;\r\na;c;;x\r\n"), "2: has more values than there are columns;");
        let table = "event_id;click_id\r\na;c\r\n;;\r\nb;c\r\n";
        assert_eq!(told(&format!("sep=;\r\n{table}")), "3:a 5:b ");
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes = |text: &str| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
            for text in [format!("\u{feff}{table}"), table.to_owned(), format!("\u{feff}sep=;\n{table}")] {
                assert_eq!(read(&bytes(&text)).map(|sales| sales.len()), Ok(2), "{text}");
            }
        }
        assert_eq!(told("event_id,click_id\n=\"0007\",=\"c\"\n"), "2:0007 ");
        let rounded = "2:event_id was rounded by a spreadsheet; take the table as it was before;";
        assert_eq!(told("event_id,click_id\n2.02611E+12,c\n"), rounded);
        let title = "the header is on line 3, not on line 1; take away what is before it;";
        assert_eq!(told(&format!("Sales of May\n\n{table}")), format!("1:{title}"));
        assert_eq!(told(&format!("Sales of May\n\n{}", table.replace(';', "\t"))), format!("1:{title}"));
        assert!(told("sep=;\n").ends_with("there are no rows below the names of the columns;"));
        assert!(told("Sales\nevent_id,amount\n").starts_with("1:sales is none of"));
        let broken = read(b"\xff\xfe\x00\xd8").map_err(|mistakes| mistakes.len());
        assert_eq!(broken, Err(1));
    }

    #[test]
    fn what_cannot_be_read_is_named_by_its_line() {
        for (text, mistakes) in [
            ("", "1: there are no rows below the names of the columns;"),
            ("event_id,click_id\n", "1: there are no rows below the names of the columns;"),
            ("event_id\na\n", "1:click_id is missing;"),
            ("click_id\na\n", "1:event_id is missing;"),
            ("event_id,click_id,amount\n", "1:amount is none of event_id, click_id, occurred_at, reverse;"),
            ("event_id,click_id,event_id\n", "1:event_id is there twice;"),
            (
                "event_id,click_id\na b,c\nd,\ne,f,g\n",
                "2:event_id is not valid;3:click_id is not valid;4: has more values than there are columns;",
            ),
            ("event_id,click_id,occurred_at\na,c,yesterday\n", "2:occurred_at is not valid;"),
            ("event_id,click_id,reverse\na,c,perhaps\n", "2:reverse must be yes or no;"),
        ] {
            assert_eq!(told(text), mistakes, "{text}");
        }
        let open = "event_id,click_id\na,c\n\"b,c\nd,c\n";
        assert_eq!(told(open), "3:the line begins with a quote that is not closed;", "no sale becomes part of another");
        assert!(read(b"event_id,click_id\n\xff,c\n").is_err());
        let many = format!("event_id,click_id\n{}", ",c\n".repeat(100));
        assert_eq!(read(many.as_bytes()).map_err(|mistakes| mistakes.len()), Err(MOST_MISTAKES));
    }
}
