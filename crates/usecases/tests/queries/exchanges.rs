//! Ad exchanges and their notices.

use usecases::delivery::ssp::notices::{lost, won};
use usecases::delivery::ssp::staff::{list, replace_key, show};
use usecases::delivery::track::impression_at;

use crate::bidding::{ask, banner, burl, notice, one, ssp};
use crate::support::{Market, reader};

/// An exchange that asks, wins, loses and bills.
pub async fn trade(market: &Market) {
    let app = &market.world.app;
    let plan = market.put("10.00").await;
    let added = ssp(market).await;
    let bid = one(ask(market, &added.key, &banner(0.0)).await.expect("a bid"));
    let other = one(ask(market, &added.key, &banner(0.0)).await.expect("another"));
    won(app, notice(&bid.nurl)).await.expect("taken");
    lost(app, notice(&other.lurl)).await.expect("taken");
    burl(app, &bid, "1.00").await.expect("kept").expect("counts");
    assert!(impression_at(app, notice(&bid.burl), "", &reader()).await.is_err(), "a notice is no picture");
    market.work().await;
    market.detail(&plan).await;
    let id = added.ssp.publisher.publisher.id.parse().expect("an id");
    assert!(!list(app).await.expect("listed").is_empty());
    show(app, id).await.expect("shown");
    replace_key(app, &market.world.bob, id, None).await.expect("requested");
}
