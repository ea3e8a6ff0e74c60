//! Plans: a user's order on an advertiser's product, and its life.
//!
//! A plan is offered or started, matched with a first slot, put, finished and
//! settled; or it fails and everything goes back. [`put`] decides whether a
//! plan may begin, [`Plan::next`] which step is due, and [`Totals`] whether
//! what was rolled up equals what happened. Amounts are minor units; those
//! named milli are thousandths of one, in which the thousandth part of a price
//! per thousand impressions is whole. Nothing here knows a clock: the moment
//! is passed in. docs/DELIVERY.md tells the whole story.

mod budget;
mod commitment;
mod lifecycle;
mod model;
mod put;
mod terms;
mod totals;

pub use budget::Budget;
pub use commitment::Commitment;
pub use lifecycle::{MATCHING_DEADLINE_HOURS, NotNow, Plan, Step};
pub use model::{Cause, ContentType, Pricing, Status};
pub use put::{Put, PutRefused, Started, put};
pub use terms::{MILLI, Terms, whole_minor};
pub use totals::{Mismatch, Totals};
