//! The section of balances: what the user owned at the end of a day, and that it is part of the day's totals.

use std::io::BufRead;

use super::book::Standing;
use super::lines::{BadFile, Lines};
use crate::balances::Section;
use crate::proofs::TreeHead;

/// A record's seven lines, a leaf, two times 63 hashes and a number, at their longest.
const MOST_LINES: u64 = 7 + 1 + 63 + 1 + 63;
/// Accounts that are compared with the transactions, in the order of their codes. What is held for plans is on an account
/// of each plan.
const COMPARED: [&str; super::book::ACCOUNTS] =
    ["available", "pending", "withdrawing", "exchanging", "deposit", "promotional", "advance"];
/// In the books, what the user owes is negative.
const OWED: &str = "advance";

/// Which transaction the balances of a file hold for; `None` if there is no such section, or it cannot be read.
pub(super) fn wanted(lines: &mut Lines<impl BufRead>) -> Option<i64> {
    while lines.read().ok()?? != "== balances" {}
    loop {
        if let Some(leaf) = lines.read().ok()??.strip_prefix("leaf: ") {
            return leaf.split(' ').nth(2)?.parse().ok();
        }
    }
}

/// The section, as read after its heading, and the line in which it begins.
pub(super) struct Balances {
    section: Section,
    line: u64,
}

impl Balances {
    /// Reads it up to the heading of the next one.
    pub fn read(lines: &mut Lines<impl BufRead>) -> Result<Self, BadFile> {
        let line = lines.number() + 1;
        let mut text = String::new();
        loop {
            let next = lines.line()?;
            if next == "== inclusion" {
                break;
            }
            text.push_str(next);
            text.push('\n');
            if lines.number() - line > MOST_LINES {
                return Err(lines.bad("the balances have more lines than any tree needs"));
            }
        }
        let section =
            Section::parse(&text).map_err(|error| BadFile { line, why: format!("balances: {error}").into() })?;
        Ok(Self { section, line })
    }

    /// Whether they hold for the user at that transaction, and are in the log.
    pub fn check(self, origin: &str, then: Option<&Standing>, head: &TreeHead) -> Result<Section, BadFile> {
        let Self { section, line } = self;
        let bad = |why: String| BadFile { line, why: why.into() };
        if section.record.origin != origin {
            return Err(bad(format!("the balances are those of another log: {}", section.record.origin)));
        }
        let sequence = section.place.sequence;
        let then =
            then.ok_or_else(|| bad(format!("they hold up to transaction {sequence}, which is not in this file")))?;
        section.check(&then.hash).map_err(|error| bad(error.to_string()))?;
        for (name, balance) in section.record.accounts.iter().zip(&section.place.balances) {
            let known = COMPARED.iter().position(|account| account == name);
            let Some(Some(moved)) = known.and_then(|place| then.balances.get(place)) else { continue };
            let expected = if name == OWED { moved.checked_neg() } else { Some(*moved) };
            if expected.and_then(|expected| u64::try_from(expected).ok()) != Some(*balance) {
                return Err(bad(format!("“{name}” is {balance} here, and was {moved} after the transactions")));
            }
        }
        if section.included(head) { Ok(section) } else { Err(bad("the balances' record is not in the log".into())) }
    }
}
