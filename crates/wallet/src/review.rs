//! The two-person rule: money comes in and goes out only when two different
//! operators have said so.

use base::OperatorId;

use crate::refused::Refused;
use base::coded;

coded!(
    RechargeStatus {
        Requested = 0 "requested",
        Approved = 1 "approved",
        Rejected = 2 "rejected",
    }
);

coded!(
    WithdrawalStatus {
        Pending = 0 "pending",
        Approved = 1 "approved",
        Paid = 2 "paid",
        Rejected = 3 "rejected",
    }
);

/// A recharge, or a chargeback of one, as its approval sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RechargeReview {
    pub status: RechargeStatus,
    pub requested_by: OperatorId,
}

impl RechargeReview {
    pub fn approve(self, by: OperatorId) -> Result<Self, Refused> {
        if self.status != RechargeStatus::Requested {
            return Err(Refused::AlreadyDecided { status: self.status.name() });
        }
        second_person(self.requested_by, by)?;
        Ok(Self { status: RechargeStatus::Approved, ..self })
    }

    /// One person may say no, whoever requested it.
    pub fn reject(self) -> Result<Self, Refused> {
        match self.status {
            RechargeStatus::Requested => Ok(Self { status: RechargeStatus::Rejected, ..self }),
            other => Err(Refused::AlreadyDecided { status: other.name() }),
        }
    }
}

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

    /// Paid by someone else than the one who approved.
    pub fn pay(self, by: OperatorId) -> Result<Self, Refused> {
        match (self.status, self.approved_by) {
            (WithdrawalStatus::Approved, Some(approved_by)) => {
                second_person(approved_by, by)?;
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

pub(crate) fn second_person(first: OperatorId, second: OperatorId) -> Result<(), Refused> {
    if first == second { Err(Refused::SecondPersonNeeded) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    const ASKED: WithdrawalReview = WithdrawalReview { status: WithdrawalStatus::Pending, approved_by: None };

    #[test]
    fn a_recharge_needs_a_second_person_and_is_approved_once() {
        let review = RechargeReview { status: RechargeStatus::Requested, requested_by: ANN };
        assert_eq!(review.approve(ANN), Err(Refused::SecondPersonNeeded));
        let approved = review.approve(BOB).expect("approved");
        assert_eq!(approved.approve(BOB), Err(Refused::AlreadyDecided { status: "approved" }));
        assert_eq!(approved.reject(), Err(Refused::AlreadyDecided { status: "approved" }));
        let rejected = review.reject().expect("rejected");
        assert_eq!(rejected.approve(BOB), Err(Refused::AlreadyDecided { status: "rejected" }));
    }

    #[test]
    fn who_approves_a_withdrawal_does_not_pay_it() {
        assert_eq!(ASKED.pay(BOB), Err(Refused::NotApproved));
        let approved = ASKED.approve(ANN).expect("approved");
        assert_eq!(approved.pay(ANN), Err(Refused::SecondPersonNeeded));
        assert_eq!(approved.pay(BOB).map(|paid| paid.status), Ok(WithdrawalStatus::Paid));
    }

    #[test]
    fn a_decision_is_final() {
        let approved = ASKED.approve(ANN).expect("approved");
        assert!(approved.approve(BOB).is_err());
        let paid = approved.pay(BOB).expect("paid");
        let rejected = approved.reject().expect("rejected");
        for done in [paid, rejected] {
            let refused = Err(Refused::AlreadyDecided { status: done.status.name() });
            assert_eq!(done.approve(BOB), refused);
            assert_eq!(done.pay(BOB), refused);
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
