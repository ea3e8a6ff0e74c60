//! What a command prints: one JSON document for programs, or text for people
//! that fits a terminal of eighty columns.

use std::io::Write;

use serde::Serialize;
use serde_json::Value;
use usecases::Error;

use crate::failure::Failure;

const WIDTH: usize = 80;
const GAP: usize = 2;

/// A heading, and where the value is in a record: `/user/name`.
pub type Column = (&'static str, &'static str);

#[derive(Clone, Copy, Debug)]
pub struct Output {
    pub json: bool,
}

impl Output {
    /// One record: a line for each of its values.
    pub fn record(self, record: &impl Serialize) -> Result<(), Failure> {
        self.show(record, record_text)
    }

    /// A list: a line for each record, of the columns named.
    pub fn list(self, records: &impl Serialize, columns: &[Column]) -> Result<(), Failure> {
        self.show(records, |value| table_text(value, columns))
    }

    /// A document whose text a command composes itself.
    pub fn show(self, document: &impl Serialize, text: impl FnOnce(&Value) -> String) -> Result<(), Failure> {
        let value = serde_json::to_value(document).map_err(|e| Error::Internal(e.to_string()))?;
        let shown = if self.json { format!("{value:#}") } else { text(&value) };
        // Whoever closed the pipe has seen enough.
        let _ = writeln!(std::io::stdout(), "{}", shown.trim_end());
        Ok(())
    }
}

/// A line for each value of a record.
pub fn record_text(record: &Value) -> String {
    let mut lines = Vec::new();
    flatten("", record, &mut lines);
    let widest = lines.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    lines.iter().map(|(name, value)| format!("{}{value}\n", padded(name, widest + GAP))).collect()
}

/// Each value of a record behind its name; `a.b` for those inside others.
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

pub fn table_text(records: &Value, columns: &[Column]) -> String {
    let records = records.as_array().map_or(&[][..], Vec::as_slice);
    if records.is_empty() {
        return "none".to_owned();
    }
    let heading: Vec<String> = columns.iter().map(|(heading, _)| heading.to_uppercase()).collect();
    let mut rows = vec![heading];
    rows.extend(records.iter().map(|record| {
        columns.iter().map(|(_, pointer)| cell(record.pointer(pointer).unwrap_or(&Value::Null))).collect()
    }));
    let widths = fitted(&rows, columns.len());
    rows.iter().map(|row| line(row, &widths)).collect()
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).map(|(cell, width)| padded(&shortened(cell, *width), width + GAP));
    format!("{}\n", cells.collect::<String>().trim_end())
}

/// The width of each column; the widest give way until all of them fit.
fn fitted(rows: &[Vec<String>], columns: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    let gaps = GAP * columns.saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > WIDTH {
        match widths.iter_mut().max() {
            Some(widest) if *widest > 1 => *widest -= 1,
            _ => break,
        }
    }
    widths
}

/// Moments to the second, which is all that people read of them.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => moment(text).unwrap_or_else(|| text.clone()),
        Value::Array(items) if items.is_empty() => "-".to_owned(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn moment(text: &str) -> Option<String> {
    let looks_like_one = text.len() == 24 && text.ends_with('Z') && text.as_bytes().get(10) == Some(&b'T');
    looks_like_one.then(|| text.get(..19).map(|moment| format!("{}Z", moment.replace('T', " "))))?
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}

fn shortened(text: &str, to: usize) -> String {
    if width(text) <= to {
        return text.to_owned();
    }
    text.chars().take(to.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_fits_a_terminal_whatever_is_in_it() {
        let records = json!([
            { "id": "1", "name": "x".repeat(100), "note": "y".repeat(60), "at": "2026-01-05T12:00:00.000Z" },
            { "id": "2", "name": "short", "note": null, "at": null },
        ]);
        let text = table_text(&records, &[("id", "/id"), ("name", "/name"), ("note", "/note"), ("at", "/at")]);
        assert!(text.lines().all(|line| width(line) <= WIDTH), "{text}");
        assert!(text.starts_with("ID  NAME"), "{text}");
        assert!(text.contains("2026-01-05 12:00:00Z") && text.contains('…'), "{text}");
    }

    #[test]
    fn a_record_shows_every_value_whole() {
        let record = json!({ "key": "k".repeat(64), "rule": { "price": "1.00" }, "kinds": ["a", "b"], "on": true });
        let text = record_text(&record);
        assert!(text.contains(&"k".repeat(64)));
        assert!(
            text.contains("rule.price  1.00\n")
                && text.contains("kinds       a, b\n")
                && text.contains("on          yes\n"),
            "{text}"
        );
    }

    #[test]
    fn nothing_is_said_so() {
        assert_eq!(table_text(&json!([]), &[("id", "/id")]), "none");
    }
}
