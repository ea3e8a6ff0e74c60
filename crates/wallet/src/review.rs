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
}

impl WithdrawalReview {
    pub fn approve(self, by: OperatorId) -> Result<Self, Refused> {
        match self.status {
            WithdrawalStatus::Pending => Ok(Self { status: WithdrawalStatus::Approved, approved_by: Some(by) }),
            other => Err(Refused::AlreadyDecided { status: other.name() }),
        }
    }

    /// Paid by someone else than the one who approved; `person` says who an
    /// operator really is.
    pub fn pay(self, by: OperatorId, person: impl Fn(OperatorId) -> OperatorId) -> Result<Self, Refused> {
        match (self.status, self.approved_by) {
            (WithdrawalStatus::Approved, Some(approved_by)) => {
                second_person(approved_by, by, person)?;
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

pub(crate) fn second_person(
    first: OperatorId,
    second: OperatorId,
    person: impl Fn(OperatorId) -> OperatorId,
) -> Result<(), Refused> {
    // The same operator is the same person, whatever anybody says.
    if first == second || person(first) == person(second) { Err(Refused::SecondPersonNeeded) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    /// Whose key Ann issued.
    const PUPPET: OperatorId = OperatorId(3);
    const ASKED: WithdrawalReview = WithdrawalReview { status: WithdrawalStatus::Pending, approved_by: None };

    fn person(id: OperatorId) -> OperatorId {
        if id == PUPPET { ANN } else { id }
    }

    #[test]
    fn who_approves_a_withdrawal_does_not_pay_it() {
        assert_eq!(ASKED.pay(BOB, person), Err(Refused::NotApproved));
        let approved = ASKED.approve(ANN).expect("approved");
        for same in [ANN, PUPPET] {
            assert_eq!(approved.pay(same, person), Err(Refused::SecondPersonNeeded));
        }
        assert_eq!(approved.pay(BOB, person).map(|paid| paid.status), Ok(WithdrawalStatus::Paid));
    }

    #[test]
    fn a_decision_is_final() {
        let approved = ASKED.approve(ANN).expect("approved");
        assert!(approved.approve(BOB).is_err());
        let paid = approved.pay(BOB, person).expect("paid");
        let rejected = approved.reject().expect("rejected");
        for done in [paid, rejected] {
            let refused = Err(Refused::AlreadyDecided { status: done.status.name() });
            assert_eq!(done.approve(BOB), refused);
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
