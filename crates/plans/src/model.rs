//! The enumerations of plans, with their stable codes and names.

use base::{Timestamp, coded, named, stored_by_name};

coded!(
    /// The status of a plan, in the order of its life.
    Status as "PlanStatus" {
        WaitingToPut = 0 "waiting_to_put",
        Matching = 1 "matching",
        Putting = 2 "putting",
        PutFailed = 3 "put_failed",
        PutFinished = 4 "put_finished",
        WaitingSettlement = 5 "waiting_settlement",
        Settled = 6 "settled",
    }
);

named!(
    /// Why a plan got its status.
    Cause as "PlanReason" {
        Offered "offered",
        Put "put",
        FirstDelivery "first_delivery",
        NoSupply "no_supply",
        Rejected "rejected",
        BudgetUsed "budget_used",
        EndDate "end_date",
        StoppedByUser "stopped_by_user",
        DeliveriesClosed "deliveries_closed",
        WindowClosed "window_closed",
    }
);
stored_by_name!(Cause);

coded!(
    /// The form in which a product is shown.
    ContentType {
        Video = 1 "video",
        LandingPage = 2 "landing_page",
        GameDescription = 3 "game_description",
    }
);

coded!(
    /// What the price is for.
    Pricing {
        /// A thousand impressions.
        Cpm = 1 "cpm",
        /// One click.
        Cpc = 2 "cpc",
    }
);

impl Status {
    /// Whether slots may show it.
    pub const fn is_running(self) -> bool {
        matches!(self, Self::Matching | Self::Putting)
    }

    /// Whether it runs, or has run and is not settled, so that its money is still held.
    pub const fn is_under_way(self) -> bool {
        match self {
            Self::Matching | Self::Putting | Self::PutFinished | Self::WaitingSettlement => true,
            Self::WaitingToPut | Self::PutFailed | Self::Settled => false,
        }
    }

    /// Whether no other status follows.
    pub const fn is_final(self) -> bool {
        match self {
            Self::PutFailed | Self::Settled => true,
            Self::WaitingToPut | Self::Matching | Self::Putting | Self::PutFinished | Self::WaitingSettlement => false,
        }
    }

    /// The statuses of plans under way.
    pub fn under_way() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|status| status.is_under_way())
    }

    /// Whether a click counts. A creative that was sent out may be clicked until its token expires: such a click is
    /// free as long as conversions count, and costs something while the plan's money is still held. A link that was
    /// passed on expires with the plan.
    pub const fn takes_clicks(self, from_slot: bool, costs: bool) -> bool {
        match self {
            Self::Matching | Self::Putting => true,
            Self::PutFinished => from_slot,
            Self::WaitingSettlement => from_slot && !costs,
            Self::WaitingToPut | Self::PutFailed | Self::Settled => false,
        }
    }

    /// Whether a conversion counts: as long as the plan runs, and then until it
    /// is to be settled.
    pub fn takes_conversions(self, settles_at: Option<Timestamp>, now: Timestamp) -> bool {
        match self {
            Self::Matching | Self::Putting => true,
            Self::PutFinished | Self::WaitingSettlement => settles_at.is_some_and(|at| now < at),
            Self::WaitingToPut | Self::PutFailed | Self::Settled => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn which(takes: impl Fn(Status) -> bool) -> Vec<i16> {
        Status::ALL.iter().copied().filter(|status| takes(*status)).map(Status::code).collect()
    }

    #[test]
    fn money_is_out_from_the_put_on_until_nothing_follows() {
        assert_eq!(which(Status::is_under_way), [1, 2, 4, 5]);
        assert_eq!(which(Status::is_final), [3, 6]);
        assert_eq!(Status::under_way().map(Status::code).collect::<Vec<_>>(), [1, 2, 4, 5]);
    }

    #[test]
    fn clicks_count_as_long_as_they_can_be_paid_or_cost_nothing() {
        assert_eq!(which(Status::is_running), [1, 2]);
        assert_eq!(which(|status| status.takes_clicks(true, true)), [1, 2, 4]);
        assert_eq!(which(|status| status.takes_clicks(true, false)), [1, 2, 4, 5]);
        assert_eq!(which(|status| status.takes_clicks(false, false)), [1, 2]);
        assert_eq!(which(|status| status.takes_clicks(false, true)), [1, 2]);
    }

    #[test]
    fn conversions_count_until_the_plan_is_to_be_settled() {
        let at = Timestamp::from_seconds(1_000);
        let before = at.plus_millis(-1);
        assert_eq!(which(|status| status.takes_conversions(Some(at), before)), [1, 2, 4, 5]);
        assert_eq!(which(|status| status.takes_conversions(Some(at), at)), [1, 2]);
        assert_eq!(which(|status| status.takes_conversions(None, before)), [1, 2]);
    }
}
