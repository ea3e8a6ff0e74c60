//! Statements that a bank has cut into pages, with the balance between them.

use base::Money;

use super::draft::ahead;
use crate::day::Day;
use crate::mistakes::{Mistakes, Problem};
use crate::statement::{Line, Statement, identify};

#[derive(Clone, Copy)]
pub struct Booked {
    pub amount: Money,
    pub day: Option<Day>,
    pub line: u64,
    /// Whether it is one between pages.
    pub interim: bool,
}

/// A statement, or a page of one.
pub struct Page {
    pub account: String,
    pub number: String,
    pub from: Option<Day>,
    pub to: Option<Day>,
    /// The first day of the period that it says it has.
    pub period: Option<Day>,
    pub opening: Option<Booked>,
    pub closing: Option<Booked>,
    pub lines: Vec<Line>,
    pub left_out: u64,
    pub line: u64,
    /// Whether it says which page it is.
    pub paged: bool,
}

#[derive(Default)]
pub struct Pages {
    done: Vec<Page>,
}

impl Pages {
    /// Adds a page to the one before it if it goes on where that ends.
    pub fn add(&mut self, page: Page) {
        match self.done.last_mut() {
            Some(last) if goes_on(last, &page) => {
                last.to = page.to;
                last.closing = page.closing;
                last.lines.extend(page.lines);
                last.left_out += page.left_out;
            }
            _ => self.done.push(page),
        }
    }

    pub fn statements(&mut self, currency: &str, latest: Option<Day>, mistakes: &mut Mistakes) -> Vec<Statement> {
        let done = std::mem::take(&mut self.done).into_iter();
        done.filter_map(|page| page.statement(currency, latest, mistakes)).collect()
    }
}

fn goes_on(last: &Page, next: &Page) -> bool {
    let between = |balance: &Option<Booked>| balance.is_none_or(|balance| balance.interim);
    let equal = match (last.closing, next.opening) {
        (Some(closing), Some(opening)) => closing.amount == opening.amount,
        _ => last.paged,
    };
    last.account == next.account && between(&last.closing) && between(&next.opening) && equal
}

impl Page {
    fn statement(self, currency: &str, latest: Option<Day>, mistakes: &mut Mistakes) -> Option<Statement> {
        // A page may be alone in its file. What does not say that it is one has balances of its own.
        let own = |balance: Option<Booked>| balance.filter(|balance| self.paged || !balance.interim);
        let (opening, closing) = (own(self.opening), own(self.closing));
        for (field, there) in
            [("Acct/Id", !self.account.is_empty()), ("Bal OPBD", opening.is_some()), ("Bal CLBD", closing.is_some())]
        {
            if !there {
                mistakes.add(self.line, field, Problem::Missing);
            }
        }
        let (opening, closing) = (opening?, closing?);
        if let Some(day) = closing.day.and_then(|day| ahead(day, latest)) {
            mistakes.add(closing.line, "Bal CLBD", Problem::Ahead { day });
        }
        let booked = || self.lines.iter().map(|line| line.booked_on);
        let begins = self.from.or(opening.day);
        // An entry that the bank books back to an earlier day does not show that the statement has the days between.
        let is_own = |day: &Day| begins.is_none_or(|begins| *day >= begins) || self.period.is_some_and(|of| *day >= of);
        let from = begins.into_iter().chain(booked().filter(is_own).min()).min();
        let to = self.to.into_iter().chain(booked().max()).max();
        let (Some(from), Some(to)) = (from, to) else {
            mistakes.add(self.line, "FrToDt", Problem::Missing);
            return None;
        };
        let mut lines = self.lines;
        identify(&mut lines);
        let statement = Statement {
            account: self.account,
            currency: currency.to_owned(),
            number: self.number,
            from: from.min(to),
            to,
            opening: Some(opening.amount),
            closing: Some(closing.amount),
            lines,
            left_out: self.left_out,
            passed_over: Vec::new(),
        };
        // If a line could not be read, the sum means nothing.
        if mistakes.is_empty() {
            mistakes.note(closing.line, "Bal CLBD", statement.check_balances());
        }
        Some(statement)
    }
}
