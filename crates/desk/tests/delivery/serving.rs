//! Slots are answered within the budget, and creatives take turns.

use base::Money;
use std::collections::BTreeSet;

use campaigns::delivery::serve::serve;
use campaigns::plans::plan_control::{PlanCommand, control};
use campaigns::plans::put::{Put, PutTarget, put};
use foundation::people::pay_password::Proof;
use i18n::Lang;
use plans::ContentType;
use store::on_both;

use crate::money::why;
use crate::support::{BASE, SLOT, market, market_with, token};

on_both!(sixty_four_at_once_stay_within_the_budget, |test| {
    let market = market(test).await;
    market.put("50.00").await;
    let asked: Vec<_> = (0..64)
        .map(|_| {
            tokio::spawn({
                let app = market.world.app.clone();
                async move { serve(&app, SLOT, None, BASE, Lang::En).await }
            })
        })
        .collect();
    let mut tokens = BTreeSet::new();
    for each in asked {
        if let Some(answer) = each.await.expect("joined").expect("answered") {
            tokens.insert(token(&answer.click_url).to_owned());
        }
    }
    assert_eq!(tokens.len(), 10, "50.00 is ten impressions of 5.00");
    market.check().await;
});

on_both!(a_price_that_lapses_can_be_spent_again, |test| {
    let market = market(test).await;
    let plan = market.put("10.00").await;
    let (first, second) = (market.serve().await.expect("one"), market.serve().await.expect("two"));
    assert!(market.serve().await.is_none());
    market.see(&first).await.expect("counts");
    market.wait(121);
    market.work().await;
    assert_eq!(market.status(&plan).await, "putting", "5.00 is left");
    assert!(market.see(&second).await.is_err());
    let again = market.serve().await.expect("what lapsed");
    market.see(&again).await.expect("counts");
    market.work().await;
    assert_eq!(market.detail(&plan).await.plan.consumed.to_string(), "10.00");
    market.check().await;
});

on_both!(creatives_take_turns, |test| {
    let market = market(test).await;
    let (one, two) = (market.put("100.00").await, market.put("100.00").await);
    for _ in 0..6 {
        market.wait(1);
        let answer = market.serve().await.expect("a creative");
        market.see(&answer).await.expect("counts");
    }
    market.work().await;
    assert_eq!(market.detail(&one).await.delivery.impressions, 3);
    assert_eq!(market.detail(&two).await.delivery.impressions, 3);
});

on_both!(what_does_not_fit_is_not_shown, |test| {
    let market = market(test).await;
    assert!(market.serve().await.is_none(), "no plan yet");
    assert_eq!(why(serve(&market.world.app, "nowhere", None, BASE, Lang::En).await), "not_found");
    let game = Put::new(PutTarget::Product(market.product), Money::from_minor(1_000), ContentType::GameDescription);
    put(&market.world.app, Proof::assumed(market.world.user), game).await.expect("put");
    assert!(market.serve().await.is_none(), "the slot shows no games");
    let plan = market.put("10.00").await;
    let id = plan.id;
    control(&market.world.app, market.world.user, id, PlanCommand::Pause).await.expect("paused");
    assert!(market.serve().await.is_none(), "paused");
    control(&market.world.app, market.world.user, id, PlanCommand::Resume).await.expect("resumed");
    let answer = market.serve().await.expect("resumed");
    assert_eq!(answer.creative.image, "https://placard.example/products/a.svg");
    assert_eq!((answer.label.as_str(), answer.data_source.name()), ("Ad · Aurora Coffee", "simulated"));
});

on_both!(an_advertiser_without_funds_is_not_shown, |test| {
    let market = market_with(test, |product| product.payout = "1000.01".into()).await;
    market.put("10.00").await;
    assert!(market.serve().await.is_none(), "1,000.00 cannot pay one conversion");
});
