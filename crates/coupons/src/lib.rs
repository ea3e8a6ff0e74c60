//! Coupons: what one is worth on an amount, and which of several is the best.
//!
//! The platform pays a coupon's part of a plan's budget. A discount pays a share
//! of the amount and a deduction pays money off it, so that the user pays less
//! for the same budget; an addition puts money on top of what the user pays.
//! Whether a coupon is used or expired follows from its record and the moment it
//! is asked; nothing here knows a clock or a database.

mod apply;
mod best;
mod definition;
mod model;

pub use apply::{Applied, Refused, apply};
pub use best::best;
pub use definition::{Definition, Problem, Validity};
pub use model::{Coupon, Effect, Gives, Kind, State};
