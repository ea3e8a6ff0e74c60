//! The two-person rule: money comes in and goes out only when two different
//! people have said so. Requests have theirs in `request.rs`, exchange orders
//! in `exchange.rs`.

use base::OperatorId;

use crate::refused::Refused;
use base::coded;

coded!(
    WithdrawalStatus {
        Pending = 0 "pending",
        Approved = 1 "approved",
        Paid = 2 "paid",
        Rejected = 3 "rejected",
    }
);

/// A withdrawal as its decisions see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithdrawalReview {
    pub status: WithdrawalStatus,
    pub approved_by: Option<OperatorId>,
    /// Which person that was then.
    pub approved_person: Option<OperatorId>,
}

impl WithdrawalReview {
    pub fn approve(self, by: OperatorId, person: impl Fn(OperatorId) -> OperatorId) -> Result<Self, Refused> {
        match self.status {
            WithdrawalStatus::Pending => Ok(Self {
                status: WithdrawalStatus::Approved,
                approved_by: Some(by),
                approved_person: Some(person(by)),
            }),
            other => Err(Refused::AlreadyDecided { status: other.name() }),
        }
    }

    /// Paid by someone else than the one who approved; `person` says who an
    /// operator really is.
    pub fn pay(self, by: OperatorId, person: impl Fn(OperatorId) -> OperatorId) -> Result<Self, Refused> {
        match (self.status, self.approved_by) {
            (WithdrawalStatus::Approved, Some(approved_by)) => {
                second_person((approved_by, self.approved_person), by, person)?;
                Ok(Self { status: WithdrawalStatus::Paid, ..self })
            }
            (WithdrawalStatus::Pending | WithdrawalStatus::Approved, _) => Err(Refused::NotApproved),
            (other, _) => Err(Refused::AlreadyDecided { status: other.name() }),
        }
    }

    /// One person may say no, until it is paid.
    pub fn reject(self) -> Result<Self, Refused> {
        match self.status {
            WithdrawalStatus::Pending | WithdrawalStatus::Approved => {
                Ok(Self { status: WithdrawalStatus::Rejected, ..self })
            }
            other => Err(Refused::AlreadyDecided { status: other.name() }),
        }
    }
}

/// Whether the second deed is another person's than the first, with the person
/// whom its operator was then; `person` says who an operator is now.
pub(crate) fn second_person(
    (first, then): (OperatorId, Option<OperatorId>),
    second: OperatorId,
    person: impl Fn(OperatorId) -> OperatorId,
) -> Result<(), Refused> {
    let by = person(second);
    // The same operator is the same person, whatever anybody says; so is who
    // has been, even where somebody says otherwise since.
    let same = first == second || person(first) == by || then == Some(by);
    if same { Err(Refused::SecondPersonNeeded) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    /// Whose key Ann issued.
    const PUPPET: OperatorId = OperatorId(3);
    const ASKED: WithdrawalReview =
        WithdrawalReview { status: WithdrawalStatus::Pending, approved_by: None, approved_person: None };

    fn person(id: OperatorId) -> OperatorId {
        if id == PUPPET { ANN } else { id }
    }

    #[test]
    fn who_approves_a_withdrawal_does_not_pay_it() {
        assert_eq!(ASKED.pay(BOB, person), Err(Refused::NotApproved));
        let approved = ASKED.approve(ANN, person).expect("approved");
        for same in [ANN, PUPPET] {
            assert_eq!(approved.pay(same, person), Err(Refused::SecondPersonNeeded));
        }
        assert_eq!(approved.pay(BOB, person).map(|paid| paid.status), Ok(WithdrawalStatus::Paid));
    }

    #[test]
    fn who_approved_stays_who_they_were_then() {
        let approved = ASKED.approve(PUPPET, person).expect("approved");
        // Somebody has confirmed since that the puppet is a person of their own.
        assert_eq!(approved.pay(ANN, |id| id), Err(Refused::SecondPersonNeeded));
        assert!(approved.pay(BOB, |id| id).is_ok());
    }

    #[test]
    fn a_decision_is_final() {
        let approved = ASKED.approve(ANN, person).expect("approved");
        assert!(approved.approve(BOB, person).is_err());
        let paid = approved.pay(BOB, person).expect("paid");
        let rejected = approved.reject().expect("rejected");
        for done in [paid, rejected] {
            let refused = Err(Refused::AlreadyDecided { status: done.status.name() });
            assert_eq!(done.approve(BOB, person), refused);
            assert_eq!(done.pay(BOB, person), refused);
            assert_eq!(done.reject(), refused);
        }
        assert!(ASKED.reject().is_ok());
    }

    #[test]
    fn names_lead_back() {
        for status in WithdrawalStatus::ALL {
            assert_eq!(WithdrawalStatus::from_name(status.name()), Some(*status));
        }
        assert_eq!(WithdrawalStatus::from_name("lost"), None);
    }
}
