//! The demonstration with a past: made through the use cases, the same every time, and
//! never in a live installation.

use campaigns::AdServer;
use std::collections::BTreeSet;

use base::UserId;
use calendar::Zone;
use campaigns::plans::overview::{Span, overview};
use campaigns::plans::plan_views::{PlanView, list};
use foundation::notifications::{NotificationQuery, list_notifications, unread};
use money::wallet::exchange::orders;
use money::wallet::withdrawals::withdrawals;
use serde_json::{Value, json};
use store::{PageRequest, on_both};

use crate::support::{Placard, WithPast, with_past};

const WHOLE: PageRequest = PageRequest { before: None, limit: PageRequest::MAX_LIMIT };

async fn demo(app: &AdServer) -> UserId {
    foundation::people::staff_accounts::find_account(app, "demo").await.expect("demo")
}

pub(super) async fn plans(app: &AdServer) -> Vec<PlanView> {
    let user = demo(app).await;
    list(app, user, None, WHOLE).await.expect("plans").items
}

fn names<'a>(all: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    all.into_iter().map(str::to_owned).collect()
}

on_both!(the_past_is_whole_and_the_books_agree, |t| {
    let WithPast { placard, anna, .. } = with_past(t);
    for check in [&["ledger", "verify"][..], &["audit", "verify"], &["delivery", "recompute"]] {
        assert_eq!(placard.run_as(&anna, check).done()["ok"], true, "{check:?}");
    }
    let app = placard.app();
    let user = demo(&app).await;
    let property = money::wallet::property::property(&app, user).await.expect("figures");
    assert_eq!(property.available.to_string(), "10000.00");

    let plans = plans(&app).await;
    let statuses = names(plans.iter().map(|plan| plan.status.name()));
    let every = names(plans::Status::ALL.iter().map(|status| status.name()));
    assert_eq!(statuses, every);
    let reasons = names(plans.iter().map(|plan| plan.reason.name()));
    assert!(reasons.is_superset(&names(["no_supply", "rejected"])), "{reasons:?}");
    assert!(plans.iter().any(|plan| plan.paused && plan.status == plans::Status::Putting));
    assert!(plans.iter().any(|plan| plan.platform_paid.minor() > 0), "a coupon paid");
    let gains: Vec<i64> = plans
        .iter()
        .filter(|plan| plan.status == plans::Status::Settled)
        .map(|plan| plan.revenue.minor() - plan.fee.minor() - plan.consumed.minor())
        .collect();
    let (won, lost) = (gains.iter().filter(|gain| **gain > 0).count(), gains.iter().filter(|gain| **gain < 0).count());
    assert!(won >= 3 && lost >= 3, "{gains:?}");

    let asked = withdrawals(&app, user, WHOLE).await.expect("withdrawals").items;
    let ends = names(asked.iter().map(|one| one.status.name()));
    assert_eq!(ends, names(["pending", "approved", "paid", "rejected"]));
    let exchanged = orders(&app, user, WHOLE).await.expect("orders").page.items;
    assert_eq!(names(exchanged.iter().map(|one| one.status.name())), names(["completed", "cancelled"]));
    let level = money::offers::levels::level(&app, user, i18n::Lang::En).await.expect("a level");
    let level = serde_json::to_value(level).expect("a document");
    assert_eq!(level["level"], 2, "{level}");

    let all =
        list_notifications(&app, user, i18n::Lang::En, NotificationQuery { limit: Some(100), ..Default::default() })
            .await
            .expect("notices");
    assert!(all.items.len() > 30 && all.items.iter().any(|notice| notice.read), "{}", all.items.len());
    assert!((1..40).contains(&unread(&app, user).await.expect("a count")));
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_day_of_the_past_is_in_the_charts() {
    let WithPast { placard, anna, .. } = with_past(store::testing::sqlite());
    let app = placard.app();
    let user = demo(&app).await;
    for (span, steps) in [(Span::Month, 30), (Span::Week, 7)] {
        let shown = overview(&app, user, span, Zone::UTC).await.expect("figures");
        assert_eq!(shown.series.len(), steps);
        // Right after midnight, today has nothing yet.
        let empty = shown.series.iter().filter(|point| point.impressions == 0).count();
        assert!(empty <= 1, "{span:?} {:?}", shown.series);
        assert!(shown.previous.expect("the time before").consumed.minor() > 0, "{span:?}");
    }
    let all = overview(&app, user, Span::All, Zone::UTC).await.expect("figures");
    let first = all.series.first().map(|point| point.at).expect("a step");
    assert!(app.now().since(first) >= 89 * 86_400_000, "{first}");
    assert!(all.impressions > 5_000 && all.clicks > 200 && all.consumed.minor() > 50_000, "{all:?}");
    // Every figure opens down to events.
    for plan in plans(&app).await.iter().filter(|plan| plan.consumed.minor() > 0) {
        let events = placard.run_as(&anna, &["plan", "events", &plan.plan_no]).done();
        assert!(events.as_array().is_some_and(|events| !events.is_empty()), "{}", plan.plan_no);
    }
}

/// Everything but how old it is, which grows from one answer to the next.
fn without_ages(answer: Value) -> Value {
    match answer {
        Value::Array(all) => all.into_iter().map(without_ages).collect(),
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| name != "age_seconds");
            kept.map(|(name, value)| (name, without_ages(value))).collect()
        }
        other => other,
    }
}

#[test]
fn a_second_run_adds_nothing_to_the_past() {
    let WithPast { placard, planted: first, anna, .. } = with_past(store::testing::sqlite());
    let everything = || {
        let lists: [&[&str]; 9] = [
            &["account", "show", "demo"],
            &["recharge", "list"],
            &["withdrawal", "list"],
            &["exchange", "list"],
            &["product", "list"],
            &["request", "list"],
            &["audit", "list"],
            &["ledger", "trial-balance"],
            &["feedback", "list"],
        ];
        lists.map(|command| without_ages(placard.run_as(&anna, command).done()))
    };
    let before = everything();
    for again in [&["demo", "seed", "--history"][..], &["demo", "seed"]] {
        let second = placard.run(again).done();
        assert_eq!(everything(), before, "{again:?}");
        assert_eq!(second["operators"], json!([{ "operator": "demo-anna" }, { "operator": "demo-ben" }]));
        for name in ["user", "codes", "slots", "acceptors", "operated_ids"] {
            assert_eq!(second[name], first[name], "{name}");
        }
    }
}

/// Everything that does not depend on when it was made.
async fn figures(placard: &Placard) -> Value {
    let app = placard.app();
    let plans: Vec<Value> = plans(&app)
        .await
        .iter()
        .map(|plan| {
            json!([plan.product.name, plan.status.name(), plan.put_amount, plan.consumed, plan.revenue, plan.returned])
        })
        .collect();
    let user = demo(&app).await;
    let all = overview(&app, user, Span::All, Zone::UTC).await.expect("figures");
    let property = money::wallet::property::property(&app, user).await.expect("figures");
    json!([plans, all.impressions, all.clicks, all.revenue, all.profit, property.available, property.total_assets])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_past_is_the_same_on_both_databases() {
    let (sqlite, postgres) = (with_past(store::testing::sqlite()), with_past(store::testing::postgres()));
    assert_eq!(figures(&sqlite.placard).await, figures(&postgres.placard).await);
}

#[test]
fn it_is_too_late_for_a_past_once_something_happened() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    placard.run_as(&ann, &["demo", "seed", "--history"]).misused("--history");
    assert_eq!(placard.run_as(&ann, &["operator", "list"]).done().as_array().map(Vec::len), Some(2));
    // The demonstration of today goes without.
    placard.run_as(&ann, &["demo", "seed"]).done();
}
