//! Ad exchanges: what they are offered, what is billed, and what they are owed.

use std::time::{Duration, Instant};

use base::Field;
use campaigns::catalogue::counterparty_keys::{LOCAL, claim};
use campaigns::catalogue::products::{OpenRtbTerms, PictureFile, Targeting, VideoFile};
use campaigns::delivery::auction::AuctionCall;
use campaigns::delivery::publishers;
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::slots::{self, SlotFile};
use campaigns::delivery::ssp::bid::{BidAnswer, answer};
use campaigns::delivery::ssp::notices;
use campaigns::delivery::ssp::staff::{self, SspFile};
use campaigns::delivery::track::impression_at;
use campaigns::plans::plan_sources::SourceKind;
use content::{Kind, Source};
use desk::installation::content::{ImportError, apply, export};
use desk::installation::simulated::take_key;
use desk::requests::{approve, approve_key};
use foundation::Error;
use serde_json::{Value, json};
use store::on_both;

use super::bidding::{AddedSsp, NORTH, ask, ask_on, banner, burl, file, notice, one, ssp, ssp_of};
use super::earnings::number;
use super::won::show_all;
use crate::intruder::{columns, keep};
use crate::money::why;
use crate::support::{BASE, Market, market, market_with, reader, second, token};

/// What the exchange has earned and was not paid.
pub async fn unpaid(market: &Market, ssp: &AddedSsp) -> String {
    let id = ssp.ssp.publisher.publisher.id;
    staff::show(&market.world.app, id).await.expect("shown").ssp.publisher.unpaid.to_string()
}

pub async fn outcome(market: &Market, ssp: &AddedSsp, name: &str) -> i64 {
    let id = ssp.ssp.publisher.publisher.id;
    let report = staff::show(&market.world.app, id).await.expect("shown");
    report.days.iter().filter_map(|day| day.outcomes.get(name)).sum()
}

on_both!(an_exchange_is_offered_what_a_view_costs_less_the_platforms_share, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let ssp = ssp(&market).await;
    let bid = one(ask(&market, &ssp.key, &banner(0.5)).await.expect("a bid"));
    // 5.00 a view, of which 0.70 are offered: a CPM of 3,500.00.
    assert_eq!((bid.price.to_string().as_str(), bid.w, bid.h, bid.exp), ("3500", Some(300), Some(250), Some(110)));
    assert_eq!((bid.adomain.as_slice(), bid.mtype), (&["aurora.example".to_owned()][..], Some(1)));
    assert!(bid.adm.as_deref().is_some_and(|adm| adm.contains("/t/i/") && adm.contains("${AUCTION_PRICE}")));
    burl(&market.world.app, &bid, "3000.00").await.expect("taken").expect("counts");
    market.work().await;
    let detail = market.detail(&plan).await;
    assert_eq!((detail.delivery.impressions, detail.plan.consumed.to_string().as_str()), (1, "5.00"));
    let [source] = detail.sources.as_slice() else { panic!("one source") };
    assert_eq!((source.kind, source.name.as_str(), &source.slot), (SourceKind::Exchange, "North Exchange", &None));
    assert_eq!((source.impressions, source.bids), (1, Some(1)));
    assert_eq!(source.places[0].name, "news.example");
    assert_eq!(unpaid(&market, &ssp).await, "3.00", "what it cleared at");
    assert_eq!(number(&market, "SELECT SUM(amount) FROM entries WHERE account_kind = 403").await, 200);
    assert_eq!(number(&market, "SELECT SUM(amount) FROM entries").await, 0);
    assert_eq!(number(&market, "SELECT impressions FROM plan_sources WHERE source = 'news.example'").await, 1);
    assert_eq!((outcome(&market, &ssp, "requests").await, outcome(&market, &ssp, "bids").await), (1, 1));
    assert_eq!(number(&market, "SELECT bids FROM plan_bids").await, 1);
    market.check().await;
});

on_both!(notice_and_pixel_count_once_whichever_comes_first, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    market.ripen().await;
    let ssp = ssp(&market).await;
    let app = &market.world.app;
    let pixel = |bid: &openrtb::Bid| {
        let adm = bid.adm.clone().expect("markup");
        token(adm.split('"').nth(1).expect("an address").split(".gif").next().expect("a token")).to_owned()
    };
    for pixel_first in [false, true] {
        let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
        let text = pixel(&bid);
        if pixel_first {
            impression_at(app, &text, "3400", &reader()).await.expect("kept").expect("counts");
            assert_eq!(burl(app, &bid, "3400").await.expect("kept"), Err(delivery::Reason::Duplicate));
        } else {
            burl(app, &bid, "3400").await.expect("kept").expect("counts");
            let seen = impression_at(app, &text, "3400", &reader()).await.expect("kept");
            assert_eq!(seen, Err(delivery::Reason::Duplicate));
        }
    }
    market.work().await;
    assert_eq!(unpaid(&market, &ssp).await, "6.80");
    let delivery = market.detail(&plan).await.delivery;
    assert_eq!((delivery.impressions, delivery.filtered), (2, 0), "the second report is no refused event");
    // The pixel's token is no notice, and a notice is no pixel.
    let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    let from = NORTH.parse().expect("an address");
    assert_eq!(notices::take_billing(app, &pixel(&bid), "1", from).await.expect_err("refused").key(), "not_found");
    let seen = impression_at(app, notice(&bid.burl), "1", &reader()).await;
    assert_eq!(seen.expect_err("refused").key(), "not_found");
    market.check().await;
});

on_both!(an_exchange_is_owed_no_more_than_was_offered, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    market.ripen().await;
    let ssp = ssp(&market).await;
    let app = &market.world.app;
    let unreplaced = "${AUCTION_PRICE}";
    for (price, owed) in [("9999.99", "3.50"), (unreplaced, "7.00"), ("0", "7.00"), ("AUDIT", "7.00")] {
        let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
        burl(app, &bid, price).await.expect("kept").expect("accepted");
        market.work().await;
        assert_eq!(unpaid(&market, &ssp).await, owed, "{price}");
    }
    assert_eq!(number(&market, "SELECT impressions FROM plan_slots").await, 3, "what was only checked is no view");
    let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    for wrong in ["-1", "1,5", "92233720368547758.08"] {
        let refused = burl(app, &bid, wrong).await.expect_err("refused");
        assert_eq!(refused.to_string(), Error::field(Field::Price, "invalid").to_string(), "{wrong}");
    }
    market.check().await;
});

on_both!(a_loss_gives_its_price_back_and_counts_once, |test| {
    let market = market(test).await;
    // Sixteen views, a quarter of which is leased, and half of that is an exchange's.
    market.put("80.00").await;
    market.ripen().await;
    let ssp = ssp(&market).await;
    let app = &market.world.app;
    let first = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    let second = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    assert_eq!(ask(&market, &ssp.key, &banner(0.0)).await, None, "its part is promised");
    notices::take_loss(app, notice(&first.lurl)).await.expect("taken");
    notices::take_loss(app, notice(&first.lurl)).await.expect("taken");
    let third = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("what was lost is free"));
    assert_eq!(ask(&market, &ssp.key, &banner(0.0)).await, None, "a loss counts once");
    for bid in [&second, &third] {
        burl(app, bid, "").await.expect("kept").expect("counts");
    }
    assert_eq!(show_all(&market).await, 14);
    // It said that it lost, and bills all the same: nothing is left.
    assert_eq!(burl(app, &first, "").await.expect("kept"), Err(delivery::Reason::ExpiredToken));
    market.work().await;
    assert_eq!((unpaid(&market, &ssp).await.as_str(), outcome(&market, &ssp, "losses").await), ("7.00", 1));
    market.check().await;
});

on_both!(many_exchanges_on_two_servers_never_overspend, |test| {
    let market = market(test).await;
    market.put("25.00").await;
    market.ripen().await;
    let other = second(&market);
    let mut ssps = Vec::new();
    for n in 0..64 {
        let named = SspFile { name: format!("Exchange {n}"), domain: format!("x{n}.example"), ..file() };
        ssps.push(ssp_of(&market, named).await);
    }
    let request = banner(0.0);
    let asked = futures_util::future::join_all(ssps.iter().enumerate().map(|(n, ssp)| {
        let app = if n % 2 == 0 { &market.world.app } else { &other };
        ask_on(app, &ssp.key, &request)
    }));
    let answers = asked.await.into_iter().map(|answer| answer.expect("answered"));
    let bids: Vec<_> =
        answers.filter_map(|answer| if let BidAnswer::Bids(bids) = answer { Some(one(bids)) } else { None }).collect();
    assert!((1..=5).contains(&bids.len()), "{} of 5 views", bids.len());
    // Each says what has won to the other server, or to the one that has made the offer.
    let told = bids.iter().enumerate().map(|(n, bid)| {
        let to = if n % 2 == 0 { &market.world.app } else { &other };
        notices::take_win(to, notice(&bid.nurl))
    });
    assert!(futures_util::future::join_all(told).await.iter().all(Result::is_ok));
    let billed = bids.iter().map(|bid| burl(&other, bid, ""));
    let billed = futures_util::future::join_all(billed).await;
    assert!(billed.iter().all(|verdict| verdict.as_ref().is_ok_and(Result::is_ok)), "whatever is promised is billed");
    market.work().await;
    let over =
        number(&market, "SELECT COUNT(*) FROM plans WHERE booked_milli + reserved_milli > put_amount * 1000").await;
    assert_eq!(over, 0);
    market.check().await;
});

on_both!(every_refusal_has_its_reason, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let ssp = ssp(&market).await;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut request = banner(0.0);
        change(&mut request);
        request
    };
    let requests = [
        ("below_floor", banner(3500.01)),
        ("currency", with(&|request| request["cur"] = json!(["EUR"]))),
        ("country", with(&|request| request["device"]["geo"]["country"] = json!("FRA"))),
        ("blocked_domain", with(&|request| request["badv"] = json!(["aurora.example"]))),
        ("blocked_category", with(&|request| request["bcat"] = json!(["IAB7"]))),
        ("media", with(&|request| request["imp"][0] = json!({ "id": "1", "video": { "mimes": ["video/mp4"] } }))),
        ("insufficient_time", with(&|request| request["tmax"] = json!(5))),
        ("test", with(&|request| request["test"] = json!(1))),
        ("size", with(&|request| request["imp"][0]["banner"] = json!({}))),
    ];
    for (_, request) in &requests {
        assert_eq!(ask(&market, &ssp.key, request).await, None, "{request}");
    }
    let malformed = ask_on(&market.world.app, &ssp.key, &json!({ "id": "1", "imp": [] })).await.expect("answered");
    assert!(matches!(malformed, BidAnswer::Malformed(wrong) if wrong.path == "imp"));
    market.work().await;
    for (reason, _) in &requests {
        assert_eq!(outcome(&market, &ssp, reason).await, 1, "{reason}");
    }
    assert_eq!(outcome(&market, &ssp, "malformed").await, 1);
    let side = json!({ "id": "2", "native": { "request": "[" }, "video": {}, "banner": { "battr": "?" } });
    let odd = with(&|request| request["imp"] = json!([{ "id": "1", "bidfloor": "?" }, side]));
    let hidden = with(&|request| request["regs"] = json!("maybe"));
    assert!(ask(&market, &ssp.key, &with(&|request| request["regs"]["coppa"] = json!("maybe"))).await.is_some());
    assert_eq!((ask(&market, &ssp.key, &odd).await, ask(&market, &ssp.key, &hidden).await), (None, None));
    market.work().await;
    for part in ["unread_floor", "unread_native", "unread_video", "unread_banner", "unread_privacy", "unread_consent"] {
        assert_eq!(outcome(&market, &ssp, part).await, 1, "{part}");
    }
    assert_eq!(outcome(&market, &ssp, "invalid_request").await, 1, "of the other, the form is missing");
    let totals = market.world.app.ssp_outcomes();
    let requests = totals.iter().find(|total| total.outcome == delivery::Outcome::Request.name());
    assert_eq!(requests.map(|requests| requests.number), Some(12));
});

on_both!(a_late_answer_is_no_bid_and_promises_nothing, |test| {
    let market = market(test).await;
    // Sixteen views, a quarter of which is leased, and half of that is an exchange's.
    market.put("80.00").await;
    market.ripen().await;
    let ssp = ssp(&market).await;
    ask(&market, &ssp.key, &banner(0.0)).await.expect("the first of two views");
    let mut request = banner(0.0);
    request["tmax"] = json!(200);
    let body = request.to_string();
    let banner_html = |_: &campaigns::delivery::serve::SlotAnswer, _, _: &str| String::new();
    let arrived_at = Instant::now() - Duration::from_millis(196);
    let call = AuctionCall { body: body.as_bytes(), arrived_at, base: BASE, banner: banner_html };
    assert!(matches!(answer(&market.world.app, &ssp.key, call).await.expect("answered"), BidAnswer::NoBid));
    assert!(ask(&market, &ssp.key, &banner(0.0)).await.is_some(), "the second one is free");
    assert_eq!(ask(&market, &ssp.key, &banner(0.0)).await, None, "its part is promised");
});

on_both!(only_plans_that_pay_by_views_are_offered, |test| {
    let market = market_with(test, |product| {
        product.put_rule.pricing = "cpc".into();
        product.put_rule.price = "1.00".into();
    })
    .await;
    market.put("100.00").await;
    let ssp = ssp(&market).await;
    assert_eq!(ask(&market, &ssp.key, &banner(0.0)).await, None);
    market.work().await;
    assert_eq!(outcome(&market, &ssp, "no_plan").await, 1);
});

on_both!(a_key_takes_two_people_and_is_valid_until_it_is_replaced, |test| {
    let market = market(test).await;
    market.put("400.00").await;
    market.ripen().await;
    let world = &market.world;
    let added = staff::add(&world.app, &world.bob, file(), "https://ads.example/").await.expect("added");
    let link = added.request.claim_url.clone().expect("a link");
    let token = link.strip_prefix("https://ads.example/#/claim?link=").expect("into the app");
    let claimed = claim(&world.app, token, None).await.expect("claimed");
    let refused = |result: Result<BidAnswer, Error>| result.expect_err("refused").key().to_owned();
    assert_eq!(refused(ask_on(&world.app, &claimed.key, &banner(0.0)).await), "not_found", "nobody approved it");
    let (request, print) = (added.request.id.into(), Some(claimed.fingerprint.as_str()));
    assert_eq!(why(approve_key(&world.app, &world.bob, request, print).await), "second_person_needed");
    assert_eq!(why(approve_key(&world.app, &world.ann, request, None).await), "fingerprint=required");
    approve_key(&world.app, &world.ann, request, print).await.expect("approved");
    assert!(ask(&market, &claimed.key, &banner(0.0)).await.is_some());
    let id = added.ssp.publisher.publisher.id;
    let terms = (Some("seat-7".to_owned()), None);
    let asked = staff::replace_key(&world.app, &world.bob, id, terms, LOCAL).await.expect("requested").request;
    assert!(ask(&market, &claimed.key, &banner(0.0)).await.is_some(), "until the new one is approved");
    let newer = take_key(&world.app, &world.ann, asked.id, asked.claim_url.as_deref()).await.expect("approved");
    assert_eq!(refused(ask_on(&world.app, &claimed.key, &banner(0.0)).await), "not_found");
    let answer = ask(&market, &newer, &banner(0.0)).await.expect("a bid");
    assert_eq!(answer.seatbid[0].seat.as_deref(), Some("seat-7"));
    let closing = publishers::request_closing(&world.app, &world.bob, id).await.expect("requested");
    assert!(ask(&market, &newer, &banner(0.0)).await.is_some(), "until another approves it");
    approve(&world.app, &world.ann, closing.id.into()).await.expect("closed");
    assert_eq!(refused(ask_on(&world.app, &newer, &banner(0.0)).await), "not_found");
    let slots = slots::list(&world.app).await.expect("listed");
    assert_eq!(slots.len(), 1, "the slot in which it is counted is no place");
    let sellers = publishers::sellers(&world.app).await.expect("sellers");
    assert_eq!(sellers.sellers.len(), 1, "an exchange's places are not ours to sell");
});

on_both!(videos_and_native_ads_are_offered_where_they_fit, |test| {
    let market = market_with(test, |product| {
        let mut video = product.content.landing_page.clone().expect("a creative");
        video.video = Some("/products/a.mp4".into());
        product.content.video = Some(video);
        product.openrtb = OpenRtbTerms {
            categories: vec!["IAB8".into()],
            picture: Some(PictureFile { mime: "image/png".into(), width: 1200, height: 628 }),
            video: Some(VideoFile { mime: "video/mp4".into(), seconds: 15, width: 1280, height: 720 }),
            ..OpenRtbTerms::default()
        };
    })
    .await;
    market.put("100.00").await;
    market.put_learning("100.00").await;
    let ssp = ssp(&market).await;
    let with = |imp: Value| {
        let mut request = banner(0.0);
        request["bcat"] = json!(["IAB7"]);
        request["imp"] = json!([imp]);
        request
    };
    let native = json!({ "ver": "1.2", "assets": [
        { "id": 1, "required": 1, "title": { "len": 40 } },
        { "id": 2, "required": 1, "img": { "type": 3, "wmin": 600, "hmin": 300 } },
        { "id": 3, "data": { "type": 1 } },
    ] });
    let bid = one(ask(&market, &ssp.key, &with(json!({ "id": "n", "native": { "request": native.to_string() } })))
        .await
        .expect("a native ad"));
    let markup: Value = serde_json::from_str(bid.adm.as_deref().expect("markup")).expect("JSON");
    assert_eq!((bid.mtype, &markup["assets"][1]["img"]["w"]), (Some(4), &json!(1200)));
    assert!(markup["imptrackers"][0].as_str().is_some_and(|url| url.contains("${AUCTION_PRICE}")), "{markup}");
    let imp = json!({ "id": "v", "video": { "mimes": ["video/mp4"], "protocols": [2, 3, 5, 6], "maxduration": 30, "skip": 1 } });
    // Only the plan with AI delivery may show its video.
    let bid = one(ask(&market, &ssp.key, &with(imp)).await.expect("a video"));
    assert_eq!((bid.mtype, bid.dur, bid.cat.as_slice()), (Some(2), Some(15), &["IAB8".to_owned()][..]));
    assert_eq!((bid.protocol, bid.attr.as_slice()), (Some(3), &[16][..]));
    let vast = bid.adm.as_deref().expect("markup");
    assert!(vast.contains("<VAST version=\"3.0\">") && vast.contains("https://placard.example/products/a.mp4"));
    burl(&market.world.app, &bid, "").await.expect("kept").expect("counts");
    market.work().await;
    assert_eq!(number(&market, "SELECT COUNT(*) FROM events WHERE arm IS NOT NULL").await, 1);
    market.check().await;
});

on_both!(a_reader_who_may_not_be_recognized_is_not, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    market.ripen().await;
    let ssp = ssp(&market).await;
    let app = &market.world.app;
    for (gdpr, visitors) in [(1, 0), (0, 1)] {
        let mut request = banner(0.0);
        request["regs"] = json!({ "gdpr": gdpr });
        let bid = one(ask(&market, &ssp.key, &request).await.expect("a bid"));
        let adm = bid.adm.expect("markup");
        let text = token(adm.split('"').nth(1).expect("an address").split(".gif").next().expect("a token")).to_owned();
        impression_at(app, &text, "", &reader()).await.expect("kept").expect("counts");
        let known =
            number(&market, "SELECT COUNT(*) FROM events WHERE visitor IS NOT NULL OR device IS NOT NULL").await;
        assert_eq!(known, visitors, "gdpr {gdpr}");
    }
});

on_both!(whatever_somebody_edits_in_an_exchanges_figures_is_found, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let ssp = ssp(&market).await;
    let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
    burl(&market.world.app, &bid, "3000").await.expect("kept").expect("counts");
    market.work().await;
    market.check().await;
    let app = &market.world.app;
    for (table, within) in [
        ("plan_sources", ""),
        ("plan_slots", ""),
        ("bill_parts", ""),
        ("slot_days", ""),
        ("events", " WHERE price_milli > 0"),
    ] {
        for column in columns(app, table).await {
            let name = column.name.as_str();
            let decides = match table {
                "events" => matches!(name, "cleared_milli" | "price_milli"),
                "bill_parts" => matches!(name, "billed" | "earned" | "share_parts"),
                _ => !matches!(name, "source" | "plan_id" | "slot_id" | "day" | "publisher_id"),
            };
            if !decides {
                continue;
            }
            let (wrong, right) = (
                format!("UPDATE {table} SET {name} = {name} + 1{within}"),
                format!("UPDATE {table} SET {name} = {name} - 1{within}"),
            );
            keep(app, &[&wrong]).await;
            assert!(!recompute(app).await.expect("recomputed").ok, "{table}.{name}");
            keep(app, &[&right]).await;
        }
    }
    keep(app, &["UPDATE plan_sources SET source = 'other.example'"]).await;
    assert!(!recompute(app).await.expect("recomputed").ok);
});

on_both!(requests_that_nothing_fits_do_not_change_whose_turn_it_is, |test| {
    let market = market(test).await;
    // More than are looked at for one request.
    let mut plans = Vec::new();
    for _ in 0..20 {
        plans.push(market.put("10.00").await);
    }
    let ssp = ssp(&market).await;
    for _ in &plans {
        assert_eq!(ask(&market, &ssp.key, &banner(9_999.0)).await, None, "dearer than all of them");
        let bid = one(ask(&market, &ssp.key, &banner(0.0)).await.expect("a bid"));
        burl(&market.world.app, &bid, "").await.expect("kept").expect("counts");
    }
    market.work().await;
    for plan in &plans {
        assert_eq!(market.detail(plan).await.delivery.impressions, 1, "they take turns");
    }
});

on_both!(an_exchange_is_no_publisher_of_files_and_slots, |test| {
    let market = market(test).await;
    let added = ssp(&market).await;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let number = added.ssp.publisher.publisher.id;
    for publisher in ["north exchange", &*number.to_string()] {
        let slot = SlotFile {
            key: "north".into(),
            publisher: publisher.into(),
            content_types: vec!["landing_page".into()],
            audience: Targeting::default(),
        };
        let refused = slots::add(app, bob, slot).await.expect_err("refused");
        assert_eq!(refused.to_string(), Error::field(Field::Publisher, "not_found").to_string(), "{publisher}");
    }
    let wrong = async |text: &str| {
        let source = Source { name: "n.toml".into(), text: text.into(), json: false };
        match apply(app, bob, &[source]).await {
            Err(ImportError::Wrong(mistakes)) => mistakes.into_iter().map(|m| m.problem).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        }
    };
    let slot = format!("[[slot]]\nkey = \"ssp-{number}\"\npublisher = {number}\ncontent_types = [\"video\"]\n");
    assert_eq!(wrong(&slot).await, ["there is no such publisher"]);
    let publisher = "[[publisher]]\nname = \"North Exchange\"\ndomain = \"n.example\"\ncontact = \"a@n.example\"\n";
    assert_eq!(wrong(publisher).await, ["is an ad exchange's"]);
    let tables = export(app, &[Kind::Publisher, Kind::Slot]).await.expect("exported");
    assert_eq!((tables[&Kind::Publisher].len(), tables[&Kind::Slot].len()), (0, 1), "only the slot of The Daily");
    let listed = publishers::list(app).await.expect("listed");
    assert_eq!(listed.iter().map(|of| of.publisher.name.as_str()).collect::<Vec<_>>(), ["The Daily"]);
});
