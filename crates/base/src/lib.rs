//! The vocabulary that all crates share: [`Money`] in minor units, [`Rate`]s, ids
//! that cannot be mixed up, [`Timestamp`]s, and enumerations with stable codes.
//!
//! This crate decides:
//! - which texts are amounts: plain decimals with at most two places, never rounded;
//! - how amounts are calculated: every operation is checked and can fail, and a
//!   share is rounded down;
//! - how ids, moments and codes are written and read: [`coded!`] declares an
//!   enumeration with the number in the database and the name that clients see;
//! - how values are [`stored`](stored::Stored) in columns;
//! - which fields a refusal can name: each [`Field`] with the name that clients know.
//!
//! Nothing here reads the clock except [`Clock::system`], which the program creates
//! once and passes on.
//!
//! ```
//! use base::{Clock, Money, ParseMoneyError, Rate, Timestamp, UserId};
//!
//! let amount: Money = "19.99".parse()?;
//! assert_eq!(amount.minor(), 1999);
//! let fee: Rate = "0.10".parse()?;
//! assert_eq!(amount.share(fee)?.to_string(), "1.99");
//! assert_eq!("19.999".parse::<Money>(), Err(ParseMoneyError::TooPrecise));
//! assert!(Money::from_minor(i64::MAX).plus(amount).is_err());
//! assert_eq!("12".parse(), Ok(UserId(12)));
//!
//! // Tests move the time by hand.
//! let clock = Clock::manual(Timestamp::from_seconds(0));
//! clock.advance_seconds(90);
//! assert_eq!(clock.now().to_string(), "1970-01-01T00:01:30.000Z");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod codes;
pub mod digits;
mod field;
pub mod hex;
mod ids;
pub mod invisible;
mod keyed;
mod money;
mod period;
mod rarely;
mod recent;
mod refuse;
pub mod stored;
pub mod typed;
#[cfg(feature = "views")]
pub mod views;

pub use clock::{Clock, Timestamp};
pub use codes::UnknownCode;
pub use field::Field;
pub use ids::*;
pub use keyed::keyed_hash;
pub use money::{Money, MoneyError, ParseMoneyError, Rate};
pub use period::Period;
pub use rarely::Rarely;
pub use recent::Recent;
pub use refuse::refuse_if;

/// Without the feature `views`, an enumeration is only a value of the domain.
#[cfg(not(feature = "views"))]
#[macro_export]
macro_rules! shown_by_name {
    ($name:ident $(as $schema:expr)?) => {};
}
