//! Requests that were not approved in time. They are expired from that moment on;
//! this saves the status and notifies the user of a recharge.

use base::Money;
use futures_util::future::try_join_all;
use store::Tx;
use store::staff::audit::{self, Actor};
use store::staff::requests::{self as rows, MoneyRequest, Subject};
use wallet::RequestKind;

use super::{RequestRef, changes, kinds, lock, subject};
use crate::notices::{NoticeKind, notify};
use crate::{App, Error};

/// The most requests in one round.
const ROUND: i64 = 100;

/// Stores which requests have expired; usually there are none.
pub async fn expire_due(app: &App) -> Result<(), Error> {
    let now = app.now();
    let overdue = app.db.read(move |conn| rows::overdue(conn, now, ROUND)).await?;
    let each = overdue.into_iter().map(|(document, id)| {
        let which = RequestRef::of(document, id);
        app.db.write(move |tx| expire(tx, which))
    });
    try_join_all(each).await?;
    Ok(())
}

fn expire(tx: &mut Tx<'_>, which: RequestRef) -> Result<(), Error> {
    let found = which.one(tx)?;
    lock(tx, found.subject)?;
    let before = rows::lock(tx, &found)?;
    // Another process may have been faster.
    let Some(review) = before.review.expire(tx.now()) else { return Ok(()) };
    let after = rows::decide(tx, &before, review, None, Money::ZERO)?;
    if let (RequestKind::Recharge, Subject::User(user)) = (after.kind, after.subject) {
        notify(tx, user, &NoticeKind::RechargeExpired { amount: after.amount })?;
    }
    record(tx, &before, &after)
}

fn record(tx: &mut Tx<'_>, before: &MoneyRequest, after: &MoneyRequest) -> Result<(), Error> {
    let nobody = Actor { id: None, name: "system".to_owned() };
    let details = changes(before, after).about("expires_at", before.review.expires_at.to_string());
    let action = audit::Action {
        action: kinds::actions(after.kind).expire,
        subject: subject(after),
        details: details.details().to_string(),
        reason: "nobody approved it in seven days".to_owned(),
    };
    Ok(audit::append(tx, &nobody, &action)?)
}
