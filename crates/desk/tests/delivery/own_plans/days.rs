//! A plan never spends more on a day than its user allows, whatever happens to the servers.

use base::{Money, PlanId, Timestamp};
use calendar::Zone;
use campaigns::AdServer;
use campaigns::delivery::serve::{SlotAnswer, serve};
use campaigns::delivery::track::impression;
use campaigns::plans::limits::{Limits, limit};
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::plan_views::PlanView;
use campaigns::work;
use delivery::Reason;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use foundation::Error;
use plans::ScheduleChange;
use store::on_both;

use crate::money::{money, why};
use crate::support::{BASE, Market, SLOT, market, market_with, reader, second, token};

const DAY: i64 = 86_400;

async fn cap(market: &Market, plan: &PlanView, cap: Option<&str>, zone: Zone) -> Result<PlanView, Error> {
    let limits = Limits { daily_cap: Some(cap.map(money)), schedule: ScheduleChange::default(), zone };
    limit(&market.world.app, market.world.user, plan.id, limits).await
}

async fn capped(market: &Market, plan: &PlanView, amount: &str) -> PlanView {
    cap(market, plan, Some(amount), Zone::UTC).await.expect("limited")
}

async fn serve_on(app: &AdServer) -> Option<SlotAnswer> {
    serve(app, SLOT, None, BASE, i18n::Lang::En).await.expect("answered")
}

/// Everything that is served now, seen at once; how often.
async fn all_seen(market: &Market) -> usize {
    let mut number = 0;
    while let Some(answer) = serve_on(&market.world.app).await {
        market.see(&answer).await.expect("what was promised counts");
        number += 1;
    }
    number
}

#[derive(QueryableByName)]
struct Cost {
    #[diesel(sql_type = BigInt)]
    day: i64,
    #[diesel(sql_type = BigInt)]
    milli: i64,
}

/// What the events of each day (UTC) have cost, reckoned from the events alone.
async fn by_day(market: &Market, plan: PlanId) -> Vec<(i64, Money)> {
    let costs = market.world.app.db.read(move |conn| {
        let sql = "SELECT at / 86400000 AS day, CAST(SUM(price_milli) AS BIGINT) AS milli FROM events \
             WHERE plan_id = $1 AND price_milli > 0 GROUP BY 1 ORDER BY 1";
        Ok::<Vec<Cost>, store::Error>(diesel::sql_query(sql).bind::<BigInt, _>(plan.0).load(conn)?)
    });
    let costs = costs.await.expect("costs");
    costs.into_iter().map(|cost| (cost.day, Money::from_minor(cost.milli / 1_000))).collect()
}

on_both!(four_servers_and_twenty_deaths_never_spend_more_than_a_day_may_cost, |test| {
    let market = market_with(test, |file| file.put_rule.days = 7).await;
    let plan = market.put("500.00").await;
    capped(&market, &plan, "62.00").await;
    let mut servers: Vec<AdServer> = (0..4).map(|_| second(&market)).collect();
    let mut late: Vec<SlotAnswer> = Vec::new();
    for round in 0..20 {
        for server in &servers {
            for n in 0..3 {
                let Some(answer) = serve_on(server).await else { break };
                if n == 2 {
                    late.push(answer);
                    continue;
                }
                let seen_by = &servers[(round + n) % servers.len()];
                let seen = impression(seen_by, token(&answer.impression_url), &reader()).await.expect("kept");
                seen.expect("what was promised counts");
            }
        }
        market.wait(25);
        // Reported by whoever, also after midnight.
        for answer in late.drain(..) {
            let server = &servers[round % servers.len()];
            let seen = impression(server, token(&answer.impression_url), &reader()).await.expect("kept");
            seen.expect("what was promised counts");
        }
        // It dies: what it has leased comes back when its leases end.
        servers[round % 4] = second(&market);
        market.wait(if round % 3 == 0 { 130 } else { 10 });
        work::round(&market.world.app).await.expect("works");
        if round % 5 == 4 {
            // Just before midnight: what is promised is reported on the next day.
            let end = Zone::UTC.day_period(market.world.app.now()).until;
            market.world.test.clock.move_to(end.plus_seconds(-10));
        }
    }
    market.work().await;
    let days = by_day(&market, plan.id).await;
    assert!(days.len() >= 4, "{days:?}");
    for (day, cost) in &days {
        assert!(*cost <= money("62.00"), "day {day}: {cost} in {days:?}");
    }
    assert!(days.iter().any(|(_, cost)| *cost == money("60.00")), "twelve of 5.00 fit: {days:?}");
    market.check().await;
});

on_both!(a_day_ends_at_midnight_and_the_next_one_has_as_much, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let limited = capped(&market, &plan, "12.00").await;
    assert_eq!((limited.daily_cap, limited.consumed_today), (Some(money("12.00")), Money::ZERO));
    assert_eq!(all_seen(&market).await, 2, "of 5.00");
    let shown = market.detail(&plan).await.plan;
    assert_eq!((&*shown.consumed_today.to_string(), shown.status.name()), ("10.00", "putting"));
    market.world.test.clock.move_to(shown.day_ends_at.plus_millis(-1));
    assert!(market.serve().await.is_none());
    market.wait(1);
    assert_eq!(market.detail(&plan).await.plan.consumed_today, Money::ZERO);
    assert_eq!(all_seen(&market).await, 2);
    // Without a limit, all of the budget is free again.
    cap(&market, &plan, None, Zone::UTC).await.expect("lifted");
    assert_eq!(all_seen(&market).await, 16);
    market.check().await;
});

on_both!(a_limit_below_what_is_spent_stops_at_once_and_late_views_cost_nothing, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let other = second(&market);
    all_but(&market, 3).await;
    let promised = serve_on(&other).await.expect("a creative");
    capped(&market, &plan, "10.00").await;
    assert!(market.serve().await.is_none());
    // The other server learns of it with its next round, within a second.
    work::round(&other).await.expect("works");
    assert!(serve_on(&other).await.is_none());
    let seen = impression(&other, token(&promised.impression_url), &reader()).await.expect("kept");
    assert_eq!(seen, Err(Reason::PlanDayCapReached));
    market.work().await;
    let shown = market.detail(&plan).await;
    assert_eq!((&*shown.plan.consumed_today.to_string(), &*shown.plan.consumed.to_string()), ("15.00", "15.00"));
    assert_eq!((shown.delivery.impressions, shown.delivery.filtered), (3, 1));
    market.check().await;
});

async fn all_but(market: &Market, number: usize) {
    for _ in 0..number {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
    }
}

on_both!(a_limit_counts_what_was_spent_since_midnight, |test| {
    let market = market(test).await;
    let plan = market.put("200.00").await;
    all_but(&market, 4).await;
    market.wait(DAY);
    all_but(&market, 2).await;
    market.work().await;
    all_but(&market, 1).await;
    let limited = capped(&market, &plan, "20.00").await;
    assert_eq!(limited.consumed_today.to_string(), "15.00", "rolled up or not");
    assert_eq!(all_seen(&market).await, 1);
    market.check().await;
});

on_both!(days_are_those_of_the_zone_and_another_zone_counts_from_the_next_midnight, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let at = |text: &str| Timestamp::parse(text).expect("a moment");
    let berlin = Zone::from_header("Europe/Berlin GMT+01:00");
    let now = market.world.app.now();
    let end = berlin.day_period(now).until;
    let limited = cap(&market, &plan, Some("10.00"), berlin).await.expect("limited");
    assert_eq!(limited.day_ends_at, end);
    let kolkata = Zone::from_header("Asia/Kolkata GMT+05:30");
    let moved = cap(&market, &plan, Some("20.00"), kolkata).await.expect("limited");
    assert_eq!(moved.day_ends_at, end, "the day that has begun goes on");
    market.world.test.clock.move_to(end);
    assert_eq!(market.detail(&plan).await.plan.day_ends_at, kolkata.day_period(end).until);
    // Of 23 and of 25 hours.
    for (noon, hours) in [("2026-03-29T10:00:00Z", 23), ("2026-10-25T10:00:00Z", 25)] {
        let day = berlin.day_period(at(noon));
        assert_eq!(day.until.since(day.from), hours * 3_600_000, "{noon}");
    }
});

/// Whether one is promised, once the lease that is being requested has come: on a slow machine, later than a slot waits.
async fn is_promised(market: &Market) -> bool {
    for _ in 0..200 {
        if market.serve().await.is_some() {
            return true;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    false
}

on_both!(a_limit_takes_promises_back_ten_times_a_day, |test| {
    let market = market(test).await;
    // Nothing lapses meanwhile, and each try may leave something reserved: the budget is enough for all of it.
    let plan = market.put("500.00").await;
    let first = market.world.app.now();
    for round in 0..10 {
        cap(&market, &plan, None, Zone::UTC).await.expect("lifted");
        assert!(is_promised(&market).await, "round {round}");
        capped(&market, &plan, "5.00").await;
    }
    capped(&market, &plan, "400.00").await;
    assert!(is_promised(&market).await);
    market.wait(60);
    let foundation::Error::Refused(refusal) =
        cap(&market, &plan, Some("5.00"), Zone::UTC).await.expect_err("the eleventh time")
    else {
        panic!("not refused")
    };
    let until = first.plus_seconds(DAY);
    assert_eq!(refusal, foundation::Refusal::PlanLoweredOften { until, retry_after: DAY - 60 });
    assert_eq!(market.detail(&plan).await.plan.daily_cap, Some(money("400.00")), "nothing has changed");
    // Neither a higher limit nor one that covers what is promised takes anything back.
    capped(&market, &plan, "399.00").await;
    cap(&market, &plan, None, Zone::UTC).await.expect("lifted");
    market.world.test.clock.move_to(until);
    assert!(market.serve().await.is_some());
    capped(&market, &plan, "5.00").await;
    market.check().await;
});

on_both!(a_limit_that_buys_nothing_or_is_not_ones_own_is_refused, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    assert_eq!(why(cap(&market, &plan, Some("4.99"), Zone::UTC).await), "amount_out_of_range");
    capped(&market, &plan, "5.00").await;
    let foreign = market.world.test.user("other").await;
    let limits = Limits { daily_cap: Some(None), schedule: ScheduleChange::default(), zone: Zone::UTC };
    assert_eq!(why(limit(&market.world.app, foreign, plan.id, limits).await), "not_found");
    control(&market.world.app, market.world.user, plan.id, PlanCommand::Stop).await.expect("stopped");
    assert_eq!(why(cap(&market, &plan, None, Zone::UTC).await), "plan_not_running");
});

on_both!(other_limits_change_all_that_they_name_or_nothing, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let due_at = market.detail(&plan).await.due_at;
    capped(&market, &plan, "50.00").await;
    let set = async |daily_cap: Option<Option<&str>>, schedule: ScheduleChange| {
        let limits = Limits { daily_cap: daily_cap.map(|cap| cap.map(money)), schedule, zone: Zone::UTC };
        limit(&market.world.app, market.world.user, plan.id, limits).await
    };
    let now = market.world.app.now();
    let ending = |at: Timestamp| ScheduleChange { ends_at: Some(Some(at)), ..ScheduleChange::default() };
    let told = |plan: &PlanView| (plan.daily_cap.map(|cap| cap.to_string()), plan.schedule.ends_at);
    let end = now.plus_days(3);
    let ends = set(None, ending(end)).await.expect("its end is set");
    assert_eq!(told(&ends), (Some("50.00".to_owned()), Some(end)), "the limit of its day stays");
    assert_eq!(why(set(Some(Some("20.00")), ending(now)).await), "ends_at=too_early");
    let unchanged = market.detail(&plan).await.plan;
    assert_eq!(told(&unchanged), (Some("50.00".to_owned()), Some(end)), "nothing of it was done");
    let lower = set(Some(Some("20.00")), ScheduleChange::default()).await.expect("limited");
    assert_eq!(told(&lower), (Some("20.00".to_owned()), Some(end)), "its end stays");
    let lifted = ScheduleChange { ends_at: Some(None), ..ScheduleChange::default() };
    assert_eq!(told(&set(Some(None), lifted).await.expect("both are lifted")), (None, None));
    assert_eq!(market.detail(&plan).await.due_at, due_at);
    market.check().await;
});

// A click that is charged for comes later than its view, maybe after midnight.
on_both!(a_click_promised_before_midnight_is_held_in_both_days, |test| {
    let market = market_with(test, |file| {
        file.put_rule.pricing = "cpc".into();
        file.put_rule.price = "5.00".into();
    })
    .await;
    let plan = market.put("100.00").await;
    let limited = capped(&market, &plan, "10.00").await;
    market.world.test.clock.move_to(limited.day_ends_at.plus_seconds(-5));
    let promised = [market.serve().await.expect("a creative"), market.serve().await.expect("a creative")];
    for answer in &promised {
        market.see(answer).await.expect("counts");
    }
    assert!(market.serve().await.is_none(), "both are promised");
    market.wait(10);
    assert!(market.serve().await.is_none(), "both may still be clicked today");
    for answer in &promised {
        market.click(answer).await;
    }
    assert!(market.serve().await.is_none());
    assert_eq!(market.detail(&plan).await.plan.consumed_today.to_string(), "10.00");
    let days = by_day(&market, plan.id).await;
    assert_eq!(days.iter().map(|(_, cost)| *cost).collect::<Vec<_>>(), [money("10.00")]);
    market.check().await;
});
