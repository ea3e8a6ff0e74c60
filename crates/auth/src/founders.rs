//! The first two people of an installation. Nobody inside could tell whether the first
//! two operators are two people, so they are declared on the installation's own machine,
//! and count once both have rotated their keys. Until then, nothing that needs two people
//! is approved.

use base::{OperatorId, Timestamp};

/// One of the installation's two founders, as declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Founder {
    pub operator: OperatorId,
    pub since: Timestamp,
    /// When they first rotated their own key after they were declared.
    pub rotated_at: Option<Timestamp>,
}

/// The founders of an installation. An older installation, from before founders had to be declared, may go on without
/// them until a given time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Founders {
    declared: Vec<Founder>,
    goes_on_until: Option<Timestamp>,
}

/// Whether anything that needs two people may be approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Founding {
    Complete,
    /// The founders are not declared, or have not both rotated their keys, but approvals go on until this time.
    GoesOn {
        until: Timestamp,
    },
    /// No founders are declared.
    Missing,
    /// These founders have not rotated their keys.
    NotRotated(Vec<OperatorId>),
}

impl Founders {
    /// How many days an installation with two confirmed people goes on without declared founders.
    pub const DAYS_TO_DECLARE: i64 = 30;

    pub fn new(declared: impl IntoIterator<Item = Founder>, goes_on_until: Option<Timestamp>) -> Self {
        Self { declared: declared.into_iter().collect(), goes_on_until }
    }

    pub fn at(&self, now: Timestamp) -> Founding {
        let waiting: Vec<_> = self.declared.iter().filter(|of| of.rotated_at.is_none()).map(|of| of.operator).collect();
        if !self.declared.is_empty() && waiting.is_empty() {
            return Founding::Complete;
        }
        match self.goes_on_until.filter(|until| now < *until) {
            Some(until) => Founding::GoesOn { until },
            None if self.declared.is_empty() => Founding::Missing,
            None => Founding::NotRotated(waiting),
        }
    }
}

impl Founding {
    pub const fn may_approve(&self) -> bool {
        matches!(self, Self::Complete | Self::GoesOn { .. })
    }

    pub const fn until(&self) -> Option<Timestamp> {
        match self {
            Self::GoesOn { until } => Some(*until),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_000);

    const fn founder(n: i64, rotated_at: Option<Timestamp>) -> Founder {
        Founder { operator: OperatorId(n), since: NOW, rotated_at }
    }

    #[test]
    fn both_rotate_their_keys_before_anything_is_approved() {
        let founding = |of: [Founder; 2]| Founders::new(of, None).at(NOW);
        assert_eq!(Founders::default().at(NOW), Founding::Missing);
        let none = founding([founder(1, None), founder(2, None)]);
        assert_eq!(none, Founding::NotRotated(vec![OperatorId(1), OperatorId(2)]));
        let one = founding([founder(1, Some(NOW)), founder(2, None)]);
        assert_eq!(one, Founding::NotRotated(vec![OperatorId(2)]));
        let both = founding([founder(1, Some(NOW)), founder(2, Some(NOW))]);
        assert!(both == Founding::Complete && both.may_approve() && !one.may_approve() && !none.may_approve());
    }

    #[test]
    fn an_installation_of_before_goes_on_until_its_time_is_over() {
        let until = NOW.plus_days(Founders::DAYS_TO_DECLARE);
        let goes_on = Founding::GoesOn { until };
        let before = Founders::new([], Some(until));
        assert_eq!((before.at(NOW), before.at(until.plus_millis(-1))), (goes_on.clone(), goes_on.clone()));
        assert_eq!(before.at(until), Founding::Missing);
        // Declaring founders stops nothing that may go on.
        let declared = Founders::new([founder(1, None), founder(2, Some(NOW))], Some(until));
        assert_eq!((declared.at(NOW).until(), declared.at(NOW).may_approve()), (Some(until), true));
        assert_eq!(declared.at(until), Founding::NotRotated(vec![OperatorId(1)]));
    }
}
