//! Plans and delivery on SQLite and on PostgreSQL: the life of a plan, which
//! events count, and what is billed for them.

#[path = "../money/support.rs"]
mod money;
mod support;

mod conversions;
mod events;
mod life;
mod puts;
mod serving;
mod staffing;
