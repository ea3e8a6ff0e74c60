use auth::{AccountStatus, PayPassword, Role};
use base::UserId;
use campaigns::AdServer;
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::people::entry;
use foundation::people::pay_password::check;
use foundation::people::pay_password::reset_pay_password;
use foundation::people::staff_accounts::{
    Filter, StatusOutcome, change_status, end_account_sessions, find_account, list_accounts,
};
use foundation::staff::audit_log::verify_audit;
use foundation::staff::requests::RequestView;
use store::{PageRequest, on_both};

use crate::support::{app, deeds, staff, user_with, why};

async fn find_status(app: &AdServer, user: UserId) -> AccountStatus {
    app.db.read(move |conn| store::people::users::find(conn, user)).await.expect("read").expect("there").status
}

async fn found(app: &AdServer, status: Option<AccountStatus>, search: &str) -> Vec<String> {
    let filter = Filter { status, search: Some(search.to_owned()), ..Filter::default() };
    let page = list_accounts(app, filter, PageRequest::default()).await.expect("listed");
    page.items.into_iter().map(|user| user.username).collect()
}

on_both!(a_status_changes_with_a_reason_and_cancelled_is_for_good, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    test.user("demo").await;
    let set = async |status| {
        change_status(&app, ann.clone(), "DEMO", status).await.map(|told| match told {
            StatusOutcome::Changed(user) => user.status.name().to_owned(),
            StatusOutcome::Requested(asked) => panic!("{asked:?}"),
        })
    };
    assert_eq!(set(AccountStatus::Disabled).await.expect("disabled"), "disabled");
    assert_eq!(why(set(AccountStatus::Disabled).await), "cannot_change");
    assert_eq!(set(AccountStatus::Active).await.expect("active"), "active");
    assert_eq!(set(AccountStatus::Cancelled).await.expect("cancelled"), "cancelled");
    assert_eq!(why(set(AccountStatus::Active).await), "cannot_change");
    assert_eq!(why(change_status(&app, ann.clone(), "nobody", AccountStatus::Active).await), "not_found");
    assert_eq!(deeds(&app).await, vec!["ann account.status user:1"; 3]);
});

on_both!(cancelling_what_owns_something_takes_two, |test| {
    let app = app(&test);
    let (ann, fin) = (staff(&test, "ann", Role::Support).await, staff(&test, "fin", Role::Finance).await);
    let adm = staff(&test, "adm", Role::Admin).await;
    let demo = test.user("demo").await;
    let set = async |status| change_status(&app, ann.clone(), "demo", status).await;
    let asked = async || match set(AccountStatus::Cancelled).await.expect("told") {
        StatusOutcome::Requested(asked) => asked,
        StatusOutcome::Changed(user) => panic!("{user:?}"),
    };
    let status = async || find_status(&app, demo).await;
    let recharge = request(&app, &fin, MoneyRequestDraft::recharge(demo, "300.00", "R-1")).await.expect("asked");
    let before = asked().await;
    let owns = |asked: &RequestView| asked.proposal.clone().expect("a proposal")["owns"]["to"]["available"].clone();
    assert_eq!(
        (before.kind.name(), before.status.name(), owns(&before)),
        ("account_cancel", "requested", "0.00".into())
    );
    approve(&app, &adm, recharge.id.into()).await.expect("credited");
    let now = asked().await;
    assert_eq!((owns(&now), now.id == before.id), ("300.00".into(), false));
    assert_eq!(asked().await.id, now.id, "asked for once");
    let which = |asked: &RequestView| asked.id.into();
    assert_eq!(why(approve(&app, &ann, which(&now)).await), "not_permitted");
    assert_eq!(status().await, AccountStatus::Active);
    // An emergency: one person disables it meanwhile.
    set(AccountStatus::Disabled).await.expect("disabled");
    approve(&app, &fin, which(&now)).await.expect("approved");
    assert_eq!(status().await, AccountStatus::Cancelled);
    assert_eq!(why(approve(&app, &fin, which(&before)).await), "cannot_change");
    assert!(verify_audit(&app, None).await.expect("verified").ok);
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
    assert_eq!(found(&app, None, " Someone@").await.len(), 4, "in any case, on both databases");
    assert_eq!(found(&app, None, " BOB ").await, ["bob"]);
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
    assert_eq!(why(foundation::people::sessions::authenticate(&app, &signed_in.token).await), "token_expired");
    assert!(find_account(&app, "demo").await.is_ok());
});
