//! A plan has the terms that two people agreed on for its product, whatever its row or the product's said for a moment.

use base::{Field, PlanId};
use campaigns::catalogue::advertisers;
use campaigns::catalogue::counterparty_keys::KeyOffer;
use campaigns::plans::plan_control::offer;
use campaigns::plans::put::{Put, PutTarget, put};
use foundation::amount::invested;
use foundation::people::pay_password::Proof;
use plans::ContentType;
use store::on_both;
use store::wallet::verify::laws;

use super::made::coupons;
use super::{faults, sound};
use crate::intruder::{after, keep};
use crate::support::market;

on_both!(an_offer_that_is_edited_before_its_put_is_found, |t| {
    let market = market(t).await;
    let (app, world) = (&market.world.app, &market.world);
    advertisers::add(app, &world.bob, "Borealis", KeyOffer::default()).await.expect("added");
    let id: PlanId = offer(app, &world.bob, world.user, market.product).await.expect("offered").id;
    sound(app).await;
    for edit in [
        "payout = payout * 100",
        "price = price / 100, unit_milli = unit_milli / 100",
        "unit_milli = 1",
        "days = 90",
        "attribution_days = 90",
        "conversions_per_click = 9",
        "landing_url = 'https://other.example'",
        "landing_url = NULL",
        "fee_rate = '0'",
        "fee_rate = '0.069'",
        "fee_rate = '0.101'",
        "advertiser_id = 2",
    ] {
        let edit = format!("UPDATE plans SET {edit} WHERE id = {id}");
        let found = after(app, &[&edit], faults).await.expect("walked").expect("edited");
        assert!(found.iter().any(|fault| fault.starts_with(&format!("plan {id} has "))), "{edit}: {found:#?}");
    }
    // VIP and a level lower it so far.
    let lowered = format!("UPDATE plans SET fee_rate = '0.07' WHERE id = {id}");
    assert_eq!(after(app, &[&lowered], faults).await.expect("walked"), Some(Vec::new()));
    keep(app, &[&format!("UPDATE plans SET payout = payout * 100 WHERE id = {id}")]).await;
    let amount = invested(Field::Amount, "20.00").expect("an amount");
    let command = Put::new(PutTarget::Offered(id), amount, ContentType::LandingPage);
    put(app, Proof::assumed(world.user), command).await.expect("put");
    let found = app.db.snapshot(faults).await.expect("walked");
    assert_eq!(found, [format!("plan {id} has payout that nobody had agreed to then")]);
});

on_both!(a_product_that_is_edited_for_a_moment_is_found_in_its_plans, |t| {
    let market = market(t).await;
    let app = &market.world.app;
    let first = market.put("20.00").await;
    keep(app, &["UPDATE products SET payout = payout * 100"]).await;
    let second = market.put("20.00").await;
    keep(app, &["UPDATE products SET payout = payout / 100"]).await;
    let found = app.db.snapshot(faults).await.expect("walked");
    assert_eq!(found, [format!("plan {} has payout that nobody had agreed to then", second.id)], "{}", first.id);
});

on_both!(a_share_that_is_edited_for_a_while_is_found_in_its_bills, |t| {
    let market = market(t).await;
    let app = &market.world.app;
    market.put("100.00").await;
    market.visit().await;
    market.work().await;
    sound(app).await;
    keep(app, &["UPDATE publishers SET share_parts = 9500"]).await;
    market.visit().await;
    market.work().await;
    keep(app, &["UPDATE publishers SET share_parts = 7000"]).await;
    let found = app.db.snapshot(faults).await.expect("walked");
    assert!(found.len() == 1 && found[0].starts_with("publisher 1 has a share in transaction "), "{found:#?}");
});

// Its terms stay as they are once somebody has it.
on_both!(a_coupon_that_gave_more_than_its_terms_say_is_found, |t| {
    let market = market(t).await;
    coupons(&market).await;
    let app = &market.world.app;
    sound(app).await;
    let edit = "UPDATE coupon_definitions SET amount = 499 WHERE amount = 500";
    let found = after(app, &[edit], |conn| Ok(laws(conn)?.faults)).await.expect("walked").expect("edited");
    assert_eq!(found, ["coupon 1 gave 5.00 to plan 1, and gives 4.99"]);
});
