//! Rules for requests of every kind: time, limits, and who counts as which person.

use auth::Role;
use base::{RequestId, hex};
use desk::requests::{MoneyRequestDraft, approve, expire_due, reject, request, requests, show};
use diesel::connection::SimpleConnection;
use foundation::Error;
use foundation::people::pay_password::Proof;
use foundation::staff::Staff;
use foundation::staff::limits::{LimitOutcome, set_limit};
use foundation::staff::operator_keys::{confirm_operator, revoke_operator, rotate_operator};
use foundation::staff::operators::{add_operator, sign_in};
use foundation::staff::requests::{RequestFilter, RequestKind, RequestRef, Subject, kinds};
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal};
use serde_json::json;
use sha2::{Digest, Sha256};
use store::staff::audit;
use store::staff::requests::{NewRequest, insert};
use store::{PageRequest, on_both};
use wallet::{RequestReview, RequestStatus};

use crate::support::{World, funded, money, why, world};

const WEEK: i64 = 7 * 86_400;
const PAGE: PageRequest = PageRequest { before: None, limit: 20 };

async fn asked(w: &World, ask: MoneyRequestDraft) -> RequestRef {
    request(&w.app, &w.ann, ask).await.expect("requested").id.into()
}

/// The statuses of requests listed under this one.
async fn listed(w: &World, status: RequestStatus) -> Vec<String> {
    let wanted = RequestFilter { status: Some(status), ..RequestFilter::default() };
    let found = requests(&w.app, wanted, PAGE).await.expect("a list").items;
    found.into_iter().map(|one| format!("{} {}", one.kind, one.status)).collect()
}

on_both!(what_nobody_approves_in_seven_days_expires, |test| {
    let w = world(test).await;
    let ask = || MoneyRequestDraft::recharge(w.user, "10", "B-1");
    let which = asked(&w, ask()).await;
    asked(&w, MoneyRequestDraft::grant(w.user, "5")).await;
    w.test.clock.advance_seconds(WEEK - 1);
    assert_eq!(listed(&w, RequestStatus::Requested).await.len(), 2);
    w.test.clock.advance_seconds(1);
    assert_eq!(listed(&w, RequestStatus::Requested).await, [""; 0]);
    let expired = ["promotion_grant expired", "recharge expired"];
    assert_eq!(listed(&w, RequestStatus::Expired).await, expired, "before anything is written");
    assert_eq!(why(approve(&w.app, &w.bob, which).await), "request_expired");
    assert_eq!(why(reject(&w.app, &w.ann, which).await), "request_expired");

    expire_due(&w.app).await.expect("written");
    expire_due(&w.app).await.expect("nothing left");
    assert_eq!(listed(&w, RequestStatus::Expired).await, expired);
    let shown = show(&w.app, which).await.expect("shown");
    assert_eq!((shown.status.name(), shown.decided_by, shown.approved_at), ("expired", None, None));
    assert_eq!(why(approve(&w.app, &w.bob, which).await), "request_expired");
    let deeds =
        w.app.db.read(|conn| audit::page(conn, &audit::AuditFilter::default(), PAGE)).await.expect("the audit").items;
    let told: Vec<_> = deeds.iter().take(2).map(|one| format!("{} {}", one.operator_name, one.action)).collect();
    assert!(told.contains(&"system recharge.expire".to_owned()), "{told:?}");
    // Its reference can be used again, and a new request is approved.
    w.book(ask()).await;
    assert_eq!(w.property().await.available, money("10"));
});

on_both!(the_user_of_an_expired_recharge_is_told_once, |test| {
    let w = world(test).await;
    asked(&w, MoneyRequestDraft::recharge(w.user, "10", "B-1")).await;
    asked(&w, MoneyRequestDraft::startup_loan(w.user, "5")).await;
    w.test.clock.advance_seconds(WEEK);
    let (one, other) = tokio::join!(expire_due(&w.app), expire_due(&w.app));
    one.and(other).expect("written");
    use foundation::notifications::{NotificationQuery, list_notifications};
    let told =
        list_notifications(&w.app, w.user, i18n::Lang::En, NotificationQuery::default()).await.expect("notices").items;
    let titles: Vec<_> = told.iter().map(|notice| notice.title.as_str()).collect();
    assert_eq!(titles, ["Recharge not credited"]);
});

on_both!(a_request_that_waits_bars_leaving_until_it_expires, |test| {
    let w = world(test).await;
    asked(&w, MoneyRequestDraft::startup_loan(w.user, "5")).await;
    let open = async || {
        let (user, now) = (w.user, w.app.now());
        let kinds = [wallet::RequestKind::Recharge, wallet::RequestKind::StartupLoan];
        w.app.db.read(move |conn| store::staff::requests::has_open(conn, user, &kinds, now)).await.expect("read")
    };
    assert!(open().await);
    w.test.clock.advance_seconds(WEEK);
    assert!(!open().await);
});

on_both!(limits_bound_each_request_and_the_day, |test| {
    let w = world(test).await;
    set_limit(&w.app, &w.bob, Role::Finance, "100", "150").await.expect("set");
    let ask = async |amount: &str, reference: &str| {
        request(&w.app, &w.ann, MoneyRequestDraft::recharge(w.user, amount, reference)).await
    };
    let told = ask("100.01", "a").await.expect_err("refused");
    assert!(format!("{told:?}").contains("10000"), "{told:?}");
    assert_eq!(why(ask("100.01", "a").await), "limit_exceeded");
    ask("100", "a").await.expect("requested");
    assert_eq!(why(ask("50.01", "b").await), "limit_exceeded");
    ask("50", "b").await.expect("all of the day");
    assert_eq!(why(ask("0.01", "c").await), "limit_exceeded");
    w.test.clock.advance_seconds(86_400);
    ask("0.01", "c").await.expect("another day");
    assert_eq!(requests(&w.app, RequestFilter::default(), PAGE).await.expect("a list").items.len(), 3);
});

on_both!(midnight_begins_no_other_limit, |test| {
    let w = world(test).await;
    let midnight = 86_400 - w.test.clock.now().seconds().rem_euclid(86_400);
    w.test.clock.advance_seconds(midnight - 60);
    set_limit(&w.app, &w.bob, Role::Finance, "100", "100").await.expect("set");
    let ask = async |amount: &str| {
        let reference = format!("{amount} at {}", w.test.clock.now());
        request(&w.app, &w.ann, MoneyRequestDraft::recharge(w.user, amount, &reference)).await
    };
    ask("60").await.expect("60 of 100");
    w.test.clock.advance_seconds(120);
    assert_eq!(why(ask("40.01").await), "limit_exceeded");
    ask("40").await.expect("100 of 100");
    w.test.clock.advance_seconds(86_400 - 121);
    assert_eq!(why(ask("0.01").await), "limit_exceeded");
    // The first is a day old now, the second is not.
    w.test.clock.advance_seconds(1);
    assert_eq!(why(ask("60.01").await), "limit_exceeded");
    ask("60").await.expect("100 of 100");
    // A clock that is set back makes no room.
    w.test.clock.advance_seconds(-43_200);
    assert_eq!(why(ask("0.01").await), "limit_exceeded");
});

on_both!(approving_counts_as_well, |test| {
    let w = world(test).await;
    set_limit(&w.app, &w.bob, Role::Finance, "100", "100").await.expect("set");
    let by_bob = async |amount: &str| {
        let asked = request(&w.app, &w.bob, MoneyRequestDraft::grant(w.user, amount)).await.expect("requested");
        asked.id.into()
    };
    let (large, one, two) = (by_bob("100.01").await, by_bob("60").await, by_bob("60").await);
    assert_eq!(why(approve(&w.app, &w.ann, large).await), "limit_exceeded");
    approve(&w.app, &w.ann, one).await.expect("approved");
    assert_eq!(why(approve(&w.app, &w.ann, two).await), "limit_exceeded");
    assert_eq!(w.property().await.promotional, money("60"));
    reject(&w.app, &w.ann, two).await.expect("one may always say no");
});

on_both!(of_deeds_at_once_no_more_than_the_day_allows_are_done, |test| {
    let w = std::sync::Arc::new(world(test).await);
    set_limit(&w.app, &w.bob, Role::Finance, "50", "50").await.expect("set");
    let others = [w.test.user("one").await, w.test.user("two").await, w.test.user("three").await];
    let tasks: Vec<_> = (0..15)
        .map(|n| {
            let (w, user) = (w.clone(), others[n % 3]);
            tokio::spawn(async move { request(&w.app, &w.ann, MoneyRequestDraft::grant(user, "10")).await.is_ok() })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += usize::from(task.await.expect("no panic"));
    }
    assert_eq!(done, 5);
});

on_both!(what_somebody_asked_for_is_not_approved_once_they_are_revoked, |test| {
    let w = world(test).await;
    let dora = Staff::new(w.test.operator("dora", Role::Admin).await, "a test").expect("a reason");
    let asked = request(&w.app, &dora, MoneyRequestDraft::recharge(w.user, "60", "LEFT-1")).await.expect("requested");
    let done = request(&w.app, &dora, MoneyRequestDraft::recharge(w.user, "40", "LEFT-2")).await.expect("requested");
    approve(&w.app, &w.ann, done.id.into()).await.expect("approved while she was there");
    revoke_operator(&w.app, &w.bob, "dora").await.expect("revoked");
    for by in [&w.ann, &w.bob] {
        assert_eq!(why(approve(&w.app, by, asked.id.into()).await), "second_person_needed");
    }
    assert_eq!(w.property().await.available, money("40.00"));
    reject(&w.app, &w.ann, asked.id.into()).await.expect("rejected");
    let anew = request(&w.app, &w.ann, MoneyRequestDraft::recharge(w.user, "60", "LEFT-1")).await.expect("requested");
    approve(&w.app, &w.bob, anew.id.into()).await.expect("approved");
    assert_eq!(w.property().await.available, money("100.00"));
});

/// Bob adds an operator of finance, who counts as him.
async fn added(w: &World, name: &str) -> Staff {
    let (_, key) = add_operator(&w.app, Some(w.bob.clone()), name, Role::Finance).await.expect("added");
    Staff::new(sign_in(&w.app, name, key.text()).await.expect("signed in"), "a test").expect("a reason")
}

on_both!(a_person_with_more_names_has_no_more_days, |test| {
    let w = world(test).await;
    set_limit(&w.app, &w.bob, Role::Finance, "100", "100").await.expect("set");
    let (dora, eve) = (added(&w, "dora").await, added(&w, "eve").await);
    let ask = async |by: &Staff, amount: &str| {
        let reference = format!("{} {amount}", by.name());
        request(&w.app, by, MoneyRequestDraft::recharge(w.user, amount, &reference)).await
    };
    ask(&dora, "60").await.expect("60 of 100");
    assert_eq!(why(ask(&eve, "40.01").await), "limit_exceeded");
    revoke_operator(&w.app, &w.bob, "dora").await.expect("revoked");
    assert_eq!(why(ask(&eve, "40.01").await), "limit_exceeded");
    assert_eq!(why(ask(&added(&w, "fay").await, "40.01").await), "limit_exceeded");
    ask(&eve, "40").await.expect("100 of 100");
    let by_ann = ask(&w.ann, "0.01").await.expect("another person has a day of her own");
    assert_eq!(why(approve(&w.app, &eve, by_ann.id.into()).await), "limit_exceeded");
    approve(&w.app, &w.bob, by_ann.id.into()).await.expect("an admin's day is longer");
    w.test.clock.advance_seconds(86_400);
    ask(&eve, "0.01").await.expect("another day");
});

on_both!(of_deeds_at_once_by_more_names_no_more_are_done, |test| {
    let w = std::sync::Arc::new(world(test).await);
    set_limit(&w.app, &w.bob, Role::Finance, "50", "50").await.expect("set");
    let names = [added(&w, "dora").await, added(&w, "eve").await, added(&w, "fay").await];
    let others = [w.test.user("one").await, w.test.user("two").await, w.test.user("three").await];
    let tasks: Vec<_> = (0..15)
        .map(|n| {
            let (w, by, user) = (w.clone(), names[n % 3].clone(), others[n / 5]);
            tokio::spawn(async move { request(&w.app, &by, MoneyRequestDraft::grant(user, "10")).await.is_ok() })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += usize::from(task.await.expect("no panic"));
    }
    assert_eq!(done, 5);
});

on_both!(withdrawals_obey_limits, |test| {
    let w = funded(test, "100").await;
    let of = async |amount: &str| {
        let command = Withdraw { amount: amount.parse().expect("an amount"), key: None };
        withdraw(&w.app, Proof::assumed(w.user), command).await.expect("asked").id
    };
    let id = of("40").await;
    set_limit(&w.app, &w.bob, Role::Finance, "39.99", "1000").await.expect("set");
    assert_eq!(why(approve_withdrawal(&w.app, &w.ann, id).await), "limit_exceeded");
    approve_withdrawal(&w.app, &w.bob, id).await.expect("approved");
    assert_eq!(why(pay_withdrawal(&w.app, &w.ann, id, None).await), "limit_exceeded");
    let Ok(LimitOutcome::Asked(raised)) = set_limit(&w.app, &w.bob, Role::Finance, "40", "1000").await else {
        panic!("one person raised a limit")
    };
    approve(&w.app, &w.ann, raised.id.into()).await.expect("approved");
    pay_withdrawal(&w.app, &w.ann, id, None).await.expect("paid");
});

on_both!(a_key_in_ones_own_hands_is_no_second_person, |test| {
    let w = funded(test, "100").await;
    let which = asked(&w, MoneyRequestDraft::startup_loan(w.user, "5")).await;
    let id = withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: "40".parse().expect("an amount"), key: None })
        .await
        .expect("asked");
    let id = id.id;
    approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    // Bob rotates Ann's key, and so has it, after she made the request.
    rotate_operator(&w.app, &w.bob, "ann").await.expect("rotated");
    assert_eq!(why(approve(&w.app, &w.bob, which).await), "second_person_needed");
    assert_eq!(why(pay_withdrawal(&w.app, &w.bob, id, None).await), "second_person_needed");
    assert_eq!(w.property().await.available, money("60"));
});

on_both!(who_asked_stays_the_person_that_they_were_then, |test| {
    let w = funded(test, "100").await;
    // An admin adds Xena, keeps her key, and makes a request with it.
    let boss = Staff::new(w.test.operator("boss", Role::Admin).await, "a test").expect("a reason");
    add_operator(&w.app, Some(boss.clone()), "xena", Role::Finance).await.expect("added");
    let xena = w.app.db.read(store::staff::operators::all).await.expect("operators");
    let xena = xena.into_iter().find(|one| one.name == "xena").expect("xena");
    let xena = Staff::new(xena, "a test").expect("a reason");
    let asked = request(&w.app, &xena, MoneyRequestDraft::startup_loan(w.user, "5")).await.expect("requested");
    let which: RequestRef = asked.id.into();
    let of = async |amount: &str| {
        let command = Withdraw { amount: amount.parse().expect("an amount"), key: None };
        withdraw(&w.app, Proof::assumed(w.user), command).await.expect("asked").id
    };
    let out = of("40").await;
    approve_withdrawal(&w.app, &xena, out).await.expect("approved");
    // Bob confirms Xena later, in good faith.
    rotate_operator(&w.app, &xena, "xena").await.expect("rotated");
    confirm_operator(&w.app, &w.bob, "xena").await.expect("confirmed");
    assert_eq!(why(approve(&w.app, &boss, which).await), "second_person_needed");
    assert_eq!(why(pay_withdrawal(&w.app, &boss, out, None).await), "second_person_needed");
    assert_eq!(w.property().await.available, money("60"));
    // From now on she is a person of her own, and a third may approve her request.
    approve(&w.app, &w.bob, which).await.expect("approved");
    let asked = request(&w.app, &xena, MoneyRequestDraft::startup_loan(w.user, "5")).await.expect("requested");
    approve(&w.app, &boss, asked.id.into()).await.expect("approved");
});

on_both!(who_was_confirmed_after_it_was_asked_for_does_not_approve_it, |test| {
    let w = funded(test, "100").await;
    let boss = Staff::new(w.test.operator("boss", Role::Admin).await, "a test").expect("a reason");
    let asked = request(&w.app, &boss, MoneyRequestDraft::startup_loan(w.user, "5")).await.expect("requested");
    let which: RequestRef = asked.id.into();
    let command = Withdraw { amount: "40".parse().expect("an amount"), key: None };
    let out = withdraw(&w.app, Proof::assumed(w.user), command).await.expect("asked").id;
    approve_withdrawal(&w.app, &boss, out).await.expect("approved");
    // Now the boss invents Pat, and Bob confirms in good faith that Pat exists.
    w.test.clock.advance_seconds(1);
    add_operator(&w.app, Some(boss.clone()), "pat", Role::Finance).await.expect("added");
    let pat = w.app.db.read(store::staff::operators::all).await.expect("operators");
    let pat = pat.into_iter().find(|one| one.name == "pat").expect("pat");
    let pat = Staff::new(pat, "a test").expect("a reason");
    rotate_operator(&w.app, &pat, "pat").await.expect("rotated");
    confirm_operator(&w.app, &w.bob, "pat").await.expect("confirmed");
    assert_eq!(why(approve(&w.app, &pat, which).await), "second_person_needed");
    assert_eq!(why(pay_withdrawal(&w.app, &pat, out, None).await), "second_person_needed");
    assert_eq!(w.property().await.available, money("60"));
    // Pat may approve later requests, and somebody else the earlier ones.
    approve(&w.app, &w.bob, which).await.expect("approved");
    let asked = request(&w.app, &boss, MoneyRequestDraft::startup_loan(w.user, "5")).await.expect("requested");
    approve(&w.app, &pat, asked.id.into()).await.expect("approved");
});

on_both!(old_numbers_lead_to_what_they_were, |test| {
    let w = world(test).await;
    let (user, by) = (w.user, w.ann.clone());
    let written = w.app.db.write(move |tx| {
        for kind in [RequestKind::Recharge, RequestKind::Chargeback, RequestKind::PromotionGrant] {
            let new = NewRequest {
                kind,
                subject: Subject::User(user),
                amount: money("1"),
                proposal: None,
                reference: (kind != RequestKind::PromotionGrant).then(|| "R-1".to_owned()),
                reason: "old".to_owned(),
                review: RequestReview::new(by.id(), by.id(), tx.now()),
            };
            insert(tx, &new)?;
            tx.batch_execute("UPDATE money_requests SET old_number = 500").map_err(store::Error::from)?;
            by.record(tx, kinds::actions(kind).request, format!("{}:500", kind.document()), &json!({}))?;
        }
        Ok::<_, Error>(())
    });
    written.await.expect("written");
    assert_eq!(why(show(&w.app, RequestRef::any(RequestId(500))).await), "id=ambiguous");
    for (name, kind) in [("recharge", "recharge"), ("chargeback", "chargeback"), ("promotion", "promotion_grant")] {
        let which: RequestRef = format!("{name}:500").parse().expect("a name");
        assert_eq!(show(&w.app, which).await.expect("shown").kind.name(), kind);
    }
    approve(&w.app, &w.bob, "recharge:500".parse().expect("a name")).await.expect("approved");
    let line = w.statement().await.lines.items.remove(0);
    assert_eq!((line.reference.kind.name(), line.reference.id.as_str()), ("recharge", "500"));
});

/// As somebody with access to the database does it.
async fn edit(w: &World, sql: String) {
    let edited = w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?)).await;
    edited.expect("edited");
}

on_both!(what_was_edited_since_it_was_requested_is_not_approved, |test| {
    let w = world(test).await;
    let other = w.test.user("other").await;
    let asked = request(&w.app, &w.ann, MoneyRequestDraft::recharge(w.user, "10", "B-1")).await.expect("requested");
    let (id, bob, ann) = (asked.id, w.bob.id(), w.ann.id());
    let of_ann = format!("requested_by = {ann}, requested_person = {ann}");
    for (edited, was) in [
        ("amount = 100000".to_owned(), "amount = 1000".to_owned()),
        (format!("user_id = {other}"), format!("user_id = {}", w.user)),
        ("reference = 'B-2'".to_owned(), "reference = 'B-1'".to_owned()),
        ("reason = 'another'".to_owned(), "reason = 'a test'".to_owned()),
        (format!("requested_by = {bob}, requested_person = {bob}"), of_ann.clone()),
        (format!("requested_person = {}", w.carl.id()), of_ann.clone()),
        ("expires_at = expires_at + 1".to_owned(), "expires_at = expires_at - 1".to_owned()),
        ("requested_at = requested_at - 1".to_owned(), "requested_at = requested_at + 1".to_owned()),
    ] {
        edit(&w, format!("UPDATE money_requests SET {edited} WHERE id = {id}")).await;
        let by = if edited.starts_with("requested_by") { &w.ann } else { &w.bob };
        let refused = approve(&w.app, by, id.into()).await.expect_err("refused");
        assert_eq!(refused.key(), "request_altered", "{edited}");
        edit(&w, format!("UPDATE money_requests SET {was} WHERE id = {id}")).await;
    }
    // Another kind has no record under this name, and neither has what nobody requested.
    edit(&w, format!("UPDATE money_requests SET kind = 3 WHERE id = {id}")).await;
    assert_eq!(why(approve(&w.app, &w.bob, id.into()).await), "request_altered");
    edit(&w, format!("UPDATE money_requests SET kind = 1 WHERE id = {id}")).await;
    let put_in = format!(
        "INSERT INTO money_requests (kind, user_id, amount, status, reason, requested_by, requested_person, \
         requested_at, expires_at) SELECT 3, user_id, amount, status, reason, requested_by, requested_person, \
         requested_at, expires_at FROM money_requests WHERE id = {id}"
    );
    edit(&w, put_in).await;
    let open = requests(&w.app, RequestFilter::default(), PAGE).await.expect("a list").items;
    let put_in = open.iter().find(|one| one.id != id).expect("put in").id;
    assert_eq!(why(approve(&w.app, &w.bob, put_in.into()).await), "request_altered");
    assert_eq!(w.property().await.available, money("0"), "nothing was done");
    reject(&w.app, &w.ann, put_in.into()).await.expect("rejected");
    approve(&w.app, &w.bob, id.into()).await.expect("as it was requested");
    assert_eq!(w.property().await.available, money("10"));
});

/// A record that Ann requested this, as version 1 wrote it: its hash covers neither its number nor rows.
fn record_of_request(w: &World, id: i64, subject: &str) -> String {
    let (at, ann) = (w.app.now().millis(), w.ann.id().0);
    let texts = ["ann", "recharge.request", subject, "{}", "a test"];
    let mut hasher = Sha256::new();
    hasher.update([0_u8; 32]);
    hasher.update(at.to_be_bytes());
    hasher.update(ann.to_be_bytes());
    for text in texts {
        hasher.update(u64::try_from(text.len()).expect("short").to_be_bytes());
        hasher.update(text.as_bytes());
    }
    let bytes = |bytes: &[u8]| match w.app.db.sqlite_path() {
        Some(_) => format!("x'{}'", hex::encode(bytes)),
        None => format!("decode('{}', 'hex')", hex::encode(bytes)),
    };
    let [name, action, subject, details, reason] = texts;
    format!(
        "INSERT INTO audit (id, at, operator_id, operator_name, action, subject, details, reason, prev_hash, hash, \
         version) VALUES ({id}, {at}, {ann}, '{name}', '{action}', '{subject}', '{details}', '{reason}', {}, {}, 1)",
        bytes(&[0; 32]),
        bytes(&hasher.finalize())
    )
}

// The servers' role in the database may add to the audit, and nothing else.
on_both!(a_record_that_no_sealed_end_covers_vouches_for_no_request, |test| {
    let w = world(test).await;
    let asked = request(&w.app, &w.ann, MoneyRequestDraft::recharge(w.user, "10", "B-1")).await.expect("requested");
    let subject = format!("recharge:{}", asked.id);
    edit(&w, format!("UPDATE money_requests SET amount = 100000 WHERE id = {}", asked.id)).await;
    edit(&w, record_of_request(&w, 1_000_000, &subject)).await;
    assert_eq!(why(approve(&w.app, &w.bob, asked.id.into()).await), "request_altered");
    // Of what nobody requested, it is the only record.
    let put_in = 900;
    edit(
        &w,
        format!(
            "INSERT INTO money_requests (id, kind, user_id, amount, reference, status, reason, requested_by, \
             requested_person, requested_at, expires_at) SELECT {put_in}, kind, user_id, amount, 'B-2', status, reason, \
             requested_by, requested_person, requested_at, expires_at FROM money_requests WHERE id = {}",
            asked.id
        ),
    )
    .await;
    edit(&w, record_of_request(&w, -1, &format!("recharge:{put_in}"))).await;
    assert_eq!(why(approve(&w.app, &w.bob, RequestId(put_in).into()).await), "request_altered");
    assert_eq!(w.property().await.available, money("0"), "nothing was done");
});
