//! Whether anything that needs two people may be approved: the founders, and for an installation from before founders
//! were declared, until when it goes on without them. That moment is in the sealed audit log, so that nobody can set it
//! again.

use auth::{Founders, Founding, People};
use base::Timestamp;
use diesel::prelude::*;

use crate::schema::audit;
use crate::staff::audit::covered;
use crate::staff::operators;
use crate::{Conn, Error};

/// The action that records when an installation with two people was upgraded.
pub const UPGRADED: &str = "founders.due";

/// The people and the state of the founding. They are read together, because callers need both.
pub fn people(conn: &mut Conn, now: Timestamp) -> Result<(People, Founding), Error> {
    let (people, declared) = operators::people_and_founders(conn)?;
    let complete = Founders::new(declared.iter().copied(), None).at(now);
    if complete == Founding::Complete {
        return Ok((people, complete));
    }
    let until = read_upgraded_at(conn)?.map(|at| at.plus_days(Founders::DAYS_TO_DECLARE));
    Ok((people, Founders::new(declared, until).at(now)))
}

/// When a version that requires founders first opened this installation. Only the first record counts, of those that
/// the sealed end of the audit covers.
pub fn read_upgraded_at(conn: &mut Conn) -> Result<Option<Timestamp>, Error> {
    let covered = covered(conn)?;
    let first = audit::table.filter(audit::action.eq(UPGRADED)).order(audit::id).select(audit::at);
    Ok(first.filter(audit::id.between(*covered.start(), *covered.end())).first(conn).optional()?)
}
