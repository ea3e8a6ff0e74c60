//! How many people a staff seems to be, over random additions, rotations and
//! confirmations by humans who hold keys: nobody can become two people alone.

use std::collections::{BTreeMap, BTreeSet};

use auth::People;
use base::OperatorId;
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Deed {
    Add,
    Rotate(usize),
    Confirm(usize),
}

fn deed() -> impl Strategy<Value = (usize, Deed)> {
    let what = prop_oneof![
        2 => Just(Deed::Add),
        3 => any::<prop::sample::Index>().prop_map(|n| Deed::Rotate(n.index(64))),
        2 => any::<prop::sample::Index>().prop_map(|n| Deed::Confirm(n.index(64))),
    ];
    (any::<prop::sample::Index>().prop_map(|n| n.index(64)), what)
}

/// An installation, and which human really holds each operator's key.
#[derive(Clone, Debug, Default)]
struct Staff {
    kept: Vec<(OperatorId, Option<OperatorId>)>,
    holders: BTreeMap<OperatorId, usize>,
    added_by: BTreeMap<OperatorId, OperatorId>,
}

impl Staff {
    fn people(&self) -> People {
        People::of(self.kept.iter().copied())
    }

    fn operator(&self, n: usize) -> Option<OperatorId> {
        self.kept.get(n % self.kept.len().max(1)).map(|(id, _)| *id)
    }

    fn add(&mut self, by: Option<OperatorId>, holder: usize) {
        let id = OperatorId(i64::try_from(self.kept.len()).unwrap_or(0) + 1);
        let person = self.people().of_added(by);
        self.kept.push((id, person));
        self.holders.insert(id, holder);
        self.added_by.extend(by.map(|by| (id, by)));
    }

    /// Two operators of two humans, declared on the installation's machine.
    fn founded() -> Self {
        let mut staff = Self::default();
        staff.add(None, 0);
        staff.add(None, 1);
        staff
    }

    fn keep(&mut self, of: OperatorId, person: Option<OperatorId>) {
        self.kept.iter_mut().filter(|(id, _)| *id == of).for_each(|kept| kept.1 = person);
    }

    /// An operator's action, whoever it is. Keys stay with their issuer, unless an honest
    /// operator confirms: then the operator is a human of their own.
    fn act(&mut self, by: OperatorId, deed: Deed, handed_to: Option<usize>) {
        let holder = self.holders.get(&by).copied().unwrap_or(usize::MAX);
        match deed {
            Deed::Add => self.add(Some(by), holder),
            Deed::Rotate(n) => {
                let Some(of) = self.operator(n) else { return };
                let person = self.people().of_rotated(of, by);
                self.keep(of, Some(person));
                self.holders.insert(of, holder);
            }
            Deed::Confirm(n) => {
                let Some(of) = self.operator(n) else { return };
                if self.people().may_confirm(of, by, self.added_by.get(&of).copied()) {
                    self.keep(of, None);
                    if let Some(human) = handed_to {
                        self.holders.insert(of, human);
                    }
                }
            }
        }
    }

    /// The people that one human seems to be.
    fn seems(&self, human: usize) -> BTreeSet<OperatorId> {
        let people = self.people();
        self.holders.iter().filter(|(_, holder)| **holder == human).map(|(id, _)| people.person(*id)).collect()
    }
}

proptest! {
    #[test]
    fn nobody_alone_is_two(deeds in prop::collection::vec(deed(), 0..60)) {
        let mut staff = Staff::founded();
        for (n, (by, deed)) in deeds.into_iter().enumerate() {
            let Some(by) = staff.operator(by) else { continue };
            staff.act(by, deed, Some(2 + n));
            for human in 0..62 {
                prop_assert!(staff.seems(human).len() <= 1, "{human}: {:?}", staff);
            }
        }
    }

    /// The second human does nothing, and the first lies wherever possible.
    #[test]
    fn one_alone_confirms_nothing(deeds in prop::collection::vec(deed(), 0..60)) {
        let mut staff = Staff::founded();
        for (by, deed) in deeds {
            let own: Vec<_> = staff.holders.iter().filter(|(_, human)| **human == 0).map(|(id, _)| *id).collect();
            let Some(by) = own.get(by % own.len()).copied() else { continue };
            staff.act(by, deed, None);
            prop_assert_eq!(staff.seems(0).len(), 1, "{:?}", staff);
        }
    }

    /// Without a word from the installation's machine, one human has all keys and stays one
    /// person, whatever they do.
    #[test]
    fn before_founders_are_declared_everybody_is_the_first(deeds in prop::collection::vec(deed(), 0..60)) {
        let mut staff = Staff::default();
        staff.add(None, 0);
        for (by, deed) in deeds {
            let Some(by) = staff.operator(by) else { continue };
            staff.act(by, deed, None);
            prop_assert_eq!(staff.seems(0).len(), 1, "{:?}", staff);
        }
    }
}
