//! A bid response of OpenRTB 2.6, section 4.2, with the fields that are written.

use serde::{Deserialize, Serialize};

use crate::no_bid::NoBid;
use crate::prebid::{PrebidBidExt, PrebidResponseExt};
use crate::price::Cpm;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BidResponse {
    /// The request's.
    pub id: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seatbid: Vec<SeatBid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bidid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cur: Option<String>,
    /// Why there is no bid: a number of the standard's list, or from 500 on one of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nbr: Option<i16>,
    /// For pages that hold their auctions with Prebid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ext: Option<PrebidResponseExt>,
}

impl BidResponse {
    /// The bids of one seat in one currency; without any, it is a refusal without a reason.
    pub fn of(request: &str, seat: Option<&str>, currency: &str, bid: Vec<Bid>) -> Self {
        let seatbid = SeatBid { bid, seat: seat.map(str::to_owned) };
        let seatbid = Some(seatbid).filter(|seatbid| !seatbid.bid.is_empty()).into_iter().collect();
        Self { id: request.to_owned(), seatbid, bidid: None, cur: Some(currency.to_owned()), nbr: None, ext: None }
    }

    /// The response without fields that are new in OpenRTB 2.6, for callers that use 2.5.
    #[must_use]
    pub fn before_2_6(mut self) -> Self {
        for bid in self.seatbid.iter_mut().flat_map(|seat| &mut seat.bid) {
            (bid.mtype, bid.dur, bid.cattax) = (None, None, None);
        }
        self
    }

    /// Says why there is none. An empty answer with HTTP 204 says the same without a
    /// reason.
    pub fn none(request: &str, why: NoBid) -> Self {
        Self { id: request.to_owned(), seatbid: Vec::new(), bidid: None, cur: None, nbr: Some(why.code()), ext: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatBid {
    pub bid: Vec<Bid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bid {
    pub id: String,
    pub impid: String,
    pub price: Cpm,
    /// Called when the bid has won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nurl: Option<String>,
    /// Called when the impression is to be paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burl: Option<String>,
    /// Called when the bid has lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lurl: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adm: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adomain: Vec<String>,
    /// The app that is advertised, by its id in a store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
    /// A picture that shows what the ad is about, for whoever checks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iurl: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crid: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cat: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cattax: Option<i32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attr: Vec<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub w: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub h: Option<u32>,
    /// Seconds between the auction and the impression for which the offer holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exp: Option<u32>,
    /// Seconds that a video lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dur: Option<u32>,
    /// 1 banner, 2 video, 3 audio, 4 native.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mtype: Option<i16>,
    /// For pages that hold their auctions with Prebid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ext: Option<PrebidBidExt>,
}
