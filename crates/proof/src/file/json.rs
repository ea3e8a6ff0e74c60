//! A transaction as a line of JSON. There is only one valid form: anything written differently is refused, so that all
//! readers agree.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::hex;
use crate::Hash;
use crate::ledger::{Entry, Transaction};

/// JSON's numbers are exact up to here in every language.
pub const LARGEST: i64 = 9_007_199_254_740_991;

/// Writes a transaction and its entries, without a line feed.
pub fn write(transaction: &Transaction<'_>, entries: &[Entry]) -> String {
    let mut line = String::with_capacity(160 + entries.len() * 40);
    let Transaction { sequence, kind, ref_id, event_at, recorded_at, .. } = transaction;
    // Writing to a String cannot fail.
    let _ = write!(line, "[{sequence},{kind},");
    text(&mut line, &transaction.ref_type);
    let _ = write!(line, ",{ref_id},{event_at},{recorded_at},");
    match &transaction.idempotency_key {
        Some(key) => text(&mut line, key),
        None => line.push_str("null"),
    }
    line.push(',');
    text(&mut line, &transaction.actor);
    line.push(',');
    text(&mut line, &transaction.reason);
    line.push(',');
    match &transaction.document {
        Some(document) => text(&mut line, &hex::encode(document)),
        None => line.push_str("null"),
    }
    line.push_str(",[");
    for (place, entry) in entries.iter().enumerate() {
        let Entry { account, owner, plan, amount, .. } = entry;
        let before = if place == 0 { "" } else { "," };
        let _ = write!(line, "{before}[{account},{owner},{plan},\"{amount}\",");
        let _ = match entry.balance_after {
            Some(balance) => write!(line, "\"{balance}\","),
            None => write!(line, "null,"),
        };
        let _ = match entry.flow {
            Some(flow) => write!(line, "{flow}]"),
            None => write!(line, "null]"),
        };
    }
    line.push_str("]]");
    line
}

fn text(line: &mut String, text: &str) {
    line.push('"');
    for c in text.chars() {
        match c {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\u{8}' => line.push_str("\\b"),
            '\u{c}' => line.push_str("\\f"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            c if c < ' ' => {
                let _ = write!(line, "\\u{:04x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line.push('"');
}

/// Reads what [`write`] writes, and nothing else: the book's number is not in the line. The error is the part that is
/// not as it must be.
pub fn read(line: &str, book: i64) -> Result<(Transaction<'_>, Vec<Entry>), &'static str> {
    let mut rest = Rest(line);
    rest.take("[").ok_or("list")?;
    let sequence = rest.count().ok_or("number in the book")?;
    let kind = rest.then(Rest::count).ok_or("kind")?;
    let ref_type = rest.then(Rest::text).ok_or("document's name")?;
    let ref_id = rest.then(Rest::integer).ok_or("document's number")?;
    let event_at = rest.then(Rest::integer).ok_or("moment of the event")?;
    let recorded_at = rest.then(Rest::integer).ok_or("moment of recording")?;
    let idempotency_key = rest.then(|rest| rest.optional(Rest::text)).ok_or("idempotency key")?;
    let actor = rest.then(Rest::text).ok_or("actor")?;
    let reason = rest.then(Rest::text).ok_or("reason")?;
    let document = rest.then(|rest| rest.optional(Rest::digest)).ok_or("document's digest")?;
    rest.take(",[").ok_or("list of entries")?;
    let mut entries = Vec::new();
    while !rest.0.starts_with(']') {
        if !entries.is_empty() {
            rest.take(",").ok_or("list of entries")?;
        }
        entries.push(rest.entry()?);
    }
    rest.take("]]").filter(|()| rest.0.is_empty()).ok_or("end")?;
    let transaction = Transaction {
        book,
        sequence,
        kind,
        ref_type,
        ref_id,
        event_at,
        recorded_at,
        idempotency_key,
        actor,
        reason,
        document,
    };
    Ok((transaction, entries))
}

/// An integer in its one form: no sign but a minus, no zero in front, and no minus zero.
pub(super) fn integer(digits: &str) -> Option<i64> {
    let positive = digits.strip_prefix('-').unwrap_or(digits);
    let whole = !positive.is_empty() && positive.bytes().all(|byte| byte.is_ascii_digit());
    let canonical = digits == "0" || (whole && !positive.starts_with('0'));
    if canonical { digits.parse().ok() } else { None }
}

/// The part of a line that was not read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn take(&mut self, expected: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    /// A further value of a list.
    fn then<T>(&mut self, value: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.take(",")?;
        value(self)
    }

    fn digits(&mut self) -> Option<i64> {
        let end = self.0.find(|c: char| c != '-' && !c.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at_checked(end)?;
        self.0 = rest;
        integer(digits)
    }

    fn integer(&mut self) -> Option<i64> {
        self.digits().filter(|number| (-LARGEST..=LARGEST).contains(number))
    }

    fn count(&mut self) -> Option<i64> {
        self.integer().filter(|number| *number > 0)
    }

    fn optional<T>(&mut self, value: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.take("null") {
            Some(()) => Some(None),
            None => value(self).map(Some),
        }
    }

    /// A text of digits: it may be larger than a number of JSON.
    fn amount(&mut self) -> Option<i64> {
        self.take("\"")?;
        let amount = self.digits()?;
        self.take("\"")?;
        Some(amount)
    }

    fn digest(&mut self) -> Option<Hash> {
        hex::decode(&self.text()?)
    }

    fn text(&mut self) -> Option<Cow<'a, str>> {
        self.take("\"")?;
        let mut found = Cow::Borrowed("");
        loop {
            let end = self.0.find(['"', '\\'])?;
            let (plain, rest) = self.0.split_at_checked(end)?;
            if found.is_empty() {
                found = Cow::Borrowed(plain);
            } else {
                found.to_mut().push_str(plain);
            }
            self.0 = rest;
            if self.take("\"").is_some() {
                return Some(found);
            }
            found.to_mut().push(self.escaped()?);
        }
    }

    fn escaped(&mut self) -> Option<char> {
        self.take("\\")?;
        let mut chars = self.0.chars();
        let c = match chars.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            c @ ('"' | '\\') => c,
            'u' => {
                let digits = chars.as_str().get(..4)?;
                let c = char::from(u8::from_str_radix(digits, 16).ok()?);
                // An escape is valid only if there is no shorter form, and only in lower case.
                let shorter = matches!(c, '\u{8}' | '\u{c}' | '\n' | '\r' | '\t');
                self.0 = chars.as_str().get(4..)?;
                return Some(c).filter(|_| c < ' ' && !shorter && format!("{:04x}", u32::from(c)) == digits);
            }
            _ => return None,
        };
        self.0 = chars.as_str();
        Some(c)
    }

    fn entry(&mut self) -> Result<Entry, &'static str> {
        self.take("[").ok_or("entry")?;
        let account = self.count().ok_or("entry's account")?;
        let owner = self.then(Self::integer).ok_or("entry's owner")?;
        let plan = self.then(Self::integer).ok_or("entry's plan")?;
        let amount = self.then(Self::amount).ok_or("entry's amount")?;
        let balance_after = self.then(|rest| rest.optional(Self::amount)).ok_or("entry's balance")?;
        let flow = self.then(|rest| rest.optional(Self::count)).ok_or("entry's kind of line")?;
        self.take("]").ok_or("entry")?;
        Ok(Entry { account, owner, plan, amount, balance_after, flow })
    }
}
