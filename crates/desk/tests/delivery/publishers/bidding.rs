//! An ad exchange that asks for bids.

use campaigns::AdServer;
use std::time::Instant;

use campaigns::catalogue::counterparty_keys::LOCAL;
use campaigns::delivery::auction::AuctionCall;
use campaigns::delivery::ssp::bid::{BidAnswer, answer};
use campaigns::delivery::ssp::notices::take_billing;
use campaigns::delivery::ssp::staff::{RequestedKey, SspFile, SspView, add};
use desk::installation::simulated::take_key;
use foundation::Error;
use openrtb::BidResponse;
use serde_json::{Value, json};

use crate::support::{BASE, Market};

/// From where its notices come.
pub const NORTH: &str = "203.0.113.50";

pub fn file() -> SspFile {
    SspFile {
        name: "North Exchange".into(),
        domain: "north.example".into(),
        contact: "demand@north.example".into(),
        seat: None,
        unconfirmed_share: None,
        unconfirmed_views: None,
        notifies: true,
    }
}

/// An exchange with the key that it claimed.
pub struct AddedSsp {
    pub ssp: SspView,
    pub key: String,
}

/// Bob adds an exchange, which claims its key, and Ann approves that.
pub async fn ssp(market: &Market) -> AddedSsp {
    ssp_of(market, file()).await
}

pub async fn ssp_of(market: &Market, file: SspFile) -> AddedSsp {
    let world = &market.world;
    let RequestedKey { request, ssp } = add(&world.app, &world.bob, file, LOCAL).await.expect("added");
    let key = take_key(&world.app, &world.ann, request.id, request.claim_url.as_deref()).await.expect("approved");
    AddedSsp { ssp, key }
}

pub fn banner(floor: f64) -> Value {
    json!({
        "id": "r1",
        "cur": ["USD"],
        "site": { "domain": "News.example" },
        "device": { "geo": { "country": "DEU" }, "language": "en" },
        "regs": { "gdpr": 0 },
        "imp": [{ "id": "1", "bidfloor": floor, "banner": { "format": [{ "w": 300, "h": 250 }] } }],
    })
}

pub async fn ask_on(app: &AdServer, key: &str, request: &Value) -> Result<BidAnswer, Error> {
    let body = request.to_string();
    let banner = |answer: &campaigns::delivery::serve::SlotAnswer, _, _: &str| {
        format!("<img src=\"{}\">", answer.impression_url)
    };
    let call = AuctionCall { body: body.as_bytes(), arrived_at: Instant::now(), base: BASE, banner };
    answer(app, key, call).await
}

pub async fn ask(market: &Market, key: &str, request: &Value) -> Option<BidResponse> {
    match ask_on(&market.world.app, key, request).await.expect("answered") {
        BidAnswer::Bids(bids) => Some(bids),
        BidAnswer::NoBid => None,
        BidAnswer::Malformed(wrong) => panic!("{wrong}"),
    }
}

pub fn one(response: BidResponse) -> openrtb::Bid {
    let [seat] = response.seatbid.as_slice() else { panic!("one seat") };
    let [bid] = seat.bid.as_slice() else { panic!("one bid") };
    bid.clone()
}

/// The token in the address of a notice.
pub fn notice(url: &Option<String>) -> &str {
    let url = url.as_deref().expect("an address");
    url.rsplit('/').next().and_then(|rest| rest.split('?').next()).expect("a token")
}

pub async fn burl(app: &AdServer, bid: &openrtb::Bid, price: &str) -> Result<delivery::Verdict, Error> {
    take_billing(app, notice(&bid.burl), price, NORTH.parse().expect("an address")).await
}
