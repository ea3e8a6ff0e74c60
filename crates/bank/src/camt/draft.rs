//! A statement while its elements are read.

use base::Money;

use super::entry::{Entry, signed};
use super::pages::{Booked, Page, Pages};
use super::walk::{Value, Visitor};
use crate::account::plain_account;
use crate::amount::DecimalMark;
use crate::day::Day;
use crate::mistakes::{Mistakes, Problem};
use crate::statement::{Line, Statement, room};
use crate::table::same_currency;
use crate::text;

/// The balances that count: booked ones.
const BALANCES: [&str; 4] = ["OPBD", "PRCD", "CLBD", "ITBD"];

/// All statements of a file.
#[derive(Default)]
pub struct Drafts {
    currency: String,
    /// The one account that is wanted.
    account: Option<String>,
    /// The last day that a booking may have.
    latest: Option<Day>,
    /// Whether the message that is being read is one of several pages.
    paged: bool,
    pages: Pages,
    /// Accounts that are not wanted or in other currencies, and what would be wrong with each.
    others: Vec<(String, Mistakes)>,
    draft: Draft,
    lines: usize,
    full: bool,
    mistakes: Mistakes,
}

/// The result of reading a file.
pub struct Read {
    pub statements: Vec<Statement>,
    pub others: Vec<(String, Mistakes)>,
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
    /// The balances between pages.
    interim: Vec<Booked>,
    entry: Entry,
    lines: Vec<Line>,
    left_out: u64,
    paged: bool,
    line: u64,
    /// Its currency, as far as it was told, and the mistakes before it.
    currency: String,
    before: Mistakes,
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

impl Drafts {
    pub fn new(currency: &str, account: Option<String>, latest: Option<Day>) -> Self {
        Self { currency: currency.to_owned(), account, latest, ..Self::default() }
    }

    /// # Errors
    /// All mistakes.
    pub fn finish(mut self) -> Result<Read, Mistakes> {
        let statements = self.pages.statements(&self.currency, self.latest, &mut self.mistakes);
        self.mistakes.none_or(Read { statements, others: self.others })
    }

    fn finish_balance(&mut self) {
        let balance = std::mem::take(&mut self.draft.balance);
        let code = balance.code.as_str();
        if !BALANCES.contains(&code) {
            // Mistakes in it do not matter either: the available balance may be in another currency.
            return self.mistakes.back_to(balance.before);
        }
        let (Some(amount), Some(credit)) = (balance.amount, balance.credit) else {
            if self.mistakes.count() == balance.before {
                let field = if balance.amount.is_none() { "Bal/Amt" } else { "Bal/CdtDbtInd" };
                self.mistakes.add(balance.line, field, Problem::Missing);
            }
            return;
        };
        let Some(amount) = self.mistakes.note(balance.line, "Bal/Amt", signed(amount, credit)) else { return };
        let booked = Booked { amount, day: balance.day, line: balance.line, interim: code == "ITBD" };
        // A statement of several days may have the balances of each: it begins with the first and ends with the last.
        let is_before = |kept: &Booked| booked.day.zip(kept.day).is_some_and(|(day, kept)| day < kept);
        let Draft { opening, previous, closing, interim, .. } = &mut self.draft;
        match code {
            "ITBD" => interim.push(booked),
            "OPBD" if opening.as_ref().is_none_or(is_before) => *opening = Some(booked),
            "PRCD" if previous.as_ref().is_none_or(is_before) => *previous = Some(booked),
            "CLBD" if !closing.as_ref().is_some_and(is_before) => *closing = Some(booked),
            _ => {}
        }
    }

    fn finish_entry(&mut self) {
        let entry = std::mem::take(&mut self.draft.entry);
        let at = entry.line;
        let lines = entry.lines(&mut self.mistakes);
        self.draft.left_out += u64::from(lines.is_empty());
        if let Some(day) = lines.first().and_then(|line| ahead(line.booked_on, self.latest)) {
            self.mistakes.add(at, "Ntry/BookgDt", Problem::Ahead { day });
        }
        for line in lines {
            if self.full || !room(self.lines, at, &mut self.mistakes) {
                self.full = true;
                return;
            }
            self.lines += 1;
            self.draft.lines.push(line);
        }
    }

    fn end_statement(&mut self) {
        let mut draft = std::mem::take(&mut self.draft);
        if self.is_beside(&draft) {
            return self.put_beside(draft);
        }
        let own = draft.opening.or(draft.previous);
        let opening = own.or(draft.interim.first().copied());
        // The balance at which it begins is not the one at which it ends.
        let later = draft.interim.get(usize::from(own.is_none())..);
        let last = later.and_then(<[Booked]>::last).copied();
        let closing = draft.closing.or(last);
        self.pages.add(Page {
            account: draft.account,
            number: draft.number,
            from: draft.opening.and_then(|opening| opening.day).or(draft.from),
            period: draft.from,
            to: closing.and_then(|closing| closing.day).or(draft.to),
            opening,
            closing,
            lines: std::mem::take(&mut draft.lines),
            left_out: draft.left_out,
            line: draft.line,
            paged: draft.paged,
        });
    }

    /// Whether it is of another account than ours, where nothing matters: neither what is wrong nor how much there is.
    fn is_beside(&self, draft: &Draft) -> bool {
        let is_other = |wanted: &String| !draft.account.is_empty() && draft.account != *wanted;
        let in_another_currency = !draft.currency.is_empty() && same_currency(&draft.currency, &self.currency).is_err();
        in_another_currency || self.account.as_ref().is_some_and(is_other)
    }

    fn put_beside(&mut self, draft: Draft) {
        let mut mistakes = std::mem::replace(&mut self.mistakes, draft.before);
        if mistakes.is_empty() {
            mistakes.note(draft.line, "Acct/Ccy", same_currency(&draft.currency, &self.currency));
        }
        self.lines -= draft.lines.len();
        self.full = false;
        self.others.push((draft.account, mistakes));
    }

    fn text(&mut self, field: &str, value: &Value) -> String {
        self.mistakes.note(value.line, field, text::read(&value.text)).unwrap_or_default()
    }

    fn day(&mut self, field: &str, value: &Value) -> Option<Day> {
        self.mistakes.note(value.line, field, Day::booked(&value.text))
    }
}

impl Visitor for Drafts {
    fn message(&mut self, paged: bool) {
        self.paged = paged;
    }

    fn enter(&mut self, path: &str, at: u64) {
        match path {
            "" => {
                let (paged, before) = (self.paged, self.mistakes.clone());
                self.draft = Draft { line: at, before, paged, ..Draft::default() };
            }
            "/Bal" => self.draft.balance = Balance { line: at, before: self.mistakes.count(), ..Balance::default() },
            "/Ntry" => self.draft.entry = Entry::at(at, &self.mistakes),
            "/Ntry/NtryDtls/TxDtls" | "/Ntry/TxDtls" => self.draft.entry.begin_part(),
            _ => {}
        }
    }

    fn leave(&mut self, path: &str, value: &Value) {
        if let Some(path) = path.strip_prefix("/Ntry/") {
            return self.draft.entry.read(path, value, &self.currency, &mut self.mistakes);
        }
        match path {
            "" => self.end_statement(),
            "/StmtPgntn/PgNb" => self.draft.paged = true,
            "/Ntry" => self.finish_entry(),
            "/Bal" => self.finish_balance(),
            // Programs write elements of which they have nothing to say.
            _ if value.is_empty() => {}
            "/Acct/Ccy" => self.draft.currency = text::tidy(&value.text),
            "/Id" => self.draft.number = self.text("Id", value),
            "/Acct/Id/IBAN" | "/Acct/Id/Othr/Id" | "/Acct/Id/BBAN" | "/Acct/Id/PrtryAcct/Id" => {
                self.draft.account = plain_account(&self.text("Acct/Id", value));
            }
            "/FrToDt/FrDtTm" => self.draft.from = self.day("FrDtTm", value),
            "/FrToDt/ToDtTm" => self.draft.to = self.day("ToDtTm", value),
            // A bank's own word that is the code means it.
            "/Bal/Tp/CdOrPrtry/Cd" | "/Bal/Tp/CdOrPrtry/Prtry" | "/Bal/Tp/Cd" => {
                self.draft.balance.code = text::tidy(&value.text);
            }
            "/Bal/CdtDbtInd" => {
                self.draft.balance.credit = self.mistakes.note(value.line, "Bal/CdtDbtInd", credit(value))
            }
            "/Bal/Amt" if self.draft.currency.is_empty() => {
                self.draft.currency = text::tidy(&value.currency);
                self.draft.balance.amount = amount("Bal/Amt", value, &self.currency, &mut self.mistakes);
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

/// A day that has not begun.
pub fn ahead(day: Day, latest: Option<Day>) -> Option<Day> {
    latest.is_some_and(|latest| day > latest).then_some(day)
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
    if value.currency.is_empty() {
        mistakes.add(value.line, format!("{field} Ccy"), Problem::Missing);
        return None;
    }
    mistakes.note(value.line, field, same_currency(&value.currency, currency))?;
    mistakes.note(value.line, field, DecimalMark::read_unsigned(&value.text))
}
