//! One entry of a statement, and the payments it combines.

use base::Money;

use super::draft::{amount, credit};
use super::walk::Value;
use crate::amount::DecimalMark;
use crate::day::Day;
use crate::mistakes::{Mistakes, Problem};
use crate::statement::Line;
use crate::table::same_currency;
use crate::text;

/// The codes of entries that are announced, expected or only told.
const NOT_BOOKED: [&str; 3] = ["PDNG", "FUTR", "INFO"];
/// The most references kept for one line.
const MOST_REFERENCES: usize = 64;
/// Where the amount of a payment stands. What is before another counts in place of it: the amount of the booking, then
/// that of the order. The first versions have only those of the order.
const AMOUNTS: [&str; 4] = ["Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/CntrValAmt/Amt", "AmtDtls/InstdAmt/Amt"];

#[derive(Default)]
pub struct Entry {
    pub line: u64,
    /// The number of mistakes before it, so that an unreadable value is not also reported
    /// as missing.
    before: u64,
    amount: Option<Money>,
    credit: Option<bool>,
    reversal: bool,
    status: String,
    booked: Option<Day>,
    valued: Option<Day>,
    part: Part,
    /// Several if one booking combines several payments.
    parts: Vec<Part>,
}

/// The details of one payment, or of the entry as a whole.
#[derive(Default)]
struct Part {
    id: String,
    amounts: [Option<Money>; AMOUNTS.len()],
    credit: Option<bool>,
    references: Vec<String>,
    debtor: Name,
    creditor: Name,
    description: Vec<String>,
}

/// The name in a payment: the account's holder, or else the ultimate party behind the holder.
#[derive(Clone, Default)]
struct Name {
    holder: String,
    ultimate: String,
}

impl Name {
    fn or(self, other: Self) -> Self {
        if self.holder.is_empty() && self.ultimate.is_empty() { other } else { self }
    }

    fn shown(self) -> String {
        if self.holder.is_empty() { self.ultimate } else { self.holder }
    }
}

impl Part {
    fn refer(&mut self, reference: String) {
        let nothing = reference.is_empty() || text::is_no_reference(&reference);
        if !nothing && self.references.len() < MOST_REFERENCES && !self.references.contains(&reference) {
            self.references.push(reference);
        }
    }

    fn absorb(&mut self, other: Self) {
        if self.id.is_empty() {
            self.id = other.id;
        }
        for reference in other.references {
            self.refer(reference);
        }
        self.debtor = std::mem::take(&mut self.debtor).or(other.debtor);
        self.creditor = std::mem::take(&mut self.creditor).or(other.creditor);
        let room = MOST_REFERENCES.saturating_sub(self.description.len());
        self.description.extend(other.description.into_iter().take(room));
    }
}

impl Entry {
    pub fn at(line: u64, mistakes: &Mistakes) -> Self {
        Self { line, before: mistakes.count(), ..Self::default() }
    }

    pub fn begin_part(&mut self) {
        self.parts.push(Part::default());
    }

    /// Reads one element within the entry; one that says nothing is as if it were not there.
    pub fn read(&mut self, path: &str, value: &Value, currency: &str, mistakes: &mut Mistakes) {
        if value.is_empty() {
            return;
        }
        if let Some(path) = path.strip_prefix("NtryDtls/TxDtls/").or_else(|| path.strip_prefix("TxDtls/")) {
            if let Some(part) = self.parts.last_mut() {
                read_part(part, path, value, currency, mistakes);
            }
            return;
        }
        match path {
            "Amt" => self.amount = amount("Ntry/Amt", value, currency, mistakes),
            "CdtDbtInd" => self.credit = mistakes.note(value.line, "Ntry/CdtDbtInd", credit(value)),
            "RvslInd" => self.reversal = matches!(value.text.trim(), "true" | "1"),
            // Later versions have the code one level deeper.
            "Sts" | "Sts/Cd" => self.status = text::tidy(&value.text),
            // A bank's own words count where they are the code.
            "Sts/Prtry" if NOT_BOOKED.contains(&value.text.trim()) => self.status = text::tidy(&value.text),
            "BookgDt/Dt" | "BookgDt/DtTm" => {
                self.booked = mistakes.note(value.line, "BookgDt", Day::booked(&value.text))
            }
            "ValDt/Dt" | "ValDt/DtTm" => self.valued = mistakes.note(value.line, "ValDt", Day::booked(&value.text)),
            "AcctSvcrRef" => self.part.id = own_reference(value, mistakes),
            "NtryRef" => refer(&mut self.part, value, mistakes, says_something),
            "NtryDtls/Btch/MsgId" | "NtryDtls/Btch/PmtInfId" => refer(&mut self.part, value, mistakes, |_| true),
            "AddtlNtryInf" => describe(&mut self.part, value, mistakes),
            _ => {}
        }
    }

    /// The entry's lines; none if it is not booked or its amount is
    /// zero.
    pub fn lines(self, mistakes: &mut Mistakes) -> Vec<Line> {
        if !self.status.is_empty() && !self.status.eq_ignore_ascii_case("BOOK") {
            // Mistakes in it do not matter either: an entry that is not booked may be in another currency.
            mistakes.back_to(self.before);
            if !NOT_BOOKED.iter().any(|not_booked| self.status.eq_ignore_ascii_case(not_booked)) {
                let text = self.status.chars().take(40).collect();
                mistakes.add(self.line, "Ntry/Sts", Problem::OtherStatus { text });
            }
            return Vec::new();
        }
        let day = self.booked.or(self.valued);
        let unread = mistakes.count() > self.before;
        for (field, there) in [
            ("Ntry/Amt", self.amount.is_some()),
            ("Ntry/CdtDbtInd", self.credit.is_some()),
            ("Ntry/BookgDt", day.is_some()),
        ] {
            if !there && !unread {
                mistakes.add(self.line, field, Problem::Missing);
            }
        }
        let (Some(amount), Some(credit), Some(day)) = (self.amount, self.credit, day) else { return Vec::new() };
        let Some(total) = mistakes.note(self.line, "Ntry/Amt", signed(amount, credit)) else { return Vec::new() };
        let (reversal, mut whole, mut parts) = (self.reversal, self.part, self.parts);
        if let Some(amounts) = split(&parts, credit, total) {
            let of_part = |(part, amount): (Part, Money)| {
                let mut part = part;
                let id = if part.id.is_empty() { whole.id.clone() } else { std::mem::take(&mut part.id) };
                part.absorb(Part {
                    references: whole.references.clone(),
                    description: whole.description.clone(),
                    ..Part::default()
                });
                finished(Part { id, ..part }, amount, day, reversal)
            };
            return parts.drain(..).zip(amounts).filter(|(_, amount)| !amount.is_zero()).map(of_part).collect();
        }
        if total.is_zero() {
            return Vec::new();
        }
        let own = std::mem::take(&mut whole.description);
        parts.into_iter().for_each(|part| whole.absorb(part));
        whole.description.extend(own);
        vec![finished(whole, total, day, reversal)]
    }
}

/// The amounts of the combined payments, if all are given and add up to the entry's.
fn split(parts: &[Part], credit: bool, total: Money) -> Option<Vec<Money>> {
    if parts.len() < 2 {
        return None;
    }
    let of = |part: &Part| signed(part.amounts.into_iter().flatten().next()?, part.credit.unwrap_or(credit)).ok();
    let amounts: Option<Vec<Money>> = parts.iter().map(of).collect();
    amounts.filter(|amounts| Money::sum(amounts.iter().copied()) == Ok(total))
}

fn finished(part: Part, amount: Money, booked_on: Day, reversal: bool) -> Line {
    // The parties of a reversal are those of the payment that it undoes.
    let from_debtor = amount.is_positive() != reversal;
    let counterparty = if from_debtor { part.debtor.shown() } else { part.creditor.shown() };
    let description = part.description.join(" ");
    Line { id: part.id, booked_on, amount, references: part.references, counterparty, description, reversal }
}

fn read_part(part: &mut Part, path: &str, value: &Value, currency: &str, mistakes: &mut Mistakes) {
    if let Some((amount, _)) = part.amounts.iter_mut().zip(AMOUNTS).find(|(_, place)| *place == path) {
        // Only amounts in the account's currency count; others are not part of it.
        let is_ours = same_currency(&value.currency, currency).is_ok();
        *amount = DecimalMark::read_unsigned(&value.text).ok().filter(|_| is_ours);
        return;
    }
    match path {
        "CdtDbtInd" => part.credit = mistakes.note(value.line, "TxDtls/CdtDbtInd", credit(value)),
        "Refs/AcctSvcrRef" => part.id = own_reference(value, mistakes),
        "Refs/EndToEndId"
        | "Refs/TxId"
        | "Refs/InstrId"
        | "Refs/MsgId"
        | "Refs/PmtInfId"
        | "Refs/UETR"
        | "Refs/Prtry/Ref"
        | "RmtInf/Strd/CdtrRefInf/Ref"
        | "RmtInf/Strd/RfrdDocInf/Nb"
        // The path in the first version of the format.
        | "RmtInf/Strd/CdtrRefInf/CdtrRef"
        | "RmtInf/Strd/RfrdDocInf/RfrdDocNb" => {
            refer(part, value, mistakes, |_| true);
        }
        // Either may be a bank.
        "RltdPties/Dbtr/Nm" | "RltdPties/Dbtr/Pty/Nm" | "RltdPties/Dbtr/Agt/FinInstnId/Nm" => {
            part.debtor.holder = read(value, "Dbtr/Nm", mistakes);
        }
        "RltdPties/Cdtr/Nm" | "RltdPties/Cdtr/Pty/Nm" | "RltdPties/Cdtr/Agt/FinInstnId/Nm" => {
            part.creditor.holder = read(value, "Cdtr/Nm", mistakes);
        }
        "RltdPties/UltmtDbtr/Nm" | "RltdPties/UltmtDbtr/Pty/Nm" => {
            part.debtor.ultimate = read(value, "UltmtDbtr/Nm", mistakes);
        }
        "RltdPties/UltmtCdtr/Nm" | "RltdPties/UltmtCdtr/Pty/Nm" => {
            part.creditor.ultimate = read(value, "UltmtCdtr/Nm", mistakes);
        }
        "RmtInf/Ustrd" | "RmtInf/Strd/AddtlRmtInf" | "AddtlTxInf" => describe(part, value, mistakes),
        // Few banks fill these, and lines stored before they were read are compared by their references.
        "RltdRmtInf/RmtId"
        | "RmtInf/Strd/RfrdDocInf/LineDtls/Id/Nb"
        | "Refs/AcctOwnrTxId"
        | "Refs/ChqNb"
        // Why a payment came back.
        | "RtrInf/Rsn/Cd"
        | "RtrInf/Rsn/Prtry"
        | "RtrInf/AddtlInf" => describe(part, value, mistakes),
        _ => {}
    }
}

fn read(value: &Value, field: &str, mistakes: &mut Mistakes) -> String {
    mistakes.note(value.line, field, text::read(&value.text)).unwrap_or_default()
}

fn refer(part: &mut Part, value: &Value, mistakes: &mut Mistakes, wanted: impl Fn(&str) -> bool) {
    let reference = read(value, "Refs", mistakes);
    if wanted(&reference) {
        part.refer(reference);
    }
}

fn describe(part: &mut Part, value: &Value, mistakes: &mut Mistakes) {
    let text = read(value, "RmtInf", mistakes);
    if !text.is_empty() && part.description.len() < MOST_REFERENCES {
        let text = apart(&text);
        end_to_end(&text).into_iter().for_each(|reference| part.refer(reference));
        part.description.push(text);
    }
}

/// The tags that German banks put before the parts of a text, often without a blank between.
const TAGS: [&str; 13] = [
    "EREF+", "KREF+", "MREF+", "CRED+", "DEBT+", "COAM+", "OAMT+", "SVWZ+", "ABWA+", "ABWE+", "PURP+", "IBAN+", "BIC+",
];

/// The text with a blank before each part.
fn apart(text: &str) -> String {
    if !text.contains('+') {
        return text.to_owned();
    }
    let parted = TAGS.iter().fold(text.to_owned(), |text, tag| text.replace(tag, &format!(" {tag}")));
    text::tidy(&parted)
}

/// The payer's reference in a text, up to the next part.
fn end_to_end(text: &str) -> Option<String> {
    let (_, after) = text.split_once("EREF+")?;
    let ends = TAGS.iter().filter_map(|tag| after.find(tag)).min().unwrap_or(after.len());
    after.get(..ends).map(|reference| reference.trim().to_owned())
}

/// The bank's reference of the booking, if any.
fn own_reference(value: &Value, mistakes: &mut Mistakes) -> String {
    let read =
        mistakes.note(value.line, "AcctSvcrRef", text::bounded(&value.text, text::LONGEST_ID)).unwrap_or_default();
    if text::is_no_reference(&read) { String::new() } else { read }
}

/// Whether it is more than a running number: entries are often just numbered.
fn says_something(reference: &str) -> bool {
    reference.len() > 6 || !reference.bytes().all(|b| b.is_ascii_digit())
}

pub fn signed(amount: Money, credit: bool) -> Result<Money, Problem> {
    if credit { Ok(amount) } else { amount.negated().map_err(|_| Problem::TooLarge) }
}
