//! Ad exchanges and their notices, and pages with auctions of their own.

use std::time::Instant;

use campaigns::catalogue::counterparty_keys::LOCAL;
use campaigns::delivery::auction::AuctionCall;
use campaigns::delivery::auction::prebid::answer;
use campaigns::delivery::ssp::notices::{take_loss, take_win};
use campaigns::delivery::ssp::staff::{is_there, list, replace_key, show, with_key};
use campaigns::delivery::track::impression_at;
use money::wallet::publishers::statement::statement;
use serde_json::json;

use crate::bidding::{ask, banner, burl, notice, one, ssp};
use crate::support::{BASE, Market, SLOT, reader};

/// An exchange that asks, wins, loses and bills.
pub async fn trade(market: &Market) {
    let app = &market.world.app;
    let plan = market.put("80.00").await;
    market.ripen().await;
    let added = ssp(market).await;
    let bid = one(ask(market, &added.key, &banner(0.0)).await.expect("a bid"));
    let other = one(ask(market, &added.key, &banner(0.0)).await.expect("another"));
    take_win(app, notice(&bid.nurl)).await.expect("taken");
    take_loss(app, notice(&other.lurl)).await.expect("taken");
    burl(app, &bid, "1.00").await.expect("kept").expect("counts");
    assert!(impression_at(app, notice(&bid.burl), "", &reader()).await.is_err(), "a notice is no picture");
    market.work().await;
    market.detail(&plan).await;
    let id = added.ssp.publisher.publisher.id;
    assert!(!list(app).await.expect("listed").is_empty());
    show(app, id).await.expect("shown");
    is_there(app, id).await.expect("there");
    statement(app, id, None).await.expect("a statement");
    assert!(with_key(app, &added.key).await.expect("read").is_some());
    replace_key(app, &market.world.bob, id, (None, None), LOCAL).await.expect("requested");
    on_a_page(market).await;
}

async fn on_a_page(market: &Market) {
    let imp = json!({ "id": "1", "banner": { "w": 300, "h": 250 },
        "ext": { "prebid": { "bidder": { "placard": { "slot": SLOT } } } } });
    let body = json!({ "id": "r", "imp": [imp] }).to_string();
    let banner = |_: &campaigns::delivery::serve::SlotAnswer, _, _: &str| String::new();
    let call = AuctionCall { body: body.as_bytes(), arrived_at: Instant::now(), base: BASE, banner };
    assert!(answer(&market.world.app, call, None).await.expect("answered").is_ok());
}
