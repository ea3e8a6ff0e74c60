//! Command output: one JSON document for programs, or text for people that fits their
//! terminal, or eighty columns without one.
//!
//! Texts are composed with colours; printing removes these if they would not be seen.

mod cells;
mod layout;
mod paint;

use std::io::IsTerminal;

use anstream::ColorChoice;
use foundation::Error;
use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;
use crate::terminal::{self, room};
pub use cells::{cell, harmless_line};
use cells::{escaped, harmless, kept_apart, kind};
use layout::{GAP, Kind, Need, broken, fitted, longest_part, padded, shortened, width, wrapped};
pub use paint::heading;
use paint::word;

#[derive(Clone, Copy, Debug)]
pub struct Output {
    pub json: bool,
    pub color: ColorChoice,
}

impl Output {
    /// One record, with a line for each value.
    pub fn record(self, record: &impl Serialize) -> Result<(), Failure> {
        self.show(record, record_text)
    }

    /// A list, with a line for each record and the columns that [`table_text`] reads.
    pub fn list(self, records: &impl Serialize, columns: &str) -> Result<(), Failure> {
        self.show(records, |value| table_text(value, columns))
    }

    /// A document whose text a command composes itself.
    pub fn show(self, document: &impl Serialize, text: impl FnOnce(&Value) -> String) -> Result<(), Failure> {
        let mut value = serde_json::to_value(document).map_err(|e| Error::Internal(e.to_string()))?;
        let shown = if self.json {
            escaped(&format!("{value:#}"))
        } else {
            harmless(&mut value);
            text(&value)
        };
        self.print(shown.trim_end())
    }

    /// Text that is not a document, such as a script.
    pub fn print(self, text: &str) -> Result<(), Failure> {
        let color = if self.json { ColorChoice::Never } else { self.color };
        terminal::print(format!("{text}\n"), color)
    }

    /// Whether somebody watches the progress of long work.
    pub fn is_watched(self) -> bool {
        !self.json && !terminal::is_distant() && std::io::stderr().is_terminal()
    }
}

/// Text indented below another one, wrapped to the terminal.
pub fn indented(text: &str, by: usize) -> String {
    let lines = wrapped(text, room().saturating_sub(by));
    lines.iter().map(|line| format!("{}{line}\n", " ".repeat(by))).collect()
}

/// A line for each value of a record.
pub fn record_text(record: &Value) -> String {
    let mut lines = Vec::new();
    flatten("", record, &mut lines);
    lines_text(&lines)
}

/// A line for each name and value; long values are wrapped beside the names.
pub fn lines_text<N: AsRef<str>>(lines: &[(N, String)]) -> String {
    let widest = lines.iter().map(|(name, _)| width(name.as_ref())).max().unwrap_or(0) + GAP;
    let beside = room().saturating_sub(widest);
    let indent = format!("\n{}", " ".repeat(widest));
    lines
        .iter()
        .map(|(name, value)| {
            let lines: Vec<String> = wrapped(value, beside).iter().map(|line| kept_apart(line)).collect();
            let whole = lines.join(&indent);
            format!("{}{}\n", padded(name.as_ref(), widest), word(value, &whole))
        })
        .collect()
}

/// The values of a record with their names; `a.b` for nested ones.
fn flatten(path: &str, value: &Value, lines: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(&below, field, lines);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (number, item) in items.iter().enumerate() {
                flatten(&format!("{path}.{}", number + 1), item, lines);
            }
        }
        scalar => lines.push((path.to_owned(), cell(scalar))),
    }
}

/// Short names and values, as many side by side as fit.
pub fn facts(facts: &[(&str, String)]) -> String {
    let names = facts.iter().map(|(name, _)| width(name)).max().unwrap_or(0) + GAP;
    let values = facts.iter().map(|(_, value)| width(value)).max().unwrap_or(0);
    let each = names + values + GAP;
    let beside = ((room() + GAP) / each).max(1);
    let line = |facts: &[(&str, String)]| {
        let shown = facts.iter().map(|(name, value)| {
            let gap = " ".repeat((values + GAP).saturating_sub(width(value)));
            format!("{}{value}{gap}", padded(name, names))
        });
        format!("{}\n", shown.collect::<String>().trim_end())
    };
    facts.chunks(beside).map(line).collect()
}

/// A table with a line for each record. `columns` are the fields to show, such as `id, product/name`; a heading other
/// than the field stands before it: `asked by: requested_by`.
pub fn table_text(records: &Value, columns: &str) -> String {
    let records = records.as_array().map_or(&[][..], Vec::as_slice);
    if records.is_empty() {
        return "none".to_owned();
    }
    let columns = columns.split(", ").map(|column| column.split_once(": ").unwrap_or((column, column)));
    let (names, pointers): (Vec<String>, Vec<String>) =
        columns.map(|(heading, field)| (heading.to_uppercase(), format!("/{field}"))).unzip();
    let rows: Vec<Vec<Cell>> = records
        .iter()
        .map(|record| {
            let values = pointers.iter().map(|pointer| record.pointer(pointer).unwrap_or(&Value::Null));
            values.map(|value| Cell { text: cell(value).replace('\n', " "), kind: kind(value) }).collect()
        })
        .collect();
    let needs: Vec<Need> = names.iter().enumerate().map(|(at, name)| need(name, &rows, at)).collect();
    let widths = fitted(&needs);
    let titles: String = names.iter().zip(&widths).map(|(name, to)| padded(&shortened(name, *to), to + GAP)).collect();
    let mut text = format!("{}\n", heading(titles.trim_end()));
    text.extend(rows.iter().map(|row| row_text(row, &needs, &widths)));
    text
}

struct Cell {
    text: String,
    kind: Kind,
}

fn need(name: &str, rows: &[Vec<Cell>], at: usize) -> Need {
    let cells = || rows.iter().filter_map(move |row| row.get(at));
    let has = |kind| cells().any(|cell| cell.kind == kind);
    let kind = [Kind::Prose, Kind::Moment].into_iter().find(|kind| has(*kind)).unwrap_or(Kind::Whole);
    let part = cells().filter(|cell| !cell.gives_way(kind)).map(|cell| longest_part(&cell.text)).max();
    let widest = cells().map(|cell| width(&cell.text)).max();
    Need { width: widest.unwrap_or(0).max(width(name)), part: part.unwrap_or(0), kind }
}

impl Cell {
    /// Whether it is shortened in a column of this kind: among sentences, a word is one as well.
    fn gives_way(&self, column: Kind) -> bool {
        let is_word = || self.text.chars().all(char::is_alphabetic);
        self.kind == Kind::Prose || (column == Kind::Prose && is_word())
    }
}

/// The lines of a row: as many as its highest cell.
fn row_text(row: &[Cell], needs: &[Need], widths: &[usize]) -> String {
    let cells: Vec<(&Cell, Vec<String>, usize)> = row
        .iter()
        .zip(needs)
        .zip(widths)
        .map(|((cell, need), to)| match cell.gives_way(need.kind) {
            true => (cell, vec![shortened(&cell.text, *to)], *to),
            false => (cell, broken(&cell.text, *to), *to),
        })
        .collect();
    let height = cells.iter().map(|(_, lines, _)| lines.len()).max().unwrap_or(0);
    let line = |at: usize| {
        let shown = cells.iter().map(|(cell, lines, to)| {
            let shown = lines.get(at).map_or("", String::as_str);
            let rest = " ".repeat((to + GAP).saturating_sub(width(shown)));
            let painted = if shown.is_empty() { String::new() } else { word(&cell.text, &kept_apart(shown)) };
            format!("{painted}{rest}")
        });
        format!("{}\n", shown.collect::<String>().trim_end())
    };
    (0..height).map(line).collect()
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;
    use serde_json::json;

    use super::*;

    fn plain(text: &str) -> String {
        strip_str(text).to_string()
    }

    #[test]
    fn a_table_fits_a_terminal_whatever_is_in_it() {
        let records = json!([
            { "id": "1", "name": "x".repeat(100), "note": "y".repeat(60), "at": "2026-01-05T12:00:00.000Z" },
            { "id": "2", "name": "短い名前", "note": "明".repeat(60), "at": null },
        ]);
        let text = plain(&table_text(&records, "id, name, note, at"));
        assert!(text.lines().all(|line| width(line) <= room()), "{text}");
        assert!(text.starts_with("ID  NAME"), "{text}");
        assert!(text.contains("2026-01-05 12:00:00Z") && text.contains('…'), "{text}");
    }

    #[test]
    fn no_time_and_no_name_is_cut_off() {
        let (digest, account) = ("0123456789abcdef".repeat(2), "DE89370400440532013000");
        let at = "2026-01-05T12:00:07.000Z";
        let records = json!([
            { "id": digest, "from": at, "to": at, "account": account, "refs": ["recharge:5", "withdrawal:77"], "note": "a b ".repeat(9) },
            { "id": "7", "from": at, "to": null, "account": "cannot be read", "refs": [], "note": "c" },
        ]);
        let columns = ["id", "from", "to", "account", "refs", "note"];
        let text = plain(&table_text(&records, &columns.join(", ")));
        assert!(text.lines().all(|line| width(line) <= room()), "{text}");
        // The text of each column in the first record, line by line.
        let starts: Vec<usize> = columns.map(|name| text.find(&name.to_uppercase()).expect("a heading")).to_vec();
        let first: Vec<&str> = text.lines().skip(1).take_while(|line| !line.starts_with('7')).collect();
        let read = |from: usize, to: usize| -> String {
            let cut = |line: &&str| line.chars().skip(from).take(to - from).collect::<String>().trim().to_owned();
            first.iter().map(cut).collect()
        };
        let [id, from, to, number, refs, note] = starts.as_slice() else { panic!("{starts:?}") };
        assert_eq!((read(*id, *from), read(*number, *refs)), (digest, account.to_owned()), "{text}");
        for moment in [read(*from, *to), read(*to, *number)] {
            assert_eq!(moment.replace(' ', ""), "2026-01-0512:00:07Z", "{text}");
        }
        assert_eq!(read(*refs, *note).replace(' ', ""), "recharge:5,withdrawal:77", "{text}");
        assert!(text.contains('…'), "prose gave way: {text}");
    }

    #[test]
    fn columns_stand_below_each_other_in_every_script() {
        let records = json!([{ "name": "上海广告", "id": "1" }, { "name": "abc", "id": "2" }]);
        let text = plain(&table_text(&records, "name, id"));
        let at: Vec<usize> = text
            .lines()
            .map(|line| width(line.trim_end_matches(|c: char| c.is_alphanumeric() && c.is_ascii())))
            .collect();
        assert_eq!(at.get(1), Some(&10), "{text}");
        assert!(text.contains("abc       2"), "{text}");
    }

    #[test]
    fn a_record_shows_every_value_whole() {
        let record = json!({ "key": "k".repeat(100), "rule": { "price": "1.00" }, "kinds": ["a", "b"], "on": true });
        let text = plain(&record_text(&record));
        assert!(text.contains(&"k".repeat(100)));
        assert!(
            text.contains("rule.price  1.00\n")
                && text.contains("kinds       a, b\n")
                && text.contains("on          yes\n"),
            "{text}"
        );
    }

    #[test]
    fn long_sentences_of_a_record_are_wrapped_beside_its_names() {
        let record = json!({ "message": "one two three ".repeat(12), "id": "1" });
        let text = plain(&record_text(&record));
        assert!(text.lines().count() > 3 && text.lines().all(|line| width(line) <= room()), "{text}");
        assert!(text.lines().skip(2).all(|line| line.starts_with("         ")), "{text}");
    }

    #[test]
    fn amounts_stay_in_their_columns_beside_names_read_from_right_to_left() {
        let records = json!([{ "name": "\u{5d0}\u{5d1} \u{5d2}".repeat(20), "budget": "100.00", "spent": "9.00" }]);
        let table = plain(&table_text(&records, "name, budget, spent"));
        let row = table.lines().nth(1).expect("a row");
        assert!(row.contains("\u{2026}\u{200e}  100.00  9.00") && row.starts_with('\u{200e}'), "{row:?}");
        let record = plain(&record_text(&json!({ "name": "\u{627}", "plain": "a" })));
        assert_eq!(record, "name   \u{200e}\u{627}\u{200e}\nplain  a\n");
    }

    #[test]
    fn words_of_a_state_are_coloured_and_still_words() {
        let text = table_text(&json!([{ "status": "problem" }, { "status": "ok" }]), "status");
        assert!(text.contains("\u{1b}["), "{text:?}");
        assert_eq!(plain(&text), "STATUS\nproblem\nok\n");
    }

    #[test]
    fn facts_stand_beside_each_other_as_far_as_they_fit() {
        let few = [("available", "10000.00".to_owned()), ("owed", "0.00".to_owned())];
        assert_eq!(facts(&few), "available  10000.00  owed       0.00\n");
        let many: Vec<(&str, String)> = (0..9).map(|_| ("to be consumed", "1000000000.00".to_owned())).collect();
        assert!(facts(&many).lines().all(|line| width(line) <= room()));
        assert!(facts(&many).lines().count() > 2);
    }

    #[test]
    fn nothing_is_said_so() {
        assert_eq!(table_text(&json!([]), "id"), "none");
    }
}
