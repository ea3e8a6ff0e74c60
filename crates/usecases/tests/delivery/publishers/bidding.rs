//! An ad exchange that asks for bids.

use std::time::Instant;

use openrtb::BidResponse;
use serde_json::{Value, json};
use usecases::delivery::auction::AuctionCall;
use usecases::delivery::ssp::bid::{BidAnswer, answer};
use usecases::delivery::ssp::notices::billed;
use usecases::delivery::ssp::staff::{RequestedKey, SspFile, add};
use usecases::staff::requests::approve;
use usecases::{App, Error};

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

/// Bob adds an exchange, and Ann approves its key.
pub async fn ssp(market: &Market) -> RequestedKey {
    ssp_of(market, file()).await
}

pub async fn ssp_of(market: &Market, file: SspFile) -> RequestedKey {
    let world = &market.world;
    let added = add(&world.app, &world.bob, file).await.expect("added");
    approve(&world.app, &world.ann, added.request.id.parse().expect("an id")).await.expect("approved");
    added
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

pub async fn ask_on(app: &App, key: &str, request: &Value) -> Result<BidAnswer, Error> {
    let body = request.to_string();
    let banner =
        |answer: &usecases::delivery::serve::SlotAnswer, _, _: &str| format!("<img src=\"{}\">", answer.impression_url);
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

pub async fn burl(app: &App, bid: &openrtb::Bid, price: &str) -> Result<delivery::Verdict, Error> {
    billed(app, notice(&bid.burl), price, NORTH.parse().expect("an address")).await
}
