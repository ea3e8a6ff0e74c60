//! The text of one value.

use std::fmt::Write;

use serde_json::Value;

use super::layout::{Kind, width};

/// Times to the second, which is enough for people.
pub fn cell(value: &Value) -> String {
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

/// The longest text without a blank that people compare: a digest in hexadecimal.
const LONGEST_NAME: usize = 64;

/// How the value gives way in a table.
pub fn kind(value: &Value) -> Kind {
    match value {
        Value::String(text) if moment(text).is_some() => Kind::Moment,
        Value::String(text) if text.contains(char::is_whitespace) || width(text) > LONGEST_NAME => Kind::Prose,
        Value::Array(items) if items.iter().any(|item| kind(item) == Kind::Prose) => Kind::Prose,
        // The whole object is shown with the record, so a table may cut it.
        Value::Object(_) => Kind::Prose,
        _ => Kind::Whole,
    }
}

fn moment(text: &str) -> Option<String> {
    let looks_like_one = text.len() == 24 && text.ends_with('Z') && text.as_bytes().get(10) == Some(&b'T');
    looks_like_one.then(|| text.get(..19).map(|moment| format!("{}Z", moment.replace('T', " "))))?
}

/// Removes what would control the reader's terminal: users choose names and write
/// messages, and could otherwise overwrite what staff see.
pub fn harmless(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(steers) => *text = text.replace(steers, "\u{fffd}"),
        Value::Array(items) => items.iter_mut().for_each(harmless),
        Value::Object(fields) => fields.values_mut().for_each(harmless),
        _ => (),
    }
}

/// The same for a line of text, such as an error.
pub fn harmless_line(line: &str) -> String {
    line.replace(steers, "\u{fffd}")
}

/// JSON with these characters written as `\u202e` and so on: programs read the same, and a terminal shows them. JSON
/// itself escapes only the control characters below the space, not DEL or those from U+0080 on.
pub fn escaped(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        if steers(c) {
            // Each of them is one unit of UTF-16. Writing to a String cannot fail.
            let _ = write!(shown, "\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Control characters, and those that change the writing direction.
fn steers(c: char) -> bool {
    (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A piece of text that leaves the order of what stands beside it as it is. After letters that are read from right to
/// left, a terminal that knows this would also show the numbers of the next columns from right to left, so that the
/// amounts of two columns change places. A mark of the other direction ends that, and takes no cell.
pub fn kept_apart(text: &str) -> String {
    if text.contains(is_right_to_left) { format!("\u{200e}{text}\u{200e}") } else { text.to_owned() }
}

/// The blocks of scripts that are read from right to left, and the mark of that direction.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{200f}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nobody_steers_the_terminal_of_staff() {
        let mut value = json!({ "a": ["x\u{1b}[2Jy", "two\nlines"], "b": { "c": "\u{202e}321\u{8}" } });
        harmless(&mut value);
        assert_eq!(value, json!({ "a": ["x\u{fffd}[2Jy", "two\nlines"], "b": { "c": "\u{fffd}321\u{fffd}" } }));
    }

    #[test]
    fn nor_does_json_or_an_error() {
        let value = json!({ "a": "x\u{9b}2Jy\u{7f}", "b": ["\u{202e}321", "两\n\t\u{1b}"] });
        let shown = escaped(&format!("{value:#}"));
        assert!(!shown.contains(steers), "{shown:?}");
        assert!(shown.contains("\\u202e321") && shown.contains("两"), "{shown}");
        assert_eq!(serde_json::from_str::<Value>(&shown).expect("JSON"), value);
        assert_eq!(harmless_line("placard: x\u{9b}2J\u{1b}[1m"), "placard: x\u{fffd}2J\u{fffd}[1m");
    }

    #[test]
    fn a_moment_is_read_to_the_second() {
        assert_eq!(cell(&json!("2026-01-05T12:00:07.123Z")), "2026-01-05 12:00:07Z");
        assert_eq!(cell(&json!("PLACARD-T-and-a-Z-at-24Z")), "PLACARD-T-and-a-Z-at-24Z");
    }
}
