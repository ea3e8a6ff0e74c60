//! Saving a request of any kind, and recording it in the audit.

use base::{Money, RequestId};
use store::Tx;
use store::staff::requests::{self as rows, MoneyRequest, NewRequest, Subject};
use wallet::{RequestKind, RequestReview};

use super::{Proposal, RequestView, kinds, subject, view};
use crate::staff::decisions::Step;
use crate::staff::{Changes, Staff};
use crate::staff::{limits, references};
use crate::{Error, Refusal};

/// A request that was found to be valid.
#[derive(Clone, Debug)]
pub struct CheckedRequest {
    pub kind: RequestKind,
    pub subject: Subject,
    /// The amount that is moved, or the most that it can cost. It counts towards the requester's limits now, and
    /// towards the approver's later.
    pub amount: Money,
    pub reference: Option<String>,
    /// The changes to be made, unless it moves money.
    pub proposal: Option<Proposal>,
}

/// Files the request in the transaction of a use case that has locked its subject. Nothing is done yet.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub fn file(tx: &mut Tx<'_>, by: &Staff, filed: CheckedRequest) -> Result<RequestView, Error> {
    file_with(tx, by, filed, |_, _| Ok(()))
}

/// The same, with rows that name the request.
///
/// # Errors
/// `not_permitted`, `limit_exceeded`.
pub fn file_with(
    tx: &mut Tx<'_>,
    by: &Staff,
    filed: CheckedRequest,
    also: impl FnOnce(&mut Tx<'_>, RequestId) -> Result<(), Error>,
) -> Result<RequestView, Error> {
    by.may(kinds::asked_with(filed.kind))?;
    let made = write(tx, by, filed)?;
    also(tx, made.id)?;
    record(tx, by, &made)?;
    let now = tx.now();
    view::of(tx, made, now)
}

/// An open request for exactly this.
pub fn waiting(
    tx: &mut Tx<'_>,
    about: (RequestKind, Subject),
    proposal: &Proposal,
) -> Result<Option<RequestView>, Error> {
    let now = tx.now();
    let found = rows::waiting(tx, about, &proposal.to_text(), now)?;
    found.map(|found| view::of(tx, found, now)).transpose()
}

/// Files a change of what all users see; if the same request is open, returns that one.
///
/// # Errors
/// `not_permitted`.
pub fn file_once(tx: &mut Tx<'_>, by: &Staff, kind: RequestKind, proposal: &Proposal) -> Result<RequestView, Error> {
    if let Some(waiting) = waiting(tx, (kind, Subject::New), proposal)? {
        return Ok(waiting);
    }
    let proposal = Some(proposal.clone());
    file(tx, by, CheckedRequest { kind, subject: Subject::New, amount: Money::ZERO, reference: None, proposal })
}

/// # Errors
/// `limit_exceeded`; `reference_used`: the transaction cannot continue after that.
pub fn write(tx: &mut Tx<'_>, by: &Staff, filed: CheckedRequest) -> Result<MoneyRequest, Error> {
    let CheckedRequest { kind, subject, amount, reference, proposal } = filed;
    limits::count_as(tx, by, kinds::asked_with(kind), amount)?;
    let person = store::staff::operators::people(tx)?.person(by.id());
    let review = RequestReview::new(by.id(), person, tx.now());
    let (reason, proposal) = (by.reason().to_owned(), proposal.as_ref().map(Proposal::to_text));
    let new = NewRequest { kind, subject, amount, proposal, reference, reason, review };
    let made = rows::insert(tx, &new).map_err(|error| {
        if error.is_unique_violation() { Refusal::ReferenceUsed.into() } else { Error::Store(error) }
    })?;
    if let Some(reference) = &made.reference {
        references::claim_for_request(tx, &made, reference)?;
    }
    limits::adds_up(tx, by, &made, Step::First)?;
    Ok(made)
}

/// Records the request in the audit log.
pub fn record(tx: &mut Tx<'_>, by: &Staff, made: &MoneyRequest) -> Result<(), Error> {
    let details = facts(made)
        .about("reference", made.reference.clone())
        .and("status", serde_json::Value::Null, made.review.status.name())
        .details();
    by.record(tx, kinds::actions(made.kind).request, subject(made), &details)
}

/// The facts that every audit record about a request contains.
pub fn facts(of: &MoneyRequest) -> Changes {
    let facts = Changes::default().about("kind", of.kind.name()).about("amount", of.amount.to_string());
    let facts = match of.subject.named() {
        Some((about, id)) => facts.about(about, id),
        None => facts,
    };
    match of.proposal.as_deref().and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok()) {
        Some(proposal) => facts.about("proposal", view::hidden(proposal)),
        None => facts,
    }
}
