//! The bank's lines with a request's reference and amount, for whoever decides on it. A line has two references: the
//! bank's own, and what the payer wrote. Without these lines, a member of staff could have a payment credited under
//! each. So no line is credited with more than it moves.

use std::collections::{BTreeMap, BTreeSet};

use bank::reference::compared;
use bank::{Day, Document, Finding, Line, LineFacts, match_up};
use base::{BankLineId, Money, Timestamp};
use foundation::staff::requests::subject;
use foundation::staff::requests::view::BankLineUse;
use foundation::{Error, Refusal};
use store::staff::operators;
use store::staff::requests::{self, MoneyRequest};
use store::wallet::bank::matches::{self, Match};
use store::wallet::bank::{self as rows, StoredLine};
use store::wallet::references;
use store::{Conn, Tx};
use wallet::{BankDocument, MatchStatus, RequestKind, RequestStatus};

use super::compare::texts;

/// How long before the day on which the request is shown its statement may end.
const LOOKED_BACK_DAYS: i64 = 62;
/// The most lines of the amount that are looked at.
const MOST_LINES: i64 = 500;
/// The most lines whose texts may have the reference.
const MOST_NAMING: i64 = 5_000;
/// What credits a payment.
const CREDITS: [RequestKind; 2] = [RequestKind::Recharge, RequestKind::AdvertiserFund];

/// The lines of the last statements that have the request's reference and amount, and what they are matched with.
pub fn lines_named(conn: &mut Conn, request: &MoneyRequest, now: Timestamp) -> Result<Vec<BankLineUse>, Error> {
    let kind = match request.kind {
        RequestKind::Recharge => BankDocument::Recharge,
        RequestKind::AdvertiserFund => BankDocument::AdvertiserFund,
        RequestKind::Chargeback => BankDocument::Chargeback,
        _ => return Ok(Vec::new()),
    };
    let Some(reference) = request.reference.clone() else { return Ok(Vec::new()) };
    let (amount, from) = (kind.moves(request.amount)?, Day::of(now.plus_days(-LOOKED_BACK_DAYS)));
    let sought = Document { key: request.row(), amount, reference, counterparty: String::new(), day: Day::of(now) };
    let mut lines = rows::moving(conn, amount, from, MOST_LINES)?;
    lines.retain(|kept| names(&kept.line, &sought));
    let ids: Vec<BankLineId> = lines.iter().map(|kept| kept.id).collect();
    let said = matches::of_lines(conn, &ids)?;
    let importers = rows::importers(conn, lines.iter().map(|kept| kept.statement))?;
    let names = operators::names(conn, importers.values().copied())?;
    let importer = |kept: &StoredLine| importers.get(&kept.statement).and_then(|by| names.get(by)).cloned();
    Ok(lines.into_iter().map(|kept| view(importer(&kept).unwrap_or_default(), kept, &said)).collect())
}

/// Refuses to credit a payment again: what was credited for a line of the bank, under any of its references, and this
/// request are together no more than the line moves. Of several lines that the request names, one must have room. A
/// request that names no line of the last statements is not refused, nor one for another amount than its lines move of
/// which nothing was credited yet: the comparison with the bank tells. The request's owner is locked.
///
/// # Errors
/// `bank_line_credited`, with the line and the document that has it.
pub fn is_credited_once(tx: &mut Tx<'_>, request: &MoneyRequest) -> Result<(), Error> {
    let Some(reference) = request.reference.as_deref().filter(|_| CREDITS.contains(&request.kind)) else {
        return Ok(());
    };
    let lines = lines_of(tx, reference, request.amount)?;
    if lines.is_empty() {
        return Ok(());
    }
    rows::lock(tx, &lines.iter().map(|kept| kept.id).collect::<Vec<_>>())?;
    let credits = Credits::of(tx, &lines, request.row())?;
    let mut credited = None;
    for kept in &lines {
        let (first, sum) = credits.of_line(kept)?;
        if sum.plus(request.amount)? <= kept.line.amount {
            return Ok(());
        }
        let Some(first) = first else { continue };
        let line = kept.id.to_string();
        credited.get_or_insert(Refusal::BankLineCredited { line, document: subject(first) });
    }
    credited.map_or(Ok(()), |refused| Err(refused.into()))
}

/// The lines of the last statements that a payment of this reference and amount is about.
fn lines_of(tx: &mut Tx<'_>, reference: &str, amount: Money) -> Result<Vec<StoredLine>, Error> {
    let from = Day::of(tx.now().plus_days(-LOOKED_BACK_DAYS));
    let mut found = rows::moving(tx, amount, from, MOST_LINES)?;
    found.extend(rows::received_naming(tx, letters(reference).as_deref(), from, MOST_NAMING)?);
    let mut seen = BTreeSet::new();
    found.retain(|kept| is_about(&kept.line, reference, amount) && seen.insert(kept.id));
    Ok(found)
}

/// The longest part of a reference that any spelling of it has; `None` if it has no Latin letters or digits.
fn letters(reference: &str) -> Option<String> {
    let plain = compared(reference).replace('-', "");
    let parts = plain.split(|c: char| !c.is_ascii_alphanumeric());
    parts.max_by_key(|part| part.len()).filter(|part| !part.is_empty()).map(str::to_owned)
}

/// Whether a payment of this reference and amount is about the line: it has exactly one of the line's references,
/// whatever the amount, or it would be a certain match.
fn is_about(line: &Line, reference: &str, amount: Money) -> bool {
    let same = compared(reference);
    let sought = || Document {
        key: 0,
        amount,
        reference: reference.to_owned(),
        counterparty: String::new(),
        day: line.booked_on,
    };
    line.references.iter().chain([&line.id]).any(|text| compared(text) == same)
        || (line.amount == amount && names(line, &sought()))
}

/// What was credited for some lines.
struct Credits(Vec<Credit>);

/// What was credited, with the line that it is matched with.
struct Credit {
    of: MoneyRequest,
    matched: Option<BankLineId>,
    /// Whether it is for that line and for no other.
    is_sure: bool,
}

impl Credits {
    /// The approved requests about these lines but this one.
    fn of(tx: &mut Tx<'_>, lines: &[StoredLine], but: i64) -> Result<Self, Error> {
        let ids: Vec<BankLineId> = lines.iter().map(|kept| kept.id).collect();
        let matched = matches::of_lines(tx, &ids)?.into_iter().filter_map(|found| found.document);
        let matched = matched.filter(|of| matches!(of.key.kind, BankDocument::Recharge | BankDocument::AdvertiserFund));
        let mut found: BTreeSet<i64> = matched.map(|of| of.key.row).collect();
        let written: BTreeSet<String> = lines.iter().flat_map(|kept| references_in(&kept.line)).collect();
        let written: Vec<String> = written.into_iter().collect();
        found.extend(references::requests_under(tx, &CREDITS, &written)?);
        found.remove(&but);
        let credited = requests::of_rows(tx, found.iter().copied())?.into_iter();
        let credited = credited.filter(|of| of.review.status == RequestStatus::Approved);
        let found: Vec<i64> = found.iter().copied().collect();
        let at = matches::lines_of(tx, &found)?;
        let of_matches: Vec<BankLineId> = at.values().map(|(line, _)| *line).collect();
        let of_matches = rows::find_lines(tx, &of_matches)?.into_iter();
        let of_matches: BTreeMap<BankLineId, Line> = of_matches.map(|kept| (kept.id, kept.line)).collect();
        let credit = |of: MoneyRequest| {
            let (matched, status) = at.get(&of.row()).copied().unzip();
            // One person may propose any line of the amount.
            let line = matched.and_then(|line| of_matches.get(&line)).zip(of.reference.as_deref());
            let is_named = line.is_some_and(|(line, reference)| is_about(line, reference, of.amount));
            let is_sure = is_named || status.is_some_and(|status| status != MatchStatus::Proposed);
            Credit { of, matched, is_sure }
        };
        Ok(Self(credited.map(credit).collect()))
    }

    /// The first document that was credited for the line, and how much was in all.
    fn of_line(&self, kept: &StoredLine) -> Result<(Option<&MoneyRequest>, Money), Error> {
        let credited: Vec<&MoneyRequest> =
            self.0.iter().filter(|credit| credit.is_for(kept)).map(|credit| &credit.of).collect();
        Ok((credited.first().copied(), Money::sum(credited.iter().map(|of| of.amount))?))
    }
}

impl Credit {
    fn is_for(&self, kept: &StoredLine) -> bool {
        if self.matched == Some(kept.id) || self.is_sure {
            return self.matched == Some(kept.id);
        }
        // Whoever pays every month may always write the same.
        let earliest = kept.line.booked_on.start().plus_days(-LOOKED_BACK_DAYS);
        let is_old = self.of.decided_at.is_some_and(|at| at < earliest);
        let reference = self.of.reference.as_deref().filter(|_| !is_old);
        reference.is_some_and(|reference| is_about(&kept.line, reference, self.of.amount))
    }
}

/// Everything in a line that a request may have as its reference, as it is compared: its texts, their words, and pairs
/// of these.
fn references_in(line: &Line) -> BTreeSet<String> {
    let mut found = BTreeSet::from([compared(&line.id)]);
    for text in texts(line) {
        let words: Vec<&str> = text.split_whitespace().collect();
        found.extend(words.iter().map(|word| compared(word)));
        found.extend(words.windows(2).map(|pair| compared(&pair.concat())));
        found.insert(compared(&text));
    }
    found.remove("");
    found
}

/// Whether the line names the document, as a certain match requires.
fn names(line: &Line, sought: &Document<i64>) -> bool {
    let texts = texts(line);
    let facts = LineFacts {
        id: &line.id,
        booked_on: line.booked_on,
        amount: line.amount,
        texts: &texts,
        counterparty: &line.counterparty,
    };
    match_up(&[facts], std::slice::from_ref(sought), sought.day).lines == [Finding::Match(sought.key)]
}

fn view(imported_by_name: String, kept: StoredLine, said: &[Match]) -> BankLineUse {
    let StoredLine { id, line, .. } = kept;
    let matched = said.iter().find(|found| found.line == id);
    let matched = matched.map(|found| found.document.map_or_else(|| "ignored".to_owned(), |of| of.key.to_string()));
    BankLineUse { line: id, on: line.booked_on.to_string(), counterparty: line.counterparty, imported_by_name, matched }
}
