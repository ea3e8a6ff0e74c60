//! The rows of a table, one movement each.

use base::Money;
use csv::ByteRecord;

use super::columns::Role;
use super::currency::without_currency;
use super::days::{self, Days, Written};
use super::header::Header;
use super::running::{Moved, ends};
use super::sides::{Side, Signs, side, side_by_name, side_of_kind};
use super::{Form, Said, same_currency};
use crate::account::{is_iban, plain_account};
use crate::mistakes::{Mistakes, Problem};
use crate::sheet::{is_rounded, unkept, used};
use crate::statement::{Line, Statement, identify};
use crate::text;

/// The words of banks for a booked line; below, for one that is not booked or never will be.
const BOOKED: &str = "booked, posted, completed, complete, settled, cleared, sent, received, success, gebucht, \
    accepted, processed, executed, umsatz gebucht, verbucht, исполнен, исполнено, ok, contabilizzato, contabilizado, completado, completada, \
    comptabilisé, effectué, accepté, geaccepteerd, udført, выполнено, проведено, 已完成, 交易成功, 成功";
const NOT_BOOKED: &str = "pending, failed, declined, reverted, cancelled, canceled, rejected, not booked, \
    offen, open, denied, refused, on hold, vorgemerkt, umsatz vorgemerkt, umsatz vorgemerkt und nicht gebucht, в обработке, отклонен, отклонено, \
    non contabilizzato, pendiente, rechazado, en attente, refusé, geweigerd, venter, 处理中, 處理中, 交易失败, 失败, 失敗, 已取消";

fn is_not_booked(word: &str) -> bool {
    let word = word.to_lowercase();
    NOT_BOOKED.split(", ").any(|not_booked| not_booked == word)
}

/// # Errors
/// `Rounded` if it is a number without its last digits.
fn unrounded(text: &str) -> Result<&str, Problem> {
    if is_rounded(text) { Err(Problem::Rounded { text: text.to_owned() }) } else { Ok(text) }
}

pub struct Rows<'a> {
    form: &'a Form,
    header: Header,
    said: Said,
    days: Days,
    signs: Signs,
    moved: Vec<Moved>,
    /// The account that the rows name.
    account: Option<String>,
    pub lines: Vec<Line>,
    /// Where each of them stands in the file.
    places: Vec<u64>,
    left_out: u64,
    pub mistakes: Mistakes,
}

impl<'a> Rows<'a> {
    pub fn new(form: &'a Form, header: Header, said: Said) -> Self {
        Self {
            form,
            header,
            said,
            days: Days::default(),
            signs: Signs::default(),
            moved: Vec::new(),
            account: None,
            lines: Vec::new(),
            places: Vec::new(),
            left_out: 0,
            mistakes: Mistakes::default(),
        }
    }

    pub fn read(&mut self, at: u64, record: &ByteRecord) {
        let expected = self.header.width();
        // Empty values beyond the header can be ignored.
        if record.len() < expected || used(record) > self.header.widest() {
            let problem = Problem::OtherWidth { found: record.len(), expected };
            return self.mistakes.add(at, "the line", problem);
        }
        match self.is_booked(at, record) {
            Some(true) => {}
            Some(false) => {
                self.left_out += 1;
                return;
            }
            None => return,
        }
        let day = self.day(at, record);
        let amount = if self.is_balance(record) { Some(Money::ZERO) } else { self.amount(at, record) };
        let (currency, account, fee) = (self.currency(at, record), self.account(at, record), self.fee(at, record));
        let balance = self.balance(at, record);
        let texts = [Role::Reference, Role::Counterparty, Role::Description, Role::Kind];
        let [references, counterparty, description, kind] = texts.map(|role| self.texts(at, record, role));
        let id = self.values(at, record, Role::Id).and_then(|found| {
            let (name, id) = found.into_iter().next().unwrap_or_default();
            self.mistakes.note(at, &name, unrounded(&id).and_then(|id| text::bounded(id, text::LONGEST_ID)))
        });
        let (Some(day), Some(amount), Some(()), Some(()), Some(()), Some(balance), Some(id)) =
            (day, amount, currency, account, fee, balance, id)
        else {
            return;
        };
        let (Some(mut references), Some(counterparty), Some(mut description), Some(kind)) =
            (references, counterparty, description, kind)
        else {
            return;
        };
        let booked_on = self.days.note(at, day);
        self.moved.push(Moved { at, amount, balance });
        if amount.is_zero() {
            self.left_out += 1;
            return;
        }
        self.days.place(at, day, self.lines.len());
        self.places.push(at);
        references.retain(|reference| !text::is_no_reference(reference));
        description.extend(kind.into_iter().filter(|kind| side_of_kind(kind).is_none()));
        let (counterparty, description) = (counterparty.join(" "), description.join(" "));
        self.lines.push(Line { id, booked_on, amount, references, counterparty, description, reversal: false });
    }

    /// Whether the line has a balance and no amount, as the first or last one of some banks. The balances of the lines
    /// beside it show that nothing moves.
    fn is_balance(&self, record: &ByteRecord) -> bool {
        let is_empty = |role| {
            let mut values = self.header.places(role).filter_map(|(place, _)| record.get(place));
            values.all(|value| value.trim_ascii().is_empty())
        };
        !is_empty(Role::Balance) && [Role::Amount, Role::Debit, Role::Credit].into_iter().all(is_empty)
    }

    /// `None` if it is not known.
    fn is_booked(&mut self, at: u64, record: &ByteRecord) -> Option<bool> {
        let days = self.values(at, record, Role::Date)?;
        if days.first().is_some_and(|(_, day)| is_not_booked(day)) {
            return Some(false);
        }
        let Some((name, status)) = self.values(at, record, Role::Status)?.into_iter().next() else { return Some(true) };
        let word = status.to_lowercase();
        if BOOKED.split(", ").any(|booked| booked == word) {
            return Some(true);
        }
        if is_not_booked(&word) {
            return Some(false);
        }
        let text = text::tidy(&status).chars().take(40).collect();
        self.mistakes.add(at, name, Problem::UnknownStatus { text });
        None
    }

    fn day(&mut self, at: u64, record: &ByteRecord) -> Option<Written> {
        let (name, day) = self.needed(at, record, Role::Date)?;
        let day = text::plain(&day);
        let is_said = self.said.order.is_some();
        let has_short_years = self.header.has_short_years || is_said;
        let read = if has_short_years { days::read(&days::in_full(&day, is_said)) } else { days::read(&day) };
        self.mistakes.note(at, &name, read)
    }

    fn amount(&mut self, at: u64, record: &ByteRecord) -> Option<Money> {
        if self.header.has(Role::Amount) {
            let (name, text) = self.needed(at, record, Role::Amount)?;
            let amount = self.money(at, &name, &text)?;
            let (name, side) = self.side(at, record)?;
            let read = self.signs.of(at, amount, side);
            let amount = self.mistakes.note(at, &name, read)?;
            return self.agrees(at, record, amount);
        }
        let [debit, credit] = [Role::Debit, Role::Credit].map(|role| self.half(at, record, role));
        let ((_, debit), (name, credit)) = (debit?, credit?);
        let moves = |half: Option<Money>| half.is_some_and(|half| !half.is_zero());
        let read = match (debit, credit) {
            (None, None) => Err(Problem::Missing),
            _ if moves(debit) && moves(credit) => Err(Problem::BothSides),
            _ if moves(debit) => self.signs.of(at, debit.unwrap_or_default(), Some(Side::Out)),
            _ => self.signs.of(at, credit.unwrap_or_default(), Some(Side::In)),
        };
        let field = if matches!(read, Err(Problem::OtherSide)) { name } else { "amount".to_owned() };
        self.mistakes.note(at, &field, read)
    }

    /// The amount, if the columns of what comes in and goes out say the same, where a bank writes all three.
    fn agrees(&mut self, at: u64, record: &ByteRecord, amount: Money) -> Option<Money> {
        if !self.header.has(Role::Debit) {
            return Some(amount);
        }
        let [debit, credit] = [Role::Debit, Role::Credit].map(|role| self.half(at, record, role));
        let ((_, debit), (_, credit)) = (debit?, credit?);
        let moves = |half: &Money| !half.is_zero();
        let other = amount.negated().ok();
        let of_debit = |half| amount.is_negative() && (half == amount || Some(half) == other);
        let agree = debit.filter(moves).is_none_or(of_debit) && credit.filter(moves).is_none_or(|half| half == amount);
        let name = self.header.name(Role::Amount);
        self.mistakes.note(at, &name, if agree { Ok(amount) } else { Err(Problem::OtherHalf { amount }) })
    }

    /// The direction of the money, if a column says so, and the name of that column.
    fn side(&mut self, at: u64, record: &ByteRecord) -> Option<(String, Option<Side>)> {
        if self.header.has(Role::Side) {
            let (name, word) = self.needed(at, record, Role::Side)?;
            let said = side(&word).ok_or(Problem::NoSide);
            let said = self.mistakes.note(at, &name, said)?;
            return Some((name, Some(said)));
        }
        let kinds = self.values(at, record, Role::Kind)?;
        let of_kind = |word: &str| side_of_kind(word).or_else(|| side_by_name(word));
        let said = kinds.into_iter().find_map(|(name, word)| Some((name, Some(of_kind(&word)?))));
        // Without such a column, the amounts have their own signs.
        Some(said.unwrap_or_default())
    }

    /// The value in one of two columns for incoming and outgoing amounts.
    fn half(&mut self, at: u64, record: &ByteRecord, role: Role) -> Option<(String, Option<Money>)> {
        let value = self.values(at, record, role)?.into_iter().next();
        // Some banks put a dash where nothing is.
        let Some((name, text)) = value.filter(|(_, text)| !text::plain(text).chars().all(|c| c == '-')) else {
            return Some((self.header.name(role), None));
        };
        let amount = self.money(at, &name, &text)?;
        Some((name, Some(amount)))
    }

    fn balance(&mut self, at: u64, record: &ByteRecord) -> Option<Option<Money>> {
        let Some((name, text)) = self.values(at, record, Role::Balance)?.into_iter().next() else { return Some(None) };
        self.money(at, &name, &text).map(Some)
    }

    fn currency(&mut self, at: u64, record: &ByteRecord) -> Option<()> {
        let mut told = self.header.says_currency;
        let mut named = self.values(at, record, Role::Currency)?;
        let is_code = |(_, text): &(String, String)| text.len() == 3 && text.bytes().all(|b| b.is_ascii_alphabetic());
        named.extend(self.values(at, record, Role::Valuta)?.into_iter().filter(is_code));
        for (name, found) in named {
            self.mistakes.note(at, &name, same_currency(&found, &self.form.currency))?;
            told = true;
        }
        let name = self.header.name(Role::Currency);
        self.mistakes.note(at, &name, if told { Ok(()) } else { Err(Problem::Missing) })
    }

    /// Whether the line is of our account: all lines name one, and ours if both are IBANs.
    fn account(&mut self, at: u64, record: &ByteRecord) -> Option<()> {
        let Some((name, found)) = self.values(at, record, Role::Account)?.into_iter().next() else { return Some(()) };
        let found = plain_account(&found);
        let ours = plain_account(&self.form.account);
        let expected = match &self.account {
            Some(first) => first.clone(),
            None if is_iban(&found) && is_iban(&ours) => ours,
            None => found.clone(),
        };
        self.account = Some(expected.clone());
        if found == expected {
            return Some(());
        }
        let [found, expected] = [found, expected].map(|account| account.chars().take(40).collect());
        self.mistakes.add(at, name, Problem::OtherAccount { found, expected });
        None
    }

    fn fee(&mut self, at: u64, record: &ByteRecord) -> Option<()> {
        for (name, text) in self.values(at, record, Role::Fee)? {
            let fee = self.money(at, &name, &text)?;
            self.mistakes.note(at, &name, if fee.is_zero() { Ok(()) } else { Err(Problem::FeeBesides) })?;
        }
        Some(())
    }

    fn money(&mut self, at: u64, name: &str, text: &str) -> Option<Money> {
        let plain = text::plain(text);
        let read = self.form.decimal.read_written(&without_currency(&plain, &self.form.currency));
        self.mistakes.note(at, name, read)
    }

    fn texts(&mut self, at: u64, record: &ByteRecord, role: Role) -> Option<Vec<String>> {
        let found = self.values(at, record, role)?;
        let mut texts: Vec<String> = Vec::with_capacity(found.len());
        for (name, text) in found {
            let is_number = role == Role::Reference;
            let read = if is_number { unrounded(&text).and_then(text::read) } else { text::read(&text) };
            let text = self.mistakes.note(at, &name, read)?;
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        Some(texts)
    }

    /// The value of a column that must have one, and its name.
    fn needed(&mut self, at: u64, record: &ByteRecord, role: Role) -> Option<(String, String)> {
        let found = self.values(at, record, role)?.into_iter().next();
        let name = self.header.name(role);
        self.mistakes.note(at, &name, found.ok_or(Problem::Missing))
    }

    /// The values of the columns of a kind, with the names of these; without those that are empty.
    fn values(&mut self, at: u64, record: &ByteRecord, role: Role) -> Option<Vec<(String, String)>> {
        let mut found = Vec::new();
        for (place, name) in self.header.places(role) {
            let value = std::str::from_utf8(record.get(place).unwrap_or_default()).map_err(|_| Problem::NotUtf8);
            let value = unkept(self.mistakes.note(at, name, value)?.trim()).trim();
            if !value.is_empty() {
                found.push((name.to_owned(), value.to_owned()));
            }
        }
        Some(found)
    }

    /// Sets the days of the lines, none of which may be ahead. As long as it is open which number is the month, none is
    /// known.
    fn settle_days(&mut self) {
        let (before, name) = (self.mistakes.count(), self.header.name(Role::Date));
        self.days.settle(self.said.order, &mut self.lines, &name, &mut self.mistakes);
        let Some(latest) = self.said.latest.filter(|_| self.mistakes.count() == before) else { return };
        for (at, line) in self.places.iter().zip(&self.lines) {
            if line.booked_on > latest {
                self.mistakes.add(*at, name.as_str(), Problem::Ahead { day: line.booked_on });
            }
        }
    }

    pub fn statement(mut self) -> Result<Statement, Mistakes> {
        self.settle_days();
        self.signs.check(&self.header.name(Role::Amount), &mut self.mistakes);
        let days = || self.lines.iter().map(|line| line.booked_on);
        let (Some(from), Some(to)) = (days().min(), days().max()) else {
            if self.mistakes.is_empty() {
                self.mistakes.add(2, "the first line", Problem::Missing);
            }
            return Err(self.mistakes);
        };
        let Form { account, currency, mut opening, mut closing, .. } = self.form.clone();
        let name = self.header.name(Role::Balance);
        // A line that could not be read is missing in the balances as well.
        if self.mistakes.is_empty()
            && let Some((first, last)) = ends(&self.moved, &self.lines, self.form, &name, &mut self.mistakes)
        {
            (opening, closing) = (Some(first), Some(last));
        }
        identify(&mut self.lines);
        let account = plain_account(&account);
        let (lines, left_out, passed_over) = (self.lines, self.left_out, self.header.beside());
        // Without an opening balance, it is computed from the closing one.
        let moved = Money::sum(lines.iter().map(|line| line.amount)).ok();
        let opening = opening.or_else(|| closing.and_then(|closing| closing.minus(moved?).ok()));
        let statement = Statement {
            account,
            currency,
            number: String::new(),
            from,
            to,
            opening,
            closing,
            lines,
            left_out,
            passed_over,
        };
        if self.mistakes.is_empty()
            && let Err(problem) = statement.check_balances()
        {
            self.mistakes.add(1, "--closing", problem);
        }
        self.mistakes.none_or(statement)
    }
}
