//! A transaction password that was right a moment ago.

use auth::{AccountStatus, PayPassword, Role};
use campaigns::AdServer;
use foundation::people::pay_password::reset_pay_password;
use foundation::people::pay_password::{check, check_in_session};
use foundation::people::sessions::{Caller, SessionSelection, end_sessions};
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password};
use foundation::people::staff_accounts::change_status;
use futures_util::future::join_all;
use store::on_both;

use crate::support::{app, demo_signed_in, staff, user_with, why};

fn right() -> PayPassword {
    PayPassword::from_digits("839201")
}

fn wrong() -> PayPassword {
    PayPassword::from_digits("000001")
}

/// How many hashes an attempt costs, and the answer.
async fn show(app: &AdServer, caller: &Caller, password: &PayPassword) -> (u64, String) {
    let before = app.hashing().begun;
    let told = match check_in_session(app, caller, password).await {
        Ok(()) => "right".to_owned(),
        refused => why(refused),
    };
    (app.hashing().begun - before, told)
}

fn told(hashes: u64, told: &str) -> (u64, String) {
    (hashes, told.to_owned())
}

on_both!(once_in_five_minutes_it_is_hashed, |test| {
    let app = app(&test);
    user_with(&app, &test, "839201").await;
    let (caller, other) = (demo_signed_in(&app).await, demo_signed_in(&app).await);
    assert_eq!(show(&app, &caller, &right()).await, told(1, "right"));
    assert_eq!(show(&app, &caller, &right()).await, told(0, "right"));
    assert_eq!(show(&app, &other, &right()).await, told(1, "right"), "another session");
    test.clock.advance_seconds(299);
    assert_eq!(show(&app, &caller, &right()).await, told(0, "right"));
    test.clock.advance_seconds(1);
    assert_eq!(show(&app, &caller, &right()).await, told(1, "right"));
});

on_both!(right_ones_at_once_are_hashed_once, |test| {
    let app = app(&test);
    user_with(&app, &test, "839201").await;
    let caller = demo_signed_in(&app).await;
    let (right, before) = (right(), app.hashing().begun);
    for granted in join_all((0..32).map(|_| check_in_session(&app, &caller, &right))).await {
        granted.expect("right");
    }
    assert_eq!(app.hashing().begun - before, 1);
});

on_both!(a_wrong_one_counts_and_makes_the_next_be_hashed, |test| {
    let app = app(&test);
    user_with(&app, &test, "839201").await;
    let caller = demo_signed_in(&app).await;
    assert_eq!(show(&app, &caller, &right()).await, told(1, "right"));
    assert_eq!(show(&app, &caller, &wrong()).await, told(1, "wrong_pay_password"));
    assert_eq!(show(&app, &caller, &right()).await, told(1, "right"));
    assert_eq!(show(&app, &caller, &right()).await, told(0, "right"));
    let (guess, before) = (wrong(), app.hashing().begun);
    let guesses = join_all((0..200).map(|_| check_in_session(&app, &caller, &guess))).await;
    let keys: Vec<String> = guesses.into_iter().map(why).collect();
    assert_eq!(keys.iter().filter(|key| *key == "wrong_pay_password").count(), 5);
    assert_eq!(app.hashing().begun - before, 5);
    assert_eq!(show(&app, &caller, &right()).await, told(0, "pay_password_locked"));
    test.clock.advance_seconds(3_600);
    assert_eq!(show(&app, &caller, &right()).await, told(1, "right"));
});

on_both!(another_password_makes_it_worthless, |test| {
    let (here, there) = (app(&test), app(&test));
    let user = user_with(&here, &test, "839201").await;
    let caller = demo_signed_in(&here).await;
    assert_eq!(show(&here, &caller, &right()).await, told(1, "right"));
    // Changed by another process, of which this one is not notified.
    let command = SetPayPassword { password: PayPassword::from_digits("730184"), old_password: Some(right()) };
    set_pay_password(&there, user, command).await.expect("changed");
    assert_eq!(show(&here, &caller, &right()).await, told(1, "wrong_pay_password"));
    assert_eq!(show(&here, &caller, &PayPassword::from_digits("730184")).await, told(1, "right"));
    let ann = staff(&test, "ann", Role::Support).await;
    reset_pay_password(&there, ann, "demo").await.expect("reset");
    assert_eq!(show(&here, &caller, &PayPassword::from_digits("730184")).await, told(0, "pay_password_not_set"));
});

on_both!(who_is_barred_elsewhere_is_barred_here, |test| {
    let (here, there) = (app(&test), app(&test));
    let user = user_with(&here, &test, "839201").await;
    let caller = demo_signed_in(&here).await;
    assert_eq!(show(&here, &caller, &right()).await, told(1, "right"));
    for _ in 0..5 {
        assert_eq!(why(check(&there, user, &wrong()).await), "wrong_pay_password");
    }
    assert_eq!(show(&here, &caller, &right()).await, told(0, "pay_password_locked"));
    test.clock.advance_seconds(3_600);
    assert_eq!(show(&here, &caller, &right()).await, told(1, "right"));

    let ann = staff(&test, "ann", Role::Support).await;
    for (status, told_of_it) in
        [(AccountStatus::Disabled, told(0, "account_disabled")), (AccountStatus::Active, told(0, "right"))]
    {
        change_status(&there, ann.clone(), "demo", status).await.expect("changed");
        assert_eq!(show(&here, &caller, &right()).await, told_of_it);
    }
    end_sessions(&there, user, SessionSelection::All).await.expect("ended");
    assert_eq!(show(&here, &caller, &right()).await, told(0, "token_expired"));
});

on_both!(it_is_forgotten_with_what_it_stood_for, |test| {
    let app = app(&test);
    let user = user_with(&app, &test, "839201").await;
    let caller = demo_signed_in(&app).await;
    assert_eq!(show(&app, &caller, &right()).await, told(1, "right"));
    end_sessions(&app, user, SessionSelection::All).await.expect("ended");
    // It is not even looked up: it costs a hash, and then the session is found to have
    // ended.
    assert_eq!(show(&app, &caller, &right()).await, told(1, "token_expired"));
});
