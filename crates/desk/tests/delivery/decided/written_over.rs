//! An edit stays found although the program writes the row afterwards, or somebody puts it back.

use auth::Role;
use base::{PublisherId, WithdrawalId};
use campaigns::AdServer;
use campaigns::delivery::publishers::change_status;
use desk::requests::{MoneyRequestDraft, approve, reject, request};
use foundation::staff::limits::set_limit;
use foundation::staff::operator_keys::revoke_operator;
use money::offers::coupon_grants::grant_coupon;
use money::offers::coupon_staff::define_coupon;
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal};
use store::on_both;
use supply::PublisherStatus;
use wallet::WithdrawalStatus;

use super::faults;
use crate::intruder::keep;
use crate::money::{address, bind};
use crate::proof::history;

async fn found(app: &AdServer) -> Vec<String> {
    app.db.snapshot(faults).await.expect("walked")
}

fn is_told(found: &[String], what: &str) -> bool {
    found.iter().any(|fault| fault.starts_with(&format!("{what} before record ")))
}

// The next record about the row would say that it is as it should be.
on_both!(an_edit_is_found_whatever_is_written_over_it, |t| {
    let market = history(t).await;
    let world = &market.world;
    let (app, ann, bob) = (&world.app, &world.ann, &world.bob);
    assert_eq!(found(app).await, Vec::<String>::new());
    // One person asks, says that another did, and approves.
    let asked = request(app, ann, MoneyRequestDraft::recharge(world.user, "1.00", "OWN-1")).await.expect("requested");
    let by = bob.id();
    let edit =
        format!("UPDATE money_requests SET requested_by = {by}, requested_person = {by} WHERE id = {}", asked.id);
    keep(app, &[&edit]).await;
    let refused = approve(app, ann, asked.id.into()).await.expect_err("refused");
    assert_eq!(refused.key(), "request_altered");
    reject(app, ann, asked.id.into()).await.expect("rejected");
    keep(app, &["UPDATE publishers SET share_parts = 9500 WHERE id = 1"]).await;
    change_status(app, bob, PublisherId(1), PublisherStatus::Paused).await.expect("paused");
    keep(app, &["UPDATE role_limits SET daily = 900000000 WHERE role = 2"]).await;
    set_limit(app, bob, Role::Finance, "50000.00", "8000000.00").await.expect("lowered");
    let approved = format!(
        "UPDATE withdrawals SET status = {}, approved_by = {by}, approved_person = {by}, approved_at = requested_at \
         WHERE id = 3",
        WithdrawalStatus::Approved.code()
    );
    keep(app, &[&approved]).await;
    // What nobody approved is not paid, whatever its row says.
    let refused = pay_withdrawal(app, ann, WithdrawalId(3), Some("B-3".into())).await.expect_err("refused");
    assert_eq!(refused.key(), "payment_altered");
    let put_in =
        "INSERT INTO operators (name, role, key_hash, created_at) SELECT 'eve', 1, hash, 0 FROM audit WHERE id = 1";
    keep(app, &[put_in]).await;
    revoke_operator(app, bob, "eve").await.expect("revoked");
    keep(app, &["DELETE FROM bank_cards"]).await;
    bind(app, world.user, address("second")).await.expect("bound");
    let told = found(app).await;
    for what in [
        &format!("request {} was edited", asked.id),
        "publisher 1 was edited",
        "the limits of role 2 was edited",
        "operator 4 was put in",
        "the payout account of user 1 was taken away",
    ] {
        assert!(is_told(&told, what), "{what}: {told:#?}");
    }
});

on_both!(an_edit_that_served_and_was_put_back_is_found, |t| {
    let market = history(t).await;
    let world = &market.world;
    let (app, ann) = (&world.app, &world.ann);
    // Somebody acts as another.
    let id = ann.id();
    keep(app, &[&format!("UPDATE operators SET person = id WHERE id = {id}")]).await;
    request(app, ann, MoneyRequestDraft::recharge(world.user, "1.00", "OWN-1")).await.expect("requested");
    keep(app, &[&format!("UPDATE operators SET person = NULL WHERE id = {id}")]).await;
    let set = |each: i64| format!("UPDATE role_limits SET at_once = {each} WHERE role = 2");
    keep(app, &[&set(20_000_000)]).await;
    request(app, ann, MoneyRequestDraft::recharge(world.user, "100000.00", "OWN-2")).await.expect("within the limit");
    keep(app, &[&set(5_000_000)]).await;
    // A password that lets somebody else in.
    keep(app, &["UPDATE users SET password_hash = 'x' WHERE id = 1"]).await;
    bind(app, world.user, address("second")).await.expect("bound");
    keep(app, &["UPDATE users SET password_hash = NULL WHERE id = 1"]).await;
    let told = found(app).await;
    for what in [&format!("operator {id} was edited"), "the limits of role 2 was edited", "user 1 was edited"] {
        assert!(is_told(&told, what), "{what}: {told:#?}");
    }
});

// More coupons than two people agreed on, and an account that may be paid for a moment.
on_both!(a_row_that_a_decision_depended_on_is_found, |t| {
    let market = history(t).await;
    let (app, ann, bob) = (&market.world.app, &market.world.ann, &market.world.bob);
    let file = toml::from_str("name = 'Few'\nkind = 'deduction'\nvalue = '1.00'\ndays = 9\nquantity = 0");
    let defined = define_coupon(app, bob, &file.expect("a coupon")).await.expect("asked for");
    approve(app, ann, defined.request.id.into()).await.expect("approved");
    let few = |quantity: i64| format!("UPDATE coupon_definitions SET quantity = {quantity} WHERE name = 'Few'");
    keep(app, &[&few(1)]).await;
    let given = grant_coupon(app, bob, "demo", "Few", None).await.expect("one is left");
    approve(app, ann, given.id.into()).await.expect("approved");
    keep(app, &[&few(0)]).await;
    approve_withdrawal(app, ann, WithdrawalId(3)).await.expect("approved");
    keep(app, &["UPDATE users SET email = email || 'x' WHERE id = 1"]).await;
    pay_withdrawal(app, bob, WithdrawalId(3), Some("B-3".into())).await.expect("paid");
    keep(app, &["UPDATE users SET email = substr(email, 1, length(email) - 1) WHERE id = 1"]).await;
    let told = found(app).await;
    for what in [&format!("coupon definition {} was edited", defined.coupon.id), "user 1 was edited"] {
        assert!(is_told(&told, what), "{what}: {told:#?}");
    }
});
