//! What the audit says was requested and agreed. A request's row may have been edited since, by somebody who can write
//! to the database. The records of the request and of its approval cannot be edited unnoticed, because the sealed end of
//! the audit covers them.

use base::{Money, OperatorId, UserId};
use store::Tx;
use store::staff::audit;
use store::staff::requests::MoneyRequest;
use store::wallet::records;
use wallet::{Document, UserAccount};

use super::{kinds, subject};
use crate::{Error, Refusal};

/// Refuses to carry out a request, of any kind, unless it is exactly what its operator requested. Its row is locked.
///
/// # Errors
/// `request_altered`.
pub fn is_as_requested(tx: &mut Tx<'_>, found: &MoneyRequest) -> Result<(), Error> {
    is_as_recorded(tx, found, kinds::actions(found.kind).request, Some(found.review.requested_by))
}

/// Refuses to go on with an approved request, of a kind that nothing else changes afterwards, unless it is exactly what
/// its second person approved. Its row is locked.
///
/// # Errors
/// `request_altered`.
pub fn is_as_agreed(tx: &mut Tx<'_>, found: &MoneyRequest) -> Result<(), Error> {
    is_as_recorded(tx, found, kinds::actions(found.kind).approve, found.decided_by)
}

/// Refuses to approve what a user asked for, unless the ledger says that this user set this amount aside for it. Where it
/// goes is sealed for its own row, but the row's user and amount could have been edited. The wallet is locked.
///
/// # Errors
/// `request_altered`.
pub fn is_set_aside(
    tx: &mut Tx<'_>,
    (user, account): (UserId, UserAccount),
    (asked, amount): (Document, Money),
) -> Result<(), Error> {
    if records::is_set_aside(tx, (user, account), (asked, amount))? {
        return Ok(());
    }
    let document = format!("{}:{}", asked.name(), asked.number());
    Err(Refusal::RequestAltered { document }.into())
}

/// Compares the row with this operator's last record of this action.
fn is_as_recorded(tx: &mut Tx<'_>, found: &MoneyRequest, action: &str, by: Option<OperatorId>) -> Result<(), Error> {
    let document = subject(found);
    let record = audit::last_of(tx, &document, action)?;
    let record = record.filter(|record| record.is_whole() && by.is_some() && record.operator_id == by);
    let is_so = match record {
        Some(record) => audit::is_as_left(tx, &record, ("money_requests", found.row()))?,
        None => false,
    };
    if is_so { Ok(()) } else { Err(Refusal::RequestAltered { document }.into()) }
}
