//! Pages that hold their own auctions with Prebid, for a publisher's slots.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use campaigns::catalogue::products::Targeting;
use campaigns::delivery::auction::{AuctionCall, prebid};
use campaigns::delivery::publishers;
use campaigns::delivery::serve::SlotAnswer;
use campaigns::delivery::slots::{self, SlotFile};
use campaigns::delivery::track::impression;
use delivery::{OPEN_OF_SEEN, UNSEEN_OF_NETWORK};
use openrtb::{Bid, BidResponse};
use serde_json::{Value, json};
use store::on_both;
use supply::PublisherStatus;

use super::bidding::one;
use super::earnings::number;
use crate::support::{BASE, Market, SLOT, market, market_with, reader, token};

/// What Prebid.js sends for one place of a page.
pub fn page(slot: &str) -> Value {
    json!({
        "id": "93fe49dc", "test": 0, "tmax": 1000,
        "site": { "domain": "daily.example", "page": "https://daily.example/" },
        "device": { "ua": reader().user_agent, "language": "en" },
        "imp": [{ "id": "top", "secure": 1, "banner": { "format": [{ "w": 300, "h": 250 }, { "w": 320, "h": 50 }] },
            "ext": { "prebid": { "bidder": { "placard": { "slot": slot } } } } }],
        "ext": { "prebid": { "auctiontimestamp": 1_795_483_051_005_i64 }, "tmaxmax": 1500 },
    })
}

pub async fn answer(market: &Market, request: &Value, from: Option<IpAddr>, base: &str) -> BidResponse {
    answer_since(market, request, (from, base, Instant::now())).await
}

type Circumstances<'a> = (Option<IpAddr>, &'a str, Instant);

async fn answer_since(market: &Market, request: &Value, (from, base, since): Circumstances<'_>) -> BidResponse {
    let body = request.to_string();
    let banner = |answer: &SlotAnswer, _, _: &str| format!("<img src=\"{}\">", answer.impression_url);
    let call = AuctionCall { body: body.as_bytes(), arrived_at: since, base, banner };
    prebid::answer(&market.world.app, call, from).await.expect("answered").expect("a request")
}

async fn ask(market: &Market, request: &Value) -> BidResponse {
    answer(market, request, None, BASE).await
}

/// The numbers of the reasons for which there was no bid.
fn reasons(response: &BidResponse) -> Vec<i16> {
    assert!(response.seatbid.is_empty(), "{response:?}");
    let ext = response.ext.as_ref().expect("extensions");
    ext.seatnonbid.iter().flat_map(|seat| &seat.nonbid).map(|none| none.statuscode).collect()
}

fn problems(response: &BidResponse) -> Vec<String> {
    let ext = response.ext.as_ref().expect("extensions");
    ext.errors.values().flatten().map(|error| error.message.clone()).collect()
}

pub async fn see(market: &Market, bid: &Bid) {
    let adm = bid.adm.as_deref().expect("markup");
    let pixel = token(adm.split('"').nth(1).expect("an address"));
    impression(&market.world.app, pixel, &reader()).await.expect("kept").expect("counts");
}

on_both!(a_page_is_offered_what_its_publisher_earns_of_a_view, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let response = ask(&market, &page(SLOT)).await;
    assert_eq!((response.id.as_str(), response.cur.as_deref()), ("93fe49dc", Some("USD")));
    assert_eq!(response.seatbid[0].seat.as_deref(), Some("placard"));
    let bid = one(response);
    // 5.00 a view, of which the publisher gets 0.70: a CPM of 3,500.00.
    assert_eq!((bid.price.to_string().as_str(), bid.impid.as_str(), bid.exp), ("3500", "top", Some(3)));
    assert_eq!((bid.w, bid.h, bid.mtype), (Some(300), Some(250), Some(1)));
    assert_eq!(bid.ext.as_ref().map(|ext| ext.prebid.kind.as_str()), Some("banner"));
    assert_eq!((&bid.nurl, &bid.burl, &bid.lurl), (&None, &None, &None), "the picture alone counts");
    assert!(!bid.adm.as_deref().expect("markup").contains("${"));
    see(&market, &bid).await;
    market.work().await;
    let detail = market.detail(&plan).await;
    assert_eq!((detail.delivery.impressions, detail.plan.consumed.to_string().as_str()), (1, "5.00"));
    assert_eq!(detail.sources[0].slot.as_deref(), Some(SLOT));
    assert_eq!(number(&market, "SELECT SUM(amount) FROM entries WHERE account_kind = 501").await, 350);
    assert_eq!(number(&market, "SELECT SUM(amount) FROM entries").await, 0);
    let fill = number(&market, "SELECT 10 * requests + filled FROM slot_requests").await;
    assert_eq!(fill, 11, "asked once, filled once");
    market.check().await;
});

on_both!(an_impression_that_names_no_slot_says_so_and_the_others_are_answered, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let mut request = page(SLOT);
    let imp = |id: &str, ext: Value| json!({ "id": id, "banner": { "w": 300, "h": 250 }, "ext": ext });
    let imps = request["imp"].as_array_mut().expect("impressions");
    imps.push(imp("unknown", json!({ "prebid": { "bidder": { "placard": { "slot": "elsewhere" } } } })));
    imps.push(imp("other", json!({ "prebid": { "bidder": { "rival": {} } } })));
    imps.push(imp("stored", json!({ "prebid": { "storedrequest": { "id": SLOT } } })));
    let response = ask(&market, &request).await;
    let answered: Vec<_> = response.seatbid[0].bid.iter().map(|bid| bid.impid.as_str()).collect();
    assert_eq!(answered, ["top", "stored"]);
    let path = "ext.prebid.bidder.placard.slot";
    let expected = [format!("imp[1].{path}: no slot has this key"), format!("imp[2].{path}: is missing")];
    assert_eq!(problems(&response), expected);
});

on_both!(a_slot_shows_only_what_it_can_and_reaches_only_its_audience, |test| {
    let market = market_with(test, |file| file.targeting.regions = vec!["DE".into()]).await;
    market.put("100.00").await;
    let slot = |key: &str, content: &str, region: &str| SlotFile {
        key: key.into(),
        publisher: "The Daily".into(),
        content_types: vec![content.into()],
        audience: Targeting { regions: vec![region.into()], ..Targeting::default() },
    };
    for file in [slot("films", "video", "DE"), slot("texts", "landing_page", "DE"), slot("paris", "landing_page", "FR")]
    {
        slots::add(&market.world.app, &market.world.bob, file).await.expect("a slot");
    }
    assert!(!ask(&market, &page("texts")).await.seatbid.is_empty(), "the request says no region: the slot does");
    assert_eq!(reasons(&ask(&market, &page("films")).await), [521]);
    assert_eq!(reasons(&ask(&market, &page("paris")).await), [521]);
    let mut french = page("texts");
    french["bcat"] = json!(["IAB1"]);
    assert_eq!(reasons(&ask(&market, &french).await), [503], "its categories are not known");
    let daily = publishers::list(&market.world.app).await.expect("publishers")[0].publisher.id;
    let paused = publishers::change_status(&market.world.app, &market.world.bob, daily, PublisherStatus::Paused).await;
    paused.expect("paused");
    assert_eq!(reasons(&ask(&market, &page("texts")).await), [521]);
});

on_both!(a_page_over_http_takes_what_comes_over_http, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let http = "http://placard.example";
    assert_eq!(reasons(&answer(&market, &page(SLOT), None, http).await), [510], "a browser would block it");
    let mut plain = page(SLOT);
    plain["site"]["page"] = json!("http://daily.example/");
    assert!(!answer(&market, &plain, None, http).await.seatbid.is_empty());
});

on_both!(an_offer_holds_while_the_page_decides_and_a_late_one_for_nothing, |test| {
    let market = market(test).await;
    // Sixteen views, a quarter of which is leased, and half of that is a page's.
    market.put("80.00").await;
    let late = Instant::now() - Duration::from_millis(996);
    assert_eq!(reasons(&answer_since(&market, &page(SLOT), (None, BASE, late)).await), [15]);
    let offers = [one(ask(&market, &page(SLOT)).await), one(ask(&market, &page(SLOT)).await)];
    assert_eq!(reasons(&ask(&market, &page(SLOT)).await), [522], "its part is promised");
    market.wait(4);
    one(ask(&market, &page(SLOT)).await);
    // A view that comes later is billed as long as the budget has its price.
    see(&market, &offers[0]).await;
    let mut longest = page(SLOT);
    longest["ext"]["tmaxmax"] = json!(60_000);
    assert_eq!(one(ask(&market, &longest).await).exp, Some(10));
    market.work().await;
    for _ in 0..4 {
        while let Some(shown) = market.serve().await {
            market.see(&shown).await.expect("counts");
        }
        market.wait(3);
    }
    let adm = offers[1].adm.as_deref().expect("markup");
    let seen = impression(&market.world.app, token(adm.split('"').nth(1).expect("an address")), &reader()).await;
    assert_eq!(seen.expect("kept"), Err(delivery::Reason::ExpiredToken), "nobody is paid for it");
    market.check().await;
});

on_both!(a_reader_of_a_page_who_may_not_be_recognized_is_not, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    for (gdpr, visitors) in [(1, 0), (0, 1)] {
        let mut request = page(SLOT);
        request["regs"] = json!({ "ext": { "gdpr": gdpr } });
        see(&market, &one(ask(&market, &request).await)).await;
        let known =
            number(&market, "SELECT COUNT(*) FROM events WHERE visitor IS NOT NULL OR device IS NOT NULL").await;
        assert_eq!(known, visitors, "gdpr {gdpr}");
    }
});

on_both!(who_never_shows_what_is_offered_is_offered_no_more, |test| {
    let market = market(test).await;
    market.put("500.00").await;
    let from = Some(reader().address);
    let offers = async || {
        let mut bids = Vec::new();
        loop {
            let response = answer(&market, &page(SLOT), from, BASE).await;
            if response.seatbid.is_empty() {
                assert_eq!(reasons(&response), [523]);
                return bids;
            }
            bids.push(one(response));
        }
    };
    let bids = offers().await;
    assert_eq!(bids.len(), UNSEEN_OF_NETWORK as usize);
    see(&market, &bids[0]).await;
    assert_eq!(offers().await.len(), OPEN_OF_SEEN as usize);
    market.wait(4);
    assert!(offers().await.len() >= UNSEEN_OF_NETWORK as usize, "what has lapsed is not counted");
    market.check().await;
});
