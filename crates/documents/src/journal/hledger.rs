//! The journal of hledger.

use super::plain::{decimal, one_line};
use super::{Fact, Journal, JournalPosting, JournalTransaction};

pub(super) fn head(journal: &Journal, title: &str, remarks: &[String]) -> String {
    let lines = [title.to_owned()].into_iter().chain(remarks.iter().cloned());
    let comments: String = lines.map(|line| format!("; {}\n", one_line(&line))).collect();
    // The sample says how many places there are; without any, the mark at its end says that it is one.
    let places = usize::try_from(journal.decimals).unwrap_or_default();
    let sample = format!("1000.{}", "0".repeat(places));
    format!("{comments}\ndecimal-mark .\ncommodity {sample} {}\n\n", journal.currency)
}

pub(super) fn account(account: &str, label: Option<&str>) -> String {
    match label {
        Some(label) => format!("account {account}  ; {}\n", tag("name", label)),
        None => format!("account {account}\n"),
    }
}

pub(super) fn transaction(journal: &Journal, transaction: &JournalTransaction<'_>) -> String {
    let JournalTransaction { date, number, kind, text, facts, postings } = transaction;
    // A semicolon begins a comment, and nothing escapes it.
    let text = one_line(&text.replace(';', ","));
    let words = if text.is_empty() { (*kind).to_owned() } else { format!("{kind} | {text}") };
    let postings: String = postings.iter().map(|posting| posted(journal, posting)).collect();
    format!("\n{date} * ({number}) {words}\n    ; {}\n{postings}", tags(facts))
}

fn posted(journal: &Journal, posting: &JournalPosting) -> String {
    let line = journal.line(&posting.account, posting.amount);
    match posting.facts.as_slice() {
        [] => format!("    {line}\n"),
        facts => format!("    {line}  ; {}\n", tags(facts)),
    }
}

pub(super) fn balances(journal: &Journal, date: &str, balances: &[(String, i128)]) -> String {
    let asserted = |(account, balance): &(String, i128)| {
        let nothing = journal.line(account, 0);
        format!("    {nothing} == {:>14} {}\n", decimal(*balance, journal.decimals), journal.currency)
    };
    let lines: String = balances.iter().map(asserted).collect();
    format!("\n{date} * balances\n{lines}")
}

fn tags(facts: &[Fact]) -> String {
    facts.iter().map(|(name, value)| tag(name, value)).collect::<Vec<_>>().join(", ")
}

/// A comma ends what a tag says, so there is none in it.
fn tag(name: &str, value: &str) -> String {
    format!("{name}:{}", one_line(&value.replace(',', " ")))
}
