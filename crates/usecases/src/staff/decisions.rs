//! What operators decide on one at a time, two people for each: requests,
//! withdrawals and exchange orders. The locks, the permission as of now, who
//! everybody of the staff is and the audit are the same for all of them; who may
//! agree to what is `wallet::Approval`.

use std::ops::Deref;

use auth::{People, Permission};
use base::OperatorId;
use store::Tx;
use store::staff::operators;
use store::wallet::books::Books;
use wallet::Second;

use crate::staff::Staff;
use crate::{App, Error};

/// What an operator says of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The first yes, where staff did not ask for it themselves.
    First,
    /// The second yes, another person's.
    Second,
    No,
}

/// Something that two people decide.
pub(crate) trait Case: Sized + 'static {
    type Id: Copy + Send + 'static;
    type View: Send + 'static;

    /// Locks whose it is, then reads it. Whose it is never changes, so that much
    /// may be read before the lock.
    fn lock(tx: &mut Tx<'_>, id: Self::Id) -> Result<(Books, Self), Error>;

    /// Whether the role allows the step of anything of this kind.
    fn may_ever(by: &Staff, _: Step) -> Result<(), Error> {
        by.may(Permission::Money)
    }

    /// Whether the operator may take the step here, as of now.
    fn may(&self, tx: &mut Tx<'_>, by: &Staff, _: Step) -> Result<(), Error> {
        by.still_may(tx, Permission::Money)
    }

    /// Adds the deed to the audit, and answers what is shown of it.
    fn record(
        &self,
        tx: &mut Tx<'_>,
        by: &Staff,
        step: Step,
        before: &Self,
        books: &Books,
    ) -> Result<Self::View, Error>;
}

/// An operator at work, and who everybody of the staff is at this moment.
pub(crate) struct Decider<'a> {
    staff: &'a Staff,
    people: People,
}

impl<'a> Decider<'a> {
    pub fn load(tx: &mut Tx<'_>, staff: &'a Staff) -> Result<Self, Error> {
        Ok(Self { staff, people: operators::people(tx)? })
    }

    /// As who does the second of two deeds.
    pub fn second(&self) -> Second {
        let by = self.staff.id();
        Second { by, confirmed_at: self.people.confirmed_at(by) }
    }

    pub fn person(&self, operator: OperatorId) -> OperatorId {
        self.people.person(operator)
    }
}

impl Deref for Decider<'_> {
    type Target = Staff;
    fn deref(&self) -> &Staff {
        self.staff
    }
}

/// Takes a step: `decision` asks the pure rules, writes what they decided, and
/// answers how it stands then.
pub(crate) async fn decide<C: Case>(
    app: &App,
    by: &Staff,
    step: Step,
    id: C::Id,
    decision: impl Fn(&mut Tx<'_>, &Decider<'_>, &mut Books, &C) -> Result<C, Error> + Send + 'static,
) -> Result<C::View, Error> {
    C::may_ever(by, step)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let (mut books, before) = C::lock(tx, id)?;
            before.may(tx, &by, step)?;
            let decider = Decider::load(tx, &by)?;
            let after = decision(tx, &decider, &mut books, &before)?;
            after.record(tx, &by, step, &before, &books)
        })
        .await
}
