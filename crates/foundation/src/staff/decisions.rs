//! Decisions by operators, two people for each: requests, withdrawals and exchange
//! orders. They share the locks, the current permission, who is which person, and the
//! audit record. `wallet::Approval` decides who may agree to what.

use std::ops::Deref;

use auth::{People, Permission};
use base::{OperatorId, refuse_if};
use store::staff::operators;
use store::wallet::books::Books;
use store::{Notes, Tx};
use wallet::SecondOperator;

use crate::staff::{Staff, founders};
use crate::{App, Error, Refusal};

/// An operator's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The first approval of something that staff did not request themselves.
    First,
    /// The second approval, by another person.
    Second,
    No,
}

/// How two people decide on one kind of thing.
pub trait Case: 'static {
    type Id: Copy + Send + 'static;
    type Row;
    type View: Send + 'static;

    /// Locks its owner, then reads it. The owner never changes, so it may be read before
    /// the lock.
    fn lock(tx: &mut Tx<'_>, id: Self::Id) -> Result<(Books, Self::Row), Error>;

    /// Whether the role allows this step for anything of this kind.
    fn may_ever(by: &Staff, _: Step) -> Result<(), Error> {
        by.may(Permission::Money)
    }

    /// Whether the operator may take the step here, as of now.
    fn may(tx: &mut Tx<'_>, by: &Staff, _: Step, _: &Self::Row) -> Result<(), Error> {
        by.still_may(tx, Permission::Money)
    }

    /// Writes the audit record, and returns the view.
    fn record(tx: &mut Tx<'_>, by: &Staff, decided: &Decided<'_, Self::Row>) -> Result<Self::View, Error>;
}

/// The result of a step.
pub struct Decided<'a, R> {
    pub step: Step,
    pub before: &'a R,
    pub after: &'a R,
    pub books: &'a Books,
}

/// An acting operator, and which person each operator is at this moment.
pub struct Decider<'a> {
    staff: &'a Staff,
    people: People,
    notes: &'a Notes,
}

impl<'a> Decider<'a> {
    /// Somebody who rejects, which one person may do.
    fn rejecting<'t: 'a>(tx: &mut Tx<'t>, staff: &'a Staff) -> Result<Self, Error> {
        let people = operators::people(tx)?;
        Self::of(tx, staff, people)
    }

    /// The gate of everything that takes two people.
    ///
    /// # Errors
    /// `founders_missing` while nobody may approve anything; `not_permitted` for whoever was revoked since they signed in.
    pub fn approving<'t: 'a>(tx: &mut Tx<'t>, staff: &'a Staff) -> Result<Self, Error> {
        let people = founders::may_approve(tx)?;
        Self::of(tx, staff, people)
    }

    fn of<'t: 'a>(tx: &mut Tx<'t>, staff: &'a Staff, people: People) -> Result<Self, Error> {
        refuse_if(people.is_revoked(staff.id()), Refusal::NotPermitted)?;
        Ok(Self { staff, people, notes: tx.notes() })
    }

    /// The operator as the second of two people.
    pub fn second(&self) -> SecondOperator {
        let by = self.staff.id();
        SecondOperator { by, confirmed_at: self.people.confirmed_at(by) }
    }

    /// Checks that the first operator still counts. What was requested with a key that was taken away since counts for
    /// nobody, and somebody else must request it again.
    ///
    /// # Errors
    /// `second_person_needed`.
    pub fn counts_with(&self, asked: OperatorId) -> Result<(), Error> {
        if self.people.is_revoked(asked) { Err(Refusal::SecondPersonNeeded.into()) } else { Ok(()) }
    }

    /// The audit says what the operator's row said of it.
    pub fn person(&self, operator: OperatorId) -> OperatorId {
        self.notes.relies("operators", operator.0);
        self.people.person(operator)
    }
}

impl Deref for Decider<'_> {
    type Target = Staff;
    fn deref(&self) -> &Staff {
        self.staff
    }
}

/// Takes a step: `decision` asks the pure rules, writes what they decided, and returns
/// the resulting state.
pub async fn decide<C: Case>(
    app: &App,
    by: &Staff,
    step: Step,
    id: C::Id,
    decision: impl Fn(&mut Tx<'_>, &Decider<'_>, &mut Books, &C::Row) -> Result<C::Row, Error> + Send + 'static,
) -> Result<C::View, Error> {
    C::may_ever(by, step)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let (mut books, before) = C::lock(tx, id)?;
            C::may(tx, &by, step, &before)?;
            let decider = match step {
                Step::No => Decider::rejecting(tx, &by)?,
                Step::First | Step::Second => Decider::approving(tx, &by)?,
            };
            let after = decision(tx, &decider, &mut books, &before)?;
            C::record(tx, &by, &Decided { step, before: &before, after: &after, books: &books })
        })
        .await
}
