//! Notices to one user, written in the transaction of the event.

pub mod written;

use base::UserId;
use store::Tx;
use store::notifications as rows;

pub use ::notifications::{Device, ForeignAmount, NoticeKind};
pub use store::notifications::Notice;

use crate::Error;

/// Notifies one user, in the transaction of the event.
pub fn notify(tx: &mut Tx<'_>, user: UserId, kind: &NoticeKind) -> Result<(), Error> {
    notify_all(tx, &[Notice::of(user, kind)])
}

/// Writes any number of notices with one statement.
pub fn notify_all(tx: &mut Tx<'_>, notices: &[Notice]) -> Result<(), Error> {
    Ok(rows::insert(tx, notices)?)
}
