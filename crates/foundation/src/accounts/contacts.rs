//! How a user is reached.

use base::Timestamp;
use serde::Serialize;
use store::Conn;
use store::people::contacts::{self, ContactChange};
use store::people::users::User;

use crate::Error;

/// How long staff are shown a change.
pub(crate) const SHOWN_DAYS: i64 = 30;

/// How a user is reached, with what changed lately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContactView {
    pub email: String,
    pub phone: String,
    /// The changes of the last 30 days, oldest first: `from` of the first one is the value before all of them.
    pub changes: Vec<ContactChangeView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContactChangeView {
    /// `email` or `phone`.
    pub what: String,
    pub from: String,
    pub to: String,
    pub at: Timestamp,
}

/// The contact data for staff who are about to call the user, or to decide about the account.
pub fn contact(conn: &mut Conn, user: &User, now: Timestamp) -> Result<ContactView, Error> {
    let found = contacts::since(conn, user.id, now.plus_days(-SHOWN_DAYS))?;
    let changes = found.into_iter().map(ContactChangeView::from).collect();
    Ok(ContactView { email: user.email.clone(), phone: user.phone.clone(), changes })
}

impl From<ContactChange> for ContactChangeView {
    fn from(change: ContactChange) -> Self {
        Self { what: change.kind.name().to_owned(), from: change.before, to: change.after, at: change.changed_at }
    }
}
