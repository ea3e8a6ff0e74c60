//! How the requests of an ad exchange end. There is a count of each by day; nobody is paid by it.

use base::coded;

coded!(
    /// What came of a request. Why there was no bid has the code of its reason.
    Outcome {
        /// A request that could be read.
        Request = 1001 "requests",
        /// One that could not.
        Malformed = 1002 "malformed",
        /// An impression for which an ad was offered.
        Bid = 1003 "bids",
        /// The exchange said that the offer won.
        Won = 1004 "wins",
        /// The exchange said that the offer lost.
        Lost = 1005 "losses",
    }
);
