//! The two-person rule: money comes in and goes out only when two different
//! people have said so. Requests have theirs in `request.rs`, exchange orders
//! in `exchange.rs`.

use base::{OperatorId, Timestamp};

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
    pub approved_at: Option<Timestamp>,
}

impl WithdrawalReview {
    pub fn approve(self, by: OperatorId, person: impl Fn(OperatorId) -> OperatorId) -> Result<Self, Refused> {
        match self.status {
            WithdrawalStatus::Pending => Ok(Self {
                status: WithdrawalStatus::Approved,
                approved_by: Some(by),
                approved_person: Some(person(by)),
                ..self
            }),
            other => Err(Refused::AlreadyDecided { status: other.name() }),
        }
    }

    /// Paid by someone else than the one who approved; `person` says who an
    /// operator really is.
    pub fn pay(self, by: impl Into<Second>, person: impl Fn(OperatorId) -> OperatorId) -> Result<Self, Refused> {
        match (self.status, self.approved_by) {
            (WithdrawalStatus::Approved, Some(approved_by)) => {
                let first = First { by: approved_by, person: self.approved_person, at: self.approved_at };
                second_person(first, by.into(), person)?;
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

/// The first of two deeds, as far as that was kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct First {
    pub by: OperatorId,
    /// Which person that was then.
    pub person: Option<OperatorId>,
    pub at: Option<Timestamp>,
}

/// Who does the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Second {
    pub by: OperatorId,
    /// When somebody confirmed that this is a person of their own; nothing for
    /// who always was one.
    pub confirmed_at: Option<Timestamp>,
}

/// Who always was a person of their own.
impl From<OperatorId> for Second {
    fn from(by: OperatorId) -> Self {
        Self { by, confirmed_at: None }
    }
}

/// Whether the second deed is another person's than the first; `person` says
/// who an operator is now.
pub(crate) fn second_person(
    first: First,
    second: Second,
    person: impl Fn(OperatorId) -> OperatorId,
) -> Result<(), Refused> {
    let by = person(second.by);
    // The same operator is the same person, whatever anybody says; so is who
    // has been, even where somebody says otherwise since.
    let same = first.by == second.by || person(first.by) == by || first.person == Some(by);
    // Who was nobody of their own when the first asked may have been whom the
    // first made for this.
    let late = second.confirmed_at.zip(first.at).is_some_and(|(confirmed, asked)| confirmed > asked);
    if same || late { Err(Refused::SecondPersonNeeded) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    /// Whose key Ann issued.
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
        // Somebody has confirmed since that the puppet is a person of their own.
        assert_eq!(approved.pay(ANN, |id| id), Err(Refused::SecondPersonNeeded));
        assert!(approved.pay(BOB, |id| id).is_ok());
    }

    #[test]
    fn who_was_confirmed_after_the_approval_does_not_pay_it() {
        let at = Timestamp::from_seconds(1_000);
        let approved = ASKED.approve(ANN, person).expect("approved");
        let approved = WithdrawalReview { approved_at: Some(at), ..approved };
        let confirmed = |at| Second { by: PUPPET, confirmed_at: Some(at) };
        assert_eq!(approved.pay(confirmed(at.plus_millis(1)), |id| id), Err(Refused::SecondPersonNeeded));
        assert!(approved.pay(confirmed(at), |id| id).is_ok());
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
