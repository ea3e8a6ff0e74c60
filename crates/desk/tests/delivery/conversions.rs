//! Advertisers' reports: once, signed, for a real click, within their funds.

use base::Timestamp;
use campaigns::catalogue::advertisers::{self, CapOutcome, cap};
use campaigns::catalogue::counterparty_keys::KeyOffer;
use campaigns::delivery::postback::{Postback, postback};
use campaigns::delivery::track::{EventRequest, click};
use desk::requests::approve;
use store::on_both;

use crate::money::why;
use crate::support::{conversion, market, market_with, reader, token};

on_both!(an_event_id_pays_once, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let click = market.visit().await;
    let calls: Vec<_> = (0..32)
        .map(|_| {
            let (app, advertiser) = (market.world.app.clone(), market.advertiser);
            let call = Postback {
                event_id: "order-1".into(),
                click_id: click.click_id.clone(),
                occurred_at: None,
                reverse: false,
            };
            tokio::spawn(async move { postback(&app, advertiser, call).await })
        })
        .collect();
    let mut first = 0;
    for each in calls {
        let answer = each.await.expect("joined").expect("answered");
        assert!(answer.accepted, "{answer:?}");
        first += i32::from(!answer.duplicate);
    }
    assert_eq!(first, 1);
    assert_eq!(market.world.property().await.to_be_settled.to_string(), "12.50");
    market.work().await;
    market.check().await;
});

on_both!(a_click_is_known_however_its_number_is_written, |test| {
    let market = market_with(test, |product| product.conversions_per_click = 2).await;
    market.put("100.00").await;
    let click = market.visit().await.click_id;
    let (head, tail) = click.split_at(16);
    let dashed = [&head[..8], &head[8..12], &head[12..], &tail[..4], &tail[4..]].join("-");
    assert!(market.convert("a", &click.to_uppercase()).await.accepted);
    assert!(market.convert("b", &dashed).await.accepted);
    // They are of one click, which has brought two now.
    let third = market.convert("c", &click).await;
    assert_eq!(third.reason.map(|reason| reason.name()), Some("click_used_up"));
    market.check().await;
});

on_both!(what_does_not_count_says_why, |test| {
    let market = market_with(test, |product| {
        product.payout = "600.00".into();
        product.conversions_per_click = 2;
    })
    .await;
    market.put("100.00").await;
    let click = market.visit().await.click_id;
    let reason = |answer: campaigns::delivery::postback::PostbackAnswer| answer.reason.expect("a reason").name();
    assert_eq!(reason(market.convert("a", "unknown").await), "unknown_click");
    assert!(market.convert("b", &click).await.accepted);
    assert_eq!(reason(market.convert("c", &click).await), "advertiser_funds_exhausted");
    let again = market.convert("c", &click).await;
    assert!(again.duplicate && !again.accepted, "the first answer stands: {again:?}");
    let other =
        advertisers::add(&market.world.app, &market.world.bob, "Other", KeyOffer::default()).await.expect("added").id;
    let call = |event: &str, at: Option<Timestamp>| Postback {
        event_id: event.into(),
        click_id: click.clone(),
        occurred_at: at.map(|at| at.to_string()),
        reverse: false,
    };
    let answer = postback(&market.world.app, other, call("d", None)).await.expect("answered");
    assert_eq!(answer.reason.map(|reason| reason.name()), Some("wrong_advertiser"));
    let soon = market.world.app.now().plus_seconds(3600);
    let answer = postback(&market.world.app, market.advertiser, call("e", Some(soon))).await.expect("answered");
    assert_eq!(answer.reason.map(|reason| reason.name()), Some("implausible_time"));
    market.wait(3 * 86_400 + 1);
    assert_eq!(reason(market.convert("f", &click).await), "outside_window");
    market.check().await;
});

on_both!(a_report_is_judged_once_its_click_is_known, |test| {
    let market = market_with(test, |product| product.conversions_per_click = 3).await;
    let plan = market.put("100.00").await;
    let told = async |event: &str, click_id: &str| {
        let answer = market.convert(event, click_id).await;
        (answer.accepted, answer.duplicate, answer.reason.map(|reason| reason.name()))
    };
    let answer = market.serve().await.expect("a creative");
    market.see(&answer).await.expect("counts");
    market.wait(2);
    // Whoever looks ahead is led to the same page, and has not clicked.
    let ahead = EventRequest { prefetched: true, ..reader() };
    let known = click(&market.world.app, token(&answer.click_url), &ahead).await.expect("kept").click_id;
    let known = known.as_str();
    assert_eq!(told("order-1", known).await, (false, false, Some("unknown_click")));
    assert_eq!(told("order-1", known).await, (false, true, Some("unknown_click")));
    assert_eq!(market.click(&answer).await.click_id, known);
    assert_eq!(told("order-1", known).await, (true, false, None));
    assert_eq!(told("order-1", known).await, (true, true, None));
    // An advertiser that had reported another click by mistake, also within one list.
    assert_eq!(told("order-2", "mistaken").await, (false, false, Some("unknown_click")));
    let list =
        [("order-3", "mistaken"), ("order-3", known), ("order-2", known), ("order-3", known), ("order-4", known)];
    let list = list.into_iter().map(|(event, click_id)| Ok(conversion(event, click_id))).collect();
    let listed = market.send(list).await;
    let listed: Vec<_> = listed.iter().map(|one| (one.answer.accepted, one.answer.duplicate)).collect();
    assert_eq!(listed, [(false, false), (true, false), (true, false), (true, true), (false, false)]);
    assert_eq!(told("order-4", known).await, (false, true, Some("click_used_up")), "that was judged");
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.revenue.to_string(), "37.50");
    assert_eq!(market.world.property().await.to_be_settled.to_string(), "37.50");
    market.check().await;
});

on_both!(malformed_calls_name_their_field, |test| {
    let market = market(test).await;
    let call = |event: &str, click: &str, at: Option<&str>| Postback {
        event_id: event.into(),
        click_id: click.into(),
        occurred_at: at.map(str::to_owned),
        reverse: false,
    };
    for (call, field) in [
        (call("", "c", None), "event_id=invalid"),
        (call("a b", "c", None), "event_id=invalid"),
        (call("e", &"c".repeat(129), None), "click_id=invalid"),
        (call("e", "c", Some("yesterday")), "occurred_at=invalid"),
    ] {
        assert_eq!(why(postback(&market.world.app, market.advertiser, call).await), field);
    }
});

on_both!(a_click_brings_as_many_conversions_as_was_agreed, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let (click, other) = (market.visit().await.click_id, market.visit().await.click_id);
    let calls: Vec<_> = (0..16)
        .map(|n| {
            let (app, advertiser) = (market.world.app.clone(), market.advertiser);
            let (event_id, click_id) = (format!("order-{n}"), click.clone());
            let call = Postback { event_id, click_id, occurred_at: None, reverse: false };
            tokio::spawn(async move { postback(&app, advertiser, call).await })
        })
        .collect();
    let mut accepted = Vec::new();
    for (n, each) in calls.into_iter().enumerate() {
        let answer = each.await.expect("joined").expect("answered");
        match answer.reason.map(|reason| reason.name()) {
            None => accepted.push(n),
            reason => assert_eq!(reason, Some("click_used_up")),
        }
    }
    assert_eq!((accepted.len(), &*market.world.property().await.to_be_settled.to_string()), (1, "12.50"));
    assert!(market.convert("another-click", &other).await.accepted);
    // A reversed conversion makes room for another.
    let first = accepted.first().map(|n| format!("order-{n}")).expect("one");
    assert!(market.reverse(&first).await.accepted);
    assert!(market.convert("once-more", &click).await.accepted);
    assert_eq!(market.convert("and-again", &click).await.reason.map(|reason| reason.name()), Some("click_used_up"));
    market.work().await;
    market.check().await;
});

on_both!(an_advertiser_may_cap_a_day, |test| {
    let market = market_with(test, |product| product.conversions_per_click = 10).await;
    market.put("100.00").await;
    let click = market.visit().await.click_id;
    let (app, bob) = (&market.world.app, &market.world.bob);
    let id = market.advertiser;
    assert!(matches!(cap(app, bob, id, Some("30.00")).await, Ok(CapOutcome::Set(_))));
    for (event, reason) in [("a", None), ("b", None), ("c", Some("daily_cap_reached"))] {
        assert_eq!(market.convert(event, &click).await.reason.map(|reason| reason.name()), reason);
    }
    assert!(market.reverse("a").await.accepted);
    assert_eq!(market.convert("d", &click).await.reason, None, "what was taken back is not claimed");
    assert!(matches!(cap(app, bob, id, Some("20.00")).await, Ok(CapOutcome::Set(_))), "one person may lower it");
    for more in [Some("40.00"), None] {
        let Ok(CapOutcome::Asked(asked)) = cap(app, bob, id, more).await else { panic!("one person raised a cap") };
        assert_eq!(why(approve(app, bob, asked.id.into()).await), "second_person_needed");
    }
    assert_eq!(market.convert("e", &click).await.reason.map(|reason| reason.name()), Some("daily_cap_reached"));
    market.wait(86_400);
    assert_eq!(market.convert("f", &click).await.reason, None, "another day");
    let Ok(CapOutcome::Asked(asked)) = cap(app, bob, id, Some("40.00")).await else {
        panic!("one person raised a cap")
    };
    approve(app, &market.world.ann, asked.id.into()).await.expect("approved");
    assert_eq!(market.convert("g", &click).await.reason, None, "as was approved");
    let batch = (0..8).map(|n| {
        let (app, click_id) = (app.clone(), click.clone());
        let call = Postback { event_id: format!("h{n}"), click_id, occurred_at: None, reverse: false };
        tokio::spawn(async move { postback(&app, id, call).await })
    });
    let mut more = 0;
    for each in batch.collect::<Vec<_>>() {
        more += i32::from(each.await.expect("joined").expect("answered").accepted);
    }
    assert_eq!(more, 1, "40.00 has room for one more of 12.50");
    assert_eq!(why(cap(app, bob, id, Some("-1")).await), "daily=invalid_amount");
    assert_eq!(why(cap(app, &market.world.ann, id, Some("1")).await), "not_permitted");
    market.check().await;
});

on_both!(a_conversion_is_taken_back_before_it_is_settled, |test| {
    let market = market_with(test, |product| product.conversions_per_click = 2).await;
    let plan = market.put("10.00").await;
    let click = market.visit().await.click_id;
    market.convert("order-1", &click).await;
    market.convert("order-2", &click).await;
    let first = market.reverse("order-1").await;
    assert!(first.accepted && !first.duplicate, "{first:?}");
    assert!(market.reverse("order-1").await.duplicate);
    let again = market.convert("order-1", &click).await;
    assert_eq!((again.accepted, again.reason.map(|reason| reason.name())), (false, Some("reversed")));
    assert_eq!(market.reverse("order-9").await.reason.map(|reason| reason.name()), Some("unknown_event"));
    assert_eq!(market.world.property().await.to_be_settled.to_string(), "12.50");
    market.visit().await;
    market.work().await;
    market.wait(3 * 86_400);
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.revenue.to_string(), "12.50");
    assert_eq!(market.reverse("order-2").await.reason.map(|reason| reason.name()), Some("settled"));
    market.check().await;
});
