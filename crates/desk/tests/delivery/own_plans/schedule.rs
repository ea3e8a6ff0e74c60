//! A plan is shown from its start to its end, in its hours, and costs nothing otherwise.

use base::{Money, Timestamp};
use calendar::Zone;
use campaigns::delivery::serve::{SlotAnswer, serve};
use campaigns::delivery::track::impression;
use campaigns::plans::plan_views::PlanView;
use campaigns::plans::schedule::schedule;
use campaigns::work;
use delivery::Reason;
use foundation::Error;
use plans::{Hours, Schedule};
use store::on_both;

use crate::money::why;
use crate::support::{BASE, Market, SLOT, market, market_with, reader, second, token};

const DEADLINE: i64 = 72 * 3_600;

async fn try_set(market: &Market, plan: &PlanView, wanted: Schedule) -> Result<PlanView, Error> {
    schedule(&market.world.app, market.world.user, plan.id, wanted).await
}

async fn set(market: &Market, plan: &PlanView, wanted: Schedule) -> PlanView {
    try_set(market, plan, wanted).await.expect("scheduled")
}

fn now(market: &Market) -> Timestamp {
    market.world.app.now()
}

fn begins(at: Timestamp) -> Schedule {
    Schedule { begins_at: Some(at), ..Schedule::default() }
}

fn ends(at: Timestamp) -> Schedule {
    Schedule { ends_at: Some(at), ..Schedule::default() }
}

async fn see(market: &Market, answer: &SlotAnswer) -> Result<(), Reason> {
    market.see(answer).await
}

on_both!(before_its_start_nothing_is_shown_and_matching_begins_then, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let begin = now(&market).plus_days(10);
    let later = set(&market, &plan, begins(begin)).await;
    assert_eq!((later.schedule.begins_at, later.schedule.opens_at), (Some(begin), Some(begin)));
    assert_eq!(market.detail(&plan).await.due_at, Some(begin.plus_seconds(DEADLINE)));
    assert!(market.serve().await.is_none());
    market.check().await;
    market.world.test.clock.move_to(begin.plus_millis(-1));
    assert!(market.serve().await.is_none());
    assert_eq!(market.status(&plan).await, "matching");
    market.wait(1);
    let answer = market.serve().await.expect("it begins");
    see(&market, &answer).await.expect("counts");
    assert_eq!(market.detail(&plan).await.plan.schedule.opens_at, None);
    market.work().await;
    let begun = market.detail(&plan).await;
    assert_eq!(begun.due_at, begun.plan.started_at.map(|at| at.plus_days(7)));
    assert_eq!(why(try_set(&market, &plan, begins(begin.plus_days(20))).await), "begins_at=has_begun");
    market.check().await;
});

on_both!(a_plan_without_a_slot_fails_72_hours_after_its_start, |test| {
    let market = market_with(test, |file| file.targeting.regions = vec!["FR".into()]).await;
    let plan = market.put("100.00").await;
    let begin = now(&market).plus_days(5);
    set(&market, &plan, begins(begin)).await;
    market.world.test.clock.move_to(begin.plus_seconds(DEADLINE - 60));
    market.work().await;
    assert_eq!(market.status(&plan).await, "matching");
    market.wait(60);
    market.work().await;
    let failed = market.detail(&plan).await.plan;
    assert_eq!((failed.status.name(), failed.reason.name()), ("put_failed", "no_supply"));
    assert_eq!(market.world.property().await.available.to_string(), "1000.00");
    market.check().await;
});

/// All hours of the week but the one that clocks show now.
fn but_this_hour(market: &Market, zone: Zone) -> Hours {
    let hour = zone.hour(now(market));
    let open = |day: u32, of: u32| if (day, of) == (hour.weekday, hour.hour) { '0' } else { '1' };
    let days: Vec<String> = (0..7).map(|day| (0..24).map(|of| open(day, of)).collect()).collect();
    Hours::of_days(&days, zone).expect("hours")
}

on_both!(outside_its_hours_nothing_is_promised_and_what_was_is_billed, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let promised = market.serve().await.expect("a creative");
    let zone = Zone::from_header("Asia/Kathmandu");
    let hours = but_this_hour(&market, zone);
    let opens = zone.hour(now(&market)).until;
    let closed = set(&market, &plan, Schedule { hours: Some(hours), ..Schedule::default() }).await;
    assert_eq!(
        (closed.schedule.opens_at, closed.schedule.hours_zone.as_deref()),
        (Some(opens), Some("Asia/Kathmandu"))
    );
    assert_eq!(closed.schedule.hours, Some(hours.days()));
    assert!(market.serve().await.is_none());
    see(&market, &promised).await.expect("was promised");
    // Another server knows it, too.
    let other = second(&market);
    work::round(&other).await.expect("works");
    assert!(serve(&other, SLOT, None, BASE, i18n::Lang::En).await.expect("answered").is_none());
    market.world.test.clock.move_to(opens.plus_millis(-1));
    assert!(market.serve().await.is_none());
    market.wait(1);
    assert!(market.serve().await.is_some(), "by its own clock, without having been told");
    assert!(serve(&other, SLOT, None, BASE, i18n::Lang::En).await.expect("answered").is_some());
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "5.00");
    market.check().await;
});

on_both!(only_open_hours_count_for_matching, |test| {
    let market = market_with(test, |file| file.targeting.regions = vec!["FR".into()]).await;
    let plan = market.put("100.00").await;
    let night = format!("111111{}", "0".repeat(18));
    let hours = Hours::of_days(&vec![night; 7], Zone::UTC).expect("hours");
    market.wait(3_600);
    let changed = set(&market, &plan, Schedule { hours: Some(hours), ..Schedule::default() }).await;
    assert_eq!(changed.schedule.begins_at, Some(now(&market)), "the hours begin again");
    let due = market.detail(&plan).await.due_at.expect("a deadline");
    assert_eq!(due, hours.after(now(&market), DEADLINE * 1_000));
    assert!(due.since(now(&market)) > 11 * 86_400_000, "six hours of a day are 72 in twelve days: {due}");
    market.check().await;
    market.world.test.clock.move_to(due.plus_seconds(-60));
    market.work().await;
    assert_eq!(market.status(&plan).await, "matching");
    market.wait(60);
    market.work().await;
    assert_eq!(market.status(&plan).await, "put_failed");
});

on_both!(its_end_ends_it_and_only_what_was_promised_before_costs_something, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let first = market.serve().await.expect("a creative");
    see(&market, &first).await.expect("counts");
    let end = now(&market).plus_seconds(60);
    let set = set(&market, &plan, ends(end)).await;
    assert_eq!(set.schedule.ends_at, Some(end));
    assert_eq!(market.detail(&plan).await.due_at, Some(end));
    market.world.test.clock.move_to(end.plus_seconds(-5));
    let in_time = market.serve().await.expect("a creative");
    let too_late = market.serve().await.expect("a creative");
    market.world.test.clock.move_to(end);
    assert!(market.serve().await.is_none());
    see(&market, &in_time).await.expect("was promised before");
    market.wait(40);
    // No round has ended the plan yet.
    assert_eq!(market.status(&plan).await, "putting");
    assert_eq!(see(&market, &too_late).await, Err(Reason::ExpiredToken));
    market.work().await;
    market.wait(130);
    market.work().await;
    let ended = market.detail(&plan).await;
    assert_eq!((ended.plan.status.name(), ended.plan.consumed.to_string().as_str()), ("waiting_settlement", "10.00"));
    assert!(ended.timeline.iter().any(|step| step.reason.name() == "end_date"));
    assert_eq!((ended.plan.returned.to_string().as_str(), ended.delivery.filtered), ("90.00", 1));
    market.check().await;
});

on_both!(a_server_that_does_not_know_of_the_end_yet_spends_nothing_after_it, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let other = second(&market);
    let first = serve(&other, SLOT, None, BASE, i18n::Lang::En).await.expect("answered").expect("a creative");
    let end = now(&market).plus_seconds(1);
    set(&market, &plan, ends(end)).await;
    market.world.test.clock.move_to(end);
    let late =
        serve(&other, SLOT, None, BASE, i18n::Lang::En).await.expect("answered").expect("it has not heard of it");
    let seen = impression(&other, token(&first.impression_url), &reader()).await.expect("kept");
    assert_eq!(seen, Ok(()));
    let seen = impression(&other, token(&late.impression_url), &reader()).await.expect("kept");
    assert_eq!(seen, Err(Reason::ExpiredToken));
    market.wait(130);
    market.work().await;
    let ended = market.detail(&plan).await.plan;
    assert_eq!((ended.consumed.to_string().as_str(), ended.returned.to_string().as_str()), ("5.00", "95.00"));
    market.check().await;
});

on_both!(an_end_before_anything_was_shown_returns_everything, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let (begin, end) = (now(&market).plus_days(1), now(&market).plus_days(2));
    let hours = but_this_hour(&market, Zone::UTC);
    set(&market, &plan, Schedule { begins_at: Some(begin), ends_at: Some(end), hours: Some(hours) }).await;
    market.world.test.clock.move_to(end);
    market.work().await;
    let ended = market.detail(&plan).await.plan;
    assert_eq!(
        (ended.status.name(), ended.reason.name(), ended.returned),
        ("put_failed", "end_date", Money::from_minor(10_000))
    );
    market.check().await;
});

on_both!(a_schedule_that_cannot_be_is_refused_and_changes_nothing, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let soon = now(&market).plus_seconds(60);
    let closed = Some(but_this_hour(&market, Zone::UTC));
    for (wrong, told) in [
        (ends(now(&market)), "ends_at=too_early"),
        (begins(now(&market)), "begins_at=in_past"),
        (begins(now(&market).plus_days(400)), "begins_at=too_far_ahead"),
        (Schedule { begins_at: Some(soon), ..ends(soon) }, "ends_at=too_early"),
        (Schedule { hours: closed, ..ends(soon) }, "hours=never"),
    ] {
        assert_eq!(why(try_set(&market, &plan, wrong).await), told, "{wrong:?}");
    }
    assert_eq!(market.detail(&plan).await.plan, plan);
    let foreign = market.world.test.user("other").await;
    assert_eq!(why(schedule(&market.world.app, foreign, plan.id, Schedule::default()).await), "not_found");
    // What has ended is not kept alive, whether a round has seen it or not.
    set(&market, &plan, ends(soon)).await;
    market.world.test.clock.move_to(soon);
    assert_eq!(why(try_set(&market, &plan, ends(soon.plus_days(1))).await), "plan_not_running");
    market.work().await;
    assert_eq!(why(try_set(&market, &plan, Schedule::default()).await), "plan_not_running");
});
