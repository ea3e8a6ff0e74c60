//! The words plans are described in, with their stable numbers and names.

use base::coded;

coded!(
    /// Where a plan stands, in the order of its life.
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

coded!(
    /// Why a plan stands there.
    Cause as "PlanReason" {
        Offered = 1 "offered",
        Put = 2 "put",
        FirstDelivery = 3 "first_delivery",
        NoSupply = 4 "no_supply",
        Rejected = 5 "rejected",
        BudgetUsed = 6 "budget_used",
        EndDate = 7 "end_date",
        StoppedByUser = 8 "stopped_by_user",
        DeliveriesClosed = 9 "deliveries_closed",
        WindowClosed = 10 "window_closed",
    }
);

coded!(
    /// What is shown of a product.
    ContentType {
        Video = 1 "video",
        LandingPage = 2 "landing_page",
        GameDescription = 3 "game_description",
    }
);

coded!(
    /// What a price is the price of.
    Pricing {
        /// A thousand impressions.
        Cpm = 1 "cpm",
        /// One click.
        Cpc = 2 "cpc",
    }
);
