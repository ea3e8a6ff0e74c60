//! Coupons: what a coupon is worth on an amount, and which of several is best.
//!
//! This crate decides:
//! - who pays what of a budget: [`apply`]. The platform pays the coupon's part. A
//!   discount pays a share of the amount and a deduction pays money off it, so the
//!   user pays less for the same budget. An addition adds money on top of what the
//!   user pays;
//! - whether a coupon may be used: not twice, not after it expires, not below its
//!   minimum amount, and a team coupon only by followers of that team;
//! - which coupon to suggest: [`best`];
//! - whether staff may define such a coupon: [`Definition`].
//!
//! Whether a coupon is used or expired follows from its record and the current
//! time, which is an argument. This crate knows no clock or database.
//! docs/OFFERS.md describes coupons for users.
//!
//! A discount of ten per cent on 50.00:
//!
//! ```
//! use base::{Money, Timestamp};
//! use coupons::{Coupon, Benefit, Refused, apply};
//!
//! let now = Timestamp::from_seconds(1_800_000_000);
//! let coupon = Coupon {
//!     benefit: Benefit::Discount { rate: "0.10".parse()?, cap: None },
//!     min_amount: Money::from_minor(10_00),
//!     team: None,
//!     expires_at: now.plus_days(1),
//!     used: false,
//! };
//! let applied = apply(&coupon, Money::from_minor(50_00), now, None)?;
//! assert_eq!(applied.pays, Money::from_minor(45_00));
//! assert_eq!(applied.platform_adds, Money::from_minor(5_00));
//! assert_eq!(applied.budget, Money::from_minor(50_00));
//!
//! let late = apply(&coupon, Money::from_minor(50_00), now.plus_days(1), None);
//! assert_eq!(late, Err(Refused::Expired));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod best;
mod definition;
mod model;

pub use apply::{BudgetSplit, InapplicableReason, Refused, apply};
pub use best::best;
pub use definition::{Definition, Problem, Validity};
pub use model::{Benefit, Coupon, Effect, Kind, State};
