//! A forgotten login password: a code of two halves, which two operators read to the user.

use auth::{PayPassword, Role};
use campaigns::AdServer;
use desk::account_detail::account_detail;
use desk::requests::{approve, show, show_to};
use diesel::connection::SimpleConnection;
use foundation::Refusal;
use foundation::notifications::{NotificationQuery, list_notifications};
use foundation::people::entry::issue_ticket;
use foundation::people::login::{Login, ResetPassword, log_in, reset_login_password, reset_password};
use foundation::people::register::{Register, register};
use foundation::people::sessions::authenticate;
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password};
use foundation::people::staff_accounts::change_status;
use foundation::staff::Staff;
use foundation::staff::audit_log::{AuditFilter, audit_lines, verify_audit};
use foundation::staff::requests::RequestRef;
use money::wallet::bank_card::{Binder, CardView, NewBankCard, bind_card};
use money::wallet::property::property;
use store::testing::TestDb;
use store::{PageRequest, on_both};

use crate::support::{app, staff, why};

const DAY: i64 = 86_400;
const OLD: &str = "seven green bottles";
const NEW: &str = "eight green bottles";

/// An account, whose user is signed in, and the staff who help.
struct World {
    test: TestDb,
    app: AdServer,
    user: base::UserId,
    token: String,
    sue: Staff,
    fin: Staff,
}

async fn world(test: TestDb) -> World {
    let app = app(&test);
    let (sue, fin) = (staff(&test, "sue", Role::Support).await, staff(&test, "fin", Role::Finance).await);
    let registration = Register {
        username: "ada".into(),
        password: OLD.into(),
        email: "ada@example.com".into(),
        phone: "+491701234567".into(),
        license_key: test.code("AAAA-BBBB-CCCC").await.into(),
        lang: i18n::Lang::En,
        device: "a phone".into(),
        address: None,
    };
    let came = register(&app, registration).await.expect("registered");
    World { user: came.user.id, token: came.token, test, app, sue, fin }
}

impl World {
    async fn asked(&self) -> RequestRef {
        let asked = reset_login_password(&self.app, self.sue.clone(), "ada").await.expect("asked for");
        assert_eq!((asked.kind.name(), asked.half), ("login_password_reset", None));
        assert_eq!(asked.contact.expect("whom to call").phone, "+491701234567");
        asked.id.into()
    }

    async fn half(&self, by: &Staff, which: RequestRef) -> Option<String> {
        show_to(&self.app, by, which).await.expect("shown").half
    }

    /// A code as its user hears it.
    async fn code(&self) -> (RequestRef, String, String) {
        let which = self.asked().await;
        approve(&self.app, &self.fin, which).await.expect("approved");
        let first = self.half(&self.sue, which).await.expect("the asker's");
        (which, first, self.half(&self.fin, which).await.expect("the approver's"))
    }

    async fn try_for(&self, username: &str, code: &str) -> Result<(), foundation::Error> {
        let command =
            ResetPassword { username: username.into(), code: code.into(), password: NEW.into(), address: None };
        reset_password(&self.app, command).await
    }

    async fn try_code(&self, code: &str) -> Result<(), foundation::Error> {
        self.try_for("ada", code).await
    }

    async fn may_sign_in(&self, password: &str) -> bool {
        let login = Login {
            username: "ada".into(),
            password: password.into(),
            lang: None,
            device: "a desk".into(),
            address: None,
        };
        log_in(&self.app, login).await.is_ok()
    }

    async fn code_status(&self, which: RequestRef) -> Option<String> {
        show(&self.app, which).await.expect("shown").code_status
    }

    async fn is_refused(&self, code: &str) {
        assert_eq!(why(self.try_code(code).await), "wrong_reset_code");
        assert!(self.may_sign_in(OLD).await);
    }
}

/// What the audit has, newest first.
async fn deeds_of_users(app: &AdServer) -> Vec<String> {
    let lines = audit_lines(app, AuditFilter::default(), PageRequest::default()).await.expect("the audit").items;
    lines.into_iter().map(|line| line.action).collect()
}

async fn set_first(w: &World) -> Result<(), foundation::Error> {
    let command = SetPayPassword { password: PayPassword::from_digits("839201"), old_password: None };
    set_pay_password(&w.app, w.user, command).await
}

async fn bind(w: &World) -> Result<CardView, foundation::Error> {
    let typed =
        CardView::WalletAddress { network: "TRC20".into(), address: "TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL".into() };
    bind_card(&w.app, Binder::WithoutPassword(w.user), NewBankCard::read(&w.app, typed).expect("whole")).await
}

on_both!(with_both_halves_a_new_password_is_set, |test| {
    let w = world(test).await;
    let which = w.asked().await;
    for by in [&w.sue, &w.fin] {
        assert_eq!(w.half(by, which).await, None, "nobody has approved it");
    }
    assert_eq!(why(approve(&w.app, &w.sue, which).await), "not_permitted");
    let approved = approve(&w.app, &w.fin, which).await.expect("approved");
    assert_eq!(approved.half, None);
    let other = staff(&w.test, "bob", Role::Admin).await;
    assert_eq!(w.half(&other, which).await, None, "it is nobody else's");
    let first = w.half(&w.sue, which).await.expect("the asker's");
    assert_eq!(w.code_status(which).await.as_deref(), Some("halves_not_shown"));
    w.is_refused(&format!("{first} {first}")).await;
    let second = w.half(&w.fin, which).await.expect("the approver's");
    for by in [&w.sue, &w.fin] {
        assert_eq!(w.half(by, which).await, None, "each half is shown once");
    }
    for alone in [&first, &second] {
        w.is_refused(alone).await;
    }
    w.is_refused(&format!("{second} {second}")).await;
    assert!(authenticate(&w.app, &w.token).await.is_ok());

    w.try_code(&format!("{} {first}", second.to_lowercase())).await.expect("in either order");
    assert_eq!(why(authenticate(&w.app, &w.token).await), "token_expired");
    assert_eq!((w.may_sign_in(OLD).await, w.may_sign_in(NEW).await), (false, true));
    assert_eq!(w.code_status(which).await.as_deref(), Some("used"));
    assert_eq!(why(w.try_code(&format!("{first}{second}")).await), "wrong_reset_code", "it is good once");
    let told = list_notifications(&w.app, w.user, i18n::Lang::En, NotificationQuery::default()).await.expect("a list");
    let told: Vec<_> = told.items.into_iter().filter_map(|notice| notice.kind).collect();
    assert!(told.contains(&"password_reset_allowed".to_owned()), "{told:?}");
    assert!(told.contains(&"password_reset".to_owned()), "{told:?}");
    let records = audit_lines(&w.app, AuditFilter::default(), PageRequest::default()).await.expect("the audit").items;
    let records = serde_json::to_string(&records).expect("JSON");
    assert!(records.contains("login_password_reset.show_half"), "{records}");
    assert!(!records.contains(&first) && !records.contains(&second), "{records}");
    assert!(verify_audit(&w.app, None).await.expect("verified").ok);
});

on_both!(staff_stay_out_for_a_day_after_it, |test| {
    let w = world(test).await;
    let (_, first, second) = w.code().await;
    issue_ticket(&w.app, Some(w.sue.clone()), "ada").await.expect("a ticket");
    w.try_code(&format!("{first}{second}")).await.expect("set");
    assert_eq!(why(issue_ticket(&w.app, Some(w.sue.clone()), "ada").await), "sessions_ended_by_user");
    w.test.clock.advance_seconds(DAY - 1);
    assert_eq!(why(issue_ticket(&w.app, Some(w.fin.clone()), "ada").await), "sessions_ended_by_user");
    w.test.clock.advance_seconds(1);
    issue_ticket(&w.app, Some(w.sue.clone()), "ada").await.expect("a ticket");
});

on_both!(the_fifth_wrong_try_ends_the_code, |test| {
    let w = world(test).await;
    let (which, first, second) = w.code().await;
    for half in [&first, &second, &first, &second, &first] {
        assert_eq!(w.code_status(which).await.as_deref(), Some("open"));
        w.is_refused(&format!("{half} 0000-0000")).await;
    }
    assert_eq!(w.code_status(which).await.as_deref(), Some("tried_out"));
    w.is_refused(&format!("{first}{second}")).await;
    assert!(verify_audit(&w.app, None).await.expect("verified").ok);
});

on_both!(who_knows_neither_half_does_not_end_the_code, |test| {
    let w = world(test).await;
    let (which, first, second) = w.code().await;
    for _ in 0..12 {
        w.is_refused("0000-0000 0000-0000").await;
        w.is_refused(&first).await;
    }
    assert_eq!(w.code_status(which).await.as_deref(), Some("open"));
    assert!(!deeds_of_users(&w.app).await.contains(&"account.wrong_reset_code".to_owned()));
    w.try_code(&format!("{first}{second}")).await.expect("still good");
});

on_both!(many_tries_at_once_are_counted_one_by_one, |test| {
    let w = world(test).await;
    let (which, first, _) = w.code().await;
    let code = format!("{first} 0000-0000");
    let tries = futures_util::future::join_all((0..12).map(|_| w.try_code(&code))).await;
    assert!(tries.iter().all(Result::is_err));
    assert_eq!(w.code_status(which).await.as_deref(), Some("tried_out"));
    let done = deeds_of_users(&w.app).await;
    assert_eq!(done.iter().filter(|action| *action == "account.wrong_reset_code").count(), 5);
});

on_both!(a_code_lasts_a_day_and_the_next_one_replaces_it, |test| {
    let w = world(test).await;
    let (old, first, second) = w.code().await;
    let next = w.asked().await;
    assert_eq!(w.code_status(old).await.as_deref(), Some("replaced"));
    w.is_refused(&format!("{first}{second}")).await;
    approve(&w.app, &w.fin, next).await.expect("approved");
    w.is_refused(&format!("{first}{second}")).await;
    let first = w.half(&w.sue, next).await.expect("the asker's");
    let second = w.half(&w.fin, next).await.expect("the approver's");
    w.test.clock.advance_seconds(DAY);
    w.is_refused(&format!("{first}{second}")).await;
    assert_eq!(w.code_status(next).await.as_deref(), Some("expired"));
    // Nor is a half shown so late.
    let late = w.asked().await;
    approve(&w.app, &w.fin, late).await.expect("approved");
    w.test.clock.advance_seconds(DAY);
    assert_eq!(w.half(&w.sue, late).await, None);
});

on_both!(an_unknown_name_hears_the_same, |test| {
    let w = world(test).await;
    w.test.user("demo").await;
    for name in ["nobody", "ada", "demo"] {
        assert_eq!(why(w.try_for(name, "1234-5678 1234-5678").await), "wrong_reset_code");
    }
    // The provider signs the user in, or nobody ever will again.
    assert_eq!(why(reset_login_password(&w.app, w.sue.clone(), "demo").await), "cannot_change");
    change_status(&w.app, w.sue.clone(), "ada", auth::AccountStatus::Cancelled).await.expect("cancelled");
    assert_eq!(why(reset_login_password(&w.app, w.sue.clone(), "ada").await), "cannot_change");
});

on_both!(tries_count_as_sign_ins_do, |test| {
    let w = world(test).await;
    let (_, first, second) = w.code().await;
    let try_from = async |address: &str, code: &str| {
        let command = ResetPassword {
            username: "ada".into(),
            code: code.into(),
            password: NEW.into(),
            address: Some(address.parse().expect("an address")),
        };
        reset_password(&w.app, command).await
    };
    let (guess, right) = ("1234-5678 1234-5678", format!("{first}{second}"));
    for _ in 0..25 {
        assert_eq!(why(try_from("203.0.113.5", guess).await), "wrong_reset_code");
    }
    for code in [guess, &right] {
        assert_eq!(why(try_from("203.0.113.5", code).await), "too_many_requests");
    }
    // By network alone: nobody keeps a user from signing in, or from the code that they were given.
    assert!(w.may_sign_in(OLD).await);
    try_from("203.0.113.6", &right).await.expect("set");
});

on_both!(what_the_registration_refuses_uses_no_try, |test| {
    let w = world(test).await;
    let (which, first, second) = w.code().await;
    for password in ["short", "password1", "ada"] {
        let command = ResetPassword {
            username: "ada".into(),
            code: format!("{first}{second}"),
            password: password.into(),
            address: None,
        };
        assert!(why(reset_password(&w.app, command).await).starts_with("password="), "{password}");
    }
    assert_eq!(w.code_status(which).await.as_deref(), Some("open"));
    w.try_code(&format!("{first}{second}")).await.expect("set");
});

on_both!(without_a_transaction_password_seven_days_pass, |test| {
    let w = world(test.turned_live()).await;
    let (_, first, second) = w.code().await;
    w.try_code(&format!("{first}{second}")).await.expect("set");
    let until = w.test.clock.now().plus_seconds(7 * DAY);
    let error = set_first(&w).await.expect_err("refused");
    let foundation::Error::Refused(refusal) = error else { panic!("{error}") };
    assert_eq!(refusal, Refusal::PaySetupOnHold { until, retry_after: 7 * DAY });
    assert_eq!(why(bind(&w).await), "pay_setup_on_hold");
    assert_eq!(property(&w.app, w.user).await.expect("read").payouts_held_until, Some(until));
    let blocks = account_detail(&w.app, "ada").await.expect("shown").withdrawal.blocks;
    let ends: Vec<_> = blocks.iter().map(|block| (block.key.as_str(), block.until)).collect();
    assert!(ends.contains(&("pay_setup_on_hold", Some(until))), "{ends:?}");
    assert!(ends.contains(&("payout_on_hold", Some(until))), "{ends:?}");
    w.test.clock.advance_seconds(7 * DAY - 1);
    assert_eq!(why(set_first(&w).await), "pay_setup_on_hold");
    w.test.clock.advance_seconds(1);
    bind(&w).await.expect("bound");
    set_first(&w).await.expect("set");
    assert!(verify_audit(&w.app, None).await.expect("verified").ok);
});

on_both!(with_a_transaction_password_payouts_wait_a_day, |test| {
    let w = world(test.turned_live()).await;
    set_first(&w).await.expect("set");
    let (_, first, second) = w.code().await;
    assert_eq!(property(&w.app, w.user).await.expect("read").payouts_held_until, None);
    w.try_code(&format!("{first}{second}")).await.expect("set");
    let until = w.test.clock.now().plus_seconds(DAY);
    assert_eq!(property(&w.app, w.user).await.expect("read").payouts_held_until, Some(until));
});

on_both!(a_shorter_hold_shortens_none, |test| {
    let w = world(test.turned_live()).await;
    let (_, first, second) = w.code().await;
    w.try_code(&format!("{first}{second}")).await.expect("set");
    let until = w.test.clock.now().plus_seconds(7 * DAY);
    foundation::people::pay_password::reset_pay_password(&w.app, w.sue.clone(), "ada").await.expect("reset");
    assert_eq!(property(&w.app, w.user).await.expect("read").payouts_held_until, Some(until));
});

/// As somebody with access to the database does it.
async fn edit(w: &World, sql: String) {
    let edited = w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
    edited.await.expect("edited");
}

on_both!(a_code_that_is_moved_to_another_account_opens_nothing, |test| {
    let w = world(test).await;
    let victim = w.test.user("victim").await;
    let (_, first, second) = w.code().await;
    edit(&w, format!("UPDATE login_resets SET user_id = {victim}")).await;
    assert_eq!(why(w.try_for("victim", &format!("{first} {second}")).await), "wrong_reset_code");
    edit(&w, format!("UPDATE login_resets SET user_id = {}, approver_half = asker_half", w.user)).await;
    w.is_refused(&format!("{first} {first}")).await;
});

on_both!(nobody_is_shown_the_half_of_another_by_editing_who_approved, |test| {
    let w = world(test).await;
    let boss = staff(&w.test, "boss", Role::Admin).await;
    let which = w.asked().await;
    approve(&w.app, &w.fin, which).await.expect("approved");
    let of = |asked: &Staff, approved: &Staff| {
        let (one, other) = (asked.id(), approved.id());
        format!(
            "UPDATE money_requests SET requested_by = {one}, requested_person = {one}, decided_by = {other}, \
             decided_person = {other}"
        )
    };
    for edited in [of(&w.sue, &boss), of(&boss, &w.fin)] {
        edit(&w, edited).await;
        assert_eq!(why(show_to(&w.app, &boss, which).await), "request_altered");
    }
    edit(&w, of(&w.sue, &w.fin)).await;
    for by in [&w.sue, &w.fin] {
        w.half(by, which).await.expect("their own");
    }
});

// The approver reads their half to whom the request is about, who may be an accomplice.
on_both!(no_half_is_shown_of_a_code_that_was_moved_before, |test| {
    let w = world(test).await;
    let victim = w.test.user("victim").await;
    let which = w.asked().await;
    approve(&w.app, &w.fin, which).await.expect("approved");
    edit(&w, format!("UPDATE login_resets SET user_id = {victim}")).await;
    for by in [&w.sue, &w.fin] {
        assert_eq!(why(show_to(&w.app, by, which).await), "request_altered");
    }
    edit(&w, format!("UPDATE login_resets SET user_id = {}", w.user)).await;
    for by in [&w.sue, &w.fin] {
        w.half(by, which).await.expect("their own");
    }
});
