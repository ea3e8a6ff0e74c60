//! How a user's shop stands: its level, the credit score, and the VIP subscription.
//!
//! Level and score are computed from facts of the ledger and of delivery, by the
//! rules in docs/LEVELS.md. Neither can be bought and neither stands in the way
//! of a withdrawal. Nothing here knows a database or a clock.

mod credit;
mod level;
pub mod vip;

pub use credit::{
    AGE_DAYS, AGE_MOST, Change, Fact, HIGHEST, LOWEST, MUCH_FILTERED, Reason, SOME_FILTERED, START, TRAFFIC_LEAST,
    apply, contributions,
};
pub use level::{HIGHEST_LEVEL, LEVELS, Level, level_of, own_spend};
