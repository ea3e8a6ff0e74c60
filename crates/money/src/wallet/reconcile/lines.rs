//! Matching a single line by hand. Another person confirms it with the statement.

use auth::Permission;
use base::{BankLineId, UserId, refuse_if};
use foundation::staff::Staff;
use foundation::staff::requests::{MoneyRequestDraft, RequestView, request};
use foundation::{App, Error, Refusal};
use serde_json::{Value, json};
use store::Tx;
use store::staff::operators;
use store::wallet::bank::documents;
use store::wallet::bank::matches::{self, NewMatch};
use store::wallet::bank::{self as rows, StoredLine};
use wallet::{BankDocument, LineStatus};

use super::view::LineView;

/// Matches a line with a document, named as in the audit log: `recharge:5`.
///
/// # Errors
/// `not_permitted`, `not_found`; `not_approved` if nothing was booked for the document;
/// `already_matched` if either has a match; `bank_amount_differs`.
pub async fn match_line(app: &App, by: &Staff, id: BankLineId, document: &str) -> Result<LineView, Error> {
    let (kind, number) = read_document(document)?;
    by.may(Permission::Money)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            by.still_may(tx, Permission::Money)?;
            let line = open_line(tx, id)?;
            let document = documents::find(tx, kind, number)?.ok_or(Refusal::NotFound)?;
            refuse_if(!document.settled, Refusal::NotApproved)?;
            let (moved, expected) = (line.line.amount, kind.moves(document.amount)?);
            refuse_if(moved != expected, Refusal::BankAmountDiffers { line: moved, document: expected })?;
            let new = NewMatch { line: id, document: Some(document.key) };
            propose(tx, &by, new, "bank.match", &json!({ "document": change(None, &document.key.to_string()) }))
        })
        .await
}

/// Marks a line as none of ours, such as a bank fee.
///
/// # Errors
/// `not_permitted`, `not_found`, `already_matched`.
pub async fn ignore_line(app: &App, by: &Staff, id: BankLineId) -> Result<LineView, Error> {
    by.may(Permission::Money)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            by.still_may(tx, Permission::Money)?;
            open_line(tx, id)?;
            let details = json!({ "status": change(Some("open"), "ignored") });
            propose(tx, &by, NewMatch { line: id, document: None }, "bank.ignore", &details)
        })
        .await
}

/// Withdraws a proposal, or requests that a confirmed match is undone, which a second person must confirm. If the
/// operator who requested that was revoked since, it can be requested again.
///
/// # Errors
/// `not_permitted`, `not_found`, `already_decided`.
pub async fn unmatch_line(app: &App, by: &Staff, id: BankLineId) -> Result<LineView, Error> {
    by.may(Permission::Money)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            by.still_may(tx, Permission::Money)?;
            let found = matches::of_lines(tx, &[id])?.pop().ok_or(Refusal::NotFound)?;
            let revoked = operators::people(tx)?.is_revoked(found.review.by);
            let next = found.review.unmatch(by.id(), revoked)?;
            refuse_if(matches::decide(tx, &[found.id], next.status, by.id())?.is_empty(), Refusal::AlreadyDecided)?;
            let status = change(Some(found.review.status.name()), next.status.name());
            let document = found.document.map(|document| document.key.to_string());
            let shown = LineView::read(tx, id)?;
            let details = json!({ "document": document, "status": status });
            by.record(tx, "bank.unmatch", format!("bank_line:{id}"), &details)?;
            Ok(shown)
        })
        .await
}

/// Requests that an unannounced payment be credited to a user. Once another operator has
/// approved it, the line matches that request.
///
/// # Errors
/// Those of [`request`]; `already_matched`, and `amount_out_of_range` if the money went
/// out.
pub async fn request_line(app: &App, by: &Staff, id: BankLineId, user: UserId) -> Result<RequestView, Error> {
    by.may(Permission::Money)?;
    let line = app.db.write(move |tx| open_line(tx, id)).await?.line;
    request(app, by, MoneyRequestDraft::recharge(user, &line.amount.to_string(), &line.id)).await
}

/// A line without a match.
fn open_line(tx: &mut Tx<'_>, id: BankLineId) -> Result<StoredLine, Error> {
    let line = rows::find_line(tx, id)?.ok_or(Refusal::NotFound)?;
    refuse_if(line.status != LineStatus::Open || !matches::of_lines(tx, &[id])?.is_empty(), Refusal::AlreadyMatched)?;
    Ok(line)
}

fn propose(
    tx: &mut Tx<'_>,
    by: &Staff,
    new: NewMatch,
    action: &'static str,
    details: &Value,
) -> Result<LineView, Error> {
    // The line or the document may have got a match just now.
    refuse_if(matches::propose(tx, &[new], by.reason(), by.id())?.is_empty(), Refusal::AlreadyMatched)?;
    let shown = LineView::read(tx, new.line)?;
    by.record(tx, action, format!("bank_line:{}", new.line), details)?;
    Ok(shown)
}

fn change(from: Option<&str>, to: &str) -> Value {
    json!({ "from": from, "to": to })
}

fn read_document(text: &str) -> Result<(BankDocument, i64), Error> {
    let (kind, number) = text.split_once(':').ok_or(Refusal::NotFound)?;
    let kind = BankDocument::from_name(&kind.trim().to_lowercase()).ok_or(Refusal::NotFound)?;
    let number: base::RequestId = number.trim().parse().map_err(|_| Refusal::NotFound)?;
    Ok((kind, number.0))
}
