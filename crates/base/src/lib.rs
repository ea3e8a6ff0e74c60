//! The vocabulary every other crate shares: money in minor units, identifiers
//! that cannot be mixed up, moments in time, and who acts.
//!
//! Nothing here reads a clock or a random source except [`Clock::system`],
//! which the shell calls and passes on.

mod clock;
mod codes;
mod ids;
mod keyed;
mod money;
#[cfg(feature = "views")]
pub mod views;

pub use clock::{Clock, Timestamp};
pub use codes::UnknownCode;
pub use ids::*;
pub use keyed::keyed_hash;
pub use money::{Money, MoneyError, ParseMoneyError, Rate};

/// Without views an enumeration is a value of the domain and nothing else.
#[cfg(not(feature = "views"))]
#[macro_export]
macro_rules! shown_by_name {
    ($name:ident $(as $schema:expr)?) => {};
}
