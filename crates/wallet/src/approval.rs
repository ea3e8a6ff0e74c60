//! The rule for two people: what changes somebody's property is requested by one person
//! and approved by another. Requests, withdrawals, exchange orders and bank lines map
//! their states to these; who may decide what, and why it is refused, is decided here for
//! all of them.

use base::{OperatorId, Timestamp};

use crate::refused::Refused;

/// How far a decision by two people has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// Nobody has decided anything.
    Open,
    /// One person has decided, and another must.
    Asked(FirstDecision),
    /// It cannot be decided any more; the name of its final state.
    Decided(&'static str),
    /// Nobody approved it in time.
    Expired,
}

/// The first person's decision, as far as it was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstDecision {
    pub by: OperatorId,
    /// The person that `by` counted as at the time of the decision.
    pub person: Option<OperatorId>,
    pub at: Option<Timestamp>,
}

/// The operator who decides second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondOperator {
    pub by: OperatorId,
    /// When this operator was confirmed as a person of their own; `None` if they always
    /// were one.
    pub confirmed_at: Option<Timestamp>,
}

/// An operator who always was a person of their own.
impl From<OperatorId> for SecondOperator {
    fn from(by: OperatorId) -> Self {
        Self { by, confirmed_at: None }
    }
}

/// The name of the state that waits for the second person.
const HALF_WAY: &str = "approved";

impl Approval {
    /// Checks that nobody has decided yet, so that the first decision may be made.
    pub fn ask(self) -> Result<(), Refused> {
        match self {
            Self::Open => Ok(()),
            Self::Asked(_) => Err(Refused::AlreadyDecided { status: HALF_WAY }),
            Self::Decided(_) | Self::Expired => self.check_undecided(),
        }
    }

    /// Checks that this operator, as another person than the first, may make the second decision; `person` returns
    /// which person an operator counts as now.
    pub fn agree(
        self,
        by: impl Into<SecondOperator>,
        person: impl Fn(OperatorId) -> OperatorId,
    ) -> Result<(), Refused> {
        match self {
            Self::Asked(word) => word.check_other_person(by.into(), person),
            Self::Open => Err(Refused::NotApproved),
            Self::Decided(_) | Self::Expired => self.check_undecided(),
        }
    }

    /// Checks that it can still be rejected. One person may reject, even the requester, until it is decided.
    pub fn refuse(self) -> Result<(), Refused> {
        self.check_undecided()
    }

    /// Checks that what was approved can still be given back because it was not carried out. Two people must say so,
    /// because after the first decision it may have been carried out.
    pub fn give_back(self) -> Result<(), Refused> {
        match self {
            Self::Asked(_) => Ok(()),
            Self::Open => Err(Refused::NotApproved),
            Self::Decided(_) | Self::Expired => self.check_undecided(),
        }
    }

    fn check_undecided(self) -> Result<(), Refused> {
        match self {
            Self::Open | Self::Asked(_) => Ok(()),
            Self::Decided(status) => Err(Refused::AlreadyDecided { status }),
            Self::Expired => Err(Refused::RequestExpired),
        }
    }
}

impl FirstDecision {
    fn check_other_person(
        self,
        second: SecondOperator,
        person: impl Fn(OperatorId) -> OperatorId,
    ) -> Result<(), Refused> {
        let by = person(second.by);
        // The same operator is the same person in any case, and so is whoever counted as
        // them, even if that has changed since.
        let same = self.by == second.by || person(self.by) == by || self.person == Some(by);
        // Somebody who became a person of their own only after the first decision may have been added by the first
        // operator for this purpose.
        let late = second.confirmed_at.zip(self.at).is_some_and(|(confirmed, asked)| confirmed > asked);
        if same || late { Err(Refused::SecondPersonNeeded) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    /// An operator whose key Ann issued.
    const PUPPET: OperatorId = OperatorId(3);
    const AT: Timestamp = Timestamp::from_seconds(1_000);

    fn person(id: OperatorId) -> OperatorId {
        if id == PUPPET { ANN } else { id }
    }

    fn by(by: OperatorId) -> Approval {
        Approval::Asked(FirstDecision { by, person: Some(person(by)), at: Some(AT) })
    }

    #[test]
    fn one_asks_and_another_agrees() {
        assert_eq!((Approval::Open.ask(), by(ANN).agree(BOB, person)), (Ok(()), Ok(())));
        for same in [ANN, PUPPET] {
            assert_eq!(by(ANN).agree(same, person), Err(Refused::SecondPersonNeeded));
            assert_eq!(by(same).agree(ANN, person), Err(Refused::SecondPersonNeeded));
        }
        assert_eq!(Approval::Open.agree(BOB, person), Err(Refused::NotApproved));
        assert_eq!(by(ANN).ask(), Err(Refused::AlreadyDecided { status: "approved" }));
    }

    #[test]
    fn who_asked_stays_who_they_were_then() {
        // Somebody has confirmed since then that the puppet is a person of their own.
        assert_eq!(by(PUPPET).agree(ANN, |id| id), Err(Refused::SecondPersonNeeded));
        // Somebody whose key has changed hands since then counts as both.
        assert_eq!(by(ANN).agree(BOB, |_| BOB), Err(Refused::SecondPersonNeeded));
        assert!(by(PUPPET).agree(BOB, |id| id).is_ok());
    }

    #[test]
    fn who_was_confirmed_after_it_was_asked_does_not_agree() {
        let confirmed = |at| SecondOperator { by: BOB, confirmed_at: Some(at) };
        assert_eq!(by(ANN).agree(confirmed(AT.plus_millis(1)), person), Err(Refused::SecondPersonNeeded));
        assert!(by(ANN).agree(confirmed(AT), person).is_ok());
        // A decision without a stored time is older than such confirmations.
        let before = Approval::Asked(FirstDecision { by: ANN, person: None, at: None });
        assert!(before.agree(confirmed(AT), person).is_ok());
    }

    #[test]
    fn only_what_was_approved_is_given_back() {
        assert_eq!((Approval::Open.give_back(), by(ANN).give_back()), (Err(Refused::NotApproved), Ok(())));
    }

    #[test]
    fn one_says_no_until_it_is_decided_and_then_nobody_anything() {
        assert_eq!((Approval::Open.refuse(), by(ANN).refuse()), (Ok(()), Ok(())));
        for (done, refused) in [
            (Approval::Decided("paid"), Refused::AlreadyDecided { status: "paid" }),
            (Approval::Expired, Refused::RequestExpired),
        ] {
            let refused = Err(refused);
            assert_eq!((done.ask(), done.agree(BOB, person), done.refuse()), (refused, refused, refused));
            assert_eq!(done.give_back(), refused);
        }
    }
}
