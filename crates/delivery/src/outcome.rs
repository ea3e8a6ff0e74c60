//! How the requests of an ad exchange end. There is a count of each by day; nobody is paid by it.

use base::coded;

coded!(
    /// The outcome of a bid request. A request without a bid has the code of the reason.
    Outcome {
        /// A request that could be read.
        Request = 1001 "requests",
        /// The request could not be parsed.
        Malformed = 1002 "malformed",
        /// An impression for which an ad was offered.
        Bid = 1003 "bids",
        /// The exchange said that the offer won.
        Won = 1004 "wins",
        /// The exchange said that the offer lost.
        Lost = 1005 "losses",
    }
);
