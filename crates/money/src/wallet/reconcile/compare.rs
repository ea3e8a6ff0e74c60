//! Comparing the bank's lines with our documents.

use std::collections::{BTreeMap, BTreeSet};

use auth::{Permission, Vault};
use bank::{Day, Document, Finding, Findings, Line, LineFacts, creditor, match_up};
use base::{BankLineId, BankMatchId, BankStatementId, Timestamp, UserId, WithdrawalId};
use foundation::staff::Staff;
use foundation::{App, Error, Refusal};
use serde_json::json;
use store::people::users;
use store::staff::operators;
use store::wallet::bank::documents::{self, Document as Known, Key};
use store::wallet::bank::matches::{self, NewMatch};
use store::wallet::bank::{self as rows, StoredLine};
use store::wallet::withdrawals;
use store::{Conn, Tx};
use wallet::{BankDocument, MatchStatus};

use super::returned;
use super::view::{Leftover, LineView};
use crate::wallet::destination::Destination;

/// The most documents of either kind compared at once, oldest first.
const MOST_DOCUMENTS: i64 = 50_000;
/// The most lines of one statement compared at once.
const MOST_LINES: i64 = 50_000;

/// The result of comparing lines and documents.
pub(super) struct Comparison {
    pub findings: Findings<Key>,
    /// Each with the name that the bank would use.
    pub documents: Vec<Known>,
    /// For each line, the user whose reference it has.
    payers: Vec<Option<String>>,
}

pub(super) fn compare(conn: &mut Conn, vault: &Vault, lines: &[&Line], until: Day) -> Result<Comparison, Error> {
    let mut documents = documents::find_uncleared(conn, MOST_DOCUMENTS)?;
    documents.iter_mut().for_each(|known| name(known, vault));
    let asked = documents.iter().map(asked).collect::<Result<Vec<_>, Error>>()?;
    let texts: Vec<Vec<String>> = lines.iter().map(|line| texts(line)).collect();
    let seen: Vec<LineFacts<'_>> = lines
        .iter()
        .zip(&texts)
        .map(|(line, texts)| LineFacts {
            id: &line.id,
            booked_on: line.booked_on,
            amount: line.amount,
            texts,
            counterparty: &line.counterparty,
        })
        .collect();
    let findings = match_up(&seen, &asked, until);
    Ok(Comparison { findings, documents, payers: payers(conn, lines)? })
}

pub(super) fn texts(line: &Line) -> Vec<String> {
    line.references.iter().chain([&line.description]).cloned().collect()
}

/// For each line, the username of the account whose reference it has; `None` if it has none, or those of several
/// accounts.
fn payers(conn: &mut Conn, lines: &[&Line]) -> Result<Vec<Option<String>>, Error> {
    let named: Vec<Vec<i64>> = lines.iter().map(|line| accounts_in(line)).collect();
    let mut known: BTreeMap<i64, String> = BTreeMap::new();
    if named.iter().any(|accounts| !accounts.is_empty()) {
        let found = users::find_all(conn, named.iter().flatten().copied().map(UserId))?;
        known.extend(found.into_iter().map(|user| (user.id.0, user.username)));
    }
    Ok(named.iter().map(|accounts| only(accounts.iter().filter_map(|account| known.get(account)))).collect())
}

fn only<'a>(mut names: impl Iterator<Item = &'a String>) -> Option<String> {
    names.next().filter(|_| names.next().is_none()).cloned()
}

/// The accounts whose references an incoming payment has, each once.
pub fn accounts_in(line: &Line) -> Vec<i64> {
    if !line.amount.is_positive() {
        return Vec::new();
    }
    let texts = line.references.iter().chain([&line.description]);
    let accounts: BTreeSet<i64> = texts.flat_map(|text| creditor::accounts_in(text)).collect();
    accounts.into_iter().collect()
}

fn asked(known: &Known) -> Result<Document<Key>, Error> {
    Ok(Document {
        key: known.key,
        amount: known.key.kind.moves(known.amount)?,
        reference: known.reference.clone(),
        counterparty: known.name.clone(),
        day: known.day,
    })
}

/// Completes the name that the bank would use: the holder of a withdrawal's destination, or the owner of the money.
fn name(known: &mut Known, vault: &Vault) {
    if known.key.kind != BankDocument::Withdrawal {
        return;
    }
    let place = withdrawals::place(WithdrawalId(known.key.row));
    if let Ok(bound) = Destination::open(vault, place, &known.destination)
        && let Some(holder) = bound.holder()
    {
        known.name = holder.to_owned();
    }
}

/// The proposals of certain matches, for lines that are stored.
pub(super) fn certain<'a>(
    lines: impl Iterator<Item = BankLineId> + 'a,
    findings: &'a Findings<Key>,
) -> impl Iterator<Item = NewMatch> + 'a {
    lines.zip(&findings.lines).filter_map(|(line, finding)| match finding {
        Finding::Match(key) => Some(NewMatch { line, document: Some(*key) }),
        _ => None,
    })
}

/// Lines and documents without a match.
pub(super) struct Leftovers {
    pub lines: Vec<Leftover>,
    pub missing: Vec<Leftover>,
}

pub(super) fn leftovers_of(
    conn: &mut Conn,
    vault: &Vault,
    kept: Vec<StoredLine>,
    until: Day,
    now: Timestamp,
) -> Result<Leftovers, Error> {
    let ids: Vec<BankLineId> = kept.iter().map(|kept| kept.id).collect();
    let said = matches::of_lines(conn, &ids)?;
    let (waiting, rest): (Vec<StoredLine>, Vec<StoredLine>) =
        kept.into_iter().partition(|kept| said.iter().any(|each| each.line == kept.id));
    let lines: Vec<&Line> = rest.iter().map(|kept| &kept.line).collect();
    let compared = compare(conn, vault, &lines, until)?;
    let mut left: Vec<(BankLineId, Leftover)> = Vec::with_capacity(ids.len());
    let payers_of_waiting = payers(conn, &waiting.iter().map(|kept| &kept.line).collect::<Vec<_>>())?;
    let people = operators::people(conn)?;
    for (kept, payer) in waiting.iter().zip(payers_of_waiting) {
        let found = said.iter().find(|each| each.line == kept.id);
        let revoked = found.is_some_and(|found| people.is_revoked(found.review.by));
        let document = found.and_then(|each| each.document);
        let documents = document.iter().map(|document| document.key.to_string()).collect();
        let told = (if revoked { "revoked" } else { "waiting" }, documents);
        left.push((kept.id, of_line((Some(kept.id), &kept.line), told, payer, now)));
    }
    for ((kept, finding), payer) in rest.iter().zip(&compared.findings.lines).zip(&compared.payers) {
        left.push((kept.id, of_line((Some(kept.id), &kept.line), told(finding), payer.clone(), now)));
    }
    left.sort_by_key(|(id, _)| *id);
    let missing = compared.missing(now)?;
    Ok(Leftovers { lines: left.into_iter().map(|(_, leftover)| leftover).collect(), missing })
}

impl Comparison {
    /// Documents that the bank should have shown by now.
    pub(super) fn missing(&self, now: Timestamp) -> Result<Vec<Leftover>, Error> {
        let missing: BTreeSet<&Key> = self.findings.missing.iter().collect();
        let left = self.documents.iter().filter(|known| missing.contains(&known.key));
        left.map(|known| of_document(known, now)).collect()
    }

    /// Lines without a match that are not stored yet.
    pub(super) fn leftovers(&self, lines: &[&Line], now: Timestamp) -> Vec<Leftover> {
        let all = lines.iter().zip(&self.findings.lines).zip(&self.payers);
        let left = all.filter(|((_, finding), _)| !matches!(finding, Finding::Match(_)));
        left.map(|((line, finding), payer)| of_line((None, line), told(finding), payer.clone(), now)).collect()
    }
}

fn told(finding: &Finding<Key>) -> (&'static str, Vec<String>) {
    let names = |keys: &[Key]| keys.iter().map(Key::to_string).collect();
    match finding {
        // It will be proposed once somebody requests it.
        Finding::Match(key) => ("suggestion", names(&[*key])),
        Finding::Suggestion(keys) => ("suggestion", names(keys)),
        Finding::Difference(keys) => ("difference", names(keys)),
        Finding::Unknown => ("unknown", Vec::new()),
    }
}

fn of_line(
    (id, line): (Option<BankLineId>, &Line),
    (finding, documents): (&str, Vec<String>),
    user: Option<String>,
    now: Timestamp,
) -> Leftover {
    // Banks give every payment a reference, but whose payment it is may be only in the text that the payer wrote.
    let text = texts(line).into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ");
    Leftover {
        finding: finding.to_owned(),
        line: id,
        key: Some(line.id.clone()),
        on: line.booked_on.to_string(),
        age_days: Day::of(now).apart(line.booked_on),
        amount: line.amount,
        counterparty: line.counterparty.clone(),
        text,
        user,
        documents,
        returned: None,
    }
}

fn of_document(known: &Known, now: Timestamp) -> Result<Leftover, Error> {
    Ok(Leftover {
        finding: "missing".to_owned(),
        line: None,
        key: None,
        on: known.day.to_string(),
        age_days: Day::of(now).apart(known.day),
        amount: known.key.kind.moves(known.amount)?,
        counterparty: known.name.clone(),
        text: known.reference.clone(),
        user: None,
        documents: vec![known.key.to_string()],
        returned: None,
    })
}

/// Everything without a match, oldest first, at most `limit`.
pub async fn open(app: &App, limit: usize) -> Result<Vec<Leftover>, Error> {
    let (now, vault) = (app.now(), app.secrets.vault());
    app.db
        .snapshot(move |conn| {
            let Some(until) = rows::last_day(conn)? else { return Ok(Vec::new()) };
            let lines = rows::open(conn, i64::try_from(limit).unwrap_or(i64::MAX))?;
            let found = leftovers_of(conn, &vault, lines, until, now)?;
            let mut left = found.lines;
            left.extend(found.missing);
            left.sort_by(|one, other| one.on.cmp(&other.on));
            left.truncate(limit);
            returned::name(conn, &vault, &mut left)?;
            Ok(left)
        })
        .await
}

/// Compares a statement's open lines again, after more documents were approved or paid, and proposes certain matches.
/// Before that, it withdraws the proposals of operators who were revoked since.
///
/// # Errors
/// `not_permitted`, `not_found`.
pub async fn propose(app: &App, by: &Staff, id: BankStatementId) -> Result<Vec<LineView>, Error> {
    by.may(Permission::Money)?;
    let (by, vault) = (by.clone(), app.secrets.vault());
    app.db.write(move |tx| propose_open(tx, &vault, &by, id)).await
}

/// Withdraws a statement's proposals that nobody can confirm any more; returns how many there were.
fn drop_of_revoked(tx: &mut Tx<'_>, by: &Staff, id: BankStatementId) -> Result<usize, Error> {
    let people = operators::people(tx)?;
    let waiting = matches::waiting(tx, id, BankMatchId(0), MOST_LINES)?;
    let of_revoked = waiting
        .into_iter()
        .filter(|found| found.review.status == MatchStatus::Proposed && people.is_revoked(found.review.by));
    let ids: Vec<BankMatchId> = of_revoked.map(|found| found.id).collect();
    Ok(matches::decide(tx, &ids, MatchStatus::Dropped, by.id())?.len())
}

fn propose_open(tx: &mut Tx<'_>, vault: &Vault, by: &Staff, id: BankStatementId) -> Result<Vec<LineView>, Error> {
    by.still_may(tx, Permission::Money)?;
    let statement = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let dropped = drop_of_revoked(tx, by, id)?;
    let mut kept = rows::open_of(tx, id, BankLineId(0), MOST_LINES)?;
    let ids: Vec<BankLineId> = kept.iter().map(|kept| kept.id).collect();
    let said: BTreeSet<BankLineId> = matches::of_lines(tx, &ids)?.into_iter().map(|each| each.line).collect();
    kept.retain(|kept| !said.contains(&kept.id));
    let lines: Vec<&Line> = kept.iter().map(|kept| &kept.line).collect();
    let compared = compare(tx, vault, &lines, statement.to)?;
    let new: Vec<NewMatch> = certain(kept.iter().map(|kept| kept.id), &compared.findings).collect();
    let proposed = matches::propose(tx, &new, by.reason(), by.id())?;
    let found = matches::of_lines(tx, &proposed)?;
    let details = json!({ "proposed": proposed.len(), "withdrawn": dropped });
    by.record(tx, "bank.propose", format!("bank_statement:{id}"), &details)?;
    let shown = kept.into_iter().filter_map(|kept| {
        let matched = found.iter().find(|each| each.line == kept.id)?;
        Some(LineView::of(kept, Some(matched)))
    });
    Ok(shown.collect())
}
