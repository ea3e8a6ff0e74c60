//! Plans and delivery on SQLite and on PostgreSQL: the life of a plan, which
//! events count, and what is billed for them.

#[path = "../money/support.rs"]
#[allow(dead_code, reason = "shared with the tests of money, which use all of it")]
mod money;
mod support;

mod conversions;
mod events;
mod life;
mod puts;
mod serving;
mod staffing;
