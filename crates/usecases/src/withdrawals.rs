//! Withdrawals: the user's list, and what operators decide on them.

use base::{OperatorId, Timestamp, UserId, WithdrawalId};
use serde::{Deserialize, Serialize};
use store::books::{Books, Note};
use store::withdrawals::{self as rows, Withdrawal};
use store::{Page, PageRequest, Tx};
use wallet::WithdrawalStatus;

use crate::{App, Error, Refusal};

/// A withdrawal as its user sees it; kept as the answer of its request too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Withdrawal)]
pub struct WithdrawalView {
    pub id: String,
    /// A decimal in the platform's currency.
    pub amount: String,
    pub fee: String,
    pub status: String,
    pub requested_at: String,
    pub decided_at: Option<String>,
    pub reason: String,
}

impl From<&Withdrawal> for WithdrawalView {
    fn from(w: &Withdrawal) -> Self {
        Self {
            id: w.id.to_string(),
            amount: w.amount.to_string(),
            fee: w.fee.to_string(),
            status: w.review.status.name().to_owned(),
            requested_at: w.requested_at.to_string(),
            decided_at: w.decided_at.as_ref().map(Timestamp::to_string),
            reason: w.reason.clone(),
        }
    }
}

/// A withdrawal as operators see it, with where to pay to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StaffWithdrawal {
    #[serde(flatten)]
    pub withdrawal: WithdrawalView,
    pub username: String,
    pub destination: serde_json::Value,
    pub approved_by: Option<String>,
    pub paid_by: Option<String>,
    pub reference: Option<String>,
}

impl From<(Withdrawal, String)> for StaffWithdrawal {
    fn from((w, username): (Withdrawal, String)) -> Self {
        Self {
            withdrawal: (&w).into(),
            username,
            destination: serde_json::from_str(&w.destination).unwrap_or_default(),
            approved_by: w.review.approved_by.as_ref().map(OperatorId::to_string),
            paid_by: w.paid_by.as_ref().map(OperatorId::to_string),
            reference: w.reference,
        }
    }
}

/// The user's own, newest first.
pub async fn withdrawals(app: &App, user: UserId, page: PageRequest) -> Result<Page<WithdrawalView>, Error> {
    let found = app.db.read(move |conn| rows::page_of_user(conn, user, page)).await?;
    Ok(found.map(|w| (&w).into()))
}

/// Everyone's with their usernames, for operators.
pub async fn all_withdrawals(
    app: &App,
    status: Option<WithdrawalStatus>,
    page: PageRequest,
) -> Result<Page<StaffWithdrawal>, Error> {
    let found = app.db.read(move |conn| rows::page(conn, status, page)).await?;
    Ok(found.map(StaffWithdrawal::from))
}

/// The first of the two operators who let money out. Nothing moves yet.
pub async fn approve_withdrawal(app: &App, by: OperatorId, id: WithdrawalId) -> Result<WithdrawalView, Error> {
    app.db.write(move |tx| {
        let (_, found) = locked(tx, id)?;
        rows::approved(tx, id, found.review.approve(by)?)?;
        reread(tx, id)
    })
    .await
}

/// The second: the money has been sent.
pub async fn pay_withdrawal(app: &App, by: OperatorId, id: WithdrawalId, reference: Option<String>) -> Result<WithdrawalView, Error> {
    app.db.write(move |tx| {
        let (mut books, found) = locked(tx, id)?;
        let review = found.review.pay(by)?;
        let postings = wallet::pay_withdrawal(books.wallet()?, found.amount)?;
        let note = note(tx, id, by, String::new());
        books.post(tx, &postings, &note)?;
        rows::paid(tx, id, review, by, reference.as_deref())?;
        reread(tx, id)
    })
    .await
}

/// Gives the money back; the user is told the reason.
pub async fn reject_withdrawal(app: &App, by: OperatorId, id: WithdrawalId, reason: String) -> Result<WithdrawalView, Error> {
    app.db.write(move |tx| {
        let (mut books, found) = locked(tx, id)?;
        let review = found.review.reject()?;
        let postings = wallet::reject_withdrawal(books.wallet()?, found.amount)?;
        let note = note(tx, id, by, reason.clone());
        books.post(tx, &postings, &note)?;
        rows::rejected(tx, id, review, &reason)?;
        reread(tx, id)
    })
    .await
}

/// The withdrawal as it stands once its user's wallet is locked. Whose it is
/// never changes, so that much may be read before.
fn locked(tx: &mut Tx<'_>, id: WithdrawalId) -> Result<(Books, Withdrawal), Error> {
    let user = rows::find(tx, id)?.ok_or(Refusal::NotFound)?.user;
    let books = Books::lock_user(tx, user)?;
    let found = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    Ok((books, found))
}

fn reread(tx: &mut Tx<'_>, id: WithdrawalId) -> Result<WithdrawalView, Error> {
    let found = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    Ok((&found).into())
}

fn note(tx: &Tx<'_>, id: WithdrawalId, by: OperatorId, reason: String) -> Note {
    Note { ref_type: "withdrawal", ref_id: id.0, event_at: tx.now(), actor: format!("operator:{by}"), reason, idempotency_key: None }
}
