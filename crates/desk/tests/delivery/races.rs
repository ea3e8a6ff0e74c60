//! Simultaneous requests of which only one may succeed.

use std::sync::atomic::{AtomicBool, Ordering};

use base::PlanId;
use campaigns::AdServer;
use campaigns::delivery::postback::{Postback, PostbackAnswer, postback};
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::put::{Put, PutTarget, put};
use campaigns::work;
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::people::pay_password::Proof;
use futures_util::future::join_all;
use plans::ContentType;
use store::on_both;

use crate::money::why;
use crate::support::{Market, market, market_with, second};

/// A conversion reported or reversed in a separate task.
async fn called(market: &Market, app: &AdServer, event: &str, click: Option<&str>) -> PostbackAnswer {
    let (app, advertiser) = (app.clone(), market.advertiser);
    let (event_id, click_id) = (event.to_owned(), click.unwrap_or_default().to_owned());
    let call = Postback { event_id, click_id, occurred_at: None, reverse: click.is_none() };
    let asked = tokio::spawn(async move { postback(&app, advertiser, call).await });
    asked.await.expect("no panic").expect("answered")
}

on_both!(thirty_two_reversals_of_one_conversion_take_it_back_once, |test| {
    let market = market_with(test, |product| product.conversions_per_click = 20).await;
    market.put("100.00").await;
    let (here, there) = (market.world.app.clone(), second(&market));
    let click = market.visit().await.click_id;
    for event in ["order", "beside", "kept"] {
        assert!(market.convert(event, &click).await.accepted);
    }
    let of_order = join_all((0..32).map(|n| called(&market, if n % 2 == 0 { &here } else { &there }, "order", None)));
    let beside = join_all((0..4).map(|_| called(&market, &there, "beside", None)));
    let names: Vec<String> = (0..4).map(|n| format!("new-{n}")).collect();
    let new = join_all(names.iter().map(|name| called(&market, &here, name, Some(&click))));
    let (of_order, beside, new) = futures_util::join!(of_order, beside, new);
    for answers in [&of_order, &beside] {
        assert!(answers.iter().all(|answer| answer.accepted), "{answers:?}");
        assert_eq!(answers.iter().filter(|answer| !answer.duplicate).count(), 1, "{answers:?}");
    }
    assert!(new.iter().all(|answer| answer.accepted && !answer.duplicate), "{new:?}");
    // One remained and four are new: five of 12.50.
    assert_eq!(market.world.property().await.to_be_settled.to_string(), "62.50");
    market.work().await;
    market.check().await;
});

/// Another user with money, who puts some on the product.
async fn another_puts(market: &Market, amount: &str) {
    let (app, world) = (&market.world.app, &market.world);
    let other = world.test.user("other").await;
    let asked =
        request(app, &world.ann, MoneyRequestDraft::recharge(other, amount, "other-1")).await.expect("requested");
    approve(app, &world.bob, asked.id.into()).await.expect("approved");
    let command =
        Put::new(PutTarget::Product(market.product), amount.parse().expect("an amount"), ContentType::LandingPage);
    put(app, Proof::assumed(other), command).await.expect("put");
}

// Their wallets and plans are different; they only share the advertiser.
on_both!(an_advertisers_last_payout_is_one_users, |test| {
    let market = market_with(test, |product| product.payout = "1000.00".into()).await;
    market.put("10.00").await;
    let one = market.visit().await.click_id;
    market.visit().await;
    another_puts(&market, "10.00").await;
    let two = market.visit().await.click_id;
    let (here, there) = (market.world.app.clone(), second(&market));
    let mut won = [0, 0];
    for round in 0..16 {
        let events = [format!("one-{round}"), format!("two-{round}")];
        let (first, other) = futures_util::join!(
            called(&market, &here, &events[0], Some(&one)),
            called(&market, &there, &events[1], Some(&two)),
        );
        let accepted: Vec<usize> =
            [&first, &other].iter().enumerate().filter(|(_, a)| a.accepted).map(|(n, _)| n).collect();
        assert_eq!(accepted.len(), 1, "{first:?} {other:?}");
        let lost = if first.accepted { &other } else { &first };
        assert_eq!(lost.reason.map(|reason| reason.name()), Some("advertiser_funds_exhausted"));
        won[accepted[0]] += 1;
        assert!(market.reverse(&events[accepted[0]]).await.accepted);
    }
    assert_eq!(won[0] + won[1], 16);
    market.work().await;
    market.check().await;
});

// Only the plan is locked for it.
on_both!(sixteen_stops_at_once_end_a_plan_once, |test| {
    let market = market(test).await;
    let (here, there) = (market.world.app.clone(), second(&market));
    for _ in 0..6 {
        let plan = market.put("10.00").await;
        market.visit().await;
        let id: PlanId = plan.id;
        let tasks: Vec<_> = (0..16)
            .map(|n| {
                let (app, user) = (if n % 2 == 0 { here.clone() } else { there.clone() }, market.world.user);
                tokio::spawn(async move { control(&app, user, id, PlanCommand::Stop).await })
            })
            .collect();
        let mut stopped = 0;
        for task in tasks {
            match task.await.expect("no panic") {
                Ok(_) => stopped += 1,
                refused => assert_eq!(why(refused), "plan_not_puttable"),
            }
        }
        let steps: Vec<&str> = market.detail(&plan).await.timeline.into_iter().map(|step| step.status.name()).collect();
        assert_eq!((stopped, steps), (1, vec!["matching", "putting", "put_finished"]));
    }
    market.work().await;
    market.check().await;
});

// Users' own requests waited behind all of them, and gave up.
on_both!(plans_that_end_together_leave_room_for_requests, |test| {
    let market = market(test).await;
    for _ in 0..80 {
        market.put("10.00").await;
    }
    market.wait(8 * 86_400);
    let (app, over) = (&market.world.app, AtomicBool::new(false));
    let watch = async {
        let mut most = 0;
        while !over.load(Ordering::Relaxed) {
            most = app.db.queues().iter().map(|queue| queue.depth).fold(most, usize::max);
            tokio::task::yield_now().await;
        }
        most
    };
    let round = async {
        work::round(app).await.expect("works");
        over.store(true, Ordering::Relaxed);
    };
    let (most, ()) = futures_util::join!(watch, round);
    assert!(most <= 32, "{most} wait");
    market.work().await;
    market.check().await;
});
