//! Events, the evidence that they are judged by, and the judgements.

use std::collections::HashMap;

use base::{PlanId, SlotId, Timestamp};
use plans::{Commitment, Pricing, Schedule, Status};

use crate::device::Device;
use crate::filter::{EventKind, Reason, Verdict};
use crate::lease::Lease;
use crate::token::{BidTerms, Nonce, Origin, Token};
use crate::unconfirmed::ExchangeDay;
use crate::visitor::Visitor;

/// An impression or a click as received.
#[derive(Clone, Debug)]
pub struct Event {
    pub kind: EventKind,
    pub token: Token,
    /// The token's nonce, or a new one for a shared link.
    pub nonce: Nonce,
    /// If it came late, or its bid was said to have lost: until when its price was promised again.
    pub promised: Option<Timestamp>,
    /// Whether its exchange said to this server that its bid has lost. What was promised with the bid is others' then.
    pub is_lost: bool,
    /// Whether an exchange's notice reports it, which the exchange alone can make.
    pub by_notice: bool,
    /// The price at which the exchange's auction cleared, in thousandths of a minor unit, if its notice names one.
    pub cleared_milli: Option<i64>,
    pub automatic: bool,
    /// Requested by HEAD, or as a prefetch.
    pub prefetched: bool,
    pub visitor: Option<Visitor>,
    /// `None` for programs, and for visitors who asked not to be tracked.
    pub device: Option<Device>,
    /// The approximate number of such events by this network on the plan today, counted only in memory. For a visitor
    /// who asked not to be tracked, it covers all of the network's events; for others, only those of visitors who asked
    /// not to be tracked.
    pub of_passing: i64,
}

impl Event {
    /// Whether it only repeats what is known of a view in an exchange: its `burl` and the
    /// picture in the ad both report it, so the second report is expected.
    pub fn is_second_report(&self, verdict: Verdict) -> bool {
        self.is_view_in_exchange() && verdict == Err(Reason::Duplicate)
    }

    pub(super) const fn is_view_in_exchange(&self) -> bool {
        self.token.bid.is_some() && matches!(self.kind, EventKind::Impression)
    }

    pub(super) const fn slot(&self) -> Option<SlotId> {
        match self.token.origin {
            Origin::Slot(slot) => Some(slot),
            Origin::Share => None,
        }
    }

    /// What the exchange is owed according to its notice, but no more than the view costs.
    pub(super) fn owed(&self, price_milli: i64) -> Option<i64> {
        let owed = |bid: &BidTerms| bid.owed(self.cleared_milli).min(price_milli);
        self.token.bid.as_ref().filter(|_| self.by_notice).map(owed)
    }

    pub(super) fn is_from_slot(&self) -> bool {
        matches!(self.token.origin, Origin::Slot(_))
    }
}

/// The facts about a plan that judging needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub status: Status,
    pub pricing: Pricing,
    pub commitment: Commitment,
    /// The most that may have been booked by now, for views that exchanges report late without a valid promise: their
    /// spending follows the plan's days.
    pub line_milli: i64,
    /// What the plan may still spend today.
    pub day_milli: i64,
    /// After its end, and outside its hours, only what was promised before costs something.
    pub schedule: Schedule,
}

/// The decision on one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub verdict: Verdict,
    pub price_milli: i64,
    /// The part of the price that an exchange is owed.
    pub owed_milli: Option<i64>,
    pub promise: Promise,
    /// A report to store with the event, or in its place.
    pub report: Option<Report>,
}

/// A further report on a view in an exchange: its notice and its picture both report it, and each adds something to the
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// A notice, a confirmation or a claim.
    pub kind: EventKind,
    /// What the exchange is owed, or claims.
    pub owed_milli: Option<i64>,
}

/// An event that counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub at: Timestamp,
    /// For a view: what its exchange is owed, if its notice was the first to report it.
    pub owed_milli: Option<i64>,
}

/// What became of the price promised to a creative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    Untouched,
    /// Promised until then, and booked.
    Booked(Timestamp),
    /// Promised until then in the lease with this id, since its auction was won, and booked.
    Won(i64, Timestamp),
    /// Promised until the first time, and kept for a click until the second.
    Kept(Timestamp, Timestamp),
}

/// An offer in an exchange's auction that has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WonOffer {
    /// The lease that its price is reserved in: that of its token, or another server's.
    pub lease: i64,
    pub until: Timestamp,
}

/// An amount to book on a plan, and the part of it that was reserved before. In milli.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Booking {
    pub booked_milli: i64,
    pub from_reserved_milli: i64,
}

/// The evidence that events are judged by.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub plans: HashMap<PlanId, Target>,
    pub leases: HashMap<i64, Lease>,
    /// The part of each lease that is for exchanges and is not booked, in milli; a lease that is not among them has no
    /// such limit.
    pub for_exchanges: HashMap<i64, i64>,
    /// The bids that exchanges said have won.
    pub won: HashMap<Nonce, WonOffer>,
    /// Valid events.
    pub seen: HashMap<(Nonce, EventKind), Seen>,
    /// The number of a visitor's valid events.
    pub visits: HashMap<(PlanId, Visitor, EventKind), i64>,
    /// The exchanges of notices, by their slots.
    pub exchanges: HashMap<SlotId, ExchangeDay>,
}
