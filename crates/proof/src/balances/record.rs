//! The record of a day: what the tree was, in seven lines. Its hash is an entry of the public log.

use std::fmt::Display;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::BadBalances;
use crate::hash::Hash;

const VERSION: &str = "placard balances 1";

/// A day's totals and the root of its tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The log that has it.
    pub origin: String,
    /// The day of UTC at whose end the balances were read: `2026-11-27`.
    pub day: String,
    /// A power of two.
    pub leaves: u64,
    pub accounts: Vec<String>,
    /// The totals of each account.
    pub totals: Vec<u64>,
    pub root: Hash,
}

impl Record {
    pub fn text(&self) -> String {
        let Self { origin, day, leaves, accounts, totals, root } = self;
        let (accounts, totals, root) = (accounts.join(" "), spaced(totals), STANDARD.encode(root));
        format!(
            "{VERSION}\norigin: {origin}\nday: {day}\nleaves: {leaves}\naccounts: {accounts}\ntotals: {totals}\nroot: {root}\n"
        )
    }

    /// The log's entry: what its leaf is made of.
    pub fn entry(&self) -> Hash {
        Sha256::digest(self.text()).into()
    }

    /// Reads what [`Record::text`] writes, and nothing else.
    ///
    /// # Errors
    /// `Malformed`, `Accounts` and `Leaves`.
    pub fn parse(text: &str) -> Result<Self, BadBalances> {
        let read = Self::read(text).filter(|read| read.text() == text).ok_or(BadBalances::Malformed)?;
        if read.totals.len() != read.accounts.len() {
            return Err(BadBalances::Accounts);
        }
        if read.leaves.is_power_of_two() { Ok(read) } else { Err(BadBalances::Leaves) }
    }

    fn read(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        lines.next()?;
        let mut said = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(": ");
        let read = Self {
            origin: said("origin")?.to_owned(),
            day: said("day").filter(|day| is_day(day))?.to_owned(),
            leaves: amount(said("leaves")?)?,
            accounts: said("accounts")?.split(' ').map(str::to_owned).collect(),
            totals: said("totals")?.split(' ').map(amount).collect::<Option<_>>()?,
            root: STANDARD.decode(said("root")?).ok()?.try_into().ok()?,
        };
        let distinct = |at: usize| read.accounts.iter().take(at).all(|other| Some(other) != read.accounts.get(at));
        let named = (0..read.accounts.len()).all(distinct) && !read.accounts.iter().any(String::is_empty);
        (named && !read.origin.is_empty()).then_some(read)
    }
}

fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().zip(0..).all(|(byte, at)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// Whoever reads it may have signed numbers only.
pub(super) fn amount(text: &str) -> Option<u64> {
    text.parse().ok().filter(|amount| i64::try_from(*amount).is_ok())
}

pub(super) fn spaced(values: &[impl Display]) -> String {
    let mut text = String::new();
    for value in values {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&value.to_string());
    }
    text
}
