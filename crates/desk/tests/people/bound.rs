//! A transaction password's hash is its user's alone, wherever somebody copies it in the database.

use auth::{PayPassword, Role, Secrets, hashing};
use base::{UserId, keyed_hash};
use campaigns::AdServer;
use diesel::connection::SimpleConnection;
use foundation::people::pay_password::check;
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password};
use foundation::staff::audit_log::{AuditFilter, audit_lines, verify_audit};
use serde_json::json;
use store::people::pay_passwords;
use store::testing::TestDb;
use store::{PageRequest, on_both};

use crate::support::{app, staff, user_with, why};

const OWN: &str = "839201";
const EVES: &str = "730184";

fn shown(digits: &str) -> PayPassword {
    PayPassword::from_digits(digits)
}

/// As versions hashed it that did not say whose it was.
fn hashed_before(digits: &str) -> String {
    let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
    let secret = keyed_hash(secrets.pepper(), &[shown(digits).on_wire().as_bytes()]);
    hashing::hash(&secret, &[7; 16]).expect("hashed")
}

async fn hash(app: &AdServer, user: UserId) -> String {
    app.db.read(move |conn| pay_passwords::hash(conn, user)).await.expect("read").expect("set")
}

/// Users with hashes from before, of which the audit has a record.
async fn from_before(app: &AdServer, test: &TestDb) -> (UserId, UserId) {
    let (demo, eve) = (test.user("demo").await, test.user("eve").await);
    let by = staff(test, "ann", Role::Admin).await;
    let written = app.db.write(move |tx| {
        for (user, digits) in [(demo, OWN), (eve, EVES)] {
            assert!(pay_passwords::set(tx, user, None, &hashed_before(digits))?);
        }
        by.record(tx, "test.set", "test".to_owned(), &json!({}))
    });
    written.await.expect("written");
    (demo, eve)
}

/// What somebody does who can write to the database.
async fn put(app: &AdServer, user: UserId, hash: String) {
    let sql = format!("UPDATE users SET pay_password_hash = '{hash}' WHERE id = {user}");
    let put = app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
    put.await.expect("put");
}

async fn stored_anew(app: &AdServer) -> Vec<String> {
    let filter = AuditFilter { action: Some("account.rehash_pay_password".to_owned()), ..AuditFilter::default() };
    let found = audit_lines(app, filter, PageRequest::default()).await.expect("the audit").items;
    found.into_iter().map(|line| line.subject).collect()
}

on_both!(a_hash_that_is_copied_to_another_user_fits_nobody, |test| {
    let app = app(&test);
    let demo = user_with(&app, &test, OWN).await;
    let eve = test.user("eve").await;
    let command = SetPayPassword { password: shown(EVES), old_password: None };
    set_pay_password(&app, eve, command).await.expect("set");
    let (own, eves) = (hash(&app, demo).await, hash(&app, eve).await);
    put(&app, demo, eves.clone()).await;
    assert_eq!(why(check(&app, demo, &shown(EVES)).await), "wrong_pay_password");
    // Without its owner it fits nobody either.
    let (before, after) = eves.split_once(",data=").expect("an owner");
    let (_, after) = after.split_once('$').expect("a salt");
    put(&app, demo, format!("{before}${after}")).await;
    assert_eq!(why(check(&app, demo, &shown(EVES)).await), "wrong_pay_password");
    put(&app, demo, own).await;
    check(&app, demo, &shown(OWN)).await.expect("right");
    check(&app, eve, &shown(EVES)).await.expect("right");
    assert_eq!(stored_anew(&app).await, Vec::<String>::new());
});

on_both!(one_from_before_is_bound_when_it_is_shown, |test| {
    let app = app(&test);
    let (demo, eve) = from_before(&app, &test).await;
    assert_eq!(why(check(&app, demo, &shown(EVES)).await), "wrong_pay_password");
    assert_eq!(hash(&app, demo).await, hashed_before(OWN), "a wrong one changes nothing");
    // After a wrong one it is counted first, and taken back.
    check(&app, demo, &shown(OWN)).await.expect("right");
    check(&app, eve, &shown(EVES)).await.expect("right");
    let (bound, eves) = (hash(&app, demo).await, hash(&app, eve).await);
    assert!(bound != hashed_before(OWN) && eves != hashed_before(EVES));
    check(&app, demo, &shown(OWN)).await.expect("right");
    assert_eq!(hash(&app, demo).await, bound, "once");
    assert_eq!(stored_anew(&app).await, [format!("user:{eve}"), format!("user:{demo}")]);
    let checked = verify_audit(&app, None).await.expect("checked");
    assert!(checked.ok, "{checked:?}");
    let (user, now) = (demo, app.now());
    let guard = app.db.read(move |conn| pay_passwords::look(conn, user, now)).await.expect("read").expect("kept").guard;
    assert_eq!((guard.streak, guard.recent), (0, 1));
    put(&app, demo, eves).await;
    assert_eq!(why(check(&app, demo, &shown(EVES)).await), "wrong_pay_password");
});

// One that is not bound yet could be anybody's. It serves once, and that stays in the audit.
on_both!(one_from_before_that_is_copied_for_a_moment_is_found, |test| {
    let app = app(&test);
    let (demo, _) = from_before(&app, &test).await;
    put(&app, demo, hashed_before(EVES)).await;
    check(&app, demo, &shown(EVES)).await.expect("as right as before");
    put(&app, demo, hashed_before(OWN)).await;
    let found = verify_audit(&app, None).await.expect("checked").faults;
    let edited = format!("user {demo} was edited before record");
    assert!(found.iter().any(|fault| fault.contains(&edited)), "{found:#?}");
});
