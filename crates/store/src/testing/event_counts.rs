//! Counts what a database contains, to compare with what was answered.

use delivery::EventKind;
use diesel::prelude::*;

use crate::schema::{conversions, events, plans, withdrawals};
use crate::{Conn, Error};
use db::Target;

/// The numbers of valid events and accepted conversions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    pub conversions: usize,
    pub impressions: usize,
    pub withdrawals: usize,
    /// Plans that an amount was put on.
    pub puts: usize,
}

impl EventCounts {
    /// Whether there are at least as many of each.
    pub const fn covers(self, other: Self) -> bool {
        self.conversions >= other.conversions
            && self.impressions >= other.impressions
            && self.withdrawals >= other.withdrawals
            && self.puts >= other.puts
    }
}

/// # Errors
/// Those of the database.
pub fn event_counts(url: &str) -> Result<EventCounts, Error> {
    let mut conn: Conn = Target::parse(url)?.open()?;
    let conversions: i64 = conversions::table.filter(conversions::accepted).count().get_result(&mut conn)?;
    let seen = events::kind.eq(EventKind::Impression.code()).and(events::valid);
    let impressions: i64 = events::table.filter(seen).count().get_result(&mut conn)?;
    let withdrawals: i64 = withdrawals::table.count().get_result(&mut conn)?;
    let puts: i64 = plans::table.filter(plans::put_at.is_not_null()).count().get_result(&mut conn)?;
    let whole = |count: i64| usize::try_from(count).map_err(|e| Error::Corrupt(e.to_string()));
    Ok(EventCounts {
        conversions: whole(conversions)?,
        impressions: whole(impressions)?,
        withdrawals: whole(withdrawals)?,
        puts: whole(puts)?,
    })
}
