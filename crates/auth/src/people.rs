//! Which operators count as the same person. Whoever issues a key has seen it and
//! could use it. So a new operator counts as the same person as the issuer of the
//! key, until another person confirms otherwise. The first two people are declared on
//! the installation's machine ([`crate::founders`]).
//!
//! A person is stored for each operator, and a new key gets the issuer's person.
//! Storing only who issued which key would not be enough: somebody with three
//! operators could rotate their keys in a circle and appear independent.

use std::collections::{BTreeMap, BTreeSet};

use base::{OperatorId, Timestamp};

/// Every operator, including revoked ones, with their person. A person is identified by the first operator who counted
/// as them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People {
    persons: BTreeMap<OperatorId, OperatorId>,
    confirmed: BTreeMap<OperatorId, Timestamp>,
    revoked: BTreeSet<OperatorId>,
}

impl People {
    /// From operators and their stored persons. Without one, an operator is a person
    /// of their own.
    pub fn of(kept: impl IntoIterator<Item = (OperatorId, Option<OperatorId>)>) -> Self {
        let persons = kept.into_iter().map(|(operator, person)| (operator, person.unwrap_or(operator))).collect();
        Self { persons, ..Self::default() }
    }

    /// Adds when operators were confirmed as persons of their own.
    #[must_use]
    pub fn confirmed(self, at: impl IntoIterator<Item = (OperatorId, Timestamp)>) -> Self {
        Self { confirmed: at.into_iter().collect(), ..self }
    }

    /// Adds who was revoked.
    #[must_use]
    pub fn revoked(self, operators: impl IntoIterator<Item = OperatorId>) -> Self {
        Self { revoked: operators.into_iter().collect(), ..self }
    }

    pub fn is_revoked(&self, operator: OperatorId) -> bool {
        self.revoked.contains(&operator)
    }

    /// When the operator's person was confirmed; `None` if the operator was a person of their own from the start.
    pub fn confirmed_at(&self, operator: OperatorId) -> Option<Timestamp> {
        self.confirmed.get(&self.person(operator)).copied()
    }

    pub fn person(&self, operator: OperatorId) -> OperatorId {
        self.persons.get(&operator).copied().unwrap_or(operator)
    }

    pub fn same(&self, one: OperatorId, other: OperatorId) -> bool {
        self.person(one) == self.person(other)
    }

    /// The person to store for a new operator: the issuer's. The first operator is a
    /// person of their own.
    pub fn of_added(&self, by: Option<OperatorId>) -> Option<OperatorId> {
        by.map(|by| self.person(by))
    }

    /// The person to store for an operator whose key `by` rotates. Rotating one's own key changes nothing. Whoever
    /// rotates another's key knows it, so the operator then counts as that person.
    pub fn of_rotated(&self, operator: OperatorId, by: OperatorId) -> OperatorId {
        self.person(if by == operator { operator } else { by })
    }

    /// Whether `by` may confirm that an operator is a person of their own. The person who added the operator never may,
    /// even if somebody else has rotated the key since.
    pub fn may_confirm(&self, operator: OperatorId, by: OperatorId, added_by: Option<OperatorId>) -> bool {
        !self.same(operator, by) && added_by.is_none_or(|added_by| added_by != by && !self.same(added_by, by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn id(n: i64) -> OperatorId {
        OperatorId(n)
    }

    #[test]
    fn whoever_is_added_is_who_added_them_and_so_is_the_second() {
        assert_eq!(People::default().of_added(None), None);
        assert_eq!(People::of([(id(1), None)]).of_added(Some(id(1))), Some(id(1)));
        let two = People::of([(id(1), None), (id(2), None)]);
        assert!(!two.same(id(1), id(2)));
        assert_eq!(two.of_added(Some(id(2))), Some(id(2)));
    }

    #[test]
    fn who_added_somebody_never_confirms_them() {
        // 3 was added by 1, and 2 has rotated the key since.
        let staff = People::of([(id(1), None), (id(2), None), (id(3), Some(id(2))), (id(4), Some(id(1)))]);
        assert!(staff.may_confirm(id(3), id(1), None));
        for by in [id(1), id(4)] {
            assert!(!staff.may_confirm(id(3), by, Some(id(1))), "{by}");
        }
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
            !staff.may_confirm(id(3), id(1), None)
                && !staff.may_confirm(id(3), id(3), None)
                && staff.may_confirm(id(3), id(2), Some(id(1)))
        );
    }

    #[test]
    fn a_key_rotated_by_another_is_in_their_hands() {
        let two = People::of([(id(1), None), (id(2), None)]);
        assert_eq!((two.of_rotated(id(2), id(1)), two.of_rotated(id(2), id(2))), (id(1), id(2)));
    }
}
