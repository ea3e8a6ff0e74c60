//! Whether what needs two people may be approved: the founders, and for an installation from
//! before founders were declared, until when it goes on. The sealed audit log has that moment,
//! so that nobody sets it anew.

use auth::{Founders, Founding, People};
use base::Timestamp;
use diesel::prelude::*;

use crate::schema::audit;
use crate::staff::operators;
use crate::{Conn, Error};

/// The action that records when an installation with two people was upgraded.
pub const UPGRADED: &str = "founders.due";

/// With the people, because whoever asks needs both.
pub fn people(conn: &mut Conn, now: Timestamp) -> Result<(People, Founding), Error> {
    let (people, declared) = operators::people_and_founders(conn)?;
    let complete = Founders::new(declared.iter().copied(), None).at(now);
    if complete == Founding::Complete {
        return Ok((people, complete));
    }
    let until = read_upgraded_at(conn)?.map(|at| at.plus_days(Founders::DAYS_TO_DECLARE));
    Ok((people, Founders::new(declared, until).at(now)))
}

/// When this installation was first opened by a version that asks for founders. The first
/// record counts, whatever follows.
pub fn read_upgraded_at(conn: &mut Conn) -> Result<Option<Timestamp>, Error> {
    let first = audit::table.filter(audit::action.eq(UPGRADED)).order(audit::id).select(audit::at);
    Ok(first.first(conn).optional()?)
}
