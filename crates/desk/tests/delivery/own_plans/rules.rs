//! What users are told of their running plans, and when plans are paused by that.

use base::Money;
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::plan_views::PlanView;
use campaigns::rules::{RuleView, set};
use campaigns::work;
use foundation::Error;
use foundation::notifications::{NotificationQuery, list_notifications};
use plans::{Rule, RuleAction, RuleKind};
use store::on_both;

use crate::money::why;
use crate::publishers::refunds::corrected;
use crate::support::{Market, market, second};

const SIX_HOURS: i64 = 6 * 3_600;

fn rule(kind: RuleKind, action: RuleAction, amount: i64) -> Rule {
    Rule::new(kind, action, Some(Money::from_minor(amount))).expect("a rule")
}

async fn try_set(market: &Market, plan: &PlanView, rules: &[Rule]) -> Result<Vec<RuleView>, Error> {
    set(&market.world.app, market.world.user, plan.id, rules.to_vec()).await
}

/// A plan with a rule.
async fn put_with(market: &Market, amount: &str, rule: Rule) -> PlanView {
    let plan = market.put(amount).await;
    try_set(market, &plan, &[rule]).await.expect("set");
    plan
}

async fn see(market: &Market, views: usize) {
    for _ in 0..views {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
    }
    market.work().await;
}

/// What the user was told by rules, the latest first.
async fn told(market: &Market) -> Vec<String> {
    let query = NotificationQuery { limit: Some(50), ..NotificationQuery::default() };
    let listed = list_notifications(&market.world.app, market.world.user, i18n::Lang::En, query).await;
    let by_rule = listed.expect("a list").items.into_iter().filter(|notice| {
        let kind = notice.kind.as_deref().unwrap_or_default();
        kind.starts_with("rule_") || kind.starts_with("paused_")
    });
    by_rule.map(|notice| format!("{}: {}", notice.title, notice.body)).collect()
}

async fn holds(market: &Market, plan: &PlanView) -> Vec<bool> {
    market.detail(plan).await.rules.iter().map(|rule| rule.crossed_at.is_some()).collect()
}

async fn command(market: &Market, plan: &PlanView, command: PlanCommand) {
    control(&market.world.app, market.world.user, plan.id, command).await.expect("done");
}

on_both!(four_fifths_of_a_budget_are_told_once, |test| {
    let market = market(test).await;
    let plan = put_with(&market, "25.00", rule(RuleKind::BudgetUsed, RuleAction::Tell, 1)).await;
    see(&market, 3).await;
    assert_eq!((told(&market).await, holds(&market, &plan).await), (vec![], vec![false]));
    see(&market, 1).await;
    let notices = told(&market).await;
    let [notice] = notices.as_slice() else { panic!("{notices:?}") };
    assert!(notice.contains("$20.00") && notice.contains("$25.00") && notice.contains("Aurora Coffee"), "{notice}");
    let detail = market.detail(&plan).await;
    assert!(detail.rules[0].crossed_at.is_some() && !detail.plan.paused);
    market.work().await;
    assert_eq!(told(&market).await.len(), 1, "once");
    market.add(&plan, "25.00").await.expect("added");
    assert_eq!(holds(&market, &plan).await, [false], "a larger budget is used less");
    market.check().await;
});

on_both!(a_rule_pauses_a_plan_and_does_so_anew_only_when_it_holds_anew, |test| {
    let market = market(test).await;
    let plan = put_with(&market, "100.00", rule(RuleKind::Loss, RuleAction::Pause, 7_00)).await;
    see(&market, 1).await;
    assert!(!market.detail(&plan).await.plan.paused);
    let click = market.visit().await;
    market.work().await;
    let paused = market.detail(&plan).await;
    assert!(paused.plan.paused && market.serve().await.is_none());
    let notices = told(&market).await;
    let [notice] = notices.as_slice() else { panic!("{notices:?}") };
    assert!(notice.contains("aused") && notice.contains("$10.00") && notice.contains("$7.00"), "{notice}");
    command(&market, &plan, PlanCommand::Resume).await;
    see(&market, 1).await;
    assert!(!market.detail(&plan).await.plan.paused, "its user knows");
    market.convert("one", &click.click_id).await;
    market.work().await;
    assert_eq!(holds(&market, &plan).await, [false], "11.25 were earned, and 15.00 spent");
    see(&market, 1).await;
    assert!(market.detail(&plan).await.plan.paused, "8.75 are lost, within the hour");
    assert_eq!(told(&market).await.len(), 2);
    market.check().await;
});

on_both!(conversions_that_are_dear_or_missing_are_told, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let rules = [
        rule(RuleKind::NoConversion, RuleAction::Tell, 10_00),
        rule(RuleKind::ConversionCost, RuleAction::Tell, 12_00),
    ];
    try_set(&market, &plan, &rules).await.expect("set");
    let click = market.visit().await;
    market.work().await;
    assert_eq!(told(&market).await.len(), 0);
    see(&market, 1).await;
    assert!(told(&market).await[0].contains("$10.00"), "{:?}", told(&market).await);
    market.convert("one", &click.click_id).await;
    market.work().await;
    assert_eq!((holds(&market, &plan).await, told(&market).await.len()), (vec![false, false], 1));
    see(&market, 1).await;
    let notices = told(&market).await;
    assert!(notices.len() == 2 && notices[0].contains("$15.00") && notices[0].contains("$12.00"), "{notices:?}");
});

// Nothing was told until the next event, and of a plan that nobody sees any more, never.
on_both!(what_is_taken_back_is_told_though_nothing_follows, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let click = market.visit().await;
    market.convert("one", &click.click_id).await;
    market.work().await;
    let rules = [rule(RuleKind::NoConversion, RuleAction::Tell, 5_00), rule(RuleKind::Loss, RuleAction::Pause, 4_00)];
    try_set(&market, &plan, &rules).await.expect("set");
    assert_eq!((holds(&market, &plan).await, told(&market).await.len()), (vec![false, false], 0));
    assert!(market.reverse("one").await.accepted);
    assert_eq!((holds(&market, &plan).await, told(&market).await.len()), (vec![true, true], 2));
    assert!(market.detail(&plan).await.plan.paused, "5.00 are lost");
    // What comes back is no loss.
    market.close_day().await;
    corrected(&market, "").await;
    assert_eq!(holds(&market, &plan).await, [false, false]);
    market.check().await;
});

// Of a plan on which nothing happened after that hour, it was never told.
on_both!(what_holds_anew_within_an_hour_is_told_when_that_is_over, |test| {
    let market = market(test).await;
    let plan = put_with(&market, "100.00", rule(RuleKind::NoConversion, RuleAction::Tell, 5_00)).await;
    let click = market.visit().await;
    market.work().await;
    assert_eq!(told(&market).await.len(), 1);
    market.convert("one", &click.click_id).await;
    market.work().await;
    market.reverse("one").await;
    market.work().await;
    assert_eq!((told(&market).await.len(), holds(&market, &plan).await), (1, vec![false]));
    market.wait(3_600);
    market.work().await;
    assert_eq!((told(&market).await.len(), holds(&market, &plan).await), (2, vec![true]));
    market.work().await;
    assert_eq!(told(&market).await.len(), 2, "once");
    // Nothing is told of a plan that has ended by then.
    market.convert("two", &click.click_id).await;
    market.work().await;
    market.reverse("two").await;
    command(&market, &plan, PlanCommand::Stop).await;
    market.wait(3_600);
    market.work().await;
    assert_eq!(told(&market).await.len(), 2);
});

on_both!(six_hours_without_a_view_are_told_and_a_pause_does_not_count, |test| {
    let market = market(test).await;
    let plan = put_with(&market, "100.00", rule(RuleKind::NotShown, RuleAction::Tell, 1)).await;
    see(&market, 1).await;
    let seen = market.world.app.now().plus_seconds(-work::COUNT_EVERY_SECONDS);
    market.world.test.clock.move_to(seen.plus_seconds(SIX_HOURS - 60));
    market.work().await;
    assert_eq!(told(&market).await.len(), 0);
    market.world.test.clock.move_to(seen.plus_seconds(SIX_HOURS));
    market.work().await;
    assert_eq!((told(&market).await.len(), holds(&market, &plan).await), (1, vec![true]));
    market.wait(SIX_HOURS);
    market.work().await;
    assert_eq!(told(&market).await.len(), 1, "once");
    see(&market, 1).await;
    assert_eq!(holds(&market, &plan).await, [false]);
    command(&market, &plan, PlanCommand::Pause).await;
    market.wait(SIX_HOURS);
    market.work().await;
    command(&market, &plan, PlanCommand::Resume).await;
    market.wait(SIX_HOURS - 60);
    market.work().await;
    assert_eq!(told(&market).await.len(), 1, "what is paused is not missed");
    market.wait(60);
    market.work().await;
    assert_eq!(told(&market).await.len(), 2);
});

// Every such plan was paused at the end of an outage, before anybody could see one.
on_both!(a_plan_that_no_server_showed_can_be_seen_before_that_is_told, |test| {
    let market = market(test).await;
    let plan = put_with(&market, "100.00", rule(RuleKind::NotShown, RuleAction::Pause, 1)).await;
    see(&market, 1).await;
    market.wait(SIX_HOURS + 60);
    let back = second(&market);
    work::round(&back).await.expect("a round");
    market.wait(3_599);
    work::round(&back).await.expect("a round");
    assert_eq!((told(&market).await.len(), market.detail(&plan).await.plan.paused), (0, false));
    market.wait(1);
    work::round(&back).await.expect("a round");
    assert_eq!((told(&market).await.len(), market.detail(&plan).await.plan.paused), (1, true));
});

// A server that was off for days told that the plan is paused until it is resumed, and then that it has ended.
on_both!(a_plan_that_was_over_while_nothing_was_at_work_ends_and_is_not_paused, |test| {
    let market = market(test).await;
    let plan = put_with(&market, "100.00", rule(RuleKind::NotShown, RuleAction::Pause, 1)).await;
    see(&market, 1).await;
    market.wait(8 * 86_400);
    work::round(&market.world.app).await.expect("a round");
    let found = market.detail(&plan).await.plan;
    assert_eq!((found.status.name(), found.paused), ("put_finished", false));
    assert_eq!(told(&market).await, Vec::<String>::new());
});

on_both!(what_holds_already_is_told_at_once_and_by_one_server, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    see(&market, 2).await;
    let loss = rule(RuleKind::Loss, RuleAction::Tell, 7_00);
    assert!(try_set(&market, &plan, &[loss]).await.expect("set")[0].crossed_at.is_some());
    assert_eq!(told(&market).await.len(), 1);
    let again = try_set(&market, &plan, &[Rule { action: RuleAction::Pause, ..loss }]).await.expect("set");
    assert!(again[0].crossed_at.is_some() && told(&market).await.len() == 1, "it stands as before");
    try_set(&market, &plan, &[rule(RuleKind::NotShown, RuleAction::Tell, 1)]).await.expect("set");
    market.wait(SIX_HOURS + 60);
    let other = second(&market);
    let both = tokio::join!(work::round(&market.world.app), work::round(&other));
    assert!(both.0.is_ok() && both.1.is_ok());
    assert_eq!(told(&market).await.len(), 2);
});

on_both!(rules_are_of_running_plans_and_of_their_user, |test| {
    let market = market(test).await;
    let loss = rule(RuleKind::Loss, RuleAction::Tell, 5_00);
    let plan = put_with(&market, "100.00", loss).await;
    let nobodys = set(&market.world.app, base::UserId(99), plan.id, vec![loss]).await;
    assert_eq!(why(nobodys), "not_found");
    assert_eq!(try_set(&market, &plan, &[]).await.expect("removed"), []);
    see(&market, 2).await;
    assert_eq!(told(&market).await.len(), 0);
    command(&market, &plan, PlanCommand::Stop).await;
    assert_eq!(why(try_set(&market, &plan, &[loss]).await), "plan_not_running");
});
