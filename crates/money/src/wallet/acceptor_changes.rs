//! What users rely on when they exchange, besides the terms: an acceptor's code, its type, and that it takes orders
//! again. One operator requests a change and another approves it. One person may close an acceptor, because its open
//! orders continue; opening it again takes two.

use auth::{Digest, hex};
use base::{AcceptorId, Field, Money};
use foundation::staff::Staff;
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file, waiting};
use foundation::{Error, Refusal};
use serde::{Deserialize, Serialize};
use store::Tx;
use store::staff::requests::Subject;
use store::wallet::acceptors::{self as rows, Acceptor, NewAcceptor};
use wallet::{AcceptorType, RequestKind};

/// As requested, approved and recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct AcceptorState {
    /// The digest of its code under a key of the installation, which tells nobody the code.
    code_digest: String,
    #[serde(rename = "type")]
    kind: AcceptorType,
    active: bool,
}

impl AcceptorState {
    fn of(tx: &mut Tx<'_>, acceptor: &Acceptor) -> Result<Self, Error> {
        let code = rows::code_of(tx, acceptor.id)?.ok_or(Refusal::NotFound)?;
        Ok(Self { code_digest: hex::encode(&code), kind: acceptor.kind, active: acceptor.active })
    }
}

/// What to change about an acceptor; `None` keeps its code.
#[derive(Clone, Copy, Debug)]
pub struct AcceptorChange {
    pub code: Option<Digest>,
    pub kind: AcceptorType,
    pub active: bool,
}

impl AcceptorChange {
    /// The difference between the acceptor and this change; `None` if there is none.
    pub fn of(&self, tx: &mut Tx<'_>, present: &Acceptor) -> Result<Option<Proposal>, Error> {
        let before = AcceptorState::of(tx, present)?;
        let code_digest = self.code.map_or_else(|| before.code_digest.clone(), |code| hex::encode(&code));
        let after = AcceptorState { code_digest, kind: self.kind, active: self.active };
        Ok(Proposal::between(&before, &after))
    }
}

/// Requests the change; if the same request is open, returns that one. The acceptor is locked.
///
/// # Errors
/// `not_permitted`.
pub fn ask(tx: &mut Tx<'_>, by: &Staff, id: AcceptorId, proposal: &Proposal) -> Result<RequestView, Error> {
    let (kind, subject) = (RequestKind::AcceptorChange, Subject::Acceptor(id));
    if let Some(waiting) = waiting(tx, (kind, subject), proposal)? {
        return Ok(waiting);
    }
    let proposal = Some(proposal.clone());
    file(tx, by, CheckedRequest { kind, subject, amount: Money::ZERO, reference: None, proposal })
}

/// Writes the approved change.
///
/// # Errors
/// `proposal_stale` if it has changed since the request; the field `code` if another acceptor
/// has got that code.
pub fn agree(tx: &mut Tx<'_>, id: AcceptorId, proposal: &Proposal) -> Result<(), Error> {
    let present = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let before = AcceptorState::of(tx, &present)?;
    let after: AcceptorState = proposal.apply(&before)?;
    let unreadable = || Error::Internal(format!("a change of acceptor {id} cannot be read"));
    let Acceptor { name, limits, quote_seconds, rates, .. } = present;
    rows::change(tx, id, &NewAcceptor { name, kind: after.kind, limits, quote_seconds, rates }, after.active)?;
    if before.code_digest != after.code_digest {
        let code: Digest = hex::decode(&after.code_digest).ok_or_else(unreadable)?;
        rows::set_code(tx, id, &code).map_err(taken)?;
    }
    Ok(())
}

/// The error for a code that another acceptor has already; other errors stay as they are.
pub(crate) fn taken(error: store::Error) -> Error {
    if error.is_unique_violation() { Error::field(Field::Code, "taken") } else { Error::Store(error) }
}
