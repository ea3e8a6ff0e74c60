//! Delivery: which plan may be shown in a slot, and which events count.
//!
//! This crate decides:
//! - whether a product's targeting fits a slot's audience: [`fits`];
//! - whether a delivery is genuine: each creative carries a signed, single-use
//!   [`Token`], and its price is reserved before it is sent;
//! - whether an event counts: [`impression`], [`click`] and [`conversion`] take
//!   everything that is known and return a [`Verdict`]. Every event is kept with
//!   its reason, but only valid events are billed;
//! - how a plan with AI delivery spends its budget over time ([`Pace`]) and chooses
//!   among its creatives ([`Turn`]). The choices can be recomputed from the events;
//! - what may be kept about a visitor: addresses are shortened and hashed by
//!   [`visitor`] and [`PassingNetwork`], and go no further.
//!
//! This crate knows no database, clock or random source. docs/DELIVERY.md tells the
//! whole story.
//!
//! A click one second after the view counts; the same click again does not:
//!
//! ```
//! use base::Timestamp;
//! use delivery::{Click, Reason, click};
//!
//! let seen_at = Timestamp::from_seconds(1_800_000_000);
//! let first = Click {
//!     automatic: false,
//!     prefetched: false,
//!     clicked_before: false,
//!     seen_at: Some(seen_at),
//!     shared: false,
//!     affordable: true,
//!     plan_open: true,
//!     at: seen_at.plus_seconds(1),
//!     of_visitor: 0,
//! };
//! assert_eq!(click(&first), Ok(()));
//! assert_eq!(click(&Click { clicked_before: true, ..first }), Err(Reason::Duplicate));
//! assert_eq!(click(&Click { seen_at: None, ..first }), Err(Reason::ClickWithoutView));
//! ```

mod agents;
mod arms;
mod device;
mod filter;
mod judge;
mod landing;
mod lease;
mod outcome;
mod pacing;
mod playback;
mod postback;
mod segment;
mod share;
mod tally;
mod targeting;
mod thompson;
mod token;
mod turn;
mod unconfirmed;
mod unseen;
mod uplift;
mod visitor;

pub use agents::{PURPOSE_HEADERS, is_ahead, is_automatic};
pub use arms::{Arm, ArmSet, Choice, HOLDOUT_ONE_IN, Learner, Seed, arms, most_segments};
pub use device::Device;
pub use filter::{
    CLICK_HOLD_SECONDS, CLICK_WINDOW_SECONDS, Click, Conversion, EventKind, FILTER_VERSION, Impression,
    MAX_CLICKS_PER_VISITOR, MAX_IMPRESSIONS_PER_VISITOR, Reason, VIEW_HOLD_SECONDS, VIEW_WINDOW_SECONDS, Verdict,
    Viewable, click, conversion, impression, viewable,
};
pub use judge::{Booking, Event, Evidence, Judge, Judgement, Promise, Report, Seen, Target, WonOffer};
pub use landing::{is_landing_page, landing_host, with_click_id};
pub use lease::{
    DayRoom, Grant, HeldLease, LEASE_SECONDS, Lease, LeaseConditions, LeasesHeld, NoLease, PROMISE_SECONDS, Promised,
    Promises, Taker, grant, promised_until,
};
pub use outcome::Outcome;
pub use pacing::Pace;
pub use playback::{PLAYED_WITHIN_SECONDS, PlayCounts, PlayReport, Played, Progress};
pub use postback::Postback;
pub use segment::{Segment, divide};
pub use share::Servers;
pub use tally::{PassingNetwork, Tally, TallyKey};
pub use targeting::{Audience, fits};
pub use thompson::{Counts, DRAWS, MAX_ARMS, Prior, shares};
pub use token::{BadToken, BidTerms, Nonce, Origin, Token};
pub use turn::Turn;
pub use unconfirmed::{ExchangeDay, UnconfirmedTerms, ViewsOfDay};
pub use unseen::{OPEN_OF_SEEN, Purpose, UNSEEN_OF_NETWORK, UNSEEN_OF_SLOT, UnseenCreatives};
pub use uplift::{Uplift, uplift};
pub use visitor::{Network, Visitor, visitor};
