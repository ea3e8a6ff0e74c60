//! What staff may see of a user's account by a ticket, for how long, and what the user is told and can do about it; and
//! changes of how a user is reached.

use std::time::Duration;

use auth::{AccountStatus, Entry, Role};
use base::UserId;
use campaigns::AdServer;
use desk::account_detail::account_detail;
use desk::requests::{MoneyRequestDraft, approve, request, show};
use diesel::connection::SimpleConnection;
use foundation::Refusal;
use foundation::people::entry::{enter, issue_ticket};
use foundation::people::pay_password::Proof;
use foundation::people::pay_password::{ResetOutcome, reset_pay_password};
use foundation::people::sessions::{SessionSelection, authenticate, authenticate_afresh, end_sessions, list_sessions};
use foundation::people::staff_access::{end_those_of_before, read_only};
use foundation::people::staff_accounts::{change_status, end_account_sessions, find_account};
use foundation::people::user_info::{EditUser, Editor, check_edit, edit_user, save_edit};
use foundation::staff::Staff;
use foundation::staff::audit_log::{AuditFilter, audit_lines};
use foundation::staff::operator_keys::revoke_operator;
use serde_json::Value;
use store::on_both;
use store::testing::{TestDb, connect_to, execute};

use crate::support::{app, demo_signed_in, staff, user_with, why};

const DAY: i64 = 86_400;

/// The refusal for a day after a user has ended all sessions.
const OUT: &str = "sessions_ended_by_user";

async fn entered(app: &AdServer, by: &foundation::staff::Staff) -> String {
    let ticket = issue_ticket(app, Some(by.clone()), "demo").await.expect("a ticket");
    enter(app, ticket.text(), "a desk").await.expect("entered").token
}

async fn ended(app: &AdServer, user: UserId, which: SessionSelection) {
    end_sessions(app, user, which).await.expect("ended");
}

/// The latest record of an action, with its details.
async fn last(app: &AdServer, action: &str) -> (String, String, Value) {
    let filter = AuditFilter { action: Some(action.to_owned()), ..AuditFilter::default() };
    let line = audit_lines(app, filter, store::PageRequest::default()).await.expect("the audit").items.remove(0);
    (line.operator, line.reason, line.details)
}

on_both!(a_ticket_of_staff_makes_no_account, |test| {
    let app = app(&test);
    let ann = staff(&test, "ann", Role::Support).await;
    assert_eq!(why(issue_ticket(&app, Some(ann), "newcomer").await), "not_found");
    assert_eq!(why(find_account(&app, "newcomer").await), "not_found");
    // The provider's server lets new users in, as before.
    issue_ticket(&app, None, "newcomer").await.expect("a ticket");
    find_account(&app, "newcomer").await.expect("an account");
});

on_both!(the_audit_has_who_entered_and_why, |test| {
    let app = app(&test);
    let user = test.user("demo").await;
    let ann = staff(&test, "ann", Role::Support).await;
    let token = entered(&app, &ann).await;
    let (by, reason, issued) = last(&app, "ticket.issue").await;
    assert_eq!((by.as_str(), reason.as_str()), ("ann", "a test"));
    let (by, reason, details) = last(&app, "ticket.enter").await;
    assert_eq!((by.as_str(), reason.as_str()), ("ann", "a test"));
    assert_eq!(details["ticket"], issued["ticket"]);
    let caller = authenticate(&app, &token).await.expect("good");
    assert_eq!((details["session"].as_i64(), caller.user), (Some(caller.session), user));
    let told = read_only(&app, &caller).await.expect("read").expect("read only");
    assert_eq!((told.read_only, told.operator.as_str(), told.reason.as_str()), (true, "ann", "a test"));
    assert_eq!(details["session_until"]["to"], told.until.to_string());
});

on_both!(the_reason_that_the_user_is_told_leads_nowhere, |test| {
    let app = app(&test);
    let user = test.user("demo").await;
    let ann = test.operator("ann", Role::Support).await;
    let because = |reason: &str| Some(Staff::new(ann.clone(), reason).expect("a reason"));
    for linking in ["Verify at https://evil.example/login", "see evil。example", "зайдите на кошелёк.рф"]
    {
        assert_eq!(why(issue_ticket(&app, because(linking), "demo").await), "reason=link", "{linking}");
    }
    issue_ticket(&app, because("cannot find a plan"), "demo").await.expect("a ticket");
    assert_eq!(list_sessions(&app, user, None).await.expect("listed"), []);
});

on_both!(it_lasts_an_hour_and_leaves_no_trace_of_its_use, |test| {
    let app = app(&test);
    let user = test.user("demo").await;
    let token = entered(&app, &staff(&test, "ann", Role::Support).await).await;
    let begun = list_sessions(&app, user, None).await.expect("listed");
    test.clock.advance_seconds(3_599);
    authenticate(&app, &token).await.expect("good");
    authenticate_afresh(&app, &token).await.expect("good");
    assert_eq!(list_sessions(&app, user, None).await.expect("listed"), begun);
    test.clock.advance_seconds(1);
    assert_eq!(why(authenticate(&app, &token).await), "token_expired");
    assert_eq!(list_sessions(&app, user, None).await.expect("listed"), []);
});

on_both!(staff_stay_out_for_a_day_after_the_user_ended_all_sessions, |test| {
    let app = app(&test);
    let user = test.user("demo").await;
    let ann = staff(&test, "ann", Role::Support).await;
    let token = entered(&app, &ann).await;
    let waiting = issue_ticket(&app, Some(ann.clone()), "demo").await.expect("a ticket");
    ended(&app, user, SessionSelection::All).await;
    assert_eq!(why(authenticate_afresh(&app, &token).await), "token_expired");
    assert_eq!(why(enter(&app, waiting.text(), "a desk").await), OUT, "issued before");
    test.clock.advance_seconds(10);
    let until = test.clock.now().plus_seconds(DAY - 10);
    let Err(foundation::Error::Refused(refusal)) = issue_ticket(&app, Some(ann.clone()), "demo").await else {
        panic!("issued")
    };
    assert_eq!(refusal, Refusal::SessionsEndedByUser { until, retry_after: DAY - 10 });
    // The provider's server lets the user in meanwhile.
    let own = issue_ticket(&app, None, "demo").await.expect("a ticket");
    enter(&app, own.text(), "a phone").await.expect("entered");
    test.clock.advance_seconds(DAY - 11);
    assert_eq!(why(issue_ticket(&app, Some(ann.clone()), "demo").await), OUT);
    test.clock.advance_seconds(1);
    entered(&app, &ann).await;
    // What staff end keeps nobody out.
    end_account_sessions(&app, ann.clone(), "demo").await.expect("ended");
    entered(&app, &ann).await;
});

on_both!(ending_that_of_staff_or_all_others_keeps_staff_out_as_well, |test| {
    let app = app(&test);
    let user = test.user("demo").await;
    let ann = staff(&test, "ann", Role::Support).await;
    let one = demo_signed_in(&app).await.session;
    demo_signed_in(&app).await;
    demo_signed_in(&app).await;
    ended(&app, user, SessionSelection::One(one)).await;
    let token = entered(&app, &ann).await;
    let theirs = authenticate(&app, &token).await.expect("good").session;
    ended(&app, user, SessionSelection::One(theirs)).await;
    assert_eq!(why(issue_ticket(&app, Some(ann.clone()), "demo").await), OUT);

    test.clock.advance_seconds(DAY + 1);
    let (kept, other) = (demo_signed_in(&app).await.session, demo_signed_in(&app).await.session);
    entered(&app, &ann).await;
    test.clock.advance_seconds(3_600);
    issue_ticket(&app, Some(ann.clone()), "demo").await.expect("a ticket");
    // The app ends every other session by its number.
    ended(&app, user, SessionSelection::One(other)).await;
    assert_eq!(why(issue_ticket(&app, Some(ann), "demo").await), OUT);
    assert_eq!(list_sessions(&app, user, None).await.expect("listed")[0].id, kept.to_string());
});

on_both!(who_was_revoked_sees_nothing_any_more, |test| {
    let app = app(&test);
    test.user("demo").await;
    let (ann, eve) = (staff(&test, "ann", Role::Support).await, staff(&test, "eve", Role::Admin).await);
    let token = entered(&app, &ann).await;
    let waiting = issue_ticket(&app, Some(ann), "demo").await.expect("a ticket");
    revoke_operator(&app, &eve, "ann").await.expect("revoked");
    assert_eq!(why(authenticate_afresh(&app, &token).await), "token_expired");
    assert_eq!(why(enter(&app, waiting.text(), "a desk").await), "ticket_invalid");
});

on_both!(staff_enter_no_account_that_may_not_act, |test| {
    let app = app(&test);
    test.user("demo").await;
    let ann = staff(&test, "ann", Role::Support).await;
    let ticket = issue_ticket(&app, Some(ann.clone()), "demo").await.expect("a ticket");
    change_status(&app, ann, "demo", AccountStatus::Disabled).await.expect("disabled");
    assert_eq!(why(enter(&app, ticket.text(), "a desk").await), "account_disabled");
});

on_both!(sessions_of_staff_from_before_end, |test| {
    let app = app(&test);
    test.user("demo").await;
    let own = issue_ticket(&app, None, "demo").await.expect("a ticket");
    let own = enter(&app, own.text(), "a phone").await.expect("entered").token;
    test.clock.advance_seconds(1);
    let old = issue_ticket(&app, None, "demo").await.expect("a ticket");
    let unused = issue_ticket(&app, None, "demo").await.expect("a ticket");
    let old = enter(&app, old.text(), "a desk").await.expect("entered").token;
    // As the version before wrote tickets of staff.
    execute(&test.url, "UPDATE tickets SET call_hash = NULL WHERE id > 1").expect("written");
    assert_eq!(end_those_of_before(&app).await.expect("ended"), 1);
    assert_eq!(end_those_of_before(&app).await.expect("nothing"), 0);
    assert_eq!(why(authenticate_afresh(&app, &old).await), "token_expired");
    assert_eq!(why(enter(&app, unused.text(), "a desk").await), "ticket_invalid");
    authenticate_afresh(&app, &own).await.expect("the user's own");
});

/// Changes how `demo` is reached, who has shown the transaction password if one is set.
async fn reached(app: &AdServer, user: UserId, proven: bool, edit: EditUser) {
    let checked = check_edit(app, user, edit).await.expect("no wrong fields");
    assert_eq!(checked.needs_password(app, user).await.expect("read"), proven);
    let editor = if proven { Editor::Proven(Proof::assumed(user)) } else { Editor::Unproven(user) };
    save_edit(app, editor, Entry::Register, checked).await.expect("saved");
}

fn phone(number: &str) -> EditUser {
    EditUser { phone: Some(number.into()), ..EditUser::default() }
}

on_both!(nobody_without_the_password_changes_how_the_user_is_reached, |test| {
    let app = app(&test);
    let user = user_with(&app, &test, "839201").await;
    let checked = check_edit(&app, user, phone("+4915112345678")).await.expect("no wrong fields");
    let saved = save_edit(&app, Editor::Unproven(user), Entry::Register, checked).await;
    assert_eq!(why(saved), "password=required");
    reached(&app, user, false, phone("+100000000")).await;
    assert_eq!(account_detail(&app, "demo").await.expect("shown").contact.changes, []);
});

// It would be in force again, and no record would name it.
on_both!(an_edit_does_not_bring_back_a_number_that_changes_meanwhile, |test| {
    let app = app(&test);
    let user = user_with(&app, &test, "839201").await;
    if test.url.starts_with("sqlite") {
        return;
    }
    // As another server does it, who has not committed yet.
    let mut other = connect_to(&test.url).expect("opens");
    let change = format!(
        "BEGIN; SELECT 1 FROM wallets WHERE user_id = {user} FOR NO KEY UPDATE; \
         UPDATE users SET phone = '+4915112345678' WHERE id = {user}"
    );
    other.batch_execute(&change).expect("changed");
    let (saving, edit) = (app.clone(), EditUser { nickname: Some("Ada".into()), ..phone("+100000000") });
    let saving = tokio::spawn(async move { edit_user(&saving, user, Entry::Register, edit).await });
    tokio::time::sleep(Duration::from_millis(500)).await;
    other.batch_execute("COMMIT").expect("committed");
    assert_eq!(why(saving.await.expect("no panic")), "password=required");
});

// Each change stays in the audit for ever.
on_both!(twenty_changes_of_a_number_in_a_day_are_enough, |test| {
    let app = app(&test);
    let user = test.user("demo").await;
    for n in 10..30 {
        reached(&app, user, false, phone(&format!("+49151123456{n}"))).await;
    }
    let again = || async {
        let checked = check_edit(&app, user, phone("+4915112345678")).await.expect("no wrong fields");
        save_edit(&app, Editor::Unproven(user), Entry::Register, checked).await
    };
    assert_eq!(why(again().await), "too_many_requests");
    let renamed = EditUser { nickname: Some("Ada".into()), ..EditUser::default() };
    reached(&app, user, false, renamed).await;
    test.clock.advance_seconds(DAY);
    again().await.expect("another day");
});

on_both!(staff_see_how_the_user_was_reached_before, |test| {
    let app = app(&test);
    let user = user_with(&app, &test, "839201").await;
    let (ann, bob) = (staff(&test, "ann", Role::Finance).await, staff(&test, "bob", Role::Finance).await);
    let asked = request(&app, &ann, MoneyRequestDraft::recharge(user, "100", "first")).await.expect("requested");
    approve(&app, &bob, asked.id.into()).await.expect("approved");
    let sue = staff(&test, "sue", Role::Support).await;
    let ResetOutcome::Requested(asked) = reset_pay_password(&app, sue, "demo").await.expect("asked") else {
        panic!("done by one alone")
    };
    let which: foundation::staff::requests::RequestRef = asked.id.into();
    assert_eq!(asked.contact.as_ref().map(|contact| contact.changes.len()), Some(0));
    assert!(!account_detail(&app, "demo").await.expect("shown").flags.contains(&"contact_changed_lately".to_owned()));
    // Changed after it was asked for, and twice.
    let at = test.clock.now();
    reached(&app, user, true, phone("+4915112345678")).await;
    test.clock.advance_seconds(60);
    reached(&app, user, true, phone("+4915187654321")).await;
    let shown = show(&app, which).await.expect("shown").contact.expect("a contact");
    assert_eq!(shown.phone, "+4915187654321");
    let first = &shown.changes[0];
    assert_eq!(
        (first.what.as_str(), first.from.as_str(), first.to.as_str(), &first.at),
        ("phone", "+100000000", "+4915112345678", &at)
    );
    assert_eq!((shown.changes.len(), shown.changes[1].to.as_str()), (2, "+4915187654321"));
    let detail = account_detail(&app, "demo").await.expect("shown");
    assert_eq!(detail.contact, shown);
    assert!(detail.flags.contains(&"contact_changed_lately".to_owned()));
    test.clock.advance_seconds(31 * DAY);
    assert_eq!(account_detail(&app, "demo").await.expect("shown").contact.changes, []);
});

on_both!(the_audit_recognises_a_contact_and_does_not_tell_it, |test| {
    let app = app(&test);
    let user = user_with(&app, &test, "839201").await;
    let both = EditUser { email: Some("ada@example.org".into()), ..phone("+4915112345678") };
    reached(&app, user, true, both).await;
    let (by, _, details) = last(&app, "account.change_contact").await;
    assert_eq!(by, format!("user:{user}"));
    assert_eq!(details["email"]["to"]["masked"], "a***@example.org");
    assert_eq!(details["phone"]["to"]["masked"], "****5678");
    let digest = details["phone"]["to"]["digest"].clone();
    let text = details.to_string();
    assert!(!text.contains("ada@example.org") && !text.contains("15112345678"), "{text}");
    reached(&app, user, true, phone("+100000000")).await;
    assert_eq!(last(&app, "account.change_contact").await.2["phone"]["from"]["digest"], digest);
});

async fn contacts(test: &TestDb) -> i64 {
    let count = "SELECT COUNT(*) AS n FROM contact_changes";
    let found = test.db.read(move |conn| {
        use diesel::prelude::*;
        #[derive(QueryableByName)]
        struct Count {
            #[diesel(sql_type = diesel::sql_types::BigInt)]
            n: i64,
        }
        Ok::<_, store::Error>(diesel::sql_query(count).get_result::<Count>(conn)?.n)
    });
    found.await.expect("counted")
}

on_both!(what_was_there_before_is_erased_with_the_account, |test| {
    use foundation::people::close_account::{CloseAccount, close_account};
    use foundation::people::login::{Login, log_in};
    use foundation::people::register::{Register, register};
    let app = app(&test);
    let register_as = Register {
        username: "ada".into(),
        password: "seven green bottles".into(),
        email: "ada@example.com".into(),
        phone: "+491701234567".into(),
        license_key: test.code("AAAA-BBBB-CCCC").await.into(),
        lang: i18n::Lang::En,
        device: "a test".into(),
        address: None,
    };
    let user: UserId = register(&app, register_as).await.expect("registered").user.id;
    reached(&app, user, false, phone("+4915112345678")).await;
    assert_eq!(contacts(&test).await, 1);
    let command = CloseAccount { password: "seven green bottles".into(), address: None };
    close_account(&app, user, "ada", command).await.expect("closed");
    assert_eq!(contacts(&test).await, 0);
    let login = Login {
        username: "ada".into(),
        password: "seven green bottles".into(),
        lang: None,
        device: "a test".into(),
        address: None,
    };
    assert_eq!(why(log_in(&app, login).await), "account_cancelled");
    let check = foundation::staff::audit_log::verify_audit(&app, None).await.expect("checked");
    assert!(check.ok, "{check:?}");
});
