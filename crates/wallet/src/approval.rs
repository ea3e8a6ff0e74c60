//! The rule for two people: what changes what somebody owns is asked for by one
//! person and agreed to by another. Requests, withdrawals, exchange orders and
//! the bank's lines say which of their states is which; who may say what, and
//! what refuses it, is decided here for all of them.

use base::{OperatorId, Timestamp};

use crate::refused::Refused;

/// How far two people have come with something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// Nobody has said anything.
    Open,
    /// One person has, and waits for another.
    Asked(Word),
    /// Nobody decides it any more; the name of what it has come to.
    Decided(&'static str),
    /// Nobody agreed in time.
    Expired,
}

/// What the first person said, as far as that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub by: OperatorId,
    /// Which person that was then.
    pub person: Option<OperatorId>,
    pub at: Option<Timestamp>,
}

/// Who says the second word.
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

/// What something is called that waits for the second person.
const HALF_WAY: &str = "approved";

impl Approval {
    /// The first word, while nobody has said any.
    pub fn ask(self) -> Result<(), Refused> {
        match self {
            Self::Open => Ok(()),
            Self::Asked(_) => Err(Refused::AlreadyDecided { status: HALF_WAY }),
            Self::Decided(_) | Self::Expired => self.undecided(),
        }
    }

    /// The second, by another person; `person` says who an operator is now.
    pub fn agree(self, by: impl Into<Second>, person: impl Fn(OperatorId) -> OperatorId) -> Result<(), Refused> {
        match self {
            Self::Asked(word) => word.is_anothers(by.into(), person),
            Self::Open => Err(Refused::NotApproved),
            Self::Decided(_) | Self::Expired => self.undecided(),
        }
    }

    /// No: one person may say so, whoever asked, until it is decided.
    pub fn refuse(self) -> Result<(), Refused> {
        self.undecided()
    }

    fn undecided(self) -> Result<(), Refused> {
        match self {
            Self::Open | Self::Asked(_) => Ok(()),
            Self::Decided(status) => Err(Refused::AlreadyDecided { status }),
            Self::Expired => Err(Refused::RequestExpired),
        }
    }
}

impl Word {
    fn is_anothers(self, second: Second, person: impl Fn(OperatorId) -> OperatorId) -> Result<(), Refused> {
        let by = person(second.by);
        // The same operator is the same person, whatever anybody says; so is who
        // has been, even where somebody says otherwise since.
        let same = self.by == second.by || person(self.by) == by || self.person == Some(by);
        // Who was nobody of their own when the first asked may have been whom the
        // first made for this.
        let late = second.confirmed_at.zip(self.at).is_some_and(|(confirmed, asked)| confirmed > asked);
        if same || late { Err(Refused::SecondPersonNeeded) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: OperatorId = OperatorId(1);
    const BOB: OperatorId = OperatorId(2);
    /// Whose key Ann issued.
    const PUPPET: OperatorId = OperatorId(3);
    const AT: Timestamp = Timestamp::from_seconds(1_000);

    fn person(id: OperatorId) -> OperatorId {
        if id == PUPPET { ANN } else { id }
    }

    fn by(by: OperatorId) -> Approval {
        Approval::Asked(Word { by, person: Some(person(by)), at: Some(AT) })
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
        // Somebody has confirmed since that the puppet is a person of their own.
        assert_eq!(by(PUPPET).agree(ANN, |id| id), Err(Refused::SecondPersonNeeded));
        // And whose key has come into other hands since counts as those too.
        assert_eq!(by(ANN).agree(BOB, |_| BOB), Err(Refused::SecondPersonNeeded));
        assert!(by(PUPPET).agree(BOB, |id| id).is_ok());
    }

    #[test]
    fn who_was_confirmed_after_it_was_asked_does_not_agree() {
        let confirmed = |at| Second { by: BOB, confirmed_at: Some(at) };
        assert_eq!(by(ANN).agree(confirmed(AT.plus_millis(1)), person), Err(Refused::SecondPersonNeeded));
        assert!(by(ANN).agree(confirmed(AT), person).is_ok());
        // What nobody kept the moment of was asked before there were such confirmations.
        let before = Approval::Asked(Word { by: ANN, person: None, at: None });
        assert!(before.agree(confirmed(AT), person).is_ok());
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
        }
    }
}
