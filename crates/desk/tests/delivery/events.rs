//! Which impressions and clicks count, and that none counts twice.

use campaigns::catalogue::products::{Translation, Words, product};
use campaigns::delivery::track::{EventRequest, click, impression, landing_page, viewable};
use campaigns::plans::plan_events::{self, PlanEventKind, PlanEventQuery};
use delivery::Reason;
use i18n::Lang;
use store::on_both;

use campaigns::delivery::recompute::recompute;

use crate::intruder::keep;
use crate::money::why;
use crate::support::{market, market_with, reader, token};

on_both!(a_token_counts_once_however_often_it_is_sent, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let answer = market.serve().await.expect("a creative");
    let text = token(&answer.impression_url).to_owned();
    let sent: Vec<_> = (0..50)
        .map(|_| {
            tokio::spawn({
                let (app, text) = (market.world.app.clone(), text.clone());
                async move { impression(&app, &text, &reader()).await }
            })
        })
        .collect();
    let mut valid = 0;
    for each in sent {
        valid += i32::from(each.await.expect("joined").expect("kept").is_ok());
    }
    assert_eq!(valid, 1);
    market.work().await;
    let detail = market.detail(&plan).await;
    assert_eq!((detail.delivery.impressions, detail.delivery.filtered), (1, 49));
    assert_eq!(detail.plan.consumed.to_string(), "5.00");
    market.check().await;
});

on_both!(programs_and_prefetches_are_kept_and_not_billed, |test| {
    let market = market(test).await;
    let plan = market.put("100.00").await;
    let answer = market.serve().await.expect("a creative");
    let text = token(&answer.impression_url);
    let bot = EventRequest { user_agent: "Googlebot/2.1".into(), ..reader() };
    let ahead = EventRequest { prefetched: true, ..reader() };
    assert_eq!(impression(&market.world.app, text, &bot).await.expect("kept"), Err(Reason::Automatic));
    assert_eq!(impression(&market.world.app, text, &ahead).await.expect("kept"), Err(Reason::NotViewed));
    assert_eq!(market.see(&answer).await, Ok(()), "they used nothing up");
    market.work().await;
    assert_eq!(market.detail(&plan).await.delivery.filtered, 2);
    market.check().await;
});

on_both!(a_click_needs_a_view_and_a_moment, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let answer = market.serve().await.expect("a creative");
    assert_eq!(market.click(&answer).await.verdict, Err(Reason::ClickWithoutView));
    market.see(&answer).await.expect("counts");
    assert_eq!(market.click(&answer).await.verdict, Err(Reason::TooFast));
    market.wait(1);
    assert_eq!(market.click(&answer).await.verdict, Ok(()));
    assert_eq!(market.click(&answer).await.verdict, Err(Reason::Duplicate));
    market.work().await;
    market.check().await;
});

on_both!(the_last_readers_click_counts_too, |test| {
    let market = market(test).await;
    let plan = market.put("10.00").await;
    market.visit().await;
    let last = market.serve().await.expect("the last of the budget");
    market.see(&last).await.expect("counts");
    market.work().await;
    assert_eq!(market.status(&plan).await, "waiting_settlement");
    let click = market.click(&last).await;
    assert_eq!(click.verdict, Ok(()));
    assert!(market.convert("late", &click.click_id).await.accepted);
    market.wait(3 * 86_400);
    market.work().await;
    let settled = market.detail(&plan).await;
    assert_eq!((settled.plan.status.name(), &*settled.plan.revenue.to_string()), ("settled", "12.50"));
    assert_eq!(settled.delivery.clicks, 2);
    market.check().await;
});

on_both!(a_price_per_click_is_billed_for_the_click, |test| {
    let market = market_with(test, |product| {
        product.put_rule.pricing = "cpc".into();
        product.put_rule.price = "2.50".into();
    })
    .await;
    let plan = market.put("10.00").await;
    for _ in 0..3 {
        market.visit().await;
    }
    let seen = market.serve().await.expect("the fourth");
    market.see(&seen).await.expect("counts");
    assert!(market.serve().await.is_none(), "its click is still reserved");
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "7.50");
    market.wait(61);
    market.work().await;
    let last = market.serve().await.expect("what lapsed");
    market.see(&last).await.expect("counts");
    assert_eq!(market.click(&seen).await.verdict, Err(Reason::ExpiredToken), "the budget is spoken for");
    market.wait(61);
    market.work().await;
    assert_eq!(market.click(&seen).await.verdict, Ok(()), "late, and paid for from what is left");
    market.work().await;
    let ended = market.detail(&plan).await;
    assert_eq!((&*ended.plan.consumed.to_string(), ended.plan.reason.name()), ("10.00", "deliveries_closed"));
    market.check().await;
});

on_both!(parts_of_a_minor_unit_add_up, |test| {
    let market = market_with(test, |product| product.put_rule.price = "3.33".into()).await;
    let plan = market.put("10.00").await;
    for _ in 0..7 {
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
        market.work().await;
    }
    assert_eq!(market.detail(&plan).await.plan.unbilled.to_string(), "0.02", "seven times 0.00333");
    market.close_day().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "0.02");
    assert_eq!(market.world.property().await.to_be_consumed.to_string(), "9.98");
    market.check().await;
});

on_both!(a_visitor_counts_only_so_often, |test| {
    let market = market_with(test, |product| product.put_rule.price = "1.00".into()).await;
    let plan = market.put("10.00").await;
    for _ in 0..50 {
        assert_eq!(market.visit().await.verdict, Ok(()));
    }
    assert_eq!(market.visit().await.verdict, Err(Reason::TooManyOfVisitor));
    let answer = market.serve().await.expect("a creative");
    let hidden = EventRequest { opted_out: true, ..reader() };
    impression(&market.world.app, token(&answer.impression_url), &hidden).await.expect("kept").expect("counts");
    market.work().await;
    let detail = market.detail(&plan).await;
    assert_eq!((detail.delivery.clicks, detail.delivery.filtered), (50, 1));
});

on_both!(links_passed_on_count_and_cost_nothing, |test| {
    let market = market(test).await;
    let plan = market.put("10.00").await;
    let tracking = market.detail(&plan).await.tracking;
    let shared = token(&tracking.click_url);
    for _ in 0..3 {
        let visit = click(&market.world.app, shared, &reader()).await.expect("kept");
        assert_eq!(visit.verdict, Ok(()));
        assert!(market.convert(&visit.click_id, &visit.click_id).await.accepted);
    }
    impression(&market.world.app, token(&tracking.pixel_url), &reader()).await.expect("kept").expect("counts");
    market.work().await;
    let detail = market.detail(&plan).await;
    assert_eq!((detail.delivery.clicks, detail.delivery.impressions, detail.delivery.conversions), (3, 1, 3));
    assert_eq!(detail.plan.consumed.to_string(), "0.00");
    assert_eq!(landing_page(&market.world.app, shared, Lang::En).await.expect("a page").product, "Aurora Coffee");
    market.check().await;
});

on_both!(what_is_shown_of_a_product_is_in_the_readers_language, |test| {
    let german = Translation {
        summary: Some("Kaffee per Post".into()),
        landing_page: Some(Words { title: "Kaffee".into(), text: "In kleinen Mengen geröstet".into() }),
        ..Translation::default()
    };
    let market = market_with(test, |file| {
        file.content.translations.insert("de".into(), german);
    })
    .await;
    let plan = market.put("10.00").await;
    let tracking = market.detail(&plan).await.tracking;
    let app = &market.world.app;
    for (lang, title, summary, told) in [
        (Lang::De, "Kaffee", "Kaffee per Post", Lang::De),
        (Lang::En, "Coffee", "Coffee by post", Lang::En),
        (Lang::Jp, "Coffee", "Coffee by post", Lang::En),
    ] {
        let page = landing_page(app, token(&tracking.click_url), lang).await.expect("a page");
        assert_eq!((page.creative.title.as_str(), page.summary.as_str(), page.lang), (title, summary, told));
        let mut shown = product(app, market.product).await.expect("a product");
        shown.tell_in(lang);
        let landing = shown.content.landing_page.expect("a landing page");
        assert_eq!((landing.title.as_str(), shown.summary.as_str()), (title, summary));
        assert!(shown.content.translations.is_empty());
        // Nobody has translated this one.
        assert_eq!(shown.content.game_description.expect("a description").title, "Coffee");
        let mut plan = plan.clone();
        plan.tell_in(lang);
        assert_eq!((plan.content.expect("chosen").title.as_str(), plan.product.summary.as_str()), (title, summary));
    }
});

on_both!(what_this_server_did_not_sign_is_nothing, |test| {
    let market = market(test).await;
    market.put("10.00").await;
    let answer = market.serve().await.expect("a creative");
    let mut forged = token(&answer.impression_url).to_owned();
    forged.replace_range(5..6, if &forged[5..6] == "A" { "B" } else { "A" });
    for text in ["", "x", &forged] {
        assert_eq!(why(impression(&market.world.app, text, &reader()).await), "not_found");
        assert_eq!(why(click(&market.world.app, text, &reader()).await), "not_found");
        assert_eq!(why(landing_page(&market.world.app, text, Lang::En).await), "not_found");
    }
});

on_both!(a_view_is_viewable_once_and_costs_nothing_more, |test| {
    let market = market(test).await;
    let (app, plan) = (&market.world.app, market.put("100.00").await);
    let answer = market.serve().await.expect("a creative");
    assert_eq!(market.look(&answer).await, Err(Reason::ViewableWithoutView));
    market.see(&answer).await.expect("counts");
    market.work().await;
    let before = market.detail(&plan).await;
    let bot = EventRequest { user_agent: "Googlebot/2.1".into(), ..reader() };
    let text = token(&answer.viewable_url);
    assert_eq!(viewable(app, text, &bot).await.expect("kept"), Err(Reason::Automatic));
    assert_eq!(market.look(&answer).await, Ok(()));
    assert_eq!(market.look(&answer).await, Err(Reason::Duplicate));
    let late = market.serve().await.expect("a creative");
    market.see(&late).await.expect("counts");
    market.wait(3_601);
    assert_eq!(market.look(&late).await, Err(Reason::ExpiredToken));
    market.work().await;
    let detail = market.detail(&plan).await;
    assert_eq!((before.delivery.viewable, before.ratios.viewable_rate.as_deref()), (0, Some("0.000000")));
    assert_eq!((detail.delivery.impressions, detail.delivery.viewable, detail.delivery.filtered), (2, 1, 0));
    assert_eq!(detail.ratios.viewable_rate.as_deref(), Some("0.500000"));
    assert_eq!(detail.plan.consumed.to_string(), "10.00", "two views, and nothing for what was reported of them");
    let id = plan.id;
    let kind = PlanEventKind::Viewable;
    let query = PlanEventQuery {
        plan: id,
        kind,
        counted: None,
        line: None,
        page: store::PageRequest { before: None, limit: 20 },
    };
    let listed = plan_events::list(app, market.world.user, query).await.expect("events").items;
    let shown: Vec<_> = listed.iter().map(|event| (event.counted, event.price.as_str(), event.reason)).collect();
    assert_eq!(shown.len(), 5);
    assert_eq!(shown.iter().filter(|(counted, ..)| *counted).count(), 1);
    assert!(shown.iter().all(|(_, price, _)| price.trim_matches(['0', '.']).is_empty()), "{shown:?}");
    let share = detail.tracking.click_url;
    assert_eq!(viewable(app, token(&share), &reader()).await.expect("kept"), Err(Reason::ViewableWithoutView));
    assert!(matches!(why(viewable(app, "AAAA", &reader()).await.map(drop)).as_str(), "not_found"));
    market.check().await;
});

on_both!(viewable_views_are_compared_with_their_events, |test| {
    let market = market(test).await;
    market.put("100.00").await;
    let answer = market.serve().await.expect("a creative");
    market.see(&answer).await.expect("counts");
    market.look(&answer).await.expect("counts");
    market.work().await;
    market.check().await;
    for (edit, figure) in [
        ("UPDATE plans SET viewable = viewable + 1", "viewable"),
        ("UPDATE plan_slots SET viewable = viewable - 1", "slot 1 viewable"),
        ("UPDATE slot_days SET viewable = viewable + 1", "slot 1 viewable by day"),
    ] {
        keep(&market.world.app, &[edit]).await;
        let found = recompute(&market.world.app).await.expect("recomputed");
        assert!(found.differences.iter().any(|wrong| wrong.figure == figure), "{edit}: {found:?}");
    }
});
