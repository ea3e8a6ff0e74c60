//! References of payments, so that one payment counts once however its reference is typed.

use serde::Serialize;
use store::staff::requests::{self, MoneyRequest};
use store::wallet::references::{self as rows, Compared, Holder, WITHDRAWAL};
use store::{Conn, Tx};
use wallet::RequestKind;

use crate::{App, Error, Refusal};

/// Another document with the same reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherUse {
    /// Such as `recharge:5` or `withdrawal:7`.
    pub document: String,
    /// The user, advertiser or publisher.
    pub name: String,
    pub amount: String,
    /// The reference as written.
    pub reference: String,
    pub status: String,
}

/// Gives the reference to a request.
///
/// # Errors
/// `reference_used`.
pub fn claim_for_request(tx: &mut Tx<'_>, request: &MoneyRequest, reference: &str) -> Result<(), Error> {
    claimed(rows::claim(tx, request.kind.code(), reference, request.row())?)
}

/// Gives the reference to a withdrawal.
///
/// # Errors
/// `reference_used`.
pub fn claim_for_withdrawal(tx: &mut Tx<'_>, id: base::WithdrawalId, reference: &str) -> Result<(), Error> {
    claimed(rows::claim(tx, WITHDRAWAL, reference, id.0)?)
}

fn claimed(is_its: bool) -> Result<(), Error> {
    if is_its { Ok(()) } else { Err(Refusal::ReferenceUsed.into()) }
}

/// The other documents with this request's reference: payments in other directions, and of
/// others than users.
pub(crate) fn other_uses(conn: &mut Conn, request: &MoneyRequest) -> Result<Vec<OtherUse>, Error> {
    let Some(reference) = &request.reference else { return Ok(Vec::new()) };
    let mut others = rows::holders(conn, reference)?;
    others.retain(|of| *of != Holder { kind: request.kind.code(), row: Some(request.row()) });
    let (paid, asked): (Vec<Holder>, Vec<Holder>) = others.into_iter().partition(|of| of.kind == WITHDRAWAL);
    let mut uses = Vec::with_capacity(paid.len() + asked.len());
    for found in requests::of_rows(conn, asked.iter().filter_map(|of| of.row))? {
        uses.push(OtherUse {
            document: format!("{}:{}", found.kind.document(), found.id),
            name: found.name.clone(),
            amount: found.amount.to_string(),
            reference: found.reference.clone().unwrap_or_default(),
            status: found.review.status.name().to_owned(),
        });
    }
    for (id, amount, name, written) in rows::withdrawals_of(conn, paid.iter().filter_map(|of| of.row))? {
        uses.push(OtherUse {
            document: format!("withdrawal:{id}"),
            name,
            amount: base::Money::from_minor(amount).to_string(),
            reference: written.unwrap_or_default(),
            status: wallet::WithdrawalStatus::Paid.name().to_owned(),
        });
    }
    if asked.iter().any(|of| of.row.is_none()) {
        uses.push(OtherUse {
            document: RequestKind::AdvertiserFund.document().to_string(),
            name: String::new(),
            amount: String::new(),
            reference: reference.clone(),
            status: "booked".to_owned(),
        });
    }
    Ok(uses)
}

/// Compares what was there before references were compared in one form; usually nothing is
/// left.
pub async fn compare_old(app: &App) -> Result<(), Error> {
    let mut at = Compared::default();
    while let Some(found) = app.db.read(move |conn| rows::find_uncompared(conn, at)).await? {
        at = found.next;
        app.db.write(move |tx| rows::keep(tx, &found)).await?;
    }
    Ok(())
}
