//! Which events count. Each function takes everything that is known and returns the first
//! reason against the event, in a fixed order. [`FILTER_VERSION`] identifies the order
//! and the limits.

use base::{Money, Timestamp, coded};
use plans::Pricing;

/// Increases with every change of a rule or limit below; stored with each event.
pub const FILTER_VERSION: i16 = 7;
/// How long after it was sent a creative may report a view.
pub const VIEW_WINDOW_SECONDS: i64 = 120;
/// How long the price of an unseen creative stays reserved. Nearly all are seen at once;
/// a later view is paid from what is left of the budget. So a client that requests many
/// and shows none ties up little.
pub const VIEW_HOLD_SECONDS: i64 = 30;
/// How long after the view a click on it counts.
pub const CLICK_WINDOW_SECONDS: i64 = 3_600;
/// How long the price of a click stays reserved after the view. Most clicks come soon,
/// and most viewers never click. A later click is paid from what is left of the budget.
pub const CLICK_HOLD_SECONDS: i64 = 60;
/// Nobody reads and clicks within a tenth of a second.
const FASTEST_CLICK_MILLIS: i64 = 100;
/// By one visitor on one plan in one day.
pub const MAX_IMPRESSIONS_PER_VISITOR: i64 = 500;
pub const MAX_CLICKS_PER_VISITOR: i64 = 50;

coded!(
    /// What somebody did with a creative.
    EventKind {
        Impression = 1 "impression",
        Click = 2 "click",
        /// Half of a creative that was seen before was in view for a second.
        Viewable = 3 "viewable",
        /// An exchange's notice that a view is to be paid, which its picture had reported before: it names
        /// the price.
        Notice = 4 "notice",
        /// The picture of a view that the exchange's notice had reported before.
        Confirmation = 5 "confirmation",
        /// An exchange's notice of a view that nobody has confirmed, beyond the share that was agreed. Its price
        /// is owed if the picture comes.
        Claim = 6 "claim",
    }
);

impl EventKind {
    /// Whether this is the kind of event that the pricing charges for.
    pub const fn is_priced_by(self, pricing: Pricing) -> bool {
        matches!((self, pricing), (Self::Impression, Pricing::Cpm) | (Self::Click, Pricing::Cpc))
    }
}

coded!(
    /// Why an event does not count. The number is stored with the event; 0 means valid.
    Reason as "EventReason" {
        /// The user agent is a program's.
        Automatic = 1 "automatic",
        /// A HEAD request, a prefetch or a preview: nobody saw it.
        NotViewed = 2 "not_viewed",
        Duplicate = 3 "duplicate",
        ExpiredToken = 4 "expired_token",
        /// A click on a creative that was never seen.
        ClickWithoutView = 5 "click_without_view",
        TooFast = 6 "too_fast",
        TooManyOfVisitor = 7 "too_many_of_visitor",
        /// Delivery of the plan has ended.
        PlanEnded = 8 "plan_ended",
        /// No valid click has this id.
        UnknownClick = 9 "unknown_click",
        WrongAdvertiser = 10 "wrong_advertiser",
        OutsideWindow = 11 "outside_window",
        ImplausibleTime = 12 "implausible_time",
        AdvertiserFundsExhausted = 13 "advertiser_funds_exhausted",
        /// A reversal of a conversion that was never reported.
        UnknownEvent = 14 "unknown_event",
        /// The plan is settled, so nothing can be reversed any more.
        Settled = 15 "settled",
        /// The click has brought as many conversions as agreed.
        ClickUsedUp = 16 "click_used_up",
        /// The advertiser does not allow more to be claimed in a day.
        DailyCapReached = 17 "daily_cap_reached",
        /// Said to be viewable without a view that counts.
        ViewableWithoutView = 18 "viewable_without_view",
        /// An exchange bills more views that nobody has confirmed than was agreed.
        UnconfirmedShareReached = 19 "unconfirmed_share_reached",
        /// The conversion was taken back, and does not come again.
        Reversed = 20 "reversed",
        /// Its price does not fit what the plan may still spend today.
        PlanDayCapReached = 21 "plan_day_cap_reached",
    }
);

pub type Verdict = Result<(), Reason>;

/// The facts when a creative reports a view.
#[derive(Clone, Copy, Debug)]
pub struct Impression {
    pub automatic: bool,
    /// Requested by HEAD, as a prefetch or for a preview.
    pub prefetched: bool,
    pub seen_before: bool,
    /// A shared link is not a single delivery, and costs nothing.
    pub shared: bool,
    /// Its price is available, reserved or left in the budget.
    pub affordable: bool,
    pub plan_open: bool,
    pub issued_at: Timestamp,
    pub at: Timestamp,
    /// Valid views by this visitor on this plan today.
    pub of_visitor: i64,
}

pub fn impression(event: &Impression) -> Verdict {
    human(event.automatic, event.prefetched)?;
    if event.shared {
        refuse_if(!event.plan_open, Reason::PlanEnded)?;
    } else {
        refuse_if(event.seen_before, Reason::Duplicate)?;
        let late = event.at.since(event.issued_at) > VIEW_WINDOW_SECONDS * 1000;
        refuse_if(late || !event.affordable, Reason::ExpiredToken)?;
    }
    refuse_if(event.of_visitor >= MAX_IMPRESSIONS_PER_VISITOR, Reason::TooManyOfVisitor)
}

/// The facts about a click.
#[derive(Clone, Copy, Debug)]
pub struct Click {
    pub automatic: bool,
    pub prefetched: bool,
    pub clicked_before: bool,
    /// The time of the valid view; `None` if there was none.
    pub seen_at: Option<Timestamp>,
    /// A shared link has no view before it.
    pub shared: bool,
    /// The price of a click that costs something is available, reserved or left in the
    /// budget.
    pub affordable: bool,
    pub plan_open: bool,
    pub at: Timestamp,
    pub of_visitor: i64,
}

pub fn click(event: &Click) -> Verdict {
    human(event.automatic, event.prefetched)?;
    refuse_if(event.clicked_before, Reason::Duplicate)?;
    if !event.shared {
        let seen_at = event.seen_at.ok_or(Reason::ClickWithoutView)?;
        let after = event.at.since(seen_at);
        refuse_if(after < FASTEST_CLICK_MILLIS, Reason::TooFast)?;
        refuse_if(after > CLICK_WINDOW_SECONDS * 1000 || !event.affordable, Reason::ExpiredToken)?;
    }
    refuse_if(!event.plan_open, Reason::PlanEnded)?;
    refuse_if(event.of_visitor >= MAX_CLICKS_PER_VISITOR, Reason::TooManyOfVisitor)
}

/// The facts when a creative reports that it was in view for long enough.
#[derive(Clone, Copy, Debug)]
pub struct Viewable {
    pub automatic: bool,
    pub prefetched: bool,
    pub reported_before: bool,
    /// The time of the valid view; `None` if there was none.
    pub seen_at: Option<Timestamp>,
    pub at: Timestamp,
}

/// A view brings at most one, so visitors' daily limit on views limits these as well.
pub fn viewable(event: &Viewable) -> Verdict {
    human(event.automatic, event.prefetched)?;
    refuse_if(event.reported_before, Reason::Duplicate)?;
    let seen_at = event.seen_at.ok_or(Reason::ViewableWithoutView)?;
    refuse_if(event.at.since(seen_at) > CLICK_WINDOW_SECONDS * 1000, Reason::ExpiredToken)
}

/// The facts when an advertiser reports a conversion. The signature was verified before, and the event id is known to
/// be new.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// When the valid click with this id happened; `None` if there is none.
    pub clicked_at: Option<Timestamp>,
    pub own_product: bool,
    pub occurred_at: Timestamp,
    pub received_at: Timestamp,
    /// How long after the click it may happen; zero means as long as the plan runs.
    pub attribution_days: i64,
    /// The plan still accepts conversions: it is running, or its attribution window is
    /// open.
    pub plan_open: bool,
    /// Earlier conversions of the click, without reversed ones.
    pub of_click: i64,
    /// The most that was agreed for one click.
    pub per_click: i64,
    pub payout: Money,
    /// What the advertiser has paid in and no conversion has claimed.
    pub funds: Money,
    /// What was claimed from the advertiser today, and the most allowed.
    pub claimed_today: Money,
    pub daily_cap: Option<Money>,
}

/// An advertiser's clock may be this far ahead of ours.
const CLOCK_TOLERANCE_SECONDS: i64 = 300;

pub fn conversion(event: &Conversion) -> Verdict {
    let clicked_at = event.clicked_at.ok_or(Reason::UnknownClick)?;
    refuse_if(!event.own_product, Reason::WrongAdvertiser)?;
    let ahead = event.occurred_at.since(event.received_at) > CLOCK_TOLERANCE_SECONDS * 1000;
    let before_click = clicked_at.since(event.occurred_at) > CLOCK_TOLERANCE_SECONDS * 1000;
    refuse_if(ahead || before_click, Reason::ImplausibleTime)?;
    let window = clicked_at.plus_days(event.attribution_days);
    let late = event.attribution_days > 0 && event.occurred_at > window;
    refuse_if(late || !event.plan_open, Reason::OutsideWindow)?;
    refuse_if(event.of_click >= event.per_click, Reason::ClickUsedUp)?;
    refuse_if(event.payout > event.funds, Reason::AdvertiserFundsExhausted)?;
    let within = |cap| event.claimed_today.plus(event.payout).is_ok_and(|claimed| claimed <= cap);
    refuse_if(!event.daily_cap.is_none_or(within), Reason::DailyCapReached)
}

pub(crate) fn human(automatic: bool, prefetched: bool) -> Verdict {
    refuse_if(automatic, Reason::Automatic)?;
    refuse_if(prefetched, Reason::NotViewed)
}

pub(crate) const fn refuse_if(wrong: bool, reason: Reason) -> Verdict {
    if wrong { Err(reason) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Timestamp = Timestamp::from_seconds(1_000_000);
    const SEEN: Impression = Impression {
        automatic: false,
        prefetched: false,
        seen_before: false,
        shared: false,
        affordable: true,
        plan_open: true,
        issued_at: T,
        at: T.plus_seconds(1),
        of_visitor: 0,
    };
    const CLICKED: Click = Click {
        automatic: false,
        prefetched: false,
        clicked_before: false,
        seen_at: Some(T),
        shared: false,
        affordable: true,
        plan_open: true,
        at: T.plus_seconds(2),
        of_visitor: 0,
    };
    const CONVERTED: Conversion = Conversion {
        clicked_at: Some(T),
        own_product: true,
        occurred_at: T.plus_seconds(60),
        received_at: T.plus_seconds(61),
        attribution_days: 3,
        plan_open: true,
        of_click: 1,
        per_click: 2,
        payout: Money::from_minor(100),
        funds: Money::from_minor(100),
        claimed_today: Money::from_minor(50),
        daily_cap: Some(Money::from_minor(150)),
    };

    #[test]
    fn an_impression_counts_unless_something_speaks_against_it() {
        assert_eq!(impression(&SEEN), Ok(()));
        // A creative in a slot may be seen after its plan has ended; a shared link, again
        // and again.
        assert_eq!(impression(&Impression { plan_open: false, ..SEEN }), Ok(()));
        let again = Impression { shared: true, seen_before: true, at: T.plus_days(3), affordable: false, ..SEEN };
        assert_eq!(impression(&again), Ok(()));
        // At the last moment, and the visitor's last one.
        let last = MAX_IMPRESSIONS_PER_VISITOR - 1;
        assert_eq!(impression(&Impression { at: T.plus_seconds(120), of_visitor: last, ..SEEN }), Ok(()));
        for (event, reason) in [
            (Impression { automatic: true, ..SEEN }, Reason::Automatic),
            (Impression { prefetched: true, ..SEEN }, Reason::NotViewed),
            (Impression { seen_before: true, affordable: false, ..SEEN }, Reason::Duplicate),
            (Impression { at: T.plus_millis(120_001), ..SEEN }, Reason::ExpiredToken),
            (Impression { affordable: false, ..SEEN }, Reason::ExpiredToken),
            (Impression { shared: true, plan_open: false, ..SEEN }, Reason::PlanEnded),
            (Impression { shared: true, of_visitor: MAX_IMPRESSIONS_PER_VISITOR, ..SEEN }, Reason::TooManyOfVisitor),
            (Impression { of_visitor: MAX_IMPRESSIONS_PER_VISITOR, ..SEEN }, Reason::TooManyOfVisitor),
        ] {
            assert_eq!(impression(&event), Err(reason), "{event:?}");
        }
    }

    #[test]
    fn a_click_counts_unless_something_speaks_against_it() {
        assert_eq!(click(&CLICKED), Ok(()));
        assert_eq!(click(&Click { seen_at: None, shared: true, affordable: false, ..CLICKED }), Ok(()));
        // At the first and last moment, and the visitor's last one.
        for millis in [100, 3_600_000] {
            let last = Click { at: T.plus_millis(millis), of_visitor: MAX_CLICKS_PER_VISITOR - 1, ..CLICKED };
            assert_eq!(click(&last), Ok(()));
        }
        for (event, reason) in [
            (Click { automatic: true, ..CLICKED }, Reason::Automatic),
            (Click { prefetched: true, ..CLICKED }, Reason::NotViewed),
            (Click { clicked_before: true, ..CLICKED }, Reason::Duplicate),
            (Click { seen_at: None, ..CLICKED }, Reason::ClickWithoutView),
            (Click { at: T.plus_millis(99), ..CLICKED }, Reason::TooFast),
            (Click { at: T.plus_millis(3_600_001), ..CLICKED }, Reason::ExpiredToken),
            (Click { affordable: false, ..CLICKED }, Reason::ExpiredToken),
            (Click { plan_open: false, ..CLICKED }, Reason::PlanEnded),
            (Click { of_visitor: MAX_CLICKS_PER_VISITOR, ..CLICKED }, Reason::TooManyOfVisitor),
        ] {
            assert_eq!(click(&event), Err(reason), "{event:?}");
        }
    }

    #[test]
    fn a_viewable_view_counts_once_after_a_view_that_counts() {
        const IN_VIEW: Viewable = Viewable {
            automatic: false,
            prefetched: false,
            reported_before: false,
            seen_at: Some(T),
            at: T.plus_seconds(1),
        };
        assert_eq!(viewable(&IN_VIEW), Ok(()));
        assert_eq!(viewable(&Viewable { at: T.plus_seconds(3_600), ..IN_VIEW }), Ok(()));
        for (event, reason) in [
            (Viewable { automatic: true, reported_before: true, ..IN_VIEW }, Reason::Automatic),
            (Viewable { prefetched: true, seen_at: None, ..IN_VIEW }, Reason::NotViewed),
            (Viewable { reported_before: true, ..IN_VIEW }, Reason::Duplicate),
            (Viewable { seen_at: None, ..IN_VIEW }, Reason::ViewableWithoutView),
            (Viewable { at: T.plus_millis(3_600_001), ..IN_VIEW }, Reason::ExpiredToken),
        ] {
            assert_eq!(viewable(&event), Err(reason), "{event:?}");
        }
    }

    #[test]
    fn a_conversion_counts_unless_something_speaks_against_it() {
        assert_eq!(conversion(&CONVERTED), Ok(()));
        let at = |seconds| Conversion {
            occurred_at: T.plus_seconds(seconds),
            received_at: T.plus_seconds(seconds),
            ..CONVERTED
        };
        assert_eq!(conversion(&at(3 * 86_400)), Ok(()));
        assert_eq!(conversion(&Conversion { attribution_days: 0, ..CONVERTED }), Ok(()));
        let uncapped = Conversion { daily_cap: None, claimed_today: Money::from_minor(i64::MAX), ..CONVERTED };
        assert_eq!(conversion(&uncapped), Ok(()));
        // As long as the plan runs.
        assert_eq!(conversion(&Conversion { attribution_days: 0, ..at(90 * 86_400) }), Ok(()));
        // The advertiser's clock is five minutes ahead of ours, or behind.
        let (ahead, behind) = (CONVERTED.received_at.plus_seconds(300), T.plus_seconds(-300));
        assert_eq!(conversion(&Conversion { occurred_at: ahead, ..CONVERTED }), Ok(()));
        assert_eq!(conversion(&Conversion { occurred_at: behind, ..CONVERTED }), Ok(()));
        for (event, reason) in [
            (Conversion { clicked_at: None, ..CONVERTED }, Reason::UnknownClick),
            (Conversion { own_product: false, ..CONVERTED }, Reason::WrongAdvertiser),
            (Conversion { occurred_at: ahead.plus_millis(1), ..CONVERTED }, Reason::ImplausibleTime),
            (Conversion { occurred_at: behind.plus_millis(-1), ..CONVERTED }, Reason::ImplausibleTime),
            (at(3 * 86_400 + 1), Reason::OutsideWindow),
            (Conversion { plan_open: false, ..CONVERTED }, Reason::OutsideWindow),
            (Conversion { of_click: 2, ..CONVERTED }, Reason::ClickUsedUp),
            (Conversion { funds: Money::from_minor(99), ..CONVERTED }, Reason::AdvertiserFundsExhausted),
            (Conversion { claimed_today: Money::from_minor(51), ..CONVERTED }, Reason::DailyCapReached),
            (Conversion { claimed_today: Money::from_minor(i64::MAX), ..CONVERTED }, Reason::DailyCapReached),
        ] {
            assert_eq!(conversion(&event), Err(reason), "{event:?}");
        }
    }

    #[test]
    fn codes_lead_back() {
        for code in 1..=21 {
            assert_eq!(Reason::try_from(code).map(Reason::code), Ok(code));
        }
        assert!(Reason::try_from(0).is_err());
        let kinds = [EventKind::Impression, EventKind::Click, EventKind::Viewable];
        assert_eq!(kinds.map(EventKind::code), [1, 2, 3]);
        let reports = [EventKind::Notice, EventKind::Confirmation, EventKind::Claim];
        assert_eq!(reports.map(EventKind::code), [4, 5, 6]);
    }
}
