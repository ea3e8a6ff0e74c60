//! What a server of the version before has counted or settled, reckoned at the start, some plans at a time.

use base::PlanId;
use campaigns::plans::overview::{Overview, Span};
use campaigns::plans::plan_views::PlanView;
use desk::installation::upgrade::bring_up_to_date;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use foundation::App;
use store::delivery::profits;
use store::on_both;
use store::testing::execute;
use store::wallet::books::Books;

use crate::shop::custom;
use crate::support::{Market, market, second};

const DAY: i64 = 86_400;

/// As a server of the version before leaves everything.
const FORGET: &str = "UPDATE plan_stats SET used_milli = 0, used = 0, platform_used = 0, fee = 0, corrected = 0; \
     UPDATE plans SET reckoned_milli = 0, reckoned_revenue = 0, reckoned_settled = FALSE; DELETE FROM user_profits";

/// What that version does not write is put aside, and put back after it has worked.
const PUT_ASIDE: &str = "CREATE TABLE aside_stats AS SELECT plan_id, quarter, used_milli, used, platform_used, fee, corrected \
     FROM plan_stats; CREATE TABLE aside_plans AS SELECT id, reckoned_milli, reckoned_revenue, reckoned_settled FROM plans; \
     CREATE TABLE aside_profits AS SELECT * FROM user_profits";
const PUT_BACK: &str = "UPDATE plan_stats SET used_milli = 0, used = 0, platform_used = 0, fee = 0, corrected = 0; \
     UPDATE plan_stats SET used_milli = a.used_milli, used = a.used, platform_used = a.platform_used, fee = a.fee, \
     corrected = a.corrected FROM aside_stats a WHERE a.plan_id = plan_stats.plan_id AND a.quarter = plan_stats.quarter; \
     UPDATE plans SET reckoned_milli = a.reckoned_milli, reckoned_revenue = a.reckoned_revenue, \
     reckoned_settled = a.reckoned_settled FROM aside_plans a WHERE a.id = plans.id; \
     DELETE FROM user_profits; INSERT INTO user_profits SELECT * FROM aside_profits; \
     DROP TABLE aside_stats; DROP TABLE aside_plans; DROP TABLE aside_profits";

/// Rows of users' totals that are not the sum of their plans' quarter hours, and quarter hours without one.
const DISAGREEING: &str = "SELECT (SELECT COUNT(*) FROM user_profits u WHERE \
     u.used <> (SELECT COALESCE(SUM(s.used), 0) FROM plan_stats s WHERE s.user_id = u.user_id AND s.quarter <= u.quarter) \
     OR u.platform_used <> (SELECT COALESCE(SUM(s.platform_used), 0) FROM plan_stats s WHERE s.user_id = u.user_id \
     AND s.quarter <= u.quarter) \
     OR u.fee <> (SELECT COALESCE(SUM(s.fee), 0) FROM plan_stats s WHERE s.user_id = u.user_id AND s.quarter <= u.quarter) \
     OR u.corrected <> (SELECT COALESCE(SUM(s.corrected), 0) FROM plan_stats s WHERE s.user_id = u.user_id \
     AND s.quarter <= u.quarter) \
     OR u.settled_profit <> (SELECT COALESCE(SUM(s.revenue - s.fee - s.used + s.platform_used), 0) FROM plan_stats s \
     JOIN plans p ON p.id = s.plan_id AND p.reckoned_settled WHERE s.user_id = u.user_id AND s.quarter <= u.quarter)) \
     + (SELECT COUNT(*) FROM plan_stats s WHERE (s.used <> 0 OR s.fee <> 0 OR s.platform_used <> 0 OR s.corrected <> 0) \
     AND NOT EXISTS (SELECT 1 FROM user_profits u WHERE u.user_id = s.user_id AND u.quarter = s.quarter)) AS number";

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// What may not change, however and by whom it is reckoned.
fn money_of(shown: &Overview) -> [i64; 4] {
    [shown.profit, shown.settled_profit, shown.consumed, shown.platform_paid].map(|money| money.minor())
}

impl Market {
    /// Plans that ran in the same hours; the first is settled, with a part that a coupon paid.
    async fn ran(&self) -> Vec<PlanView> {
        let coupon = self.give(custom("Seven", "addition", "7")).await;
        let mut plans = vec![self.put_with("40.00", &coupon).await.expect("put")];
        self.buy("first", 3).await;
        self.settle_all().await;
        plans.push(self.put("30.00").await);
        plans.push(self.put("50.00").await);
        self.buy("later", 6).await;
        self.reverse("later-1").await;
        self.work().await;
        plans
    }

    async fn buy(&self, name: &str, times: usize) {
        for n in 0..times {
            let visit = self.visit().await;
            self.convert(&format!("{name}-{n}"), &visit.click_id).await;
            self.work().await;
            self.wait(1_800);
        }
    }

    /// A server of the version before counts what is new.
    async fn counted_by_the_version_before(&self) {
        execute(&self.world.test.url, PUT_ASIDE).expect("put aside");
        self.work().await;
        execute(&self.world.test.url, PUT_BACK).expect("put back");
    }

    async fn totals_agree(&self) {
        let read = self
            .world
            .app
            .db
            .read(|conn| diesel::sql_query(DISAGREEING).get_result::<Number>(conn).map_err(store::Error::from));
        assert_eq!(read.await.expect("read").number, 0);
    }

    async fn behind(&self, above: Option<PlanId>, limit: i64) -> Vec<PlanId> {
        let found = self.world.app.db.read(move |conn| profits::behind(conn, above, limit));
        found.await.expect("read").into_iter().map(|plan| plan.plan_id).collect()
    }

    /// One step of a start, which may die before it is committed.
    async fn reckon(&self, plans: Vec<PlanId>, dies: bool) -> Result<(), store::Error> {
        let user = self.world.user;
        let step = self.world.app.db.write(move |tx| {
            Books::lock(tx, [user], [])?;
            profits::reckon_again(tx, &plans.iter().copied().collect())?;
            if dies { Err(store::Error::Corrupt("killed".into())) } else { Ok(()) }
        });
        step.await
    }
}

on_both!(what_a_server_of_before_counted_is_reckoned_again, |test| {
    let m = market(test).await;
    let coupon = m.give(custom("Seven", "addition", "7")).await;
    let mut plans = vec![m.put_with("40.00", &coupon).await.expect("put")];
    for n in 0..4 {
        let visit = m.visit().await;
        m.convert(&format!("order-{n}"), &visit.click_id).await;
        m.work().await;
        m.wait(3_600);
    }
    m.reverse("order-1").await;
    m.settle_all().await;
    plans.push(m.put("30.00").await);
    let visit = m.visit().await;
    m.convert("order-9", &visit.click_id).await;
    m.work().await;
    let before = m.overview(Span::All).await;
    assert!(before.corrected && before.settled_profit != before.profit);
    execute(&m.world.test.url, FORGET).expect("as of the version before");
    assert_ne!(m.overview(Span::All).await.profit, before.profit);
    m.check().await;
    bring_up_to_date(&m.world.app).await.expect("reckoned");
    let after = m.overview(Span::All).await;
    assert_eq!((&after.profit, &after.settled_profit), (&before.profit, &before.settled_profit));
    assert_eq!((after.corrected, &after.series), (true, &before.series));
    m.days_and_plans_add_up(&plans).await;
    m.check().await;
    // What one counts while this one works is reckoned with the next count.
    execute(&m.world.test.url, FORGET).expect("as of the version before");
    m.visit().await;
    m.work().await;
    m.days_and_plans_add_up(&plans).await;
    m.check().await;
});

on_both!(a_start_that_is_interrupted_is_gone_on_with, |test| {
    let m = market(test).await;
    let plans = m.ran().await;
    let before = money_of(&m.overview(Span::All).await);
    execute(&m.world.test.url, FORGET).expect("as of the version before");
    let first = m.behind(None, 1).await;
    assert_eq!(first, [plans[0].id]);
    m.reckon(first, false).await.expect("reckoned");
    m.totals_agree().await;
    // It dies before the next step is committed.
    let next = m.behind(Some(plans[0].id), 1).await;
    assert_eq!(next, [plans[1].id]);
    m.reckon(next, true).await.expect_err("killed");
    m.totals_agree().await;
    assert_eq!(m.behind(None, 9).await, [plans[1].id, plans[2].id]);
    assert_ne!(money_of(&m.overview(Span::All).await), before);
    bring_up_to_date(&m.world.app).await.expect("gone on with");
    assert_eq!(m.behind(None, 9).await, []);
    assert_eq!(money_of(&m.overview(Span::All).await), before);
    m.totals_agree().await;
    m.days_and_plans_add_up(&plans).await;
    m.check().await;
    bring_up_to_date(&m.world.app).await.expect("nothing is left");
    assert_eq!(money_of(&m.overview(Span::All).await), before);
    m.totals_agree().await;
});

on_both!(what_the_version_before_counts_between_two_steps_is_reckoned_too, |test| {
    let m = market(test).await;
    let plans = m.ran().await;
    execute(&m.world.test.url, FORGET).expect("as of the version before");
    m.reckon(m.behind(None, 2).await, false).await.expect("reckoned");
    for n in 0..4 {
        let visit = m.visit().await;
        m.convert(&format!("beside-{n}"), &visit.click_id).await;
        m.wait(900);
    }
    m.counted_by_the_version_before().await;
    m.totals_agree().await;
    let left = m.behind(None, 9).await;
    assert!(left.contains(&plans[2].id) && left.len() > 1, "{left:?}: it has counted one that was reckoned");
    bring_up_to_date(&m.world.app).await.expect("reckoned");
    assert_eq!(m.behind(None, 9).await, []);
    m.totals_agree().await;
    m.days_and_plans_add_up(&plans).await;
    m.check().await;
    // And what it settles.
    m.wait(40 * DAY);
    m.counted_by_the_version_before().await;
    bring_up_to_date(&m.world.app).await.expect("reckoned");
    m.totals_agree().await;
    m.days_and_plans_add_up(&plans).await;
    m.check().await;
});

on_both!(two_servers_that_start_together_while_one_counts_reckon_once, |test| {
    let m = market(test).await;
    let plans = m.ran().await;
    execute(&m.world.test.url, FORGET).expect("as of the version before");
    let other: App = second(&m).app;
    for n in 0..3 {
        let visit = m.visit().await;
        m.convert(&format!("meanwhile-{n}"), &visit.click_id).await;
    }
    let (one, two, ()) = tokio::join!(bring_up_to_date(&m.world.app), bring_up_to_date(&other), m.work());
    one.and(two).expect("reckoned");
    m.work().await;
    assert_eq!(m.behind(None, 9).await, []);
    m.totals_agree().await;
    m.days_and_plans_add_up(&plans).await;
    m.check().await;
});

on_both!(a_step_has_few_quarter_hours, |test| {
    let m = market(test).await;
    let mut plans = Vec::new();
    for _ in 0..4 {
        plans.push(m.put("10.00").await.id);
    }
    for (plan, quarters) in plans.iter().zip([25_000, 12_000, 7_000, 7_000]) {
        let rows = format!(
            "INSERT INTO plan_stats (plan_id, quarter, user_id) WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL \
             SELECT n + 1 FROM s WHERE n < {quarters}) SELECT {plan}, n, {} FROM s",
            m.world.user
        );
        execute(&m.world.test.url, &rows).expect("written");
    }
    execute(&m.world.test.url, "UPDATE plans SET reckoned_revenue = -1").expect("behind");
    assert_eq!(m.behind(None, profits::MOST_PLANS).await, plans[..1], "one with too many, alone");
    assert_eq!(m.behind(Some(plans[0]), profits::MOST_PLANS).await, plans[1..3]);
    assert_eq!(m.behind(Some(plans[2]), profits::MOST_PLANS).await, plans[3..]);
    bring_up_to_date(&m.world.app).await.expect("reckoned");
    assert_eq!(m.behind(None, profits::MOST_PLANS).await, []);
});
