//! Puts with a coupon: who pays what, what is refused, and what comes back.

use base::{CouponId, Money};
use calendar::Zone;
use campaigns::plans::follow::follow;
use campaigns::plans::operated;
use campaigns::plans::plan_control::reject;
use campaigns::plans::plan_views::PlanView;
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::plans::quote::{QuoteQuery, quote};
use coupons::{InapplicableReason, State};
use foundation::Error;
use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use futures_util::future::join_all;
use money::offers::coupon_staff::CouponFile;
use money::offers::coupon_views::CouponView;
use plans::ContentType;
use store::on_both;

use crate::money::why;
use crate::shop::{custom, file, id};
use crate::support::{Market, market};

on_both!(a_deduction_is_the_platforms_to_pay, |test| {
    let market = market(test).await;
    let coupon = market.give(file("Off", "15.00")).await;
    let plan = market.put_with("100.00", &coupon).await.expect("put");
    assert_eq!((&*plan.put_amount.to_string(), &*plan.paid_amount.to_string()), ("100.00", "85.00"));
    let of_plan = plan.coupon.clone().expect("a coupon");
    assert_eq!((of_plan.id.as_str(), of_plan.status.name()), (coupon.id.as_str(), "used"));
    assert_eq!(of_plan.plan_id, Some(plan.id));
    assert_eq!(market.detail(&plan).await.plan, plan);
    let property = market.world.property().await;
    assert_eq!((&*property.available.to_string(), &*property.to_be_consumed.to_string()), ("915.00", "85.00"));
    assert_eq!(property.total_assets.to_string(), "1000.00");
    assert_eq!(why(market.put_with("100.00", &coupon).await), "coupon_used");
    market.check().await;
});

on_both!(a_discount_keeps_its_cap_and_an_addition_raises_the_budget, |test| {
    let market = market(test).await;
    let capped = CouponFile { max_value: Some("30.00".into()), ..custom("Tenth", "discount", "0.10") };
    let coupon = market.give(capped).await;
    let plan = market.put_with("450.00", &coupon).await.expect("put");
    assert_eq!((&*plan.put_amount.to_string(), &*plan.paid_amount.to_string()), ("450.00", "420.00"));
    // The limits are for what the user enters. What a coupon adds may exceed them.
    let coupon = market.give(custom("More", "addition", "60.00")).await;
    let plan = market.put_with("500.00", &coupon).await.expect("put");
    assert_eq!((&*plan.put_amount.to_string(), &*plan.paid_amount.to_string()), ("560.00", "500.00"));
    assert_eq!(market.world.property().await.available.to_string(), "80.00");
    market.check().await;
});

on_both!(a_refused_coupon_changes_nothing, |test| {
    let market = market(test).await;
    let coupon = market.give(file("Off", "15.00")).await;
    let team = CouponFile { kind: "team".into(), effect: Some("deduction".into()), ..file("Team", "5.00") };
    let team = market.give(CouponFile { operated_id: Some("OP-1".into()), ..team }).await;
    assert_eq!(why(market.put_with("19.99", &coupon).await), "coupon_not_applicable");
    assert_eq!(why(market.put_with("100.00", &team).await), "coupon_not_applicable");
    assert_eq!(why(market.put_with("500.01", &coupon).await), "amount_out_of_range");
    let unknown = Put { coupon: Some(CouponId(999)), ..market.on_product("100.00", &coupon) };
    assert_eq!(why(put(&market.world.app, Proof::assumed(market.world.user), unknown).await), "not_found");
    let other = market.world.test.user("other").await;
    let stolen = market.on_product("100.00", &coupon);
    assert_eq!(why(put(&market.world.app, Proof::assumed(other), stolen).await), "not_found");
    market.put("500.00").await;
    market.put("485.01").await;
    assert_eq!(why(market.put_with("30.00", &coupon).await), "insufficient_balance");
    assert_eq!(market.held(State::Unused).await.len(), 2);
    market.wait(30 * 86_400);
    assert_eq!(why(market.put_with("20.00", &coupon).await), "coupon_expired");
    assert_eq!((market.held(State::Unused).await.len(), market.held(State::Expired).await.len()), (0, 2));
    assert_eq!(market.world.property().await.available.to_string(), "14.99");
    market.check().await;
});

on_both!(a_team_coupon_is_for_who_follows_its_id, |test| {
    let market = market(test).await;
    let (app, user, bob) = (&market.world.app, market.world.user, &market.world.bob);
    for (name, operated_id) in [("leader", "OP-1001"), ("rival", "OP-1002")] {
        market.world.test.user(name).await;
        let asked = operated::add(app, bob.clone(), name, operated_id, name).await.expect("requested");
        market.approve(&asked).await;
    }
    let team = CouponFile { operated_id: Some(" op-1001 ".into()), ..custom("Team", "addition", "30.00") };
    let team = market.give(CouponFile { kind: "team".into(), ..team }).await;
    assert_eq!(team.operated_id.as_deref(), Some("OP-1001"));
    follow(app, user, "OP-1002").await.expect("followed");
    assert_eq!(why(market.put_with("100.00", &team).await), "coupon_not_applicable");
    let quoted = market.quote("100.00").await.expect("a quote");
    assert_eq!((quoted.best, quoted.coupons[0].reason), (None, Some(InapplicableReason::NotApplicable)));
    follow(app, user, "OP-1001").await.expect("followed");
    let plan = market.put_with("100.00", &team).await.expect("put");
    assert_eq!((&*plan.put_amount.to_string(), &*plan.paid_amount.to_string()), ("130.00", "100.00"));
});

on_both!(one_of_a_name_a_day_is_used, |test| {
    let market = market(test).await;
    let first = market.give(file("Off", "15.00")).await;
    market.wait(86_400);
    let second = market.grant("Off").await;
    let (app, user) = (&market.world.app, market.world.user);
    let from = |zone: &str, coupon: &CouponView| {
        let command = Put { zone: Zone::from_header(zone), ..market.on_product("100.00", coupon) };
        put(app, Proof::assumed(user), command)
    };
    from("Europe/Berlin GMT+01:00", &first).await.expect("put");
    assert_eq!(why(from("Europe/Berlin GMT+01:00", &second).await), "coupon_daily_limit");
    assert_eq!(why(from("Europe/Berlin GMT+01:00", &first).await), "coupon_used");
    // At 23:01 UTC a new day has begun in Berlin.
    market.wait(11 * 3_600 + 60);
    from("Europe/Berlin GMT+01:00", &second).await.expect("put");
    market.check().await;
});

on_both!(a_coupon_of_its_name_is_used_once_a_day_whatever_zone_is_named, |test| {
    let market = market(test).await;
    let first = market.give(file("Off", "15.00")).await;
    market.wait(86_400);
    let second = market.grant("Off").await;
    // At noon, as UTC has it.
    market.put_with("100.00", &first).await.expect("put");
    let (app, user) = (&market.world.app, market.world.user);
    let there = Zone::from_header("Asia/Shanghai GMT+08:00");
    let ask =
        || QuoteQuery { target: PutTarget::Product(market.product), amount: Money::from_minor(10_000), zone: there };
    let command = || Put { zone: there, ..market.on_product("100.00", &second) };
    // A new day has begun in Shanghai, and not where the first one was used.
    market.wait(5 * 3_600);
    assert_eq!(why(put(app, Proof::assumed(user), command()).await), "coupon_daily_limit");
    assert_eq!(quote(app, user, ask()).await.expect("quoted").best, None);
    // Shanghai's day of then has ended, too.
    market.wait(24 * 3_600);
    assert_eq!(quote(app, user, ask()).await.expect("quoted").best, Some(id(&second)));
    put(app, Proof::assumed(user), command()).await.expect("put");
    market.check().await;
});

on_both!(fifty_puts_with_one_coupon_are_one, |test| {
    let market = market(test).await;
    let coupon = market.give(file("Off", "15.00")).await;
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let (app, user, command) =
                (market.world.app.clone(), market.world.user, market.on_product("20.00", &coupon));
            tokio::spawn(async move { put(&app, Proof::assumed(user), command).await })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        match task.await.expect("no panic") {
            Ok(_) => done += 1,
            refused => assert_eq!(why(refused), "coupon_used"),
        }
    }
    assert_eq!((done, &*market.world.property().await.available.to_string()), (1, "995.00"));
    market.check().await;
});

/// All at once, each as a request of its own.
async fn at_once(market: &Market, puts: impl Iterator<Item = Put>) -> Vec<Result<PlanView, Error>> {
    let tasks = puts.map(|command| {
        let (app, user) = (market.world.app.clone(), market.world.user);
        tokio::spawn(async move { put(&app, Proof::assumed(user), command).await })
    });
    join_all(tasks.collect::<Vec<_>>()).await.into_iter().map(|done| done.expect("no panic")).collect()
}

on_both!(of_eight_puts_with_two_coupons_of_a_name_one_has_one, |test| {
    let market = market(test).await;
    let first = market.give(file("Off", "15.00")).await;
    market.wait(86_400);
    let second = market.grant("Off").await;
    let with = |n: usize| market.on_product("30.00", if n.is_multiple_of(2) { &first } else { &second });
    let without = Put { coupon: None, ..with(0) };
    let mut answers = at_once(&market, (0..8).map(with).chain([without.clone(), without])).await;
    for plain in answers.split_off(8) {
        assert_eq!(plain.expect("put").paid_amount.to_string(), "30.00");
    }
    let used = answers.iter().position(Result::is_ok).expect("one of them");
    for (n, answer) in answers.into_iter().enumerate() {
        match answer {
            Ok(plan) => {
                assert_eq!((n, &*plan.paid_amount.to_string()), (used, "15.00"));
                assert_eq!(market.detail(&plan).await.plan, plan);
            }
            refused if n % 2 == used % 2 => assert_eq!(why(refused), "coupon_used"),
            refused => assert_eq!(why(refused), "coupon_daily_limit"),
        }
    }
    assert_eq!((market.held(State::Used).await.len(), market.held(State::Unused).await.len()), (1, 1));
    assert_eq!(market.world.property().await.available.to_string(), "925.00");
    market.check().await;
});

on_both!(puts_at_once_share_the_credit_that_there_is, |test| {
    let market = market(test).await;
    market.world.promote("25.00").await;
    let command = Put::new(PutTarget::Product(market.product), Money::from_minor(1_000), ContentType::LandingPage);
    let answers = at_once(&market, (0..6).map(|_| command.clone())).await;
    let mut paid: Vec<String> = answers.into_iter().map(|plan| plan.expect("put").paid_amount.to_string()).collect();
    paid.sort();
    assert_eq!(paid, ["0.00", "0.00", "10.00", "10.00", "10.00", "5.00"]);
    let property = market.world.property().await;
    assert_eq!((&*property.available.to_string(), &*property.promotional.to_string()), ("965.00", "0.00"));
    market.check().await;
});

on_both!(a_repeated_put_uses_it_once, |test| {
    let market = market(test).await;
    let coupon = market.give(file("Off", "15.00")).await;
    let (app, user) = (&market.world.app, market.world.user);
    let key = Key::parse("k-1").ok();
    let command = Put { key: key.clone(), ..market.on_product("100.00", &coupon) };
    let first = put(app, Proof::assumed(user), command.clone()).await.expect("put");
    assert_eq!(put(app, Proof::assumed(user), command).await.expect("answered again"), first);
    let without = Put {
        key,
        ..Put::new(PutTarget::Product(market.product), Money::from_minor(10_000), ContentType::LandingPage)
    };
    assert_eq!(why(put(app, Proof::assumed(user), without).await), "idempotency_key_reused");
    assert_eq!(market.world.property().await.available.to_string(), "915.00");
});

on_both!(what_fails_gives_everything_back, |test| {
    let market = market(test).await;
    market.world.promote("25.00").await;
    let coupon = market.give(custom("More", "addition", "50.00")).await;
    let plan = market.put_with("100.00", &coupon).await.expect("put");
    assert_eq!((&*plan.put_amount.to_string(), &*plan.paid_amount.to_string()), ("150.00", "75.00"));
    assert_eq!(market.world.property().await.promotional.to_string(), "0.00");
    // 72 hours pass without a slot.
    market.wait(73 * 3_600);
    market.work().await;
    let failed = market.detail(&plan).await.plan;
    assert_eq!((failed.status.name(), &*failed.returned.to_string()), ("put_failed", "150.00"));
    assert_eq!(failed.coupon.map(|coupon| (coupon.name, coupon.status.name())), Some(("More".into(), "unused")));
    let property = market.world.property().await;
    assert_eq!((&*property.available.to_string(), &*property.promotional.to_string()), ("1000.00", "25.00"));
    // The coupon can be used again, even on the same day. A rejected plan gives it back
    // too.
    let plan = market.put_with("100.00", &coupon).await.expect("put");
    reject(&market.world.app, &market.world.bob, &plan.plan_no).await.expect("rejected");
    assert_eq!(market.held(State::Unused).await, ["More"]);
    market.put_with("100.00", &coupon).await.expect("put");
    market.check().await;
});

on_both!(what_is_unspent_goes_back_to_where_it_came_from, |test| {
    let market = market(test).await;
    market.world.promote("25.00").await;
    let coupon = market.give(file("Off", "10.00")).await;
    let plan = market.put_with("100.00", &coupon).await.expect("put");
    // Four impressions at 5.00: the coupon's 10.00, then 10.00 of the credit.
    for _ in 0..4 {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
    }
    market.work().await;
    let stop = campaigns::plans::plan_control::PlanCommand::Stop;
    let plan_id = plan.id;
    campaigns::plans::plan_control::control(&market.world.app, market.world.user, plan_id, stop)
        .await
        .expect("stopped");
    market.wait(4_000);
    market.work().await;
    let ended = market.detail(&plan).await.plan;
    assert_eq!((&*ended.consumed.to_string(), &*ended.returned.to_string()), ("20.00", "80.00"));
    let property = market.world.property().await;
    assert_eq!((&*property.available.to_string(), &*property.promotional.to_string()), ("1000.00", "15.00"));
    assert_eq!(market.held(State::Used).await, ["Off"], "what was delivered was bought with it");
    assert_eq!(id(&coupon), ended.coupon.map(|coupon| id(&coupon)).expect("a coupon"));
    market.check().await;
});
