//! Every figure of a wallet and of a plan can be broken down, and adds up.

use campaigns::plans::plan_evidence::{EventFilter, EventKind, conversions, events, report};
use desk::account_detail::account_detail;
use desk::account_figures::{Figure, FigureView, account_figures};
use foundation::{Error, Refusal};
use money::wallet::flow_list::{FlowQuery, flow_list};
use money::wallet::records::{of_line, of_plan};
use store::{PageRequest, on_both};

use crate::support::{Market, market};

const PAGE: PageRequest = PageRequest { before: None, limit: 100 };

async fn figure(market: &Market, figure: Figure) -> FigureView {
    account_figures(&market.world.app, "demo", Some(figure), 10).await.expect("figures").remove(0)
}

/// A plan with two visits, of which one converted, and a repeated view.
async fn delivered(market: &Market) -> String {
    let plan = market.put("100.00").await;
    let first = market.visit().await;
    market.convert("order-1", &first.click_id).await;
    market.visit().await;
    let answer = market.serve().await.expect("a creative");
    market.see(&answer).await.expect("counts");
    assert!(market.see(&answer).await.is_err(), "a view twice");
    market.convert("order-2", "none-of-ours").await;
    market.work().await;
    plan.plan_no
}

on_both!(a_plans_figures_come_down_to_its_events, |test| {
    let market = market(test).await;
    let plan_no = delivered(&market).await;
    let app = &market.world.app;
    let told = report(app, &plan_no.to_lowercase()).await.expect("a report");
    assert_eq!((told.username.as_str(), told.plan.plan_no.as_str()), ("demo", plan_no.as_str()));
    assert_eq!(told.timeline.iter().map(|step| step.status.name()).collect::<Vec<_>>(), ["matching", "putting"]);
    let delivery = &told.delivery;
    assert!(delivery.adds_up, "{delivery:?}");
    assert_eq!((delivery.impressions.counted, delivery.impressions.cost.as_str()), (3, "15.00"));
    let filtered: Vec<_> = delivery.impressions.filtered.iter().map(|f| (f.reason.name(), f.number)).collect();
    assert_eq!(filtered, [("duplicate", 1)]);
    assert_eq!((delivery.conversions.accepted, &*delivery.conversions.revenue.to_string()), (1, "12.50"));
    let budget = &told.budget;
    assert_eq!(
        (&*budget.put_amount.to_string(), &*budget.billed.to_string(), &*budget.hold.available.to_string()),
        ("100.00", "15.00", "85.00")
    );

    let all = events(app, &plan_no, EventFilter::default(), PAGE).await.expect("events").items;
    assert_eq!(all.len(), 6, "three views, two clicks, one that does not count");
    let wanted = EventFilter { kind: Some(EventKind::Impression), filtered: Some(true) };
    let refused = events(app, &plan_no, wanted, PAGE).await.expect("events").items;
    assert_eq!(refused.len(), 1);
    assert_eq!(
        (refused[0].counted, refused[0].reason.map(|reason| reason.name()), refused[0].price.as_str()),
        (false, Some("duplicate"), "0.00")
    );
    assert_eq!(all.iter().filter(|event| event.slot.as_deref() == Some("news-top")).count(), 6);
    let page = PageRequest { before: None, limit: 4 };
    let first = events(app, &plan_no, EventFilter::default(), page).await.expect("events");
    let rest = PageRequest { before: first.next, limit: 4 };
    let second = events(app, &plan_no, EventFilter::default(), rest).await.expect("events");
    assert_eq!(first.items.into_iter().chain(second.items).collect::<Vec<_>>(), all);

    let reported = conversions(app, &plan_no, PAGE).await.expect("conversions").items;
    assert_eq!(reported.len(), 1, "one without a click of ours is of no plan");
    assert_eq!((reported[0].event_id.as_str(), reported[0].accepted), ("order-1", true));
    let posted = of_plan(app, &plan_no, PAGE).await.expect("entries").items;
    let sum: i64 = posted.iter().map(|entry| entry.amount.minor()).sum();
    assert_eq!(sum, 8_500, "what the hold has left");
});

on_both!(a_wallets_figures_add_up_from_what_they_are_made_of, |test| {
    let market = market(test).await;
    let plan_no = delivered(&market).await;
    let app = &market.world.app;
    for view in account_figures(app, "demo", None, 5).await.expect("figures") {
        assert_ne!(view.adds_up, Some(false), "{view:?}");
        assert!(view.entries.len() <= 5);
    }
    let held = figure(&market, Figure::ToBeConsumed).await;
    assert_eq!(
        (&*held.amount.to_string(), held.parts[0].what.as_str(), held.adds_up),
        ("85.00", plan_no.as_str(), Some(true))
    );
    let earned = figure(&market, Figure::ToBeSettled).await;
    assert_eq!(
        (&*earned.amount.to_string(), &*earned.parts[0].amount.to_string(), earned.adds_up),
        ("12.50", "12.50", Some(true))
    );
    assert_eq!(earned.entries[0].reference.kind, "conversion");
    let available = figure(&market, Figure::Available).await;
    assert_eq!(available.entries[0].balance, Some(available.amount));
    market.reverse("order-1").await;
    let earned = figure(&market, Figure::ToBeSettled).await;
    assert_eq!((&*earned.amount.to_string(), earned.parts.len(), earned.entries.len()), ("0.00", 0, 2));
});

on_both!(a_line_leads_to_its_transaction_and_to_nobody_elses, |test| {
    let market = market(test).await;
    let app = &market.world.app;
    market.put("100.00").await;
    let query = FlowQuery { page: PAGE, ..FlowQuery::default() };
    let lines = flow_list(app, market.world.user, query).await.expect("lines").lines.items;
    for line in &lines {
        let found = of_line(app, "demo", line.id.parse().expect("an id")).await.expect("its transaction");
        assert!(found.intact, "{found:?}");
        assert!(found.entries.iter().any(|entry| entry.id == line.id && entry.amount == line.amount));
        assert_eq!((found.book.as_str(), found.book_name.as_deref()), ("user:1", Some("demo")));
    }
    let credited = of_line(app, "demo", lines[lines.len() - 1].id.parse().expect("an id")).await.expect("found");
    assert_eq!((credited.kind.name(), credited.actor_name.as_deref()), ("recharge", Some("bob")));
    assert_eq!((credited.reference.kind.as_str(), credited.reason.as_str()), ("recharge", "first"), "the remark");
    assert_eq!(
        credited.entries.iter().map(|entry| entry.account.as_str()).collect::<Vec<_>>(),
        ["recharge_clearing", "available"]
    );
    market.world.test.user("other").await;
    let foreign = of_line(app, "other", lines[0].id.parse().expect("an id")).await;
    assert!(matches!(foreign, Err(Error::Refused(Refusal::NotFound))));
});

on_both!(plans_under_way_tell_what_they_wait_for, |test| {
    let market = market(test).await;
    let told = async || account_detail(&market.world.app, "demo").await.expect("shown").under_way.remove(0);
    let plan = market.put("100.00").await;
    assert_eq!(told().await.waits_for, "a first slot that fits; otherwise everything goes back");
    market.visit().await;
    let running = told().await;
    assert_eq!(
        (&*running.booked.to_string(), &*running.left.to_string(), running.used_percent),
        ("5.00", "75.00", Some(5))
    );
    assert_eq!(running.reserved.to_string(), "20.00", "promised, so not left");
    assert_eq!(running.held.to_string(), "100.00", "nothing is billed yet, as the app shows it");
    assert_eq!(running.time_percent, Some(0));
    let id: base::PlanId = plan.id;
    let (app, user) = (&market.world.app, market.world.user);
    campaigns::plans::plan_control::control(app, user, id, campaigns::plans::plan_control::PlanCommand::Pause)
        .await
        .expect("paused");
    assert_eq!(told().await.waits_for, "the user to resume it");
});

on_both!(of_a_plan_that_has_ended_nothing_is_left, |test| {
    let market = market(test).await;
    let plan_no = delivered(&market).await;
    market.wait(8 * 86_400);
    market.work().await;
    let ended = account_detail(&market.world.app, "demo").await.expect("shown").under_way.remove(0);
    assert_eq!((ended.plan_no.as_str(), &*ended.left.to_string()), (plan_no.as_str(), "0.00"));
    market.wait(4 * 86_400);
    market.work().await;
    let budget = report(&market.world.app, &plan_no).await.expect("a report").budget;
    // 100.00 was put.
    assert_eq!(
        (budget.booked.as_str(), budget.left.as_str(), &*budget.returned.to_string()),
        ("15.00", "0.00", "85.00")
    );
});
