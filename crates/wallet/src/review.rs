//! Decisions on a withdrawal: one operator approves it, another person pays it.

use base::{OperatorId, Timestamp, coded};

use crate::approval::{Approval, FirstDecision, SecondOperator};
use crate::refused::Refused;

coded!(
    WithdrawalStatus {
        Pending = 0 "pending",
        Approved = 1 "approved",
        Paid = 2 "paid",
        Rejected = 3 "rejected",
        /// By its user, before anybody approved it.
        Cancelled = 4 "cancelled",
    }
);

/// The state of a withdrawal that decisions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithdrawalReview {
    pub status: WithdrawalStatus,
    pub approved_by: Option<OperatorId>,
    /// The person that operator counted as at the time of the approval.
    pub approved_person: Option<OperatorId>,
    pub approved_at: Option<Timestamp>,
}

impl WithdrawalReview {
    /// The first of two steps.
    pub fn approve(self, by: OperatorId, person: impl Fn(OperatorId) -> OperatorId) -> Result<Self, Refused> {
        self.approval().ask()?;
        let (approved_by, approved_person) = (Some(by), Some(person(by)));
        Ok(Self { status: WithdrawalStatus::Approved, approved_by, approved_person, ..self })
    }

    /// The second step: the money was sent.
    pub fn pay(
        self,
        by: impl Into<SecondOperator>,
        person: impl Fn(OperatorId) -> OperatorId,
    ) -> Result<Self, Refused> {
        self.approval().agree(by, person)?;
        Ok(Self { status: WithdrawalStatus::Paid, ..self })
    }

    /// One person may reject it until somebody has approved it.
    pub fn reject(self) -> Result<Self, Refused> {
        self.approval().ask()?;
        Ok(Self { status: WithdrawalStatus::Rejected, ..self })
    }

    /// Rejects a withdrawal that was approved: two people say that it was not paid.
    pub fn give_back(self) -> Result<Self, Refused> {
        self.approval().give_back()?;
        Ok(Self { status: WithdrawalStatus::Rejected, ..self })
    }

    /// Its user may take it back until somebody has approved it.
    pub fn cancel_own(self) -> Result<Self, Refused> {
        self.approval().ask()?;
        Ok(Self { status: WithdrawalStatus::Cancelled, ..self })
    }

    fn approval(self) -> Approval {
        match (self.status, self.approved_by) {
            (WithdrawalStatus::Approved, Some(by)) => {
                Approval::Asked(FirstDecision { by, person: self.approved_person, at: self.approved_at })
            }
            (WithdrawalStatus::Pending | WithdrawalStatus::Approved, _) => Approval::Open,
            (decided @ (WithdrawalStatus::Paid | WithdrawalStatus::Rejected | WithdrawalStatus::Cancelled), _) => {
                Approval::Decided(decided.name())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    /// An operator whose key Ann issued.
    const PUPPET: OperatorId = OperatorId(3);
    const ASKED: WithdrawalReview = WithdrawalReview {
        status: WithdrawalStatus::Pending,
        approved_by: None,
        approved_person: None,
        approved_at: None,
    };

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
        // Somebody has confirmed since then that the puppet is a person of their own.
        assert_eq!(approved.pay(ANN, |id| id), Err(Refused::SecondPersonNeeded));
        assert!(approved.pay(BOB, |id| id).is_ok());
    }

    #[test]
    fn who_was_confirmed_after_the_approval_does_not_pay_it() {
        let at = Timestamp::from_seconds(1_000);
        let approved = ASKED.approve(ANN, person).expect("approved");
        let approved = WithdrawalReview { approved_at: Some(at), ..approved };
        let confirmed = |at| SecondOperator { by: PUPPET, confirmed_at: Some(at) };
        assert_eq!(approved.pay(confirmed(at.plus_millis(1)), |id| id), Err(Refused::SecondPersonNeeded));
        assert!(approved.pay(confirmed(at), |id| id).is_ok());
    }

    #[test]
    fn a_decision_is_final() {
        let approved = ASKED.approve(ANN, person).expect("approved");
        assert!(approved.approve(BOB, person).is_err());
        let paid = approved.pay(BOB, person).expect("paid");
        let given_back = approved.give_back().expect("given back");
        let rejected = ASKED.reject().expect("rejected");
        let cancelled = ASKED.cancel_own().expect("cancelled");
        for done in [paid, given_back, rejected, cancelled] {
            let refused = Err(Refused::AlreadyDecided { status: done.status.name() });
            assert_eq!(done.approve(BOB, person), refused);
            assert_eq!(done.pay(BOB, person), refused);
            assert_eq!(done.reject(), refused);
            assert_eq!(done.give_back(), refused);
            assert_eq!(done.cancel_own(), refused);
        }
    }

    #[test]
    fn an_approved_one_is_given_back_and_not_rejected() {
        let approved = ASKED.approve(ANN, person).expect("approved");
        assert_eq!(approved.reject(), Err(Refused::AlreadyDecided { status: "approved" }));
        assert_eq!(approved.give_back().map(|done| done.status), Ok(WithdrawalStatus::Rejected));
        assert_eq!(ASKED.give_back(), Err(Refused::NotApproved));
    }

    #[test]
    fn an_approved_one_cannot_be_taken_back() {
        let approved = ASKED.approve(ANN, person).expect("approved");
        assert_eq!(approved.cancel_own(), Err(Refused::AlreadyDecided { status: "approved" }));
        assert_eq!(ASKED.cancel_own().map(|done| done.status), Ok(WithdrawalStatus::Cancelled));
    }

    #[test]
    fn names_lead_back() {
        for status in WithdrawalStatus::ALL {
            assert_eq!(WithdrawalStatus::from_name(status.name()), Some(*status));
        }
        assert_eq!(WithdrawalStatus::from_name("lost"), None);
    }
}
