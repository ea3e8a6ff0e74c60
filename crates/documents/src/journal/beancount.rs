//! The ledger of Beancount.

use super::plain::{decimal, one_line};
use super::{Fact, Journal, JournalPosting, JournalTransaction};

/// Accounts and the currency are there from the beginning, whatever the clocks of servers said.
const BEGIN: &str = "1970-01-01";

pub(super) fn head(journal: &Journal, title: &str, remarks: &[String]) -> String {
    let comments: String = remarks.iter().map(|line| format!("; {}\n", one_line(line))).collect();
    let (title, currency) = (quoted(title), &journal.currency);
    format!(
        "{comments}\noption \"title\" {title}\noption \"operating_currency\" \"{currency}\"\n\n{BEGIN} commodity {currency}\n\n"
    )
}

pub(super) fn account(journal: &Journal, account: &str, label: Option<&str>) -> String {
    let label = label.map(|label| fact("  ", &("name", label.to_owned()))).unwrap_or_default();
    format!("{BEGIN} open {account:<64}  {}\n{label}", journal.currency)
}

pub(super) fn transaction(journal: &Journal, transaction: &JournalTransaction<'_>) -> String {
    let JournalTransaction { date, number, kind, text, facts, postings } = transaction;
    let (kind, text) = (quoted(kind), quoted(text));
    let facts: String = facts.iter().map(|said| fact("  ", said)).collect();
    let postings: String = postings.iter().map(|posting| posted(journal, posting)).collect();
    format!("\n{date} * {kind} {text}\n  id: \"{number}\"\n{facts}{postings}")
}

fn posted(journal: &Journal, posting: &JournalPosting) -> String {
    let facts: String = posting.facts.iter().map(|said| fact("    ", said)).collect();
    format!("  {}\n{facts}", journal.line(&posting.account, posting.amount))
}

/// Balances are those before the day. Without the tolerance of zero, a minor unit could be missing.
pub(super) fn balances(journal: &Journal, date: &str, balances: &[(String, i128)]) -> String {
    let asserted = |(account, balance): &(String, i128)| {
        let balance = decimal(*balance, journal.decimals);
        format!("{date} balance {account:<64}  {balance:>14} ~ 0 {}\n", journal.currency)
    };
    let lines: String = balances.iter().map(asserted).collect();
    format!("\n{lines}")
}

fn fact(indent: &str, (name, value): &Fact) -> String {
    format!("{indent}{name}: {}\n", quoted(value))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace('\\', "\\\\").replace('"', "\\\""))
}
