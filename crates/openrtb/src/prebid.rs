//! The extensions of [Prebid
//! Server](https://docs.prebid.org/prebid-server/endpoints/openrtb2/pbs-endpoint-auction.html) that a page with Prebid
//! reads besides the standard's fields.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::no_bid::NoBid;
use crate::response::{Bid, BidResponse, SeatBid};

/// The platform's name among the bidders of a page.
pub const BIDDER: &str = "placard";
/// Prebid Server's number of a bidder's fault that lies in the request.
const BAD_INPUT: u16 = 1;

/// `BidResponse.ext`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct PrebidResponseExt {
    /// How long each bidder took.
    pub responsetimemillis: BTreeMap<String, i64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, Vec<PrebidError>>,
    /// Why bidders did not bid for an impression.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seatnonbid: Vec<SeatNonBid>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrebidError {
    pub code: u16,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatNonBid {
    pub seat: String,
    pub nonbid: Vec<NonBid>,
}

/// An impression without a bid. `statuscode` is the number of a [`NoBid`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NonBid {
    pub impid: String,
    pub statuscode: i16,
}

/// `Bid.ext`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrebidBidExt {
    pub prebid: BidType,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BidType {
    /// `banner`, `video` or `native`.
    #[serde(rename = "type")]
    pub kind: String,
}

impl PrebidBidExt {
    /// Says once more what `Bid.mtype` says.
    pub fn of(bid: &Bid) -> Self {
        let kind = match bid.mtype {
            Some(2) => "video",
            Some(4) => "native",
            _ => "banner",
        };
        Self { prebid: BidType { kind: kind.to_owned() } }
    }
}

/// The outcome of each impression of a page's auction.
#[derive(Clone, Debug, Default)]
pub struct PrebidOutcome {
    pub bids: Vec<Bid>,
    /// The reasons for no bid, by the impression's id.
    pub none: Vec<(String, NoBid)>,
    /// The problems of impressions' parameters.
    pub wrong: Vec<String>,
}

impl PrebidOutcome {
    /// The answer to the page, with the reason for each missing bid.
    pub fn response(self, request: &str, currency: &str, took_millis: i64) -> BidResponse {
        let nonbid = self.none.into_iter().map(|(impid, why)| NonBid { impid, statuscode: why.code() });
        let nonbid = SeatNonBid { seat: BIDDER.to_owned(), nonbid: nonbid.collect() };
        let wrong = self.wrong.into_iter().map(|message| PrebidError { code: BAD_INPUT, message });
        let errors: Vec<_> = wrong.collect();
        let ext = PrebidResponseExt {
            responsetimemillis: BTreeMap::from([(BIDDER.to_owned(), took_millis)]),
            errors: Some(errors)
                .filter(|all| !all.is_empty())
                .map(|all| (BIDDER.to_owned(), all))
                .into_iter()
                .collect(),
            seatnonbid: Some(nonbid).filter(|seat| !seat.nonbid.is_empty()).into_iter().collect(),
        };
        let seatbid = SeatBid { bid: self.bids, seat: Some(BIDDER.to_owned()) };
        BidResponse {
            id: request.to_owned(),
            seatbid: Some(seatbid).filter(|seat| !seat.bid.is_empty()).into_iter().collect(),
            bidid: None,
            cur: Some(currency.to_owned()),
            nbr: None,
            ext: Some(ext),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_without_bids_says_why() {
        let outcome = PrebidOutcome {
            none: vec![("top".into(), NoBid::BelowFloor)],
            wrong: vec!["imp[1]: no slot has the key side".into()],
            ..PrebidOutcome::default()
        };
        let answer = serde_json::to_value(outcome.response("r", "USD", 3)).expect("JSON");
        let expected = json!({
            "id": "r", "cur": "USD",
            "ext": {
                "responsetimemillis": { "placard": 3 },
                "errors": { "placard": [{ "code": 1, "message": "imp[1]: no slot has the key side" }] },
                "seatnonbid": [{ "seat": "placard", "nonbid": [{ "impid": "top", "statuscode": 519 }] }],
            },
        });
        assert_eq!(answer, expected);
    }
}
