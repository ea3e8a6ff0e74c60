//! Delivery: which plan fits a slot, the tokens that creatives carry, and
//! which events count.
//!
//! A slot is answered with a signed, single-use [`Token`]; its price is
//! reserved before it is sent. Events that come back with it are judged by
//! [`impression`], [`click`] and [`conversion`], pure functions from what is
//! known to a [`Verdict`]: every event is kept with its reason, valid or not,
//! and only valid ones are billed. Addresses never get further than
//! [`visitor`] and [`Passing`], which cut and hash them.
//!
//! A plan with AI delivery spreads its budget by [`Pace`] and chooses among its
//! arms by [`Turn`], whose choices follow from the log of events alone.

mod agents;
mod arms;
mod filter;
mod judge;
mod lease;
mod pacing;
mod postback;
mod segment;
mod tally;
mod targeting;
mod thompson;
mod token;
mod turn;
mod unseen;
mod uplift;
mod visitor;

pub use agents::is_automatic;
pub use arms::{Arm, ArmSet, Choice, HOLDOUT_ONE_IN, Learner, Seed, arms, most_segments};
pub use filter::{
    CLICK_HOLD_SECONDS, CLICK_WINDOW_SECONDS, Click, Conversion, EventKind, FILTER_VERSION, Impression,
    MAX_CLICKS_PER_VISITOR, MAX_IMPRESSIONS_PER_VISITOR, Reason, VIEW_HOLD_SECONDS, VIEW_WINDOW_SECONDS, Verdict,
    click, conversion, impression,
};
pub use judge::{Booking, Event, Evidence, Judge, Judged, Promise, Target};
pub use lease::{Grant, LEASE_SECONDS, Lease, Leased, NoLease, PROMISE_SECONDS, Promises, grant, promised_until};
pub use pacing::Pace;
pub use postback::Postback;
pub use segment::{Segment, divide};
pub use tally::{Passing, Tallied, Tally};
pub use targeting::{Audience, fits};
pub use thompson::{Counts, DRAWS, MAX_ARMS, Prior, shares};
pub use token::{BadToken, Nonce, Origin, Token};
pub use turn::Turn;
pub use unseen::{UNSEEN_OF_NETWORK, UNSEEN_OF_SLOT, Unseen};
pub use uplift::{Uplift, uplift};
pub use visitor::{Network, Visitor, visitor};
