//! What advertisers report: once, signed, on a real click, within their funds.

use auth::signature::{Signed, sign};
use base::Timestamp;
use store::on_both;
use usecases::advertisers;
use usecases::postback::{Postback, SignedCall, authenticate, postback};

use crate::money::why;
use crate::support::{market, market_with};

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
    assert_eq!(market.world.property().await.to_be_settled, "12.50");
    market.work().await;
    market.check().await;
});

on_both!(what_does_not_count_says_why, |test| {
    let market = market_with(test, |product| product.payout = "600.00".into()).await;
    market.put("100.00").await;
    let click = market.visit().await.click_id;
    let reason = |answer: usecases::postback::PostbackAnswer| answer.reason.expect("a reason");
    assert_eq!(reason(market.convert("a", "unknown").await), "unknown_click");
    assert!(market.convert("b", &click).await.accepted);
    assert_eq!(reason(market.convert("c", &click).await), "advertiser_funds_exhausted");
    let again = market.convert("c", &click).await;
    assert!(again.duplicate && !again.accepted, "the first answer stands: {again:?}");
    let other = advertisers::add(&market.world.app, &market.world.bob, "Other")
        .await
        .expect("added")
        .id
        .parse()
        .expect("an id");
    let call = |event: &str, at: Option<Timestamp>| Postback {
        event_id: event.into(),
        click_id: click.clone(),
        occurred_at: at.map(|at| at.to_string()),
        reverse: false,
    };
    let answer = postback(&market.world.app, other, call("d", None)).await.expect("answered");
    assert_eq!(answer.reason.as_deref(), Some("wrong_advertiser"));
    let soon = market.world.app.now().plus_seconds(3600);
    let answer = postback(&market.world.app, market.advertiser, call("e", Some(soon))).await.expect("answered");
    assert_eq!(answer.reason.as_deref(), Some("implausible_time"));
    market.wait(3 * 86_400 + 1);
    assert_eq!(reason(market.convert("f", &click).await), "outside_window");
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

on_both!(a_conversion_is_taken_back_before_it_is_settled, |test| {
    let market = market(test).await;
    let plan = market.put("10.00").await;
    let click = market.visit().await.click_id;
    market.convert("order-1", &click).await;
    market.convert("order-2", &click).await;
    let first = market.reverse("order-1").await;
    assert!(first.accepted && !first.duplicate, "{first:?}");
    assert!(market.reverse("order-1").await.duplicate);
    assert_eq!(market.reverse("order-9").await.reason.as_deref(), Some("unknown_event"));
    assert_eq!(market.world.property().await.to_be_settled, "12.50");
    market.visit().await;
    market.work().await;
    market.wait(3 * 86_400);
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.revenue, "12.50");
    assert_eq!(market.reverse("order-2").await.reason.as_deref(), Some("settled"));
    market.check().await;
});

on_both!(only_the_advertisers_own_signature_is_taken, |test| {
    let market = market(test).await;
    let app = &market.world.app;
    let key = advertisers::key(app, market.advertiser).await.expect("a key");
    let id = market.advertiser.to_string();
    let now = app.now().seconds().to_string();
    let body = br#"{"event_id":"e","click_id":"c"}"#;
    let signature =
        |key: &str, timestamp: &str| sign(key, &Signed { timestamp, method: "POST", path: "/t/postback", body });
    let good = signature(&key, &now);
    let call = SignedCall { advertiser: &id, timestamp: &now, signature: &good, path: "/t/postback", body };
    assert_eq!(authenticate(app, &call).await.expect("answered"), Ok(market.advertiser));
    let old = (app.now().seconds() - 301).to_string();
    let (stale, foreign) = (signature(&key, &old), signature("another key", &now));
    for call in [
        SignedCall { advertiser: "999", ..call },
        SignedCall { advertiser: "x", ..call },
        SignedCall { body: b"{}", ..call },
        SignedCall { signature: "", ..call },
        SignedCall { signature: &foreign, ..call },
        SignedCall { timestamp: &old, signature: &stale, ..call },
    ] {
        assert!(authenticate(app, &call).await.expect("answered").is_err(), "{call:?}");
    }
});
