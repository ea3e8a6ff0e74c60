//! Books as programs for plain-text accounting read them: a journal of hledger, a ledger of Beancount.
//!
//! Amounts come in minor units, as debits; a credit is negative. Texts come as they are: what means something to
//! a format is escaped here, or written as a blank where the format has no escape.

mod beancount;
mod hledger;
mod plain;

pub use plain::component;

use plain::decimal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalFormat {
    Hledger,
    Beancount,
}

/// A file in one currency, which is written piece by piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal {
    pub format: JournalFormat,
    pub currency: String,
    pub decimals: u32,
}

/// A name with its value, as metadata of a transaction or posting.
pub type Fact = (&'static str, String);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalTransaction<'a> {
    /// `2026-01-05`.
    pub date: &'a str,
    pub number: i64,
    /// What happened, in one word.
    pub kind: &'a str,
    /// Anything, or nothing.
    pub text: &'a str,
    pub facts: Vec<Fact>,
    pub postings: Vec<JournalPosting>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalPosting {
    pub account: String,
    pub amount: i128,
    pub facts: Vec<Fact>,
}

/// The last day of a file, and the one after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosingDay<'a> {
    pub last: &'a str,
    pub next: &'a str,
}

impl Journal {
    /// The beginning: what the file is, with remarks, and its currency.
    pub fn head(&self, title: &str, remarks: &[String]) -> String {
        match self.format {
            JournalFormat::Hledger => hledger::head(self, title, remarks),
            JournalFormat::Beancount => beancount::head(self, title, remarks),
        }
    }

    /// Declares an account, with whose it is.
    pub fn account(&self, account: &str, label: Option<&str>) -> String {
        match self.format {
            JournalFormat::Hledger => hledger::account(account, label),
            JournalFormat::Beancount => beancount::account(self, account, label),
        }
    }

    pub fn transaction(&self, transaction: &JournalTransaction<'_>) -> String {
        match self.format {
            JournalFormat::Hledger => hledger::transaction(self, transaction),
            JournalFormat::Beancount => beancount::transaction(self, transaction),
        }
    }

    /// The balances that accounts must have at the end of the last day; there must be at least one.
    pub fn balances(&self, day: ClosingDay<'_>, balances: &[(String, i128)]) -> String {
        match self.format {
            JournalFormat::Hledger => hledger::balances(self, day.last, balances),
            JournalFormat::Beancount => beancount::balances(self, day.next, balances),
        }
    }

    /// An account and an amount, one below the other for the eye.
    fn line(&self, account: &str, amount: i128) -> String {
        format!("{account:<64}  {:>14} {}", decimal(amount, self.decimals), self.currency)
    }
}
