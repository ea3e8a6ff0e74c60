//! What came back for a plan's events, among the plan's lines.

use base::PlanId;
use calendar::Zone;
use i18n::Lang;
use money::wallet::flow_days::{DaysQuery, flow_days};
use money::wallet::flow_list::{FlowQuery, flow_list};
use money::wallet::statement_file::{CsvPosition, StatementRequest, export};
use store::on_both;

use super::refunds::{corrected, days, two_places};

on_both!(a_plans_lines_have_what_came_back_for_its_events, |test| {
    let (market, plan) = two_places(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    corrected(&market, "kind = \"impression\"").await;
    let all = flow_list(app, user, FlowQuery::default()).await.expect("a statement").lines.items;
    let refund = all.iter().find(|line| line.reference.kind.name() == "delivery_refund").expect("a line");
    for kind in [None, Some("refund".to_owned())] {
        let of_plan = FlowQuery { plan: Some(plan.id), kind: kind.clone(), ..FlowQuery::default() };
        let listed = flow_list(app, user, of_plan).await.expect("a statement");
        assert!(listed.lines.items.contains(refund), "{kind:?}");
        // 100.00 was put, and 20.00 came back.
        let available = if kind.is_some() { "20.00" } else { "-80.00" };
        assert_eq!(listed.sum.expect("a sum").available.to_string(), available, "{kind:?}");
        let by_day = DaysQuery { plan: Some(plan.id), kind, ..days() };
        let found = flow_days(app, user, by_day).await.expect("rows");
        assert_eq!(found.items.first().map(|row| &row.id), Some(&refund.id), "the newest comes first");
    }
    let other = all.iter().find(|line| line.kind.name() == "ad_serving" && line.reference.id != plan.id.to_string());
    let other = other.expect("the other plan").reference.id.parse().expect("a number");
    let of_other = FlowQuery { plan: Some(PlanId(other)), ..FlowQuery::default() };
    let listed = flow_list(app, user, of_other).await.expect("a statement");
    assert!(!listed.lines.items.contains(refund), "it is another plan's");
    // It is found by the plan's number, as its other lines are.
    let search = DaysQuery { search: Some(plan.plan_no.clone()), ..days() };
    let found = flow_days(app, user, search).await.expect("rows");
    assert!(found.items.iter().any(|row| row.id == refund.id));
});

on_both!(the_statement_as_a_file_names_the_plan, |test| {
    let (market, plan) = two_places(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    corrected(&market, "kind = \"impression\"").await;
    let wanted = StatementRequest { month: Some("2026-01".into()), zone: Zone::UTC, lang: Lang::En };
    let made = export(app, user, wanted).await.expect("a statement");
    let (bytes, _) = made.csv(CsvPosition::After(None)).await.expect("lines").expect("some");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let refund = text.lines().find(|line| line.contains(",Refund,20.00,")).expect("a line");
    assert!(refund.contains(",a test,Refund for ads ") && refund.ends_with(&plan.plan_no), "{refund}");
    let printed = made.document().await.expect("a document");
    let line = printed.lines.iter().find(|line| line.amount == "+20.00").expect("a line");
    assert_eq!(line.remark, format!("{} · a test", plan.plan_no));
    assert!(printed.lines.iter().any(|line| line.remark.contains("\u{a0}charge")), "a number stays with its noun");
});
