//! Commands that go on while their operator is revoked.

use auth::{AccountStatus, Role};
use foundation::notifications::conversation_staff::answer;
use foundation::people::codes::{Activation, issue_codes};
use foundation::people::entry::issue_ticket;
use foundation::people::staff_accounts::{account_sessions, change_status, end_account_sessions};
use foundation::staff::Staff;
use foundation::staff::limits::set_limit;
use foundation::staff::notes::{add_note, notes};
use foundation::staff::operator_keys::{revoke_operator, rotate_operator};
use store::{PageRequest, on_both};

use crate::support::{app, deeds, demo_signed_in, staff, why};

on_both!(nothing_that_one_person_does_is_done_by_whoever_was_revoked, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Admin).await;
    let operator = test.operator("eve", Role::Admin).await;
    // She signed in while her key was valid.
    let eve = Staff::new(operator.clone(), "a test").expect("a reason");
    test.user("demo").await;
    demo_signed_in(&app).await;
    revoke_operator(&app, &ann, "eve").await.expect("revoked");
    let before = deeds(&app).await;

    let status = AccountStatus::Disabled;
    assert_eq!(why(change_status(&app, eve.clone(), "demo", status).await), "not_permitted");
    assert_eq!(why(end_account_sessions(&app, eve.clone(), "demo").await), "not_permitted");
    assert_eq!(why(issue_ticket(&app, Some(eve.clone()), "demo").await), "not_permitted");
    assert_eq!(why(answer(&app, eve.clone(), "demo", "Hello").await), "not_permitted");
    assert_eq!(why(add_note(&app, operator, "demo", "called", None).await), "not_permitted");
    assert_eq!(why(issue_codes(&app, eve.clone(), 1, None, Activation::Automatic).await), "not_permitted");
    assert_eq!(why(set_limit(&app, &eve, Role::Support, "1", "1").await), "not_permitted");
    assert_eq!(why(rotate_operator(&app, &eve, "eve").await), "not_permitted");

    assert_eq!(deeds(&app).await, before);
    assert_eq!(account_sessions(&app, "demo").await.expect("listed").len(), 1);
    assert!(notes(&app, "demo", true, PageRequest::default()).await.expect("listed").items.is_empty());
    change_status(&app, ann, "demo", status).await.expect("still active");
});
