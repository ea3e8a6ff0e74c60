//! How many people a staff of operators is. Whoever issues a key has held it
//! and could act under its name, so an operator counts as the same person as
//! who issued the key, until somebody who is another person confirms otherwise.
//!
//! Each operator has a person, and a key that is issued takes the issuer's
//! along. Who issued which key would not do: whoever holds three operators
//! could rotate their keys in a ring that does not lead back any more.

use std::collections::BTreeMap;

use base::{OperatorId, Timestamp};

/// Every operator there ever was, with the person that it is; a person is
/// called by the operator who was the first to be it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People {
    persons: BTreeMap<OperatorId, OperatorId>,
    confirmed: BTreeMap<OperatorId, Timestamp>,
}

impl People {
    /// Of operators and the persons that are kept of them; without one, an
    /// operator is a person of their own.
    pub fn of(kept: impl IntoIterator<Item = (OperatorId, Option<OperatorId>)>) -> Self {
        let persons = kept.into_iter().map(|(operator, person)| (operator, person.unwrap_or(operator))).collect();
        Self { persons, confirmed: BTreeMap::new() }
    }

    /// The same, with when operators were confirmed as persons of their own.
    #[must_use]
    pub fn confirmed(self, at: impl IntoIterator<Item = (OperatorId, Timestamp)>) -> Self {
        Self { confirmed: at.into_iter().collect(), ..self }
    }

    /// Since when it is known that the operator's person is one of their own;
    /// nothing for who was that from the beginning.
    pub fn confirmed_at(&self, operator: OperatorId) -> Option<Timestamp> {
        self.confirmed.get(&self.person(operator)).copied()
    }

    pub fn person(&self, operator: OperatorId) -> OperatorId {
        self.persons.get(&operator).copied().unwrap_or(operator)
    }

    pub fn same(&self, one: OperatorId, other: OperatorId) -> bool {
        self.person(one) == self.person(other)
    }

    /// The person to keep of a new operator: the issuer's. Two people have to
    /// come from somewhere, so the first two operators are people of their own.
    pub fn of_added(&self, by: Option<OperatorId>) -> Option<OperatorId> {
        by.filter(|_| self.persons.len() > 1).map(|by| self.person(by))
    }

    /// The person to keep of an operator whose key `by` rotates: one's own
    /// changes nothing, another's is in one's hands from now on.
    pub fn of_rotated(&self, operator: OperatorId, by: OperatorId) -> OperatorId {
        self.person(if by == operator { operator } else { by })
    }

    /// Whether `by` may confirm that an operator is a person of their own.
    pub fn may_confirm(&self, operator: OperatorId, by: OperatorId) -> bool {
        !self.same(operator, by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn id(n: i64) -> OperatorId {
        OperatorId(n)
    }

    #[test]
    fn the_first_two_are_two_and_the_third_is_who_added_them() {
        assert_eq!(People::default().of_added(None), None);
        assert_eq!(People::of([(id(1), None)]).of_added(Some(id(1))), None);
        let two = People::of([(id(1), None), (id(2), None)]);
        assert!(!two.same(id(1), id(2)));
        assert_eq!(two.of_added(Some(id(2))), Some(id(2)));
    }

    #[test]
    fn who_was_added_by_one_who_was_confirmed_is_known_since_then() {
        let at = Timestamp::from_seconds(7);
        let staff = People::of([(id(1), None), (id(2), None), (id(3), None), (id(4), Some(id(3)))]);
        let staff = staff.confirmed([(id(3), at)]);
        assert_eq!(
            (staff.confirmed_at(id(1)), staff.confirmed_at(id(3)), staff.confirmed_at(id(4))),
            (None, Some(at), Some(at))
        );
    }

    #[test]
    fn who_was_added_passes_the_person_on_and_does_not_confirm_it() {
        let staff = People::of([(id(1), None), (id(2), None), (id(3), Some(id(1)))]);
        assert_eq!(staff.of_added(Some(id(3))), Some(id(1)));
        assert!(
            !staff.may_confirm(id(3), id(1)) && !staff.may_confirm(id(3), id(3)) && staff.may_confirm(id(3), id(2))
        );
    }

    #[test]
    fn a_key_rotated_by_another_is_in_their_hands() {
        let two = People::of([(id(1), None), (id(2), None)]);
        assert_eq!((two.of_rotated(id(2), id(1)), two.of_rotated(id(2), id(2))), (id(1), id(2)));
    }
}
