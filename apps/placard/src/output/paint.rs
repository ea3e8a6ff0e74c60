//! Colours, used sparingly: they repeat what a word says, and never carry meaning alone.

use anstyle::{AnsiColor, Style};

const GOOD: Style = AnsiColor::Green.on_default();
const WAITING: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default();

/// A heading above other lines.
pub fn heading(text: &str) -> String {
    painted(Style::new().bold(), text)
}

/// `shown`, in the colour of the state that `value` names, if any.
pub fn word(value: &str, shown: &str) -> String {
    style(value).map_or_else(|| shown.to_owned(), |style| painted(style, shown))
}

fn style(value: &str) -> Option<Style> {
    match value {
        "ok" | "active" | "approved" | "paid" | "completed" | "settled" | "credited" => Some(GOOD),
        "warning" | "pending" | "requested" | "not_activated" | "open" => Some(WAITING),
        "problem" | "rejected" | "disabled" | "cancelled" | "expired" | "revoked" => Some(BAD),
        _ => None,
    }
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
