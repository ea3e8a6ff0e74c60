//! A digest of what waits for a second person. The person who confirms names the digest that they have seen, and
//! nothing else is booked.

use std::collections::BTreeMap;

use auth::hex;
use base::{BankMatchId, Money, refuse_if};
use foundation::{Error, Refusal};
use serde::Serialize;
use sha2::{Digest, Sha256};
use store::wallet::bank::matches::{Match, Proposal};
use wallet::MatchStatus;

/// The number of the digest's bytes that are shown: enough that nobody finds two sets of proposals with the same
/// digest.
const SHOWN: usize = 16;

/// A statement's proposals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProposalsView {
    /// The sum of their lines: a decimal in the platform's currency.
    pub sum: Money,
    /// The digest that `bank confirm` asks for. It changes as soon as any of the proposals changes.
    pub digest: String,
}

impl ProposalsView {
    pub(super) fn of(found: &[Proposal]) -> Result<Self, Error> {
        Ok(Self { sum: Money::sum(found.iter().map(|one| one.amount))?, digest: digest(found) })
    }
}

fn digest(found: &[Proposal]) -> String {
    let mut hash = Sha256::new();
    for Proposal { id, line_id, status, request_id, withdrawal_id, amount } in found {
        let line = format!("{id} {line_id} {} {request_id:?} {withdrawal_id:?} {amount}\n", status.name());
        hash.update(line.as_bytes());
    }
    hex::encode(hash.finalize().get(..SHOWN).unwrap_or_default())
}

/// The proposals that somebody has seen.
#[derive(Debug)]
pub(super) struct Seen {
    pub digest: String,
    status: BTreeMap<BankMatchId, MatchStatus>,
}

impl Seen {
    /// # Errors
    /// `proposals_changed` if these do not have the typed digest.
    pub fn of(found: &[Proposal], typed: &str) -> Result<Self, Error> {
        let digest = digest(found);
        refuse_if(!typed.trim().eq_ignore_ascii_case(&digest), Refusal::ProposalsChanged)?;
        Ok(Self { digest, status: found.iter().map(|one| (one.id, one.status)).collect() })
    }

    /// Whether this match was among them, in its present state.
    pub fn has(&self, found: &Match) -> bool {
        self.status.get(&found.id) == Some(&found.review.status)
    }
}

#[cfg(test)]
mod tests {
    use base::BankLineId;

    use super::*;

    const ONE: Proposal = Proposal {
        id: BankMatchId(1),
        line_id: BankLineId(2),
        status: MatchStatus::Proposed,
        request_id: Some(3),
        withdrawal_id: None,
        amount: Money::from_minor(400),
    };

    #[test]
    fn whatever_changes_is_another_digest() {
        let sets = [
            vec![],
            vec![ONE],
            vec![ONE, ONE],
            vec![Proposal { id: BankMatchId(9), ..ONE }],
            vec![Proposal { line_id: BankLineId(9), ..ONE }],
            vec![Proposal { status: MatchStatus::Doubted, ..ONE }],
            vec![Proposal { request_id: None, ..ONE }],
            vec![Proposal { request_id: None, withdrawal_id: Some(3), ..ONE }],
            vec![Proposal { amount: Money::from_minor(401), ..ONE }],
        ];
        for (n, set) in sets.iter().enumerate() {
            let shown = ProposalsView::of(set).expect("a sum").digest;
            assert_eq!(shown.len(), 32);
            let seen: Vec<bool> = sets.iter().map(|other| Seen::of(other, &shown).is_ok()).collect();
            assert!(seen.iter().enumerate().all(|(other, same)| *same == (other == n)), "{n}: {seen:?}");
            assert!(Seen::of(set, &format!(" {} ", shown.to_uppercase())).is_ok());
        }
    }
}
