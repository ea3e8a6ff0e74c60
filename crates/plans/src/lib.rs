//! Plans: a user's order on an advertiser's product, from its start to its
//! settlement.
//!
//! This crate decides:
//! - whether an amount may be put on a product: [`put`], and added to a plan's budget:
//!   [`Plan::addable`];
//! - which step a plan takes next, and why: [`Plan::next`]. A plan is matched with
//!   a first slot, delivers, finishes and settles. If it cannot deliver, it fails
//!   and all the money goes back;
//! - when it is shown: from its start to its end, in its hours: [`Schedule::is_open`];
//! - whether the budget pays for another event: [`Commitment::has_room`];
//! - what one event costs: [`Terms`];
//! - when what was delivered becomes a bill: [`Unbilled::is_due`];
//! - what a plan, or a part of its time, has earned: [`Agreed::earned`], [`Earned::profit`];
//! - when a user is told of a running plan, or it is paused: [`Rule::next`];
//! - how often a limit may take back what is promised: [`Lowered`];
//! - which part of it a site, a form or a device has: [`Delivered::divide`];
//! - whether the plan's totals equal its events: [`Totals`].
//!
//! Amounts are minor units. Names with `milli` are thousandths of a minor unit, so
//! that the price of one impression is whole. This crate knows no clock: the
//! current time is an argument. docs/DELIVERY.md tells the whole story.
//!
//! A click costs 0.50 and 100.00 is put on seven days:
//!
//! ```
//! use base::{Money, Rate, Timestamp};
//! use plans::{ContentType, MATCHING_DEADLINE_HOURS, Pricing, Put, PutRefused, Terms, put};
//!
//! let terms = Terms {
//!     pricing: Pricing::Cpc,
//!     price: Money::from_minor(50),
//!     days: 7,
//!     payout: Money::from_minor(5_00),
//!     attribution_days: 3,
//!     fee_rate: Rate::ZERO,
//! };
//! let (min, max) = (Money::from_minor(10_00), Money::from_minor(500_00));
//! let order = |minor| Put {
//!     amount: Money::from_minor(minor),
//!     budget: Money::from_minor(minor),
//!     content: ContentType::Video,
//!     min,
//!     max,
//!     offered: &[ContentType::Video],
//!     terms: &terms,
//!     standing: None,
//! };
//! let now = Timestamp::from_seconds(1_800_000_000);
//!
//! let started = put(&order(100_00), now)?;
//! assert_eq!(started.unit_milli, 50_000);
//! assert_eq!(started.due_at, now.plus_seconds(MATCHING_DEADLINE_HOURS * 3600));
//! assert_eq!(put(&order(9_99), now), Err(PutRefused::AmountOutOfRange { min, max }));
//! # Ok::<(), PutRefused>(())
//! ```

mod addition;
mod apportion;
mod billing;
mod budget;
mod commitment;
mod day;
mod hours;
mod lifecycle;
mod lowered;
mod model;
pub mod operated;
mod parts;
mod profit;
mod put;
mod ranking;
mod ratios;
mod rules;
mod schedule;
mod terms;
mod totals;

pub use addition::{AddRefused, Addable};
pub use apportion::apportion;
pub use billing::{MATERIAL_EVENTS, MATERIAL_PART, Unbilled, closing_after};
pub use budget::Budget;
pub use commitment::Commitment;
pub use day::DayBudget;
pub use hours::{Hours, WEEKDAYS};
pub use lifecycle::{MATCHING_DEADLINE_HOURS, NotNow, Plan, Step};
pub use lowered::{LOWERED_MOST, Lowered, LoweredOften};
pub use model::{Cause, ContentType, Pricing, Status};
pub use parts::{Delivered, Dimension, PartCounts};
pub use profit::{Agreed, Counted, Earned};
pub use put::{Put, PutRefused, Started, put};
pub use ranking::{Rank, RankFigures};
pub use ratios::{RatioFigures, Ratios, rate};
pub use rules::{Rule, RuleAction, RuleAmount, RuleFigures, RuleKind, RuleState};
pub use schedule::{Schedule, ScheduleChange, ScheduleRefused};
pub use terms::{MILLI, Terms, whole_minor};
pub use totals::{Mismatch, Totals};
