//! AI delivery: what is clicked is shown more, the budget is spread over the plan's days,
//! every figure can be recounted, and every choice repeated.

use campaigns::{AdServer, work};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};

use campaigns::catalogue::products::{Creative, Targeting};
use campaigns::delivery::ai_delivery::AiDelivery;
use campaigns::delivery::recompute::recompute;
use campaigns::delivery::replay::replay;
use campaigns::delivery::serve::{SlotAnswer, serve};
use campaigns::delivery::slots::SlotFile;
use campaigns::delivery::track::{EventRequest, click, impression, landing_page};
use campaigns::plans::plan_views::PlanView;
use diesel::connection::SimpleConnection;
use i18n::Lang;
use store::on_both;
use store::testing::TestDb;

use crate::money::why;
use crate::support::{BASE, Market, SLOT, market_with, reader, second, token};

/// A product with a video besides its page, at a cent per hundred impressions.
pub async fn two_creatives(test: TestDb) -> Market {
    market_with(test, |product| {
        product.put_rule.price = "0.10".into();
        product.conversions_per_click = 2;
        let video = Creative {
            title: "Film".into(),
            text: "Roasted in small lots".into(),
            image: "/products/a.svg".into(),
            video: Some("/products/a.mp4".into()),
        };
        product.content.video = Some(video);
        product.content.game_description = None;
    })
    .await
}

/// A new visitor every time, so that as many can look as a test needs.
fn anybody() -> EventRequest {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let address = Ipv4Addr::from((10 << 24) + (NEXT.fetch_add(1, Ordering::Relaxed) << 8));
    EventRequest { address: address.into(), ..reader() }
}

async fn see(app: &AdServer, answer: &SlotAnswer) {
    impression(app, token(&answer.impression_url), &anybody()).await.expect("kept").expect("counts");
}

async fn click_on(app: &AdServer, answer: &SlotAnswer) -> String {
    click(app, token(&answer.click_url), &anybody()).await.expect("kept").click_id
}

/// Shows a creative this many times, with a click on every video, and bills.
pub async fn show(market: &Market, app: &AdServer, times: usize) -> Vec<SlotAnswer> {
    let mut shown = Vec::new();
    for _ in 0..times {
        let answer = serve(app, SLOT, None, BASE, i18n::Lang::En).await.expect("answered").expect("a creative");
        see(app, &answer).await;
        shown.push(answer);
    }
    market.wait(1);
    for film in shown.iter().filter(|answer| answer.creative.title == "Film") {
        click_on(app, film).await;
    }
    market.wait(work::COUNT_EVERY_SECONDS);
    work::round(app).await.expect("a round");
    shown
}

async fn ai(market: &Market, plan: &PlanView) -> AiDelivery {
    market.detail(plan).await.ai.expect("AI delivery")
}

fn films(shown: &[SlotAnswer]) -> usize {
    shown.iter().filter(|answer| answer.creative.title == "Film").count()
}

on_both!(what_is_clicked_is_shown_more_and_counted_by_arm, |test| {
    let market = two_creatives(test).await;
    let plan = market.put_learning("100.00").await;
    assert!(plan.ai_delivery);
    let app = &market.world.app;
    let begun = ai(&market, &plan).await;
    let arms: Vec<_> = begun.arms.iter().map(|arm| (arm.creative.name(), arm.audience.as_str())).collect();
    assert_eq!(arms, [("video", "rest"), ("landing_page", "rest")]);
    assert_eq!(begun.uplift, None);
    for _ in 0..4 {
        show(&market, app, 40).await;
    }
    let later = show(&market, app, 60).await;
    assert!(films(&later) >= 45, "{} of 60", films(&later));
    let found = ai(&market, &plan).await;
    let all: i64 = found.arms.iter().map(|arm| arm.impressions).sum();
    let (chosen, holdout) = (&found.chosen, &found.holdout);
    assert_eq!((all, chosen.impressions + holdout.impressions), (220, 220));
    assert!((5..=45).contains(&holdout.impressions), "{found:?}");
    assert_eq!(found.arms[0].clicks, found.arms[0].impressions);
    assert_eq!(found.arms[1].clicks, 0);
    assert_eq!(chosen.clicks + holdout.clicks, found.arms[0].clicks);
    let detail = market.detail(&plan).await;
    assert_eq!((detail.delivery.impressions, detail.delivery.clicks), (220, found.arms[0].clicks));
    market.check().await;
    let again = replay(app, &plan.plan_no).await.expect("replayed");
    assert!(again.ok && again.choices == 220, "{again:?}");
});

on_both!(another_server_learns_the_same, |test| {
    let market = two_creatives(test).await;
    let plan = market.put_learning("100.00").await;
    for _ in 0..3 {
        show(&market, &market.world.app, 40).await;
    }
    let other = second(&market);
    let shown = show(&market, &other, 40).await;
    assert!(films(&shown) >= 28, "{} of 40", films(&shown));
    market.check().await;
    assert!(replay(&other, &plan.plan_no).await.expect("replayed").ok);
});

on_both!(a_budget_is_spread_over_its_days, |test| {
    let market = market_with(test, |_| ()).await;
    let plan = market.put_learning("500.00").await;
    let app = &market.world.app;
    let mut seen = 0;
    // A quarter of a day at a time, with more slots than the plan needs.
    for step in 0..28_i64 {
        while let Some(answer) = serve(app, SLOT, None, BASE, i18n::Lang::En).await.expect("answered") {
            see(app, &answer).await;
            seen += 1;
        }
        let line = 100 * step / 27 + 4;
        assert!(seen <= line, "{seen} of 100 after {step} quarters of 7 days");
        assert!(seen >= 100 * step / 28 - 1, "{seen} of 100 after {step} quarters of 7 days");
        market.wait(6 * 3_600 - 60);
        market.work().await;
    }
    assert_eq!(seen, 100, "the whole budget was spent");
    let pace = ai(&market, &plan).await.pace;
    assert_eq!(pace.spent_share, "1.0000");
    market.check().await;
});

on_both!(a_plan_without_it_is_not_paced, |test| {
    let market = market_with(test, |_| ()).await;
    let plan = market.put("500.00").await;
    let mut seen = 0;
    while let Some(answer) = market.serve().await {
        see(&market.world.app, &answer).await;
        seen += 1;
    }
    assert_eq!(seen, 100);
    let detail = market.detail(&plan).await;
    assert!(detail.ai.is_none() && !detail.plan.ai_delivery);
    assert_eq!(why(replay(&market.world.app, &plan.plan_no).await), "not_found");
});

/// A slot whose readers have this interest.
async fn slot_for(market: &Market, interest: &str) -> String {
    let key = format!("slot-{interest}");
    let slot = SlotFile {
        key: key.clone(),
        publisher: "The Weekly".into(),
        content_types: vec!["landing_page".into()],
        audience: Targeting { interests: vec![interest.into()], ..Targeting::default() },
    };
    campaigns::delivery::slots::add(&market.world.app, &market.world.bob, slot).await.expect("a slot");
    key
}

on_both!(ahead_of_its_line_it_waits_for_who_clicks, |test| {
    let market = market_with(test, |product| {
        product.put_rule.price = "0.10".into();
        product.content.game_description = None;
    })
    .await;
    let (food, travel) = (slot_for(&market, "food").await, slot_for(&market, "travel").await);
    let plan = market.put_learning("10.00").await;
    let app = &market.world.app;
    let mut audiences: Vec<_> = ai(&market, &plan).await.arms.into_iter().map(|arm| arm.audience).collect();
    audiences.sort();
    assert_eq!(audiences, ["interest:food", "interest:travel", "rest"]);
    let mut shown = [0, 0];
    for round in 0..8 {
        for _ in 0..40 {
            for (slot, shown) in [&food, &travel].into_iter().zip(&mut shown) {
                let Some(answer) = serve(app, slot, None, BASE, i18n::Lang::En).await.expect("answered") else {
                    continue;
                };
                see(app, &answer).await;
                market.wait(1);
                if *slot == food {
                    click_on(app, &answer).await;
                }
                *shown += i32::from(round >= 4);
            }
        }
        market.wait(work::COUNT_EVERY_SECONDS);
        work::round(app).await.expect("a round");
    }
    assert!(shown[0] > 4 * shown[1], "food and travel: {shown:?}");
    market.check().await;
    assert!(replay(app, &plan.plan_no).await.expect("replayed").ok);
});

on_both!(a_conversion_counts_for_what_was_clicked, |test| {
    let market = two_creatives(test).await;
    let plan = market.put_learning("100.00").await;
    let answer = market.serve().await.expect("a creative");
    let creative = landing_page(&market.world.app, token(&answer.click_url), Lang::En).await.expect("a page").creative;
    assert_eq!(creative.title, answer.creative.title, "the page shows what was chosen");
    market.see(&answer).await.expect("counts");
    market.wait(2);
    let clicked = market.click(&answer).await;
    assert!(market.convert("order-1", &clicked.click_id).await.accepted);
    assert!(market.convert("order-2", &clicked.click_id).await.accepted);
    market.work().await;
    let conversions = |found: &AiDelivery| found.arms.iter().map(|arm| arm.conversions).collect::<Vec<_>>();
    let brought = conversions(&ai(&market, &plan).await);
    assert!(brought == [2, 0] || brought == [0, 2], "{brought:?}");
    market.reverse("order-2").await;
    assert_eq!(conversions(&ai(&market, &plan).await).iter().sum::<i64>(), 1);
    market.check().await;
});

on_both!(a_figure_that_does_not_fit_is_found, |test| {
    let market = two_creatives(test).await;
    let plan = market.put_learning("100.00").await;
    show(&market, &market.world.app, 3).await;
    let raised = "UPDATE plan_arms SET impressions = impressions + 1 WHERE arm = 0";
    let tampered = market.world.app.db.write(|tx| tx.batch_execute(raised).map_err(store::Error::from));
    tampered.await.expect("an intruder at the database");
    let found = recompute(&market.world.app).await.expect("counted");
    assert!(!found.ok);
    let figures: Vec<_> = found.differences.iter().map(|d| (d.plan_no.as_str(), d.figure.as_str())).collect();
    assert_eq!(figures, [(plan.plan_no.as_str(), "arm 0 impressions")]);
});
