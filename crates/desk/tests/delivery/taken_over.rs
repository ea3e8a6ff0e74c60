//! Taking over an account in the database is detected, and the account is named.

use auth::{AccountStatus, Entry};
use base::UserId;
use campaigns::AdServer;
use foundation::people::staff_accounts::change_status;
use foundation::staff::Staff;
use serde_json::json;
use store::on_both;
use store::people::users::NewUser;

use crate::decided::{faults, more, sound};
use crate::intruder::after;
use crate::proof::history;

async fn user(app: &AdServer, name: &'static str, by: &Staff) -> UserId {
    let by = by.clone();
    let new = NewUser {
        username: name.to_owned(),
        username_key: name.to_owned(),
        password_hash: Some(format!("{name}'s")),
        email: String::new(),
        phone: String::new(),
        lang: "en".to_owned(),
        entry: Entry::Register,
        store_opened: true,
    };
    let made = app.db.write(move |tx| {
        let user = store::people::users::insert(tx, &new)?;
        store::wallet::books::create_wallet(tx, user)?;
        by.record(tx, "test.user", "test".to_owned(), &json!({}))?;
        Ok::<_, foundation::Error>(user)
    });
    made.await.expect("made")
}

/// One statement of an intruder, and what names it.
const TAKEN_OVER: &[(&str, &str)] = &[
    (
        "UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE username = 'eve') WHERE id = 1",
        "user 1",
    ),
    ("UPDATE users SET pay_password_hash = 'eve''s' WHERE id = 1", "user 1"),
    ("UPDATE users SET status = 1 WHERE username = 'barred'", "user "),
    ("UPDATE users SET payouts_held_until = NULL WHERE username = 'barred'", "user "),
    ("UPDATE users SET payouts_held_until = payouts_held_until - 60000 WHERE username = 'barred'", "user "),
    ("UPDATE coupons SET used_at = NULL, plan_id = NULL WHERE used_at IS NOT NULL", "coupon 1"),
    (
        "INSERT INTO coupons (user_id, definition_id, received_at, expires_at) \
         SELECT user_id, definition_id, received_at, expires_at FROM coupons WHERE id = 1",
        "coupon 3",
    ),
    (
        "INSERT INTO users (username, username_key, nickname, email, phone, lang, entry, status, store_opened, created_at) \
         VALUES ('mal', 'mal', 'mal', '', '', 'en', 1, 1, TRUE, 0)",
        "user ",
    ),
    ("UPDATE advertisers SET claimed_that_day = claimed_that_day - 1 WHERE claimed_that_day > 0", "advertiser 1"),
    ("UPDATE advertisers SET claimed_day = claimed_day - 1 WHERE claimed_that_day > 0", "advertiser 1"),
    ("UPDATE advertisers SET claimed_day = claimed_day + 1 WHERE claimed_that_day > 0", "advertiser 1"),
];

on_both!(an_account_that_somebody_takes_over_in_the_database_is_named, |t| {
    let market = history(t).await;
    more(&market).await;
    let app = &market.world.app;
    let bob = market.world.bob.clone();
    let (eve, barred) = (user(app, "eve", &bob).await, user(app, "barred", &bob).await);
    change_status(app, bob, "barred", AccountStatus::Disabled).await.expect("disabled");
    let bob = market.world.bob.clone();
    let done = app.db.write(move |tx| {
        store::people::users::set_password(tx, eve, "a hash")?;
        let until = tx.now().plus_days(1);
        store::people::users::hold_payouts(tx, barred, until)?;
        bob.record(tx, "test.held", "test".to_owned(), &json!({}))
    });
    done.await.expect("held");
    sound(app).await;
    for (edit, name) in TAKEN_OVER {
        let found = after(app, &[edit], faults).await.expect("walked").expect("something was edited");
        assert!(found.iter().any(|fault| fault.contains(name)), "{edit}\n{found:#?}");
    }
    sound(app).await;
});
