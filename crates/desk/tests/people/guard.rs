use auth::PayPassword;
use foundation::people::pay_password::check;
use futures_util::future::join_all;
use store::on_both;

use crate::support::{app, user_with, why};

on_both!(five_places_whoever_asks, |test| {
    let first = app(&test);
    let user = user_with(&first, &test, "839201").await;
    // Another server on the same database does not wait for the first.
    let second = app(&test);
    let wrong = PayPassword::from_digits("000001");
    let attempts = (0..100).flat_map(|_| [check(&first, user, &wrong), check(&second, user, &wrong)]);
    let told: Vec<String> = join_all(attempts).await.into_iter().map(why).collect();
    assert_eq!(told.iter().filter(|key| *key == "wrong_pay_password").count(), 5);
    // Nor does one that was started since.
    assert_eq!(why(check(&app(&test), user, &wrong).await), "pay_password_locked");
});

on_both!(right_ones_at_once_lock_nobody_out, |test| {
    let app = app(&test);
    let user = user_with(&app, &test, "839201").await;
    let right = PayPassword::from_digits("839201");
    for granted in join_all((0..32).map(|_| check(&app, user, &right))).await {
        granted.expect("right");
    }
});

on_both!(guessing_between_right_ones_ends_too, |test| {
    let app = app(&test);
    let user = user_with(&app, &test, "839201").await;
    let (right, wrong) = (PayPassword::from_digits("839201"), PayPassword::from_digits("000001"));
    for _ in 0..5 {
        for _ in 0..4 {
            let told = check(&app, user, &wrong).await;
            assert_eq!(why(told), "wrong_pay_password");
        }
        let told = check(&app, user, &right).await;
        test.clock.advance_seconds(3_600);
        if told.is_err() {
            break;
        }
    }
    assert_eq!(why(check(&app, user, &right).await), "pay_password_locked");
});
