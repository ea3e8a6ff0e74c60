//! From the put to the settlement, and the other ways in which a plan can end.

use campaigns::delivery::track::click;
use campaigns::plans::overview::Span;
use campaigns::plans::plan_control::{PlanCommand, control, reject};
use store::on_both;

use crate::money::why;
use crate::support::{market, market_with, reader, token};

on_both!(a_plan_lives_from_the_put_to_the_settlement, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    assert_eq!((plan.status.name(), plan.reason.name()), ("matching", "put"));
    assert_eq!(market.world.property().await.available.to_string(), "900.00");
    assert_eq!(market.world.property().await.to_be_consumed.to_string(), "100.00");

    let first = market.visit().await;
    assert_eq!(market.status(&plan).await, "putting");
    assert_eq!(first.url.as_deref(), Some(format!("https://aurora.example/shop?click_id={}", first.click_id).as_str()));
    let answer = market.convert("order-1", &first.click_id).await;
    assert!(answer.accepted && !answer.duplicate, "{answer:?}");
    assert_eq!(market.world.property().await.to_be_settled.to_string(), "12.50");
    for _ in 0..18 {
        market.visit().await;
    }
    market.work().await;
    let running = market.detail(&plan).await;
    assert_eq!((running.plan.progress, &*running.plan.consumed.to_string()), (95, "95.00"));
    assert_eq!((running.delivery.impressions, running.delivery.clicks, running.delivery.conversions), (19, 19, 1));

    market.visit().await;
    market.work().await;
    let ended = market.detail(&plan).await.plan;
    assert_eq!((ended.status.name(), ended.reason.name()), ("waiting_settlement", "deliveries_closed"));
    assert_eq!(ended.progress, 100);
    market.wait(3 * 86_400 - 60);
    market.work().await;
    assert_eq!(market.status(&plan).await, "waiting_settlement");
    market.wait(120);
    market.work().await;

    let settled = market.detail(&plan).await;
    assert_eq!(settled.plan.status.name(), "settled");
    assert_eq!((&*settled.plan.revenue.to_string(), &*settled.plan.fee.to_string()), ("12.50", "1.25"));
    let steps: Vec<&str> = settled.timeline.iter().map(|step| step.status.name()).collect();
    assert_eq!(steps, ["matching", "putting", "put_finished", "waiting_settlement", "settled"]);
    let property = market.world.property().await;
    assert_eq!(
        (property.available.to_string(), property.to_be_settled.to_string(), property.to_be_consumed.to_string()),
        ("911.25".to_owned(), "0.00".to_owned(), "0.00".to_owned())
    );
    let lines = market.world.lines().await;
    assert_eq!(lines[..2], ["profit_sharing -1.25 911.25", "settlement 12.50 912.50"]);

    let all = market.overview(Span::All).await;
    assert_eq!((&*all.invested.to_string(), all.orders, &*all.consumed.to_string()), ("100.00", 1, "100.00"));
    assert_eq!(
        (all.impressions, all.clicks, &*all.revenue.to_string(), &*all.profit.to_string()),
        (20, 20, "12.50", "-88.75")
    );
    let today = market.overview(Span::Today).await;
    assert_eq!((today.impressions, &*today.consumed.to_string()), (0, "0.00"));
    let week = market.overview(Span::Week).await;
    assert_eq!(week.series.iter().map(|p| p.impressions).sum::<i64>(), 20);
    market.check().await;
});

on_both!(the_overview_is_held_against_the_time_before, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    for _ in 0..3 {
        market.visit().await;
    }
    market.work().await;
    let first = market.overview(Span::Today).await;
    let before = first.previous.expect("yesterday");
    assert_eq!((first.impressions, before.impressions, &*before.consumed.to_string()), (3, 0, "0.00"));
    assert_eq!(before.series.len(), first.series.len());
    market.wait(23 * 3_600);
    let earlier = market.overview(Span::Today).await.previous.expect("yesterday");
    assert_eq!(earlier.impressions, 0, "yesterday at this time it had not begun");
    market.wait(2 * 3_600);
    let today = market.overview(Span::Today).await;
    let before = today.previous.expect("yesterday");
    assert_eq!((today.impressions, before.impressions, before.clicks), (0, 3, 3));
    assert_eq!((&*before.invested.to_string(), before.orders, &*before.profit.to_string()), ("100.00", 1, "-15.00"));
    assert_eq!(before.series.iter().map(|point| point.impressions).sum::<i64>(), 3);
    market.wait(7 * 86_400);
    let week = market.overview(Span::Week).await;
    assert_eq!((week.impressions, week.previous.expect("a week").impressions), (0, 3));
    assert!(market.overview(Span::All).await.previous.is_none());
});

on_both!(what_is_not_spent_comes_back_when_the_user_stops, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    market.visit().await;
    let out = market.serve().await.expect("a creative that is never seen");
    let id = plan.id;
    control(&market.world.app, market.world.user, id, PlanCommand::Stop).await.expect("stopped");
    market.work().await;
    assert_eq!(market.status(&plan).await, "put_finished", "a token is out");
    assert!(market.serve().await.is_none(), "a stopped plan is not served");
    market.wait(121);
    market.work().await;
    assert_eq!(market.status(&plan).await, "waiting_settlement");
    assert!(market.see(&out).await.is_err(), "its price went back");
    assert_eq!(market.world.property().await.available.to_string(), "995.00");
    assert_eq!(market.world.lines().await[0], "refund 95.00 995.00");
    assert_eq!(why(control(&market.world.app, market.world.user, id, PlanCommand::Stop).await), "plan_not_puttable");
    market.work().await;
    market.check().await;
});

on_both!(a_plan_without_supply_fails_and_everything_comes_back, |test| {
    let market = market_with(test, |product| product.targeting.regions = vec!["JP".into()]).await;
    let plan = market.put("100.00").await;
    assert!(market.serve().await.is_none(), "no slot fits");
    market.wait(72 * 3600 - 1 - campaigns::work::COUNT_EVERY_SECONDS);
    market.work().await;
    assert_eq!(market.status(&plan).await, "matching");
    market.wait(1);
    market.work().await;
    let failed = market.detail(&plan).await.plan;
    assert_eq!(
        (failed.status.name(), failed.reason.name(), &*failed.returned.to_string()),
        ("put_failed", "no_supply", "100.00")
    );
    assert_eq!(market.world.property().await.available.to_string(), "1000.00");
    market.check().await;
});

on_both!(a_plan_whose_link_brought_customers_settles_though_no_slot_showed_it, |test| {
    let market = market_with(test, |product| product.targeting.regions = vec!["JP".into()]).await;
    let plan = market.put("100.00").await;
    assert!(market.serve().await.is_none(), "no slot fits");
    let link = market.detail(&plan).await.tracking.click_url;
    let visit = click(&market.world.app, token(&link), &reader()).await.expect("kept");
    assert!(market.convert("order-1", &visit.click_id).await.accepted);
    market.work().await;
    let earned = market.world.property().await;
    assert_eq!((&*earned.to_be_settled.to_string(), &*earned.settlement_fees.to_string()), ("12.50", "1.25"));
    market.wait(71 * 3600);
    let later = click(&market.world.app, token(&link), &reader()).await.expect("kept");
    market.wait(3600);
    market.work().await;
    let ended = market.detail(&plan).await.plan;
    assert_eq!((ended.status.name(), &*ended.returned.to_string()), ("waiting_settlement", "100.00"));
    // Those who clicked in time may still buy.
    assert!(market.convert("order-2", &later.click_id).await.accepted);
    market.wait(3 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    let paid = market.world.property().await;
    assert_eq!((&*paid.available.to_string(), &*paid.to_be_settled.to_string()), ("1022.50", "0.00"));
    market.check().await;
});

on_both!(a_rejected_plan_pays_what_its_link_had_earned, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let link = market.detail(&plan).await.tracking.click_url;
    let visit = click(&market.world.app, token(&link), &reader()).await.expect("kept");
    assert!(market.convert("order-1", &visit.click_id).await.accepted);
    // The click is not rolled up yet, but counts all the same.
    let rejected = reject(&market.world.app, &market.world.bob, &plan.plan_no).await.expect("rejected");
    assert_eq!((rejected.status.name(), rejected.reason.name()), ("put_finished", "rejected"));
    assert!(market.serve().await.is_none(), "it is not shown any more");
    market.work().await;
    assert_eq!(market.world.property().await.available.to_string(), "1000.00");
    market.wait(3 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    assert_eq!(market.world.property().await.available.to_string(), "1011.25");
    market.check().await;
});

on_both!(a_plan_ends_with_its_days, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    market.visit().await;
    market.wait(7 * 86_400);
    market.work().await;
    let ended = market.detail(&plan).await;
    assert_eq!(ended.timeline[2].reason.name(), "end_date");
    assert_eq!(ended.plan.returned.to_string(), "95.00");
    market.check().await;
});

on_both!(staff_reject_what_has_delivered_nothing, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let rejected = reject(&market.world.app, &market.world.bob, &plan.plan_no).await.expect("rejected");
    assert_eq!((rejected.status.name(), rejected.reason.name()), ("put_failed", "rejected"));
    assert_eq!(market.world.property().await.available.to_string(), "1000.00");
    assert_eq!(why(reject(&market.world.app, &market.world.bob, &plan.plan_no).await), "plan_not_puttable");
    assert_eq!(why(reject(&market.world.app, &market.world.bob, "P0").await), "not_found");
    market.check().await;
});

on_both!(a_plan_whose_figures_do_not_fit_is_not_settled, |test| {
    use diesel::connection::SimpleConnection;
    let market = market_with(test, |product| product.attribution_days = 1).await;
    let plan = market.put("10.00").await;
    market.visit().await;
    market.visit().await;
    market.work().await;
    market.wait(86_400);
    let tampered = market
        .world
        .app
        .db
        .write(|tx| tx.batch_execute("UPDATE events SET valid = FALSE WHERE kind = 2").map_err(store::Error::from));
    tampered.await.expect("an intruder at the database");
    market.work().await;
    assert_eq!(market.status(&plan).await, "waiting_settlement");
    let counted = campaigns::delivery::recompute::recompute(&market.world.app).await.expect("recomputed");
    assert!(!counted.ok);
    assert_eq!(counted.differences[0].figure, "clicks");
});

on_both!(a_window_of_no_days_settles_at_once, |test| {
    let market = market_with(test, |product| product.attribution_days = 0).await;
    let plan = market.put("10.00").await;
    let click = market.visit().await;
    assert!(market.convert("order-1", &click.click_id).await.accepted);
    market.visit().await;
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    assert_eq!(
        market.convert("order-2", &click.click_id).await.reason.map(|reason| reason.name()),
        Some("outside_window")
    );
    market.check().await;
});

on_both!(months_are_made_ahead_while_the_server_runs, |test| {
    let market = market(test).await;
    let app = &market.world.app;
    let missing = async || app.db.write(store::installation::months::create_ahead).await.expect("asked");
    market.wait(200 * 86_400);
    let (stop, stopped) = tokio::sync::watch::channel(false);
    // It is told to stop as soon as it has begun, and finishes its round.
    let running = campaigns::work::run(app.clone(), stopped);
    futures_util::future::join(running, async { stop.send(true).expect("it runs") }).await;
    assert_eq!(missing().await, 0, "all of them are there");
    market.wait(200 * 86_400);
    // SQLite has no partitions.
    let none_are_needed = market.world.test.url.starts_with("sqlite");
    assert_eq!(missing().await == 0, none_are_needed, "nobody else makes them");
});

on_both!(rows_from_a_clock_that_was_ahead_keep_nobody_out_when_their_month_comes, |test| {
    let market = market(test).await;
    let test = &market.world.test;
    // The server's clock jumps, and something is recorded before it makes the months of then.
    market.wait(400 * 86_400);
    market.put("10.00").await;
    let made = market.world.app.db.write(store::installation::months::create_ahead).await.expect("the others are made");
    // Two tables for each of the three months to come.
    assert_eq!(made, if test.url.starts_with("sqlite") { 0 } else { 6 });
    let (url, clock) = (test.url.clone(), test.clock.clone());
    store::Db::open(&store::Options { url, realm: store::Realm::Simulated, clock }).expect("a program opens it");
});
