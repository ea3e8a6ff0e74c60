//! A user's standing: the shop's level, the credit score and the VIP subscription.
//!
//! This crate decides:
//! - which level settled spending has reached, and how much lower the fee is
//!   there: [`level_of`]. Only the user's own money counts: [`own_spend`];
//! - how the credit score changes: [`contributions`] gives the points for each
//!   fact, with a reason, and [`apply`] keeps the score within its bounds;
//! - what a VIP subscription costs, how long it runs, and which fee rate is agreed: [`vip`].
//!
//! Level and score are computed from facts in the ledger and in delivery, by the rules of
//! docs/LEVELS.md. Neither of them can be bought, and neither affects withdrawals. This
//! crate knows no database or clock.
//!
//! Spending of 5,000.00 reaches level 3; a chargeback costs 20 points:
//!
//! ```
//! use base::Money;
//! use standing::{Fact, Reason, START, apply, contributions, level_of};
//!
//! let level = level_of(Money::from_minor(5_000_00));
//! assert_eq!((level.number, level.fee_percent_off), (3, 2));
//!
//! let changes = contributions(&Fact::Chargeback);
//! let [change] = changes.as_slice() else { panic!("one change") };
//! assert_eq!((change.reason, change.points), (Reason::Chargeback, -20));
//! assert_eq!(START + apply(START, change.points), 80);
//! // The score never falls below zero.
//! assert_eq!(apply(10, change.points), -10);
//! ```

mod credit;
mod level;
pub mod vip;

pub use credit::{
    AGE_DAYS, AGE_MOST, Contribution, Fact, HIGHEST, LOWEST, MUCH_FILTERED, Reason, SOME_FILTERED, START,
    TRAFFIC_LEAST, apply, contributions,
};
pub use level::{HIGHEST_LEVEL, LEVELS, Level, level_of, own_spend};
