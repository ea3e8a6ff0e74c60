//! VIP time is bought by the user, affects plans put while it runs, and ends.

use diesel::connection::SimpleConnection;
use foundation::idempotent::Key;
use foundation::notifications::{NotificationQuery, list_notifications};
use foundation::people::pay_password::Proof;
use foundation::people::user_info::user_info;
use i18n::Lang;
use money::offers::vip::subscribe;
use money::wallet::verify::verify;
use store::on_both;

use crate::money::why;
use crate::support::{Market, market};

impl Market {
    async fn vip_until(&self) -> Option<String> {
        user_info(&self.world.app, self.world.user, None).await.expect("a user").vip_until.map(|at| at.to_string())
    }
}

on_both!(time_is_added_by_the_users_own_act_alone, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let first = subscribe(app, Proof::assumed(user), None).await.expect("subscribed");
    assert_eq!(first.until.to_string(), "2026-02-04T12:00:00.000Z");
    let told = list_notifications(app, user, Lang::En, NotificationQuery::default()).await.expect("notices").items;
    assert!(told[0].body.contains("VIP runs until Feb 4, 2026, 12:00 (UTC) and"), "{}", told[0].body);
    market.wait(86_400);
    let second = subscribe(app, Proof::assumed(user), None).await.expect("subscribed");
    assert_eq!(
        (&*second.until.to_string(), market.vip_until().await),
        ("2026-03-06T12:00:00.000Z", Some(second.until.to_string()))
    );
    assert_eq!(market.world.lines().await[..2], ["vip_subscription -99.00 802.00", "vip_subscription -99.00 901.00"]);
    assert_eq!(market.told("VIP subscription").await, 2);
    // Two months later nothing more was charged.
    market.wait(61 * 86_400);
    market.work().await;
    assert_eq!(market.world.property().await.available.to_string(), "802.00");
    let third = subscribe(app, Proof::assumed(user), None).await.expect("subscribed").until;
    assert!(&*third.to_string() > "2026-04-05", "counted from now: {third}");
    market.check().await;
});

on_both!(a_vip_pays_a_lower_fee_and_plans_keep_theirs, |test| {
    let market = market(test).await;
    let before = market.put("100.00").await;
    subscribe(&market.world.app, Proof::assumed(market.world.user), None).await.expect("subscribed");
    let quoted = market.quote("100.00").await.expect("a quote");
    assert_eq!((quoted.fee_rate.as_str(), quoted.list_fee_rate.as_str()), ("0.08", "0.1"));
    let fee = async |plan: &campaigns::plans::plan_views::PlanView| market.detail(plan).await.plan.fee;
    let visit = market.visit().await;
    market.convert("order-1", &visit.click_id).await;
    market.settle(&before).await;
    assert_eq!(fee(&before).await.to_string(), "1.25", "a tenth of 12.50, as it was agreed");
    let during = market.put("100.00").await;
    let visit = market.visit().await;
    market.convert("order-2", &visit.click_id).await;
    for seconds in [40 * 86_400, 4_000, 4 * 86_400] {
        market.work().await;
        market.wait(seconds);
    }
    market.work().await;
    assert_eq!(market.status(&during).await, "settled");
    assert_eq!(fee(&during).await.to_string(), "1.00", "a fifth less, although the time has run out");
    market.check().await;
});

// It lowers the fee rate of every plan that is put.
on_both!(an_edit_of_its_end_is_found, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let other = market.world.test.user("other").await;
    let bought = subscribe(app, Proof::assumed(user), None).await.expect("subscribed").until;
    market.wait(40 * 86_400);
    let bought_again = subscribe(app, Proof::assumed(user), None).await.expect("subscribed").until;
    assert!(bought_again > bought.plus_days(30), "there were days without");
    market.check().await;
    let until = bought_again.millis();
    let execute = async |sql: String| {
        let done = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
        done.await.expect("executed");
    };
    for (whose, edited) in [(user, (until + 1).to_string()), (user, "NULL".into()), (other, until.to_string())] {
        let set = |to: &str| format!("UPDATE users SET vip_until = {to} WHERE id = {whose}");
        execute(set(&edited)).await;
        let found = verify(app).await.expect("verified");
        assert!(
            found.faults.iter().any(|fault| fault.starts_with(&format!("user {whose} has VIP"))),
            "{:?}",
            found.faults
        );
        execute(set(&if whose == user { until.to_string() } else { "NULL".to_owned() })).await;
    }
    market.check().await;
});

on_both!(who_cannot_pay_stays_as_they_are, |test| {
    let market = market(test).await;
    let other = market.world.test.user("other").await;
    assert_eq!(why(subscribe(&market.world.app, Proof::assumed(other), None).await), "insufficient_balance");
    let shown = user_info(&market.world.app, other, None).await.expect("a user");
    assert_eq!(shown.vip_until, None);
});

on_both!(one_key_pays_once, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let (app, key) = (app.clone(), Key::parse("vip-1").ok());
            tokio::spawn(async move { subscribe(&app, Proof::assumed(user), key).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.expect("no panic").expect("subscribed").until.to_string(), "2026-02-04T12:00:00.000Z");
    }
    assert_eq!(market.world.property().await.available.to_string(), "901.00");
    assert_eq!(market.told("VIP subscription").await, 1);
});

on_both!(a_repeat_shows_when_it_ends_now, |test| {
    let market = market(test).await;
    let world = &market.world;
    let buy = |key: Option<&str>| {
        let key = key.and_then(|key| Key::parse(key).ok());
        subscribe(&world.app, Proof::assumed(world.user), key)
    };
    let first = buy(Some("vip-1")).await.expect("subscribed");
    assert_eq!(world.kept().await, "{}");
    let longer = buy(None).await.expect("subscribed");
    assert_ne!(first, longer);
    assert_eq!(buy(Some("vip-1")).await.expect("answered again"), longer);
    world.keep(&format!(r#"{{"until":"{}"}}"#, first.until)).await;
    assert_eq!(buy(Some("vip-1")).await.expect("kept by the version before"), longer);
    assert_eq!(world.property().await.available.to_string(), "802.00");
});
