//! What the audit says was requested. A request's row may have been edited since, by somebody who can write to the
//! database. The record of the request cannot be edited unnoticed, because the sealed end of the audit covers it.

use store::Tx;
use store::staff::audit;
use store::staff::requests::MoneyRequest;

use super::{kinds, subject};
use crate::{Error, Refusal};

/// Refuses to carry out a request, of any kind, unless it is exactly what its operator requested. Its row is locked.
///
/// # Errors
/// `request_altered`.
pub fn is_as_requested(tx: &mut Tx<'_>, found: &MoneyRequest) -> Result<(), Error> {
    let document = subject(found);
    let record = audit::last_of(tx, &document, kinds::actions(found.kind).request)?;
    let record = record.filter(|of| of.is_whole() && of.operator_id == Some(found.review.requested_by));
    let is_so = match record {
        Some(record) => audit::is_as_left(tx, &record, ("money_requests", found.row()))?,
        None => false,
    };
    if is_so { Ok(()) } else { Err(Refusal::RequestAltered { document }.into()) }
}
