//! An exchange whose ads nobody sees, and readers who name prices.

use campaigns::catalogue::counterparty_keys::LOCAL;
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::ssp::bid::BidAnswer;
use campaigns::delivery::ssp::notices;
use campaigns::delivery::ssp::staff::{self, RequestedKey, SspDay, SspFile};
use campaigns::delivery::track::impression_at;
use delivery::Reason;
use desk::installation::simulated::take_key;
use openrtb::Bid;
use plans::closing_after;
use store::on_both;

use super::bidding::{AddedSsp, NORTH, ask, ask_on, banner, burl, file, notice, one, ssp, ssp_of};
use super::earnings::number;
use crate::intruder::keep;
use crate::money::why;
use crate::support::{Market, market, market_with, reader, second, token};

/// A view costs 0.10, of which the exchange is offered 0.07.
async fn cheap(test: store::testing::TestDb) -> Market {
    market_with(test, |product| product.put_rule.price = "100.00".into()).await
}

pub async fn offered(market: &Market, ssp: &AddedSsp) -> Bid {
    one(ask(market, &ssp.key, &banner(0.0)).await.expect("a bid"))
}

/// The token of the picture in an ad.
fn picture(bid: &Bid) -> String {
    let adm = bid.adm.as_deref().expect("markup");
    token(adm.split('"').nth(1).expect("an address").split(".gif").next().expect("a token")).to_owned()
}

pub async fn seen(market: &Market, bid: &Bid, price: &str) -> delivery::Verdict {
    impression_at(&market.world.app, &picture(bid), price, &reader()).await.expect("kept")
}

async fn unpaid(market: &Market, ssp: &AddedSsp) -> String {
    let id = ssp.ssp.publisher.publisher.id;
    staff::show(&market.world.app, id).await.expect("shown").ssp.publisher.unpaid.to_string()
}

on_both!(a_reader_names_no_price, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    market.ripen().await;
    let ssp = ssp(&market).await;
    for named in ["0", "9999.99", "-1", "nonsense"] {
        let bid = offered(&market, &ssp).await;
        seen(&market, &bid, named).await.expect("counts");
        assert_eq!(burl(&market.world.app, &bid, "3000.00").await.expect("kept"), Err(Reason::Duplicate));
    }
    market.close_day().await;
    assert_eq!(unpaid(&market, &ssp).await, "12.00");
    assert_eq!(market.detail(&plan).await.delivery.impressions, 4);
    market.check().await;
});

on_both!(an_exchange_that_shows_nothing_is_owed_its_share, |test| {
    let market = cheap(test).await;
    let plan = market.put("300.00").await;
    market.ripen().await;
    let ssp = ssp(&market).await;
    let mut counted = 0;
    for _ in 0..150 {
        let bid = offered(&market, &ssp).await;
        counted += i64::from(burl(&market.world.app, &bid, "70.00").await.expect("kept").is_ok());
    }
    market.close_day().await;
    assert_eq!((counted, unpaid(&market, &ssp).await.as_str()), (100, "7.00"));
    let delivery = market.detail(&plan).await.delivery;
    assert_eq!((delivery.impressions, delivery.filtered), (100, 50));
    market.check().await;
});

on_both!(an_exchange_follows_the_plans_days, |test| {
    let market = cheap(test).await;
    let plan = market.put("30.00").await;
    let ssp = ssp(&market).await;
    let sells = async || {
        let mut sold = 0;
        while let Some(bids) = ask(&market, &ssp.key, &banner(0.0)).await {
            seen(&market, &one(bids), "").await.expect("counts");
            sold += 1;
            assert!(sold <= 300);
        }
        sold
    };
    assert_eq!(sells().await, 6, "a fiftieth of the budget at once");
    assert!(market.serve().await.is_some(), "the publisher's own tag is served");
    market.wait(86_400);
    market.work().await;
    let a_day = sells().await;
    assert!((43..=46).contains(&a_day), "{a_day}");
    // Nothing else sells it, and it ends.
    for _ in 0..24 {
        market.wait(6 * 3_600);
        market.work().await;
        sells().await;
    }
    market.wait(200);
    market.work().await;
    assert_eq!(market.status(&plan).await, "waiting_settlement");
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "30.00");
    assert_eq!(number(&market, "SELECT COUNT(*) FROM events WHERE price_milli > 0").await, 300);
});

on_both!(an_exchange_that_bills_what_it_called_lost_follows_the_plans_days_as_well, |test| {
    let market = cheap(test).await;
    let plan = market.put("30.00").await;
    let ssp = ssp(&market).await;
    // The price of what was lost is free at once, and offered again.
    let mut lost = Vec::new();
    for _ in 0..40 {
        let bid = offered(&market, &ssp).await;
        notices::take_loss(&market.world.app, notice(&bid.lurl)).await.expect("taken");
        lost.push(bid);
    }
    let mut counted = 0;
    for bid in &lost {
        counted += i64::from(seen(&market, bid, "").await.is_ok());
    }
    assert_eq!(counted, 6, "a fiftieth of the budget at once");
    assert!(market.serve().await.is_some(), "the publisher's own tag is served");
    market.work().await;
    assert_eq!(market.detail(&plan).await.delivery.impressions, 6);
    market.check().await;
});

on_both!(what_one_exchange_called_lost_is_anothers_since, |test| {
    let market = cheap(test).await;
    let plan = market.put("30.00").await;
    let ssp = ssp(&market).await;
    let south = SspFile { name: "South Exchange".into(), domain: "south.example".into(), ..file() };
    let other = ssp_of(&market, south).await;
    let (mut lost, mut offered_since) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        lost.push(offered(&market, &ssp).await);
    }
    assert!(ask(&market, &ssp.key, &banner(0.0)).await.is_none(), "a fiftieth of the budget at once");
    for bid in &lost {
        notices::take_loss(&market.world.app, notice(&bid.lurl)).await.expect("taken");
    }
    for _ in 0..6 {
        offered_since.push(offered(&market, &other).await);
    }
    for bid in &lost {
        assert_eq!(seen(&market, bid, "").await, Err(Reason::ExpiredToken));
    }
    for bid in &offered_since {
        seen(&market, bid, "").await.expect("counts");
    }
    market.work().await;
    assert_eq!(market.detail(&plan).await.delivery.impressions, 6);
    market.check().await;
});

/// An exchange that may bill so many views without a picture, and none more.
async fn trusted_with(market: &Market, views: i64) -> AddedSsp {
    let share = Some("0".to_owned());
    ssp_of(market, SspFile { unconfirmed_share: share, unconfirmed_views: Some(views), ..file() }).await
}

async fn today(market: &Market, ssp: &AddedSsp) -> SspDay {
    let id = ssp.ssp.publisher.publisher.id;
    staff::show(&market.world.app, id).await.expect("shown").days.remove(0)
}

on_both!(more_views_without_a_picture_than_usual_take_an_admin, |test| {
    let market = market(test).await;
    let (app, ann, carl) = (&market.world.app, &market.world.ann, &market.world.carl);
    let agreed = async |name: &str, share: &str, views| {
        let (domain, name) = (format!("{name}.example"), format!("{name} exchange"));
        let (unconfirmed_share, unconfirmed_views) = (Some(share.to_owned()), Some(views));
        let file = SspFile { name, domain, unconfirmed_share, unconfirmed_views, ..file() };
        let RequestedKey { request, .. } = staff::add(app, carl, file, LOCAL).await.expect("added");
        take_key(app, ann, request.id, request.claim_url.as_deref()).await
    };
    agreed("south", "0.1", 100).await.expect("as usual");
    assert_eq!(why(agreed("west", "0.1", 101).await), "admin_needed");
    assert_eq!(why(agreed("east", "0.1001", 0).await), "admin_needed");
    trusted_with(&market, 101).await;
});

on_both!(a_picture_makes_a_claim_count_and_a_confirmed_view_makes_room, |test| {
    let market = market(test).await;
    // Twenty views, a quarter of which is leased, and half of that is an exchange's.
    let plan = market.put("100.00").await;
    market.ripen().await;
    let ssp = trusted_with(&market, 1).await;
    let app = &market.world.app;
    let [first, claimed] = [offered(&market, &ssp).await, offered(&market, &ssp).await];
    burl(app, &first, "3000").await.expect("kept").expect("counts");
    let third = offered(&market, &ssp).await;
    for _ in 0..2 {
        burl(app, &claimed, "2000").await.expect("kept").expect_err("beyond the share");
    }
    market.work().await;
    assert_eq!(unpaid(&market, &ssp).await, "3.00", "nothing for the claim");
    let figures = market.detail(&plan).await.delivery;
    assert_eq!((figures.impressions, figures.filtered), (1, 1));
    let day = today(&market, &ssp).await.views;
    assert_eq!((day.confirmed, day.unconfirmed, day.unconfirmed_allowed), (0, 1, 1));
    // The picture of the first one confirms it, and costs nothing; that of the second one makes it count.
    assert_eq!(seen(&market, &first, "0").await, Err(Reason::Duplicate));
    seen(&market, &claimed, "0").await.expect("counts");
    burl(app, &third, "1000").await.expect("kept").expect("there is room again");
    market.close_day().await;
    assert_eq!(unpaid(&market, &ssp).await, "6.00");
    let figures = market.detail(&plan).await;
    assert_eq!((figures.delivery.impressions, figures.plan.consumed.to_string().as_str()), (3, "15.00"));
    let day = today(&market, &ssp).await.views;
    assert_eq!((day.confirmed, day.unconfirmed, day.unconfirmed_allowed), (2, 1, 1));
    for kind in [4, 5, 6] {
        assert_eq!(number(&market, &format!("SELECT COUNT(*) FROM events WHERE kind = {kind}")).await, 1, "{kind}");
    }
    market.check().await;
});

on_both!(a_price_named_late_is_booked_when_the_plan_ends_and_not_after_it_is_settled, |test| {
    let market = market(test).await;
    let plan = market.put("10.00").await;
    market.ripen().await;
    let ssp = ssp(&market).await;
    let app = &market.world.app;
    let soon = offered(&market, &ssp).await;
    seen(&market, &soon, "").await.expect("counts");
    let late = offered(&market, &ssp).await;
    seen(&market, &late, "").await.expect("counts");
    market.wait(130);
    market.work().await;
    assert_eq!(
        (market.status(&plan).await.as_str(), unpaid(&market, &ssp).await.as_str()),
        ("waiting_settlement", "0.00")
    );
    let before = number(&market, "SELECT SUM(amount) FROM entries WHERE account_kind = 403").await;
    // All of it is billed to the user, and the exchange gets its part without another bill.
    assert_eq!(burl(app, &soon, "3000").await.expect("kept"), Err(Reason::Duplicate));
    market.work().await;
    assert_eq!(unpaid(&market, &ssp).await, "3.00");
    let after = number(&market, "SELECT SUM(amount) FROM entries WHERE account_kind = 403").await;
    assert_eq!(after - before, -300);
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "10.00");
    market.check().await;
    market.wait(3 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    assert_eq!(burl(app, &late, "3000").await.expect("kept"), Err(Reason::PlanEnded));
    market.work().await;
    assert_eq!(unpaid(&market, &ssp).await, "3.00");
    market.check().await;
});

on_both!(the_share_is_exact_on_two_servers, |test| {
    let market = market_with(test, |product| product.put_rule.price = "100.00".into()).await;
    market.put("300.00").await;
    market.put("300.00").await;
    market.ripen().await;
    let ssp = trusted_with(&market, 7).await;
    let other = second(&market);
    let mut bids = Vec::new();
    while bids.len() < 30 {
        if let BidAnswer::Bids(bid) = ask_on(&market.world.app, &ssp.key, &banner(0.0)).await.expect("answered") {
            bids.push(one(bid));
        }
    }
    let from = NORTH.parse().expect("an address");
    let billed = bids.iter().enumerate().map(|(n, bid)| {
        let app = if n % 2 == 0 { &market.world.app } else { &other };
        notices::take_billing(app, notice(&bid.burl), "70", from)
    });
    let billed = futures_util::future::join_all(billed).await;
    let counted = billed.iter().filter(|verdict| verdict.as_ref().is_ok_and(Result::is_ok)).count();
    assert_eq!(counted, 7);
    market.work().await;
    market.check().await;
});

on_both!(whatever_somebody_edits_in_an_exchanges_views_is_found, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let ssp = ssp(&market).await;
    let bid = offered(&market, &ssp).await;
    burl(&market.world.app, &bid, "3000").await.expect("kept").expect("counts");
    assert_eq!(seen(&market, &bid, "").await, Err(Reason::Duplicate));
    market.check().await;
    market.work().await;
    let app = &market.world.app;
    for table in ["ssp_views", "slot_days"] {
        for column in ["by_picture", "by_notice", "confirmed"] {
            keep(app, &[&format!("UPDATE {table} SET {column} = {column} + 1")]).await;
            assert!(!recompute(app).await.expect("recomputed").ok, "{table}.{column}");
            keep(app, &[&format!("UPDATE {table} SET {column} = {column} - 1")]).await;
        }
    }
    market.check().await;
});

on_both!(a_price_named_late_waits_for_the_next_bill_or_the_evening, |test| {
    let market = cheap(test).await;
    let plan = market.put("300.00").await;
    let ssp = ssp(&market).await;
    let app = &market.world.app;
    market.world.test.clock.move_to(closing_after(app.now()).plus_seconds(-60));
    let [first, second] = [offered(&market, &ssp).await, offered(&market, &ssp).await];
    seen(&market, &first, "").await.expect("counts");
    market.close_day().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "0.10");
    assert_eq!(burl(app, &first, "60").await.expect("kept"), Err(Reason::Duplicate));
    market.work().await;
    assert_eq!(unpaid(&market, &ssp).await, "0.00", "a bill of its own would be too much");
    market.check().await;
    market.close_day().await;
    assert_eq!(unpaid(&market, &ssp).await, "0.06");
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "0.10", "the user pays nothing for it");
    assert!(burl(app, &second, "60").await.expect("kept").is_err(), "a day too late");
    market.check().await;
});
