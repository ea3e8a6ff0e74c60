//! The table, and the same figures as JSON.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::load::Figure;

/// One line of the table.
pub struct Row {
    pub value: f64,
    pub unit: &'static str,
    pub p50: Option<Duration>,
    pub p99: Option<Duration>,
    /// Wrong answers, which are not in the value.
    pub wrong: usize,
    pub against: Option<Against>,
}

/// What a value is compared with: the ratio is the value divided by it.
pub struct Against {
    pub what: String,
    pub value: f64,
}

/// The number per second.
pub fn rate(figure: &Figure) -> Row {
    let (p50, p99) = (Some(figure.p50), Some(figure.p99));
    Row { value: figure.per_second, unit: "1/s", p50, p99, wrong: figure.wrong, against: None }
}

/// The median duration.
pub fn latency(figure: &Figure) -> Row {
    Row { value: millis(figure.p50), unit: "ms", ..rate(figure) }
}

/// A value without latencies.
pub fn plain(value: f64, unit: &'static str) -> Row {
    Row { value, unit, p50: None, p99: None, wrong: 0, against: None }
}

impl Row {
    pub fn against(mut self, what: &str, value: Option<f64>) -> Self {
        self.against = value.map(|value| Against { what: what.to_owned(), value });
        self
    }

    fn ratio(&self) -> Option<f64> {
        self.against.as_ref().map(|against| self.value / against.value)
    }
}

#[derive(Default)]
pub struct Table {
    rows: BTreeMap<String, Row>,
}

impl Table {
    pub fn head() -> Self {
        println!(
            "{:<30} {:>10} {:<4} {:>9} {:>9} {:>7}  ratio to",
            "what", "value", "unit", "p50 ms", "p99 ms", "ratio"
        );
        Self::default()
    }

    pub fn add(&mut self, name: impl Into<String>, row: Row) {
        let name = name.into();
        let against = row.against.as_ref().map_or("", |against| against.what.as_str());
        let wrong = if row.wrong == 0 { String::new() } else { format!("  WRONG ANSWERS: {}", row.wrong) };
        println!(
            "{name:<30} {:>10} {:<4} {:>9} {:>9} {:>7}  {against}{wrong}",
            value_text(row.value),
            row.unit,
            shown(row.p50.map(millis)),
            shown(row.p99.map(millis)),
            shown(row.ratio()),
        );
        self.rows.insert(name, row);
    }

    /// The wrong answers of all rows.
    pub fn wrong(&self) -> usize {
        self.rows.values().map(|row| row.wrong).sum()
    }

    pub fn value(&self, name: &str) -> Option<f64> {
        self.rows.get(name).map(|row| row.value)
    }

    /// `{name: {value, unit, p50_ms, p99_ms, ratio}}`, with null if a row has no such
    /// figure.
    pub fn write(&self, path: &Path) {
        let rows: BTreeMap<&str, Value> = self.rows.iter().map(|(name, row)| (name.as_str(), json(row))).collect();
        let text = serde_json::to_string_pretty(&rows).expect("JSON");
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder");
        fs::write(path, text).expect("written");
    }
}

fn json(row: &Row) -> Value {
    json!({
        "value": thousandths(row.value),
        "unit": row.unit,
        "p50_ms": row.p50.map(|p50| thousandths(millis(p50))),
        "p99_ms": row.p99.map(|p99| thousandths(millis(p99))),
        "ratio": row.ratio().map(thousandths),
    })
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn thousandths(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn value_text(value: f64) -> String {
    if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") }
}

fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"))
}
