//! A plan's figures over time, and what they come to.

use base::{Money, PlanId, Timestamp};
use calendar::Zone;
use campaigns::catalogue::products::Targeting;
use campaigns::delivery::serve::serve;
use campaigns::delivery::slots::{self, SlotFile};
use campaigns::delivery::track::{click, impression};
use campaigns::plans::plan_series::{PlanPoint, SeriesStep, series};
use campaigns::plans::plan_sources::{DeliverySource, SourceKind};
use campaigns::plans::plan_views::{PlanDetail, PlanView};
use foundation::{Error, Refusal};
use i18n::Lang;
use store::on_both;

use crate::publishers::bidding::{ask, banner, burl, one, ssp};
use crate::support::{BASE, Market, market, market_with, reader, token};

fn id(plan: &PlanView) -> PlanId {
    plan.id
}

async fn points(market: &Market, plan: &PlanView, step: SeriesStep, within: Option<Timestamp>) -> Vec<PlanPoint> {
    let found = series(&market.world.app, market.world.user, id(plan), step, within, Zone::UTC);
    found.await.expect("a series").points
}

fn sum(points: &[PlanPoint], of: fn(&PlanPoint) -> Money) -> Money {
    Money::sum(points.iter().map(of)).expect("a sum")
}

on_both!(the_steps_of_a_plan_add_up_to_its_figures, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    assert_eq!(points(&market, &plan, SeriesStep::Day, None).await, [], "before the first figures");
    let first = market.visit().await;
    market.convert("order-1", &first.click_id).await;
    market.work().await;
    market.wait(86_400);
    market.visit().await;
    market.wait(3_600);
    market.visit().await;
    market.work().await;
    let figures = market.detail(&plan).await.delivery;
    let days = points(&market, &plan, SeriesStep::Day, None).await;
    assert_eq!(
        days.iter().map(|day| (day.impressions, day.clicks, day.conversions)).collect::<Vec<_>>(),
        [(1, 1, 1), (2, 2, 0)]
    );
    assert_eq!((sum(&days, |day| day.consumed), sum(&days, |day| day.revenue)), (figures.consumed, figures.revenue));
    assert_eq!(days[0].until, days[1].at);

    let hours = points(&market, &plan, SeriesStep::Hour, None).await;
    assert_eq!((hours.len(), &hours[0].at, &hours[23].until), (24, &days[1].at, &days[1].until));
    let busy: Vec<i64> = hours.iter().map(|hour| hour.impressions).filter(|seen| *seen > 0).collect();
    assert_eq!((busy, sum(&hours, |hour| hour.consumed)), (vec![1, 1], days[1].consumed));
    let within = Some(days[0].at.plus_seconds(3_600));
    let earlier = points(&market, &plan, SeriesStep::Hour, within).await;
    assert_eq!((&earlier[0].at, earlier.iter().map(|hour| hour.conversions).sum::<i64>()), (&days[0].at, 1));

    let other = market.world.test.user("other").await;
    let foreign = series(&market.world.app, other, id(&plan), SeriesStep::Day, None, Zone::UTC).await;
    assert!(matches!(foreign, Err(Error::Refused(Refusal::NotFound))));
});

on_both!(all_days_of_a_long_plan_are_shown, |test| {
    let market = market_with(test, |file| file.put_rule.days = 365).await;
    let plan = market.put("100.00").await;
    market.visit().await;
    market.work().await;
    market.wait(120 * 86_400);
    market.visit().await;
    market.work().await;
    let days = points(&market, &plan, SeriesStep::Day, None).await;
    assert_eq!((days.len(), days[0].impressions, days[120].impressions), (121, 1, 1));
    assert_eq!(sum(&days, |day| day.consumed), market.detail(&plan).await.delivery.consumed);
});

on_both!(ratios_stand_only_where_there_is_something_to_divide_by, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let before = market.detail(&plan).await.ratios;
    assert_eq!((before.click_rate, before.cost_per_click, before.return_on_spend), (None, None, None));
    assert_eq!(before.profit.to_string(), "0.00");
    let first = market.visit().await;
    market.convert("order-1", &first.click_id).await;
    let seen = market.serve().await.expect("a creative");
    market.see(&seen).await.expect("counts");
    market.work().await;
    let ratios = market.detail(&plan).await.ratios;
    assert_eq!(ratios.click_rate.as_deref(), Some("0.500000"));
    assert_eq!(
        (ratios.cost_per_click.as_deref(), ratios.cost_per_conversion.as_deref()),
        (Some("10.00000"), Some("10.00000"))
    );
    assert_eq!(ratios.own_cost_per_click, ratios.cost_per_click, "all of it is the user's own");
    // 12.50 less a tenth and 10.00.
    assert_eq!((&*ratios.profit.to_string(), ratios.return_on_spend.as_deref()), ("1.25", Some("0.125000")));
    assert!(market.detail(&plan).await.due_at.is_some());
});

/// A law: where a plan was shown adds up to what was delivered. Returns what it ends with.
fn ends_with(detail: &PlanDetail) -> Vec<(SourceKind, i64, i64)> {
    let sum = |of: fn(&DeliverySource) -> i64| detail.sources.iter().map(of).sum::<i64>();
    let (views, clicks, viewable) = (sum(|row| row.impressions), sum(|row| row.clicks), sum(|row| row.viewable));
    let delivery = &detail.delivery;
    assert_eq!((views, clicks, viewable), (delivery.impressions, delivery.clicks, delivery.viewable));
    let rest = detail.sources.iter().filter(|row| ![SourceKind::Slot, SourceKind::Exchange].contains(&row.kind));
    rest.map(|row| (row.kind, row.impressions, row.clicks)).collect()
}

on_both!(where_a_plan_was_shown_adds_up_to_its_figures, |test| {
    let market = market(test).await;
    let app = &market.world.app;
    let plan = market.put("100.00").await;
    assert!(market.detail(&plan).await.sources.is_empty(), "before the first figures");
    let ssp = ssp(&market).await;
    let bid = one(ask(&market, &ssp.key, &banner(0.5)).await.expect("a bid"));
    burl(app, &bid, "3000.00").await.expect("taken").expect("counts");
    market.visit().await;
    market.work().await;
    assert!(ends_with(&market.detail(&plan).await).is_empty());
    let shared = market.detail(&plan).await.tracking;
    impression(app, token(&shared.pixel_url), &reader()).await.expect("kept").expect("counts");
    for _ in 0..3 {
        market.wait(2);
        click(app, token(&shared.click_url), &reader()).await.expect("kept");
    }
    market.work().await;
    let detail = market.detail(&plan).await;
    assert_eq!(ends_with(&detail), [(SourceKind::Unknown, 1, 3)]);
    let kinds: Vec<_> = detail.sources.iter().map(|row| row.kind).collect();
    assert_eq!(kinds, [SourceKind::Slot, SourceKind::Exchange, SourceKind::Unknown]);
    market.check().await;
});

on_both!(many_places_add_up_as_well, |test| {
    let market = market_with(test, |product| product.put_rule.price = "100.00".into()).await;
    let plan = market.put("100.00").await;
    for number in 0..53 {
        let slot = SlotFile {
            key: format!("page-{number}"),
            publisher: "The Daily".into(),
            content_types: vec!["landing_page".into()],
            audience: Targeting { regions: vec!["DE".into()], ..Targeting::default() },
        };
        let key = slot.key.clone();
        slots::add(&market.world.app, &market.world.bob, slot).await.expect("a slot");
        let answer = serve(&market.world.app, &key, None, BASE, Lang::En).await.expect("answered");
        market.see(&answer.expect("a creative")).await.expect("counts");
    }
    market.work().await;
    let detail = market.detail(&plan).await;
    assert_eq!((detail.delivery.impressions, detail.sources.len()), (53, 51));
    assert_eq!(ends_with(&detail), [(SourceKind::Others, 3, 0)]);
});
