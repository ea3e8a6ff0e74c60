//! A user can claim an activity's coupon once, however often they try.

use calendar::Zone;
use coupons::State;
use i18n::Lang;
use money::offers::activities::{activities, receive};
use money::offers::coupon_staff::CouponFile;
use store::on_both;

use crate::money::why;
use crate::shop::file;
use crate::support::market;

fn newcomer(value: &str) -> CouponFile {
    CouponFile { activity: Some("newcomer".into()), ..file("Welcome", value) }
}

on_both!(fifty_at_once_receive_one, |test| {
    let market = market(test).await;
    market.define(newcomer("5.00")).await;
    let (app, user) = (&market.world.app, market.world.user);
    let shown = activities(app, user, Lang::En).await.expect("activities").remove(0);
    assert_eq!((shown.key.as_str(), shown.received, shown.coupon.received_at), ("newcomer", false, None));
    assert_eq!(shown.rules.lines().count(), 5);
    assert!(shown.rules.contains("“Welcome”") && shown.rules.contains("$20.00") && shown.rules.contains("30 days"));

    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let app = app.clone();
            tokio::spawn(async move { receive(&app, user, "newcomer", Zone::UTC).await })
        })
        .collect();
    let mut received = Vec::new();
    for task in tasks {
        match task.await.expect("no panic") {
            Ok(coupon) => received.push(coupon),
            refused => assert_eq!(why(refused), "coupon_already_received"),
        }
    }
    assert_eq!((received.len(), market.held(State::Unused).await), (1, vec!["Welcome".to_owned()]));
    let shown = activities(app, user, Lang::De).await.expect("activities").remove(0);
    assert_eq!((shown.received, shown.title.as_str(), &shown.coupon), (true, "Willkommensgutschein", &received[0]));
    assert_eq!(market.told("Coupon received").await, 1);
});

on_both!(once_is_for_ever, |test| {
    let market = market(test).await;
    market.define(newcomer("5.00")).await;
    let (app, user) = (&market.world.app, market.world.user);
    let first = receive(app, user, "newcomer", Zone::UTC).await.expect("received");
    // Another coupon for the same activity, and much later.
    market.define(CouponFile { name: "Welcome 2".into(), ..newcomer("7.00") }).await;
    market.wait(400 * 86_400);
    assert_eq!(why(receive(app, user, "newcomer", Zone::UTC).await), "coupon_already_received");
    let shown = activities(app, user, Lang::En).await.expect("activities").remove(0);
    assert_eq!((shown.coupon.id, shown.coupon.status.name()), (first.id, "expired"));
    let other = market.world.test.user("other").await;
    let theirs = receive(app, other, "newcomer", Zone::UTC).await.expect("received");
    assert_eq!((theirs.name.as_str(), theirs.value.as_str()), ("Welcome 2", "7.00"));
});

on_both!(what_is_not_given_cannot_be_received, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    assert!(activities(app, user, Lang::En).await.expect("activities").is_empty());
    assert_eq!(why(receive(app, user, "newcomer", Zone::UTC).await), "not_found");
    assert_eq!(why(receive(app, user, "lottery", Zone::UTC).await), "activity=invalid");
    let ends = Some("2026-01-06T00:00:00Z".to_owned());
    market.define(CouponFile { days: None, ends, ..newcomer("5.00") }).await;
    let told = activities(app, user, Lang::En).await.expect("activities").remove(0).rules;
    assert!(told.contains("valid until Jan 6, 2026, 00:00 (UTC)."), "{told}");
    market.wait(86_400);
    assert!(activities(app, user, Lang::En).await.expect("activities").is_empty(), "it has ended");
    assert_eq!(why(receive(app, user, "newcomer", Zone::UTC).await), "not_found");
});

on_both!(one_of_a_name_a_day_is_received, |test| {
    let market = market(test).await;
    market.define(newcomer("5.00")).await;
    market.grant("Welcome").await;
    let (app, user) = (&market.world.app, market.world.user);
    assert_eq!(why(receive(app, user, "newcomer", Zone::UTC).await), "coupon_daily_limit");
    // Shortly after eleven at night in UTC it is another day in Berlin.
    let berlin = Zone::from_header("Europe/Berlin GMT+01:00");
    assert_eq!(why(receive(app, user, "newcomer", berlin).await), "coupon_daily_limit");
    market.wait(11 * 3_600 + 60);
    assert_eq!(why(receive(app, user, "newcomer", Zone::UTC).await), "coupon_daily_limit");
    receive(app, user, "newcomer", berlin).await.expect("another day there");
});
