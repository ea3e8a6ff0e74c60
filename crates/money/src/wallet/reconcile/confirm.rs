//! Confirming the proposed matches of a statement, which books them.

use std::collections::BTreeMap;
use std::sync::Arc;

use auth::Permission;
use base::{BankLineId, BankMatchId, BankStatementId};
use foundation::staff::Staff;
use foundation::staff::decisions::Decider;
use foundation::{App, Error, Refusal};
use serde::Serialize;
use serde_json::json;
use store::Tx;
use store::wallet::bank::documents::Key;
use store::wallet::bank::matches::{self, Match, MatchedDocument};
use store::wallet::bank::{self as rows};
use store::wallet::books::{Books, Note, Owner};
use wallet::{Document, LineStatus, MatchStatus, Refused};

use super::proposals::Seen;
use super::view::BooksView;
use crate::wallet::payment_files::book_paid;

/// What was confirmed, and the ledger's balances now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConfirmedMatches {
    pub statement: BankStatementId,
    /// The numbers of lines that were matched, ignored, or reopened.
    pub matched: usize,
    pub ignored: usize,
    pub undone: usize,
    /// The confirming operator's own proposals, which somebody else must confirm.
    pub own: usize,
    /// Proposals of operators who were revoked since, which nobody can confirm.
    pub revoked: usize,
    pub books: BooksView,
}

/// The number of matches per transaction. A transaction locks the owners of its documents, so users wait no longer than
/// for this many.
const BATCH: i64 = 100;

/// The totals so far.
#[derive(Clone, Copy, Debug, Default)]
struct ConfirmTotals {
    matched: usize,
    ignored: usize,
    undone: usize,
    own: usize,
    revoked: usize,
    last: Option<BankMatchId>,
}

/// Books what another person has proposed for a statement, in transactions of a hundred matches. Only the proposals
/// whose digest is `shown`, as `show` returns it, are booked, and none that came later. `progress`
/// is called with the number of matches that are done.
///
/// # Errors
/// `not_permitted`, `not_found`, `founders_missing`; `proposals_changed` if others wait than those that were shown;
/// `second_person_needed` if only one's own proposals are left, `proposer_revoked` if only those of operators who were
/// revoked since.
pub async fn confirm(
    app: &App,
    by: &Staff,
    id: BankStatementId,
    shown: &str,
    progress: impl Fn(usize),
) -> Result<ConfirmedMatches, Error> {
    by.may(Permission::Money)?;
    let waiting = app.db.snapshot(move |conn| {
        rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
        Ok::<_, Error>(matches::proposals(conn, id)?)
    });
    let seen = Arc::new(Seen::of(&waiting.await?, shown)?);
    let (mut all, mut after) = (ConfirmTotals::default(), BankMatchId(0));
    loop {
        let (staff, seen) = (by.clone(), Arc::clone(&seen));
        let done = app.db.write(move |tx| batch(tx, &staff, (id, seen.as_ref()), after)).await?;
        all.matched += done.matched;
        all.ignored += done.ignored;
        all.undone += done.undone;
        all.own += done.own;
        all.revoked += done.revoked;
        let Some(last) = done.last else { break };
        after = last;
        progress(all.matched + all.ignored + all.undone);
    }
    let ConfirmTotals { matched, ignored, undone, own, revoked, .. } = all;
    match (matched + ignored + undone, own, revoked) {
        (0, 1.., _) => return Err(Refusal::SecondPersonNeeded.into()),
        (0, 0, 1..) => return Err(Refusal::ProposerRevoked.into()),
        _ => {}
    }
    let books = BooksView::of(&app.db.read(rows::books).await?)?;
    Ok(ConfirmedMatches { statement: id, matched, ignored, undone, own, revoked, books })
}

fn batch(
    tx: &mut Tx<'_>,
    by: &Staff,
    (id, seen): (BankStatementId, &Seen),
    after: BankMatchId,
) -> Result<ConfirmTotals, Error> {
    let waiting = matches::waiting(tx, id, after, BATCH)?;
    let mut done = ConfirmTotals { last: waiting.last().map(|last| last.id), ..ConfirmTotals::default() };
    let decider = Decider::approving(tx, by)?;
    let mut next: BTreeMap<BankMatchId, (Match, MatchStatus)> = BTreeMap::new();
    let (waiting, revoked): (Vec<Match>, Vec<Match>) =
        waiting.into_iter().partition(|found| decider.counts_with(found.review.by).is_ok());
    done.revoked = revoked.len();
    for found in waiting.into_iter().filter(|found| seen.has(found)) {
        match found.review.confirm(decider.second(), |operator| decider.person(operator)) {
            Ok(review) => {
                next.insert(found.id, (found, review.status));
            }
            Err(Refused::SecondPersonNeeded) => done.own += 1,
            Err(refused) => return Err(refused.into()),
        }
    }
    let mut books = lock(tx, next.values().filter_map(|(found, _)| found.document))?;
    // Signing in may be long ago by the time the next hundred is booked, so the permission is checked again. Owners are
    // locked first, as everywhere.
    by.still_may(tx, Permission::Money)?;
    for to in [MatchStatus::Confirmed, MatchStatus::Undone] {
        let ids: Vec<BankMatchId> = next.iter().filter(|(_, (_, status))| *status == to).map(|(id, _)| *id).collect();
        // Leaves out matches that somebody else has decided meanwhile.
        let claimed: Vec<Match> = matches::decide(tx, &ids, to, by.id())?
            .iter()
            .filter_map(|id| next.remove(id))
            .map(|(found, _)| found)
            .collect();
        settle(tx, by, &mut books, &claimed, to)?;
        count(&mut done, &claimed, to);
    }
    books.flush(tx)?;
    if done.matched + done.ignored + done.undone > 0 {
        let details = json!({
            "matched": done.matched, "ignored": done.ignored, "undone": done.undone, "proposals": seen.digest,
        });
        by.record(tx, "bank.confirm", format!("bank_statement:{id}"), &details)?;
    }
    Ok(done)
}

fn count(done: &mut ConfirmTotals, claimed: &[Match], to: MatchStatus) {
    let documents = claimed.iter().filter(|found| found.document.is_some()).count();
    if to == MatchStatus::Undone {
        done.undone += claimed.len();
    } else {
        done.matched += documents;
        done.ignored += claimed.len() - documents;
    }
}

/// Locks the documents' owners: users first, then advertisers, then publishers.
fn lock(tx: &mut Tx<'_>, documents: impl Iterator<Item = MatchedDocument>) -> Result<Books, Error> {
    let (mut users, mut advertisers, mut publishers) = (Vec::new(), Vec::new(), Vec::new());
    for document in documents {
        match document.owner {
            Owner::User(user) => users.push(user),
            Owner::Advertiser(advertiser) => advertisers.push(advertiser),
            Owner::Publisher(publisher) => publishers.push(publisher),
        }
    }
    let mut books = Books::lock(tx, users, advertisers)?;
    books.lock_publishers(tx, publishers)?;
    Ok(books)
}

/// Books the matches, and updates lines and documents.
fn settle(tx: &mut Tx<'_>, by: &Staff, books: &mut Books, claimed: &[Match], to: MatchStatus) -> Result<(), Error> {
    let undone = to == MatchStatus::Undone;
    let documents: Vec<MatchedDocument> = claimed.iter().filter_map(|found| found.document).collect();
    if !undone {
        book_paid(tx, by, books, &documents)?;
    }
    for found in claimed {
        let Some(document) = found.document else { continue };
        let (kind, amount) = (document.key.kind, document.amount);
        let postings = if undone { wallet::reopen(kind, amount)? } else { wallet::clear(kind, amount)? };
        if let Some(postings) = postings {
            let note = Note {
                document: Document::BankLine(found.line),
                event_at: tx.now(),
                actor: by.actor(),
                reason: document.key.to_string(),
                idempotency_key: None,
            };
            books.enter_about(document.owner, &postings, note)?;
        }
    }
    let keys: Vec<Key> = documents.iter().map(|document| document.key).collect();
    matches::set_cleared(tx, &keys, !undone)?;
    let lines = |with_document: bool| -> Vec<BankLineId> {
        claimed.iter().filter(|found| found.document.is_some() == with_document).map(|found| found.line).collect()
    };
    let status = |status| if undone { LineStatus::Open } else { status };
    rows::set_status(tx, &lines(true), status(LineStatus::Matched))?;
    Ok(rows::set_status(tx, &lines(false), status(LineStatus::Ignored))?)
}
