//! A put takes exactly what its quote said.

use base::Money;
use calendar::Zone;
use campaigns::plans::plan_control::offer;
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::plans::quote::{QuoteQuery, quote};
use coupons::InapplicableReason;
use foundation::people::pay_password::Proof;
use money::offers::coupon_staff::CouponFile;
use store::on_both;

use crate::money::why;
use crate::shop::{custom, file};
use crate::support::market;

on_both!(the_put_takes_what_was_quoted, |test| {
    let market = market(test).await;
    market.world.promote("30.00").await;
    for coupon in [file("Off", "15.00"), custom("Half", "discount", "0.50"), custom("More", "addition", "40.00")] {
        market.give(coupon).await;
    }
    let plain = market.quote("100.00").await.expect("a quote");
    assert_eq!((&*plain.available_pays.to_string(), &*plain.promotional_pays.to_string()), ("70.00", "30.00"));
    assert_eq!((plain.fee_rate.as_str(), plain.affordable), ("0.1", true));
    let best = plain
        .coupons
        .iter()
        .find(|each| Some(&each.coupon.id) == plain.best.map(|id| id.to_string()).as_ref())
        .expect("the best");
    assert_eq!((best.coupon.name.as_str(), &*best.pays.to_string()), ("Half", "50.00"));
    for name in ["Off", "Half", "More"] {
        let now = market.quote("100.00").await.expect("a quote");
        let quoted = now.coupons.iter().find(|each| each.coupon.name == name).expect("quoted").clone();
        let before = market.world.property().await;
        let plan = market.put_with("100.00", &quoted.coupon).await.expect("put");
        assert_eq!((&plan.put_amount, &plan.paid_amount), (&quoted.budget, &quoted.available_pays), "{name}");
        let after = market.world.property().await;
        assert_eq!(before.available.minus(after.available), Ok(quoted.available_pays), "{name}");
        assert_eq!(before.promotional.minus(after.promotional), Ok(quoted.promotional_pays), "{name}");
    }
    let left = market.quote("100.00").await.expect("a quote");
    assert_eq!((left.coupons.len(), left.best), (0, None));
    market.check().await;
});

on_both!(what_cannot_be_used_says_why, |test| {
    let market = market(test).await;
    let first = market.give(file("Off", "15.00")).await;
    market.wait(86_400);
    market.grant("Off").await;
    market.give(CouponFile { min_amount: Some("200.00".into()), ..file("Large", "90.00") }).await;
    market.give(file("Small", "1.00")).await;
    market.put_with("100.00", &first).await.expect("put");
    let quoted = market.quote("100.00").await.expect("a quote");
    let told: Vec<_> = quoted
        .coupons
        .iter()
        .map(|each| {
            (each.coupon.name.as_str(), each.applicable, each.reason.map(InapplicableReason::name), each.pays.minor())
        })
        .collect();
    let expected = [
        ("Small", true, None, 9_900),
        ("Large", false, Some("coupon_not_applicable"), 10_000),
        ("Off", false, Some("coupon_daily_limit"), 10_000),
    ];
    assert_eq!(told, expected);
    assert_eq!(quoted.best.map(|id| id.to_string()), Some(quoted.coupons[0].coupon.id.clone()));
});

on_both!(what_may_not_be_put_is_not_quoted, |test| {
    let market = market(test).await;
    for amount in ["9.99", "500.01", "0", "-1"] {
        assert_eq!(why(market.quote(amount).await), "amount_out_of_range", "{amount}");
    }
    assert_eq!(why(market.quote("ten").await), "amount=invalid_amount");
    let (app, user) = (&market.world.app, market.world.user);
    let plan = offer(app, &market.world.bob, user, market.product).await.expect("offered");
    let target = PutTarget::Offered(plan.id);
    let ask = QuoteQuery { target, amount: Money::from_minor(5_000), zone: Zone::UTC };
    assert_eq!(quote(app, user, ask.clone()).await.expect("a quote").available_pays.to_string(), "50.00");
    let other = market.world.test.user("other").await;
    assert_eq!(why(quote(app, other, ask.clone()).await), "not_found");
    put(app, Proof::assumed(user), Put::new(target, Money::from_minor(5_000), plans::ContentType::LandingPage))
        .await
        .expect("put");
    assert_eq!(why(quote(app, user, ask).await), "plan_not_puttable");
    let poor =
        QuoteQuery { target: PutTarget::Product(market.product), amount: Money::from_minor(5_000), zone: Zone::UTC };
    assert!(!quote(app, other, poor).await.expect("a quote").affordable);
});
