//! All mistakes in a file, each with its line and field.

use std::fmt;

use base::Money;

use crate::day::Day;

/// The most mistakes listed; more are only counted.
const LISTED: usize = 50;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("is missing")]
    Missing,
    #[error("is no day of the form 2026-01-31")]
    NotADay,
    #[error(
        "has a year of two digits; --dates says whether the day or the month comes first, and then the year is last"
    )]
    ShortYear,
    #[error("may be {one} or {other}, and no other line tells which number is the month; --dates says it")]
    DayOrMonth { one: Day, other: Day },
    #[error("is {day}, which has not begun anywhere; check it, or import the file when it has")]
    Ahead { day: Day },
    #[error("has the day and the month in another order than --dates says")]
    OtherThanSaid,
    #[error("has the day and the month in another order than line {line}")]
    OtherOrder { line: u64 },
    #[error("is in the year {year}; the years of this calendar are 1970 to 2199")]
    OtherCalendar { year: String },
    #[error("is no plain amount such as 1234.50")]
    NotAnAmount,
    #[error("is no plain amount such as 1234.50; --decimal tells which mark stands before the decimals")]
    NotWithThisMark,
    #[error("has more decimals than the currency")]
    TooPrecise,
    #[error("is larger than any amount accepted")]
    TooLarge,
    #[error("is longer than {most} characters")]
    TooLong { most: usize },
    #[error("is {text}, a number that a spreadsheet has rounded; import the file as the bank wrote it")]
    Rounded { text: String },
    #[error("is {found}, and this installation keeps {expected}")]
    OtherCurrency { found: String, expected: String },
    #[error("is in no column; add one that says it on each line, or say it by --currency")]
    NoCurrency,
    #[error("is {found}, not {expected}")]
    OtherAccount { found: String, expected: String },
    #[error("is negative; it has no sign of its own, because CdtDbtInd says whether it comes in or goes out")]
    Negative,
    #[error("is {text}, which is none of BOOK, PDNG, FUTR and INFO; it does not say whether the entry is booked")]
    OtherStatus { text: String },
    #[error("is neither CRDT nor DBIT")]
    NeitherCreditNorDebit,
    #[error("says neither that the amount comes in nor that it goes out")]
    NoSide,
    #[error("says that the amount comes in, and it is negative; whether it goes out is not certain")]
    OtherSide,
    #[error("says in another way than line {line} whether it comes in or goes out; neither is certain")]
    OtherSign { line: u64 },
    #[error("is a column of amounts besides another; take the one away that does not count")]
    OtherAmounts,
    #[error("is {amount}, and the columns of what comes in and goes out say something else")]
    OtherHalf { amount: Money },
    #[error("both comes in and goes out")]
    BothSides,
    #[error(
        "is {text}, which does not say whether the line is booked; take the line away if it is not, or else the column"
    )]
    UnknownStatus { text: String },
    #[error("is not zero; write a line of its own for it if the amount does not have it, and take the column away")]
    FeeBesides,
    #[error("is {balance}, but the lines up to it make {made}; one may be missing, or they may be in another order")]
    OtherSum { balance: Money, made: Money },
    #[error(
        "is empty on the newest line, which may not be booked yet; take the line away if it is not, or write the balance"
    )]
    NewestWithout,
    #[error("fits if the first line is the newest and if the last is; --closing says which balance is the last")]
    NewestUnclear,
    #[error("is on line {line} too")]
    Twice { line: u64 },
    #[error("is no column of ours; there are {known}; rename it, or take it away if no line needs it")]
    UnknownColumn { known: &'static str },
    #[error("has {found} values, the header has {expected}; take it away if it is no payment but a total or a remark")]
    OtherWidth { found: usize, expected: usize },
    #[error("has more than {most} columns; take away those that no line needs")]
    TooWide { most: usize },
    #[error("is {text}, where three digits after the mark may be decimals or thousands; write two decimals")]
    Ambiguous { text: String },
    #[error("is not UTF-8; --encoding says what it is, such as windows-1252")]
    NotUtf8,
    #[error("is in an encoding that is not known: {name}")]
    UnknownEncoding { name: String },
    #[error("is not {name}, as it is said to be")]
    NotInEncoding { name: &'static str },
    #[error("is {what}; unpack it")]
    Packed { what: &'static str },
    #[error("is {what}; ask the bank for camt.053")]
    OtherForm { what: &'static str },
    #[error("is no camt.053: its outermost elements are {found}")]
    OtherElements { found: String },
    #[error("has nothing in it")]
    Nothing,
    #[error("does not say whose it is; --account does")]
    WithoutAccount,
    #[error("is missing, and the first line is one of the table; put one above that names the columns")]
    NoHeader,
    #[error("is on line {line}, not on line 1; take away what is before it")]
    Below { line: u64 },
    #[error("begins with a quote that is not closed")]
    Unclosed,
    #[error("goes on after its closing quote; a quote within quotes is written twice")]
    AfterQuote,
    #[error("has within quotes what looks like another line; a quote may not be closed")]
    LineInQuotes,
    #[error("is not well formed: {0}")]
    Malformed(String),
    #[error("is not read: a statement needs no document type and no entities")]
    Entities,
    #[error("is nested deeper than any statement")]
    TooDeep,
    #[error("is one of more than {most} lines; split the file by days")]
    TooManyLines { most: usize },
    #[error("is larger than {most} bytes; split it by days")]
    TooManyBytes { most: usize },
    #[error("holds the accounts {accounts}; say which by --account")]
    ManyStatements { accounts: String },
    #[error("holds no statement of {account}")]
    NoStatement { account: String },
    #[error("is {named}, which is the balance of no statement in the file")]
    OtherBalance { named: Money },
    #[error("is {closing}, but {opening} and the lines make {sum}")]
    Unbalanced { opening: Money, sum: Money, closing: Money },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The line in the file, from 1.
    pub line: u64,
    /// The column or element, as named in the file.
    pub field: String,
    pub problem: Problem,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {} {}", self.line, self.field, self.problem)
    }
}

/// One or more mistakes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    listed: Vec<Mistake>,
    more: u64,
}

impl Mistakes {
    pub fn one(line: u64, field: impl Into<String>, problem: Problem) -> Self {
        let mut mistakes = Self::default();
        mistakes.add(line, field, problem);
        mistakes
    }

    pub(crate) fn add(&mut self, line: u64, field: impl Into<String>, problem: Problem) {
        if self.listed.len() < LISTED {
            self.listed.push(Mistake { line, field: field.into(), problem });
        } else {
            self.more += 1;
        }
    }

    /// Records the mistake in a value and continues without the value.
    pub(crate) fn note<T>(&mut self, line: u64, field: &str, read: Result<T, Problem>) -> Option<T> {
        read.map_err(|problem| self.add(line, field, problem)).ok()
    }

    pub(crate) fn none_or<T>(self, value: T) -> Result<T, Self> {
        if self.listed.is_empty() { Ok(value) } else { Err(self) }
    }

    pub(crate) fn count(&self) -> u64 {
        u64::try_from(self.listed.len()).unwrap_or(u64::MAX).saturating_add(self.more)
    }

    /// Forgets those after so many.
    pub(crate) fn back_to(&mut self, count: u64) {
        self.listed.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        self.more = count.saturating_sub(u64::try_from(LISTED).unwrap_or(u64::MAX));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// The listed mistakes, in the order of the file.
    pub fn listed(&self) -> &[Mistake] {
        &self.listed
    }

    /// The number of mistakes not listed.
    pub const fn more(&self) -> u64 {
        self.more
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.listed.iter().map(Mistake::to_string).collect();
        f.write_str(&lines.join("\n"))?;
        if self.more > 0 { write!(f, "\nand {} more", self.more) } else { Ok(()) }
    }
}

impl std::error::Error for Mistakes {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_are_counted() {
        let mut mistakes = Mistakes::default();
        (1..=60).for_each(|line| mistakes.add(line, "date", Problem::NotADay));
        assert_eq!((mistakes.listed().len(), mistakes.more()), (50, 10));
        let shown = mistakes.to_string();
        assert!(shown.starts_with("line 1: date is no day"), "{shown}");
        assert!(shown.ends_with("\nand 10 more"), "{shown}");
        let mut fewer = mistakes.clone();
        fewer.back_to(55);
        assert_eq!((fewer.listed().len(), fewer.more()), (50, 5));
        fewer.back_to(3);
        assert_eq!((fewer.listed(), fewer.more(), fewer.count()), (&mistakes.listed()[..3], 0, 3));
        assert!(mistakes.none_or(()).is_err());
    }
}
