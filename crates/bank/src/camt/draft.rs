//! A statement while its elements are read.

use std::collections::HashMap;

use base::Money;

use super::entry::{Entry, signed};
use super::walk::{Value, Visitor};
use crate::day::Day;
use crate::mistakes::{Mistakes, Problem};
use crate::statement::{Line, Statement, identify, room};
use crate::text;

/// All statements of a file.
pub struct Drafts {
    currency: String,
    done: Vec<Statement>,
    draft: Draft,
    lines: usize,
    full: bool,
    mistakes: Mistakes,
}

#[derive(Default)]
struct Draft {
    account: String,
    number: String,
    from: Option<Day>,
    to: Option<Day>,
    balance: Balance,
    /// The opening balance by code: `OPBD` is better than `PRCD`, the closing balance of
    /// the previous statement.
    opening: Option<Booked>,
    previous: Option<Booked>,
    closing: Option<Booked>,
    entry: Entry,
    lines: Vec<Line>,
    left_out: u64,
    line: u64,
}

/// A balance while its elements are read.
#[derive(Default)]
struct Balance {
    code: String,
    amount: Option<Money>,
    credit: Option<bool>,
    day: Option<Day>,
    line: u64,
    /// How many mistakes there were before it.
    before: u64,
}

#[derive(Clone, Copy)]
struct Booked {
    amount: Money,
    day: Option<Day>,
    line: u64,
}

impl Drafts {
    pub fn new(currency: &str) -> Self {
        Self {
            currency: currency.to_owned(),
            done: Vec::new(),
            draft: Draft::default(),
            lines: 0,
            full: false,
            mistakes: Mistakes::default(),
        }
    }

    /// # Errors
    /// All mistakes.
    pub fn statements(self) -> Result<Vec<Statement>, Mistakes> {
        self.mistakes.none_or(self.done)
    }

    fn finish_balance(&mut self) {
        let balance = std::mem::take(&mut self.draft.balance);
        let place = match balance.code.as_str() {
            "OPBD" => &mut self.draft.opening,
            "PRCD" => &mut self.draft.previous,
            "CLBD" => &mut self.draft.closing,
            _ => return,
        };
        let (Some(amount), Some(credit)) = (balance.amount, balance.credit) else {
            if self.mistakes.count() == balance.before {
                self.mistakes.add(balance.line, "Bal", Problem::Missing);
            }
            return;
        };
        if let Some(amount) = self.mistakes.note(balance.line, "Bal/Amt", signed(amount, credit)) {
            *place = Some(Booked { amount, day: balance.day, line: balance.line });
        }
    }

    fn finish_entry(&mut self) {
        let entry = std::mem::take(&mut self.draft.entry);
        let at = entry.line;
        let lines = entry.lines(&mut self.mistakes);
        self.draft.left_out += u64::from(lines.is_empty());
        for line in lines {
            if self.full || !room(self.lines, at, &mut self.mistakes) {
                self.full = true;
                return;
            }
            self.lines += 1;
            self.draft.lines.push(line);
        }
    }

    fn finish(&mut self) {
        let mut draft = std::mem::take(&mut self.draft);
        let opening = draft.opening.or(draft.previous);
        for (field, there) in [
            ("Acct/Id", !draft.account.is_empty()),
            ("Bal OPBD", opening.is_some()),
            ("Bal CLBD", draft.closing.is_some()),
        ] {
            if !there {
                self.mistakes.add(draft.line, field, Problem::Missing);
            }
        }
        let (Some(opening), Some(closing)) = (opening, draft.closing) else { return };
        let booked = || draft.lines.iter().map(|line| line.booked_on);
        let from = draft.from.or(opening.day).into_iter().chain(booked().min()).min();
        let to = draft.to.or(closing.day).into_iter().chain(booked().max()).max();
        let (Some(from), Some(to)) = (from, to) else {
            return self.mistakes.add(draft.line, "FrToDt", Problem::Missing);
        };
        number(&mut draft.lines);
        identify(&mut draft.lines);
        let statement = Statement {
            account: draft.account,
            currency: self.currency.clone(),
            number: draft.number,
            from,
            to,
            opening: Some(opening.amount),
            closing: Some(closing.amount),
            lines: draft.lines,
            left_out: draft.left_out,
        };
        // If a line could not be read, the sum means nothing.
        if self.mistakes.is_empty() {
            self.mistakes.note(closing.line, "Bal CLBD", statement.check_balances());
        }
        self.done.push(statement);
    }

    fn text(&mut self, field: &str, value: &Value) -> String {
        self.mistakes.note(value.line, field, text::read(&value.text)).unwrap_or_default()
    }

    fn day(&mut self, field: &str, value: &Value) -> Option<Day> {
        self.mistakes.note(value.line, field, day(&value.text))
    }
}

impl Visitor for Drafts {
    fn enter(&mut self, path: &str, at: u64) {
        match path {
            "" => self.draft = Draft { line: at, ..Draft::default() },
            "/Bal" => self.draft.balance = Balance { line: at, before: self.mistakes.count(), ..Balance::default() },
            "/Ntry" => self.draft.entry = Entry::at(at, &self.mistakes),
            "/Ntry/NtryDtls/TxDtls" => self.draft.entry.begin_part(),
            _ => {}
        }
    }

    fn leave(&mut self, path: &str, value: &Value) {
        if let Some(path) = path.strip_prefix("/Ntry/") {
            return self.draft.entry.read(path, value, &self.currency, &mut self.mistakes);
        }
        match path {
            "" => self.finish(),
            "/Ntry" => self.finish_entry(),
            "/Bal" => self.finish_balance(),
            "/Id" => self.draft.number = self.text("Id", value),
            "/Acct/Id/IBAN" | "/Acct/Id/Othr/Id" => self.draft.account = self.text("Acct/Id", value),
            "/FrToDt/FrDtTm" => self.draft.from = self.day("FrDtTm", value),
            "/FrToDt/ToDtTm" => self.draft.to = self.day("ToDtTm", value),
            "/Bal/Tp/CdOrPrtry/Cd" => self.draft.balance.code = text::tidy(&value.text),
            "/Bal/CdtDbtInd" => {
                self.draft.balance.credit = self.mistakes.note(value.line, "Bal/CdtDbtInd", credit(value))
            }
            "/Bal/Amt" => self.draft.balance.amount = amount("Bal/Amt", value, &self.currency, &mut self.mistakes),
            "/Bal/Dt/Dt" | "/Bal/Dt/DtTm" => self.draft.balance.day = self.day("Bal/Dt", value),
            _ => {}
        }
    }

    fn mistakes(&mut self) -> &mut Mistakes {
        &mut self.mistakes
    }
}

/// The day of a date, or of a time in the bank's own zone.
pub fn day(text: &str) -> Result<Day, Problem> {
    let text = text.trim();
    let day = text.split(['T', 'Z', '+']).next().unwrap_or(text);
    Day::parse(day.get(..10).unwrap_or(day)).ok_or(Problem::NotADay)
}

pub fn credit(value: &Value) -> Result<bool, Problem> {
    match value.text.trim() {
        "CRDT" => Ok(true),
        "DBIT" => Ok(false),
        _ => Err(Problem::NeitherCreditNorDebit),
    }
}

/// An unsigned amount in the expected currency.
pub fn amount(field: &str, value: &Value, currency: &str, mistakes: &mut Mistakes) -> Option<Money> {
    mistakes.note(value.line, field, crate::table::same_currency(&value.currency, currency))?;
    mistakes.note(value.line, field, super::entry::unsigned(&value.text))
}

/// Banks may give all parts of a batch the same reference; lines need different ids.
fn number(lines: &mut [Line]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for line in lines.iter_mut().filter(|line| !line.id.is_empty()) {
        let times = seen.entry(line.id.clone()).or_default();
        *times += 1;
        if *times > 1 {
            line.id = format!("{}#{times}", line.id);
        }
    }
}
