//! The first row of a table: what each of its columns is.

use csv::ByteRecord;

use super::columns::{Role, has_short_years, role};
use super::{KNOWN, same_currency};
use crate::mistakes::{Mistakes, Problem};
use crate::sheet::used;
use crate::text;

/// No bank writes more columns. Each is looked up among all names that are known.
pub const MOST_COLUMNS: usize = 500;
/// How many columns without a name are read behind a text.
const MOST_NAMELESS: usize = 50;

/// The meaning of each column and its shown name, up to the last column that has one.
pub struct Header {
    columns: Vec<(Role, String)>,
    /// Whether the names of the amounts have the currency, or whoever imports the file says it.
    pub says_currency: bool,
    pub has_short_years: bool,
    /// How many columns without a name follow a text: some banks go on there.
    goes_on: usize,
}

impl Header {
    /// # Errors
    /// Columns that are not known or there twice, what no column has, or an encoding that has to be named.
    pub fn read(record: &ByteRecord, currency: &str, currency_said: bool) -> Result<Self, Mistakes> {
        if record.iter().any(|name| std::str::from_utf8(name).is_err()) {
            return Err(Mistakes::one(1, "the header", Problem::NotUtf8));
        }
        if used(record) > MOST_COLUMNS {
            return Err(Mistakes::one(1, "the header", Problem::TooWide { most: MOST_COLUMNS }));
        }
        let mut mistakes = Mistakes::default();
        let mut header = Self { columns: Vec::new(), says_currency: currency_said, has_short_years: false, goes_on: 0 };
        for name in record.iter().take(used(record)) {
            let shown: String = text::tidy(&String::from_utf8_lossy(name)).trim_matches('"').chars().take(40).collect();
            let quoted = format!("\"{shown}\"");
            let Some((role, told)) = role(name, currency) else {
                mistakes.add(1, quoted, Problem::UnknownColumn { known: KNOWN });
                header.columns.push((Role::Beside, shown));
                continue;
            };
            if header.has_already(role, &shown) {
                mistakes.add(1, quoted.as_str(), Problem::Twice { line: 1 });
            }
            if let Some(told) = told.filter(|_| role.is_money()) {
                mistakes.note(1, &quoted, same_currency(&told, currency));
                header.says_currency |= role != Role::Balance;
            }
            header.columns.push((role, shown));
        }
        if header.columns.last().is_some_and(|(role, _)| *role == Role::Description) {
            header.goes_on = record.len().saturating_sub(header.width()).min(MOST_NAMELESS);
        }
        header.only_date();
        header.only_net();
        header.check(&mut mistakes);
        mistakes.none_or(header)
    }

    fn has_already(&self, role: Role, name: &str) -> bool {
        let is_same = |(other, there): &(Role, String)| {
            *other == role && (role.is_alone() || (role != Role::Currency && there.eq_ignore_ascii_case(name)))
        };
        self.columns.iter().any(is_same)
    }

    /// Amounts stand in one column, in two, or in one and again in two.
    fn other_amounts(&self) -> Option<Role> {
        match [Role::Amount, Role::Debit, Role::Credit].map(|role| self.has(role)) {
            [true, true, false] => Some(Role::Debit),
            [true, false, true] => Some(Role::Credit),
            _ => None,
        }
    }

    /// Where there is a net amount, that is what moves: its fee is taken off the other one.
    fn only_net(&mut self) {
        if !self.has(Role::Net) {
            return;
        }
        for (role, _) in &mut self.columns {
            *role = match *role {
                Role::Net => Role::Amount,
                Role::Amount | Role::Fee => Role::Beside,
                other => other,
            };
        }
    }

    /// The day of a payment is that of the booking if no other is there.
    fn only_date(&mut self) {
        if !self.has(Role::Date)
            && let Some((role, _)) = self.columns.iter_mut().find(|(role, _)| *role == Role::OtherDate)
        {
            *role = Role::Date;
        }
        self.has_short_years = has_short_years(&self.name(Role::Date));
    }

    fn check(&self, mistakes: &mut Mistakes) {
        let amount = match (self.has(Role::Amount), self.has(Role::Debit), self.has(Role::Credit)) {
            (true, ..) | (_, true, true) => None,
            (_, true, false) => Some("credit"),
            (_, false, true) => Some("debit"),
            _ => Some("amount"),
        };
        if let Some(role) = self.other_amounts() {
            mistakes.add(1, format!("\"{}\"", self.name(role)), Problem::OtherAmounts);
        }
        let date = (!self.has(Role::Date)).then_some("date");
        for needed in date.into_iter().chain(amount) {
            mistakes.add(1, needed, Problem::Missing);
        }
        if !self.says_currency && !self.has(Role::Currency) && !self.has(Role::Valuta) {
            mistakes.add(1, "currency", Problem::NoCurrency);
        }
    }

    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// How many values a line may have.
    pub fn widest(&self) -> usize {
        self.columns.len() + self.goes_on
    }

    pub fn has(&self, role: Role) -> bool {
        self.columns.iter().any(|(other, _)| *other == role)
    }

    /// The name of the first column with this meaning; the meaning itself if there is none.
    pub fn name(&self, role: Role) -> String {
        let found = self.columns.iter().find(|(other, _)| *other == role);
        found.map_or_else(|| format!("{role:?}").to_lowercase(), |(_, name)| name.clone())
    }

    /// The columns of this kind, with their names.
    pub fn places(&self, role: Role) -> impl Iterator<Item = (usize, &str)> {
        self.columns
            .iter()
            .enumerate()
            .filter(move |(_, (other, _))| *other == role)
            .map(|(at, (_, name))| (at, name.as_str()))
            .chain(self.nameless().filter(move |_| role == Role::Description))
    }

    /// The columns without a name, called as the one that they follow.
    fn nameless(&self) -> impl Iterator<Item = (usize, &str)> {
        let name = self.columns.last().map(|(_, name)| name.as_str()).unwrap_or_default();
        (self.width()..self.widest()).map(move |at| (at, name))
    }

    /// The names of those that are not read.
    pub fn beside(&self) -> Vec<String> {
        let is_a_day = self.says_currency || self.has(Role::Currency);
        [Role::Beside, Role::OtherDate]
            .into_iter()
            .chain(is_a_day.then_some(Role::Valuta))
            .flat_map(|role| self.places(role))
            .map(|(_, name)| name.to_owned())
            .collect()
    }
}
