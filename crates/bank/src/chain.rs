//! Where a statement belongs in the history of its account.
//!
//! A statement covers an unbroken stretch of the history: it begins and ends at a balance, and has every line between.
//! What is stored of an account is a number of such stretches, the [`Span`]s. [`place`] finds which lines of another
//! statement are stored already, by balances and days together. Within a day nothing tells the order of lines, so there
//! they are compared as a multiset of amounts and references.
//!
//! Where several places fit equally well and would store different lines, the statement is refused: a person says how
//! many of its lines are known. The same holds for a place that leaves more gaps, on a day that may come to a balance
//! again: what is missing between may be what leads back there.

mod alike;
mod bag;
mod day;
mod gaps;
mod pairs;
mod place;
mod unproven;

use base::Money;

use crate::day::Day;
use crate::statement::{Line, Statement};

pub use gaps::{Gap, gaps, last};
pub use place::place;

/// An unbroken stretch of an account's history, as stored.
#[derive(Clone, Debug)]
pub struct Span {
    pub id: i64,
    pub extent: Extent,
    /// The extents of the statements that it joined.
    pub parts: Vec<Extent>,
    /// The sum of its lines before the statement's first day, without those that the statement would have.
    pub before: Money,
    /// Its lines on the statement's days; all of an unproven one.
    pub lines: Vec<Stored>,
}

/// The days and balances at which a span begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub from: Day,
    pub to: Day,
    /// The balances before and after it. Without them nothing proves that its lines are all there were.
    pub balances: Option<Balances>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balances {
    pub opening: Money,
    pub closing: Money,
}

/// A line with the number under which it is stored. Those of a proven span have the day on which the statement in
/// question would have them: [`day_within`].
#[derive(Clone, Debug)]
pub struct Stored {
    pub id: i64,
    pub line: Line,
    /// Whether its statement has a number of the bank's. A table has none, and says other things of the same payments.
    pub numbered: bool,
}

/// The day on which a statement would have a stored line, or nothing if it would not have it. A line that was booked
/// back into a day before its own statement is among those of that statement's `first` day.
pub fn day_within(booked_on: Day, first: Day, statement: &Statement) -> Option<Day> {
    let day = booked_on.max(first);
    (day >= statement.from && day <= statement.to).then(|| booked_on.max(statement.from))
}

/// What storing a statement changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The positions of its new lines.
    pub new: Vec<usize>,
    /// The number of its lines that are stored already.
    pub known: usize,
    /// The stretch that it makes, together with what it joins.
    pub extent: Extent,
    /// Spans that become one with it.
    pub joined: Vec<i64>,
    /// Stored lines that nothing had proved until now.
    pub proven: Vec<i64>,
    /// Unproven spans whose lines were proven, with what is left of each.
    pub left: Vec<(i64, Option<Extent>)>,
}

/// Why a statement cannot be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misplaced {
    /// Everything in it is stored already, in this span.
    Known {
        span: Option<i64>,
    },
    /// Several places fit, so that either number of its lines may be stored already. Only a person can say how many; a
    /// statement that begins on an earlier day and ends on a later one would also tell.
    Unclear {
        known: Vec<usize>,
    },
    /// It and the stored lines differ on a day that both cover completely.
    OtherLines {
        day: Day,
        stored: Money,
        file: Money,
    },
    /// The stored lines and the statement lead to different balances.
    OtherBalance {
        day: Day,
        stored: Money,
        file: Money,
    },
    TooLarge,
}
