//! A plan's day, as clocks show it in the plan's zone.

use base::Timestamp;
use calendar::Zone;
use plans::DayBudget;

/// The day at this time: the one that is counted, or a new one.
pub(crate) fn day_at(counted: DayBudget, zone: &str, now: Timestamp) -> DayBudget {
    counted.at(now, || Zone::from_header(zone).day_period(now))
}
