//! Bills of plans with few events are rare, and every figure is right in between.

use base::{Money, Timestamp};
use calendar::Zone;
use campaigns::AdServer;
use campaigns::plans::overview::Span;
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::plan_series::{SeriesStep, series};
use campaigns::plans::plan_views::PlanView;
use campaigns::work;
use desk::installation::backlogs::waiting_figures;
use diesel::connection::SimpleConnection;
use futures_util::future::join;
use plans::closing_after;
use store::on_both;
use store::testing::TestDb;

use crate::money::money;
use crate::support::{Market, market_with, second};

const HOUR: i64 = 3_600;

/// An impression costs 0.30, a twentieth of 500.00 are 83 of them.
async fn quiet(test: TestDb) -> (Market, PlanView) {
    let market = market_with(test, |file| file.put_rule.price = "300.00".into()).await;
    let plan = market.put("500.00").await;
    (market, plan)
}

impl Market {
    /// The amounts of the bills, oldest first.
    async fn billed(&self) -> Vec<String> {
        let lines = self.world.lines().await;
        let amount = |line: &String| Some(line.strip_prefix("ad_billing ")?.split(' ').next()?.to_owned());
        lines.iter().filter_map(amount).rev().collect()
    }

    /// Everything that is shown of this many impressions, of which so many are billed.
    async fn shows(&self, plan: &PlanView, seen: i64, billed: i64) {
        let cost = |number: i64| Money::from_minor(30 * number);
        let (now, shown) = (self.world.app.now(), self.detail(plan).await);
        assert_eq!((shown.delivery.impressions, shown.delivery.consumed), (seen, cost(seen)), "{now}");
        let plan = &shown.plan;
        let told = [plan.consumed, plan.billed, plan.unbilled];
        assert_eq!(told, [cost(seen), cost(billed), cost(seen - billed)], "{now}");
        assert_eq!(plan.bill_at.is_some(), seen > billed, "{now}");
        assert!(plan.bill_at.is_none_or(|at| now < at), "{now} {plan:?}");
        assert_eq!(plan.progress, 30 * seen / 500);
        let property = self.world.property().await;
        assert_eq!((&property.unbilled, &property.to_be_consumed), (&plan.unbilled, &plan.to_be_consumed));
        let all = self.overview(Span::All).await;
        assert_eq!((all.impressions, &all.consumed), (seen, &plan.consumed));
        assert_eq!((&all.billed, &all.unbilled), (&plan.billed, &plan.unbilled));
        let lines = self.billed().await;
        let lines = Money::sum(lines.iter().map(|line| money(line))).expect("a sum").negated().expect("a sum");
        assert_eq!(lines, plan.billed);
        self.check().await;
    }

    fn move_to(&self, at: Timestamp) {
        self.world.test.clock.move_to(at);
    }

    async fn execute(&self, sql: &'static str) {
        let done = self.world.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(sql)?));
        done.await.expect("done");
    }
}

async fn round(app: &AdServer) {
    work::round(app).await.expect("works");
}

on_both!(a_quiet_plan_has_one_bill_a_day_and_its_figures_are_those_of_its_events, |test| {
    let (market, plan) = quiet(test).await;
    let (mut seen, mut billed) = (0, 0);
    for day in 1..=3 {
        let closing = closing_after(market.world.app.now());
        market.move_to(closing.plus_seconds(-10 * HOUR));
        for _ in 0..4 {
            market.visit().await;
            market.work().await;
            seen += 1;
            market.shows(&plan, seen, billed).await;
            market.wait(2 * HOUR);
        }
        market.move_to(closing.plus_millis(-1));
        round(&market.world.app).await;
        market.shows(&plan, seen, billed).await;
        market.move_to(closing);
        round(&market.world.app).await;
        billed = seen;
        market.shows(&plan, seen, billed).await;
        assert_eq!(market.billed().await.len(), day);
        // What comes in the last quarter hour is on the next day's bill.
        market.visit().await;
        market.work().await;
        seen += 1;
        market.shows(&plan, seen, billed).await;
    }
    assert_eq!(market.billed().await, ["-1.20", "-1.50", "-1.50"]);
    let id = plan.id;
    let days = series(&market.world.app, market.world.user, id, SeriesStep::Day, None, Zone::UTC);
    let days = days.await.expect("a series").points;
    let days: Vec<_> = days.iter().map(|day| (day.impressions, day.consumed.minor(), day.billed.minor())).collect();
    let told = [(5, 150, 120), (5, 150, 150), (5, 150, 150)];
    assert_eq!(days, told, "the bill counts on the day of its events");
});

on_both!(a_busy_plan_is_billed_as_often_as_it_is_counted, |test| {
    let (market, plan) = quiet(test).await;
    for batch in 1..=3 {
        for _ in 0..84 {
            let answer = market.serve().await.expect("a creative");
            market.see(&answer).await.expect("counts");
        }
        market.work().await;
        market.shows(&plan, 84 * batch, 84 * batch).await;
    }
    assert_eq!(market.billed().await, ["-25.20"; 3]);
});

on_both!(a_hundred_events_are_billed_however_little_they_cost, |test| {
    let market = market_with(test, |file| file.put_rule.price = "10.00".into()).await;
    let plan = market.put("500.00").await;
    for seen in [99, 1] {
        assert_eq!(market.billed().await, [""; 0]);
        for _ in 0..seen {
            let answer = market.serve().await.expect("a creative");
            market.see(&answer).await.expect("counts");
        }
        market.work().await;
    }
    assert_eq!(market.billed().await, ["-1.00"]);
    assert_eq!(market.detail(&plan).await.plan.unbilled.to_string(), "0.00");
    market.check().await;
});

on_both!(a_quiet_plan_that_ends_is_billed_at_once, |test| {
    let (market, plan) = quiet(test).await;
    for _ in 0..2 {
        market.visit().await;
        market.work().await;
    }
    market.shows(&plan, 2, 0).await;
    // What was counted, and what was not.
    market.visit().await;
    let id = plan.id;
    control(&market.world.app, market.world.user, id, PlanCommand::Stop).await.expect("stopped");
    market.shows(&plan, 3, 3).await;
    market.wait(121);
    market.work().await;
    assert_eq!(market.status(&plan).await, "waiting_settlement");
    assert_eq!(market.world.lines().await[..2], ["refund 499.10 999.10", "ad_billing -0.90 500.00"]);
    market.wait(3 * 24 * HOUR);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    market.check().await;
});

on_both!(a_quiet_plan_whose_days_are_over_is_billed_at_once, |test| {
    let (market, plan) = quiet(test).await;
    market.visit().await;
    market.work().await;
    market.move_to(market.world.app.now().plus_days(6));
    market.work().await;
    market.visit().await;
    market.work().await;
    let due = market.detail(&plan).await.due_at.expect("an end");
    market.shows(&plan, 2, 1).await;
    market.move_to(due);
    round(&market.world.app).await;
    assert_eq!(market.status(&plan).await, "put_finished");
    market.shows(&plan, 2, 2).await;
});

on_both!(a_server_that_dies_between_count_and_bill_leaves_it_to_another, |test| {
    let (market, plan) = quiet(test).await;
    market.visit().await;
    market.work().await;
    market.visit().await;
    let other = second(&market);
    market.move_to(closing_after(market.world.app.now()));
    round(&other).await;
    market.shows(&plan, 2, 2).await;
    assert_eq!(market.billed().await, ["-0.60"]);
});

on_both!(two_servers_at_once_write_one_bill, |test| {
    let (market, plan) = quiet(test).await;
    let other = second(&market);
    for day in 1..=3 {
        market.visit().await;
        market.work().await;
        market.visit().await;
        market.move_to(closing_after(market.world.app.now()));
        join(round(&market.world.app), round(&other)).await;
        market.shows(&plan, 2 * day, 2 * day).await;
    }
    assert_eq!(market.billed().await, ["-0.60"; 3]);
});

on_both!(what_a_server_of_the_version_before_leaves_is_gone_on_with, |test| {
    let (market, plan) = quiet(test).await;
    market.visit().await;
    market.work().await;
    market.move_to(closing_after(market.world.app.now()));
    round(&market.world.app).await;
    market.shows(&plan, 1, 1).await;
    // It bills what it counts, and knows nothing of this row.
    market.execute("INSERT INTO unbilled_plans (plan_id, user_id, bill_at) SELECT id, user_id, 0 FROM plans").await;
    round(&market.world.app).await;
    market.shows(&plan, 1, 1).await;
    assert_eq!(market.billed().await, ["-0.30"]);
    // A plan that has no row is billed with its next events.
    market.visit().await;
    market.work().await;
    market.execute("DELETE FROM unbilled_plans").await;
    market.move_to(closing_after(market.world.app.now()));
    market.visit().await;
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.unbilled.to_string(), "0.00");
    assert_eq!(market.billed().await, ["-0.30", "-0.60"]);
    market.check().await;
});

on_both!(a_bill_that_is_overdue_is_seen, |test| {
    let (market, _) = quiet(test).await;
    market.visit().await;
    market.work().await;
    let late = async || waiting_figures(&market.world.app).await.expect("figures").overdue[0].count;
    let closing = closing_after(market.world.app.now());
    market.move_to(closing.plus_seconds(60));
    assert_eq!(late().await, 0);
    market.move_to(closing.plus_seconds(301));
    assert_eq!(late().await, 1);
    round(&market.world.app).await;
    assert_eq!(late().await, 0);
});
