use auth::{AccountStatus, PayPassword, Role};
use store::{PageRequest, on_both};
use usecases::App;
use usecases::people::entry;
use usecases::people::pay_password::check;
use usecases::people::pay_password_reset::reset_pay_password;
use usecases::staff::accounts::{Filter, change_status, end_account_sessions, find_account, list_accounts};

use crate::support::{app, deeds, staff, user_with, why};

async fn found(app: &App, status: Option<AccountStatus>, search: &str) -> Vec<String> {
    let filter = Filter { status, search: Some(search.to_owned()), ..Filter::default() };
    let page = list_accounts(app, filter, PageRequest::default()).await.expect("listed");
    page.items.into_iter().map(|user| user.username).collect()
}

on_both!(a_status_changes_with_a_reason_and_cancelled_is_for_good, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    test.user("demo").await;
    let set = async |status| change_status(&app, ann.clone(), "DEMO", status).await.map(|user| user.status);
    assert_eq!(set(AccountStatus::Disabled).await.expect("disabled"), "disabled");
    assert_eq!(why(set(AccountStatus::Disabled).await), "cannot_change");
    assert_eq!(set(AccountStatus::Active).await.expect("active"), "active");
    assert_eq!(set(AccountStatus::Cancelled).await.expect("cancelled"), "cancelled");
    assert_eq!(why(set(AccountStatus::Active).await), "cannot_change");
    assert_eq!(why(change_status(&app, ann.clone(), "nobody", AccountStatus::Active).await), "not_found");
    assert_eq!(deeds(&app).await, vec!["ann account.status user:1"; 3]);
});

on_both!(accounts_are_searched_literally, |test| {
    let app = app(&test);
    for name in ["ada", "adam", "a_a", "bob"] {
        test.user(name).await;
    }
    assert_eq!(found(&app, None, "ada").await, ["adam", "ada"]);
    assert_eq!(found(&app, None, "A_A").await, ["a_a"]);
    assert_eq!(found(&app, None, "%").await, [""; 0]);
    assert_eq!(found(&app, Some(AccountStatus::Disabled), "").await, [""; 0]);
    assert_eq!(found(&app, None, "someone@").await.len(), 4);
});

on_both!(a_checked_user_starts_without_a_transaction_password, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    let user = user_with(&app, &test, "839201").await;
    let wrong = PayPassword::from_digits("000001");
    for _ in 0..5 {
        assert_eq!(why(check(&app, user, &wrong).await), "wrong_pay_password");
    }
    assert_eq!(why(check(&app, user, &wrong).await), "pay_password_locked");
    reset_pay_password(&app, ann, "demo").await.expect("reset");
    assert_eq!(why(check(&app, user, &wrong).await), "pay_password_not_set");
    assert_eq!(deeds(&app).await, [format!("ann account.reset_pay_password user:{user}")]);
});

on_both!(staff_sign_a_user_out_everywhere, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    test.user("demo").await;
    let ticket = entry::issue_ticket(&app, Some(ann.clone()), "demo").await.expect("a ticket");
    let signed_in = entry::enter(&app, ticket.text(), "a phone").await.expect("signed in");
    assert_eq!(end_account_sessions(&app, ann, "demo").await.expect("ended"), ("demo".to_owned(), 1));
    assert_eq!(why(usecases::people::sessions::authenticate(&app, &signed_in.token).await), "token_expired");
    assert!(find_account(&app, "demo").await.is_ok());
});
