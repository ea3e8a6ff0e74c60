//! Operators' decisions on withdrawals.

use auth::Role;
use base::WithdrawalId;
use desk::requests::{approve, reject, show};
use diesel::connection::SimpleConnection;
use foundation::people::pay_password::Proof;
use foundation::staff::Staff;
use foundation::staff::audit_log::{AuditFilter, audit_lines, verify_audit};
use foundation::staff::limits::set_limit;
use foundation::staff::requests::RequestRef;
use money::wallet::payment_files::unpaid::GivenBack;
use money::wallet::verify::verify;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{
    WithdrawalFilter, all_withdrawals, approve_withdrawal, cancel_withdrawal, pace, pay_withdrawal, reject_withdrawal,
};
use payee::testing::tron_address;
use store::{PageRequest, on_both};
use wallet::WithdrawalStatus;

use crate::support::{World, address, bind, funded, money, why};

fn of(status: WithdrawalStatus) -> WithdrawalFilter {
    WithdrawalFilter { status: Some(status), user: None }
}

async fn asked(w: &World, amount: &str) -> WithdrawalId {
    let view =
        withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: amount.parse().expect("an amount"), key: None })
            .await
            .expect("accepted");
    view.id
}

on_both!(two_people_let_money_out, |test| {
    let w = funded(test, "100").await;
    let id = asked(&w, "40").await;
    assert_eq!(why(pay_withdrawal(&w.app, &w.bob, id, None).await), "not_approved");
    let approved = approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    assert_eq!((approved.status.name(), approved.decided_at), ("approved", None));
    assert_eq!(why(pay_withdrawal(&w.app, &w.ann, id, None).await), "second_person_needed");
    assert_eq!(w.property().await.withdrawing, money("40"));

    let paid = pay_withdrawal(&w.app, &w.bob, id, Some("B-1".into())).await.expect("paid");
    assert_eq!(paid.status.name(), "paid");
    assert!(paid.decided_at.is_some());
    let figures = w.property().await;
    assert_eq!((figures.withdrawing, figures.available, figures.total_assets), (money("0"), money("60"), money("60")));
});

on_both!(what_was_edited_since_its_user_asked_is_not_approved, |test| {
    let w = funded(test, "100").await;
    let (id, all) = (asked(&w, "40").await, asked(&w, "60").await);
    let other = w.test.user("other").await;
    let edit = async |set: String| {
        let sql = format!("UPDATE withdrawals SET {set} WHERE id = {id}");
        let done = w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
        done.await.expect("written past the program");
    };
    let (own, amount) = (format!("user_id = {}", w.user), "amount = 4000".to_owned());
    for (edited, was) in [("amount = 6000".to_owned(), amount), (format!("user_id = {other}"), own)] {
        edit(edited.clone()).await;
        assert_eq!(why(approve_withdrawal(&w.app, &w.ann, id).await), "request_altered", "{edited}");
        edit(was).await;
    }
    for id in [id, all] {
        approve_withdrawal(&w.app, &w.ann, id).await.expect("as its user asked");
    }
});

on_both!(what_was_given_back_is_not_approved_again, |test| {
    let w = funded(test, "100").await;
    let (id, other) = (asked(&w, "40").await, asked(&w, "40").await);
    reject_withdrawal(&w.app, &w.ann, id).await.expect("given back");
    let waits = WithdrawalStatus::Pending.code();
    let sql = format!("UPDATE withdrawals SET status = {waits}, decided_at = NULL, reason = '' WHERE id = {id}");
    let done = w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?)).await;
    done.expect("written past the program");
    assert_eq!(why(approve_withdrawal(&w.app, &w.ann, id).await), "request_altered");
    approve_withdrawal(&w.app, &w.ann, other).await.expect("as its user asked");
});

on_both!(a_decision_is_final, |test| {
    let w = funded(test, "100").await;
    let id = asked(&w, "40").await;
    approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    assert_eq!(why(approve_withdrawal(&w.app, &w.bob, id).await), "already_decided");
    pay_withdrawal(&w.app, &w.bob, id, None).await.expect("paid");
    assert_eq!(why(pay_withdrawal(&w.app, &w.bob, id, None).await), "already_decided");
    assert_eq!(why(reject_withdrawal(&w.app, &w.ann, id).await), "already_decided");
    assert_eq!(w.property().await.total_assets, money("60"));
});

on_both!(rejected_money_comes_back_with_the_reason, |test| {
    let w = funded(test, "100").await;
    let id = asked(&w, "40").await;
    let Ok(GivenBack::Done(rejected)) = reject_withdrawal(&w.app, &w.ann, id).await else { panic!("not rejected") };
    assert_eq!((rejected.status.name(), rejected.reason.as_str()), ("rejected", "a test"));
    assert_eq!(w.lines().await[0], "refund 40.00 100.00");
    assert_eq!(w.statement().await.lines.items[0].remark, "a test");
    assert_eq!(why(approve_withdrawal(&w.app, &w.bob, id).await), "already_decided");
});

/// What was approved, to be given back.
async fn unpaid(w: &World, by: &Staff, id: WithdrawalId) -> RequestRef {
    match reject_withdrawal(&w.app, by, id).await.expect("requested") {
        GivenBack::Asked(asked) => asked.id.into(),
        GivenBack::Done(withdrawal) => panic!("one alone gave back {withdrawal:?}"),
    }
}

on_both!(what_was_approved_is_given_back_by_two, |test| {
    let w = funded(test, "100").await;
    let id = asked(&w, "40").await;
    approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    let telling = Staff::new(w.test.operator("eve", Role::Finance).await, "see pay.example").expect("a reason");
    assert_eq!(why(reject_withdrawal(&w.app, &telling, id).await), "reason=link");
    let which = unpaid(&w, &w.ann, id).await;
    assert_eq!(unpaid(&w, &w.bob, id).await, which, "it is requested once");
    let shown = show(&w.app, which).await.expect("shown");
    assert_eq!((shown.kind.name(), shown.amount, shown.user_id), ("unpaid", money("40"), Some(w.user)));
    assert_eq!(shown.proposal, Some(serde_json::json!({ "withdrawal": { "from": null, "to": id.to_string() } })));
    assert_eq!(why(approve(&w.app, &w.ann, which).await), "second_person_needed");
    assert_eq!(why(approve(&w.app, &w.carl, which).await), "not_permitted");
    assert_eq!(w.property().await.withdrawing, money("40"), "nothing moves before another agrees");
    // Rejecting the request leaves the withdrawal to be paid.
    reject(&w.app, &w.bob, which).await.expect("rejected");
    let which = unpaid(&w, &w.bob, id).await;
    approve(&w.app, &w.ann, which).await.expect("agreed");
    let figures = w.property().await;
    assert_eq!((figures.withdrawing, figures.available), (money("0"), money("100")));
    assert_eq!(w.lines().await[0], "refund 40.00 100.00");
    assert_eq!(w.statement().await.lines.items[0].remark, "a test");
    assert_eq!(why(pay_withdrawal(&w.app, &w.bob, id, None).await), "already_decided");
    assert!(verify(&w.app).await.expect("verified").ok);
    let audit = verify_audit(&w.app, None).await.expect("verified");
    assert!(audit.ok, "{audit:?}");
});

on_both!(giving_back_counts_for_both, |test| {
    let w = funded(test, "100").await;
    let id = asked(&w, "40").await;
    approve_withdrawal(&w.app, &w.bob, id).await.expect("approved");
    set_limit(&w.app, &w.bob, Role::Finance, "39.99", "1000").await.expect("set");
    assert_eq!(why(reject_withdrawal(&w.app, &w.ann, id).await), "limit_exceeded");
    let which = unpaid(&w, &w.bob, id).await;
    assert_eq!(why(approve(&w.app, &w.ann, which).await), "limit_exceeded");
    assert_eq!(w.property().await.withdrawing, money("40"));
});

on_both!(its_user_takes_it_back_until_somebody_has_approved_it, |test| {
    let w = funded(test, "100").await;
    let (first, second) = (asked(&w, "40").await, asked(&w, "30").await);
    let cancelled = cancel_withdrawal(&w.app, w.user, first, None).await.expect("cancelled");
    assert_eq!((cancelled.status.name(), cancelled.reason.as_str()), ("cancelled", ""));
    assert!(cancelled.decided_at.is_some());
    assert_eq!(w.lines().await[0], "refund 40.00 70.00");
    assert_eq!(why(cancel_withdrawal(&w.app, w.user, first, None).await), "already_decided");
    assert_eq!(why(approve_withdrawal(&w.app, &w.ann, first).await), "already_decided");

    approve_withdrawal(&w.app, &w.ann, second).await.expect("approved");
    assert_eq!(why(cancel_withdrawal(&w.app, w.user, second, None).await), "already_decided");
    let figures = w.property().await;
    assert_eq!((figures.withdrawing, figures.available), (money("30"), money("70")));
    let records = audit_lines(&w.app, AuditFilter::default(), PageRequest::default()).await.expect("listed");
    assert!(records.items.iter().any(|record| record.action == "withdrawal.cancel"));
    let audit = verify_audit(&w.app, None).await.expect("verified");
    assert!(audit.ok, "{audit:?}");
    let verified = money::wallet::verify::verify(&w.app).await.expect("verified");
    assert!(verified.ok, "{verified:?}");

    let other = w.test.user("other").await;
    assert_eq!(why(cancel_withdrawal(&w.app, other, second, None).await), "not_found");
});

on_both!(cancelling_and_approving_at_once_does_one, |test| {
    let w = funded(test, "100").await;
    let id = asked(&w, "100").await;
    let tasks: Vec<_> = (0..16)
        .map(|n| {
            let (app, ann, user) = (w.app.clone(), w.ann.clone(), w.user);
            tokio::spawn(async move {
                if n % 2 == 0 {
                    cancel_withdrawal(&app, user, id, None).await
                } else {
                    approve_withdrawal(&app, &ann, id).await
                }
            })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        match task.await.expect("no panic") {
            Ok(_) => done += 1,
            refused => assert_eq!(why(refused), "already_decided"),
        }
    }
    assert_eq!(done, 1);
});

on_both!(how_long_they_took_is_measured, |test| {
    let w = funded(test, "100").await;
    for _ in 0..2 {
        let id = asked(&w, "1").await;
        approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
        pay_withdrawal(&w.app, &w.bob, id, None).await.expect("paid");
    }
    assert_eq!(pace(&w.app).await.expect("measured").half_within, None);
    let id = asked(&w, "1").await;
    approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    w.test.clock.advance_seconds(7_200);
    pay_withdrawal(&w.app, &w.bob, id, None).await.expect("paid");
    let pace = pace(&w.app).await.expect("measured");
    assert_eq!((pace.measured, pace.half_within, pace.all_within), (3, Some(0), Some(7_200)));
});

on_both!(unknown_ones_are_not_found, |test| {
    let w = funded(test, "100").await;
    let id = WithdrawalId(77);
    assert_eq!(why(approve_withdrawal(&w.app, &w.ann, id).await), "not_found");
    assert_eq!(why(pay_withdrawal(&w.app, &w.ann, id, None).await), "not_found");
    assert_eq!(why(reject_withdrawal(&w.app, &w.ann, id).await), "not_found");
});

on_both!(it_is_paid_where_it_was_asked_to_be, |test| {
    let w = funded(test, "100").await;
    asked(&w, "40").await;
    bind(&w.app, w.user, address("other")).await.expect("bound anew");
    asked(&w, "1").await;
    let page = PageRequest::default();
    let all = all_withdrawals(&w.app, of(WithdrawalStatus::Pending), page).await.expect("a list").items;
    assert!(
        all[0].destination["address"] == tron_address("other")
            && all[1].destination["address"] == tron_address("first")
    );
    assert_eq!(all[0].username, "demo");
    assert!(all_withdrawals(&w.app, of(WithdrawalStatus::Paid), page).await.expect("a list").items.is_empty());
    for (user, count) in [(w.user, 2), (w.test.user("other").await, 0)] {
        let wanted = WithdrawalFilter { user: Some(user), status: None };
        assert_eq!(all_withdrawals(&w.app, wanted, page).await.expect("a list").items.len(), count);
    }
});

on_both!(paying_and_giving_back_at_once_does_one, |test| {
    let w = funded(test, "100").await;
    let id = asked(&w, "100").await;
    approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    let which = unpaid(&w, &w.ann, id).await;
    let tasks: Vec<_> = (0..16)
        .map(|n| {
            let (app, bob) = (w.app.clone(), w.bob.clone());
            tokio::spawn(async move {
                if n % 2 == 0 {
                    pay_withdrawal(&app, &bob, id, None).await.map(drop)
                } else {
                    approve(&app, &bob, which).await.map(drop)
                }
            })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        match task.await.expect("no panic") {
            Ok(_) => done += 1,
            refused => assert_eq!(why(refused), "already_decided"),
        }
    }
    let figures = w.property().await;
    assert_eq!((done, figures.withdrawing), (1, money("0")));
});

on_both!(money_is_for_its_roles_and_every_decision_is_audited, |test| {
    let w = funded(test, "100").await;
    let id = asked(&w, "40").await;
    assert_eq!(why(approve_withdrawal(&w.app, &w.carl, id).await), "not_permitted");
    assert_eq!(why(pay_withdrawal(&w.app, &w.carl, id, None).await), "not_permitted");
    assert_eq!(why(reject_withdrawal(&w.app, &w.carl, id).await), "not_permitted");
    approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
    pay_withdrawal(&w.app, &w.bob, id, Some("B-1".into())).await.expect("paid");

    let page = audit_lines(&w.app, AuditFilter { by_staff: true, ..AuditFilter::default() }, PageRequest::default())
        .await
        .expect("the audit");
    let deeds: Vec<_> =
        page.items.iter().map(|r| format!("{} {} {} {}", r.operator, r.action, r.subject, r.reason)).collect();
    let expected = [
        "bob withdrawal.pay withdrawal:1 a test",
        "ann withdrawal.approve withdrawal:1 a test",
        "bob recharge.approve recharge:1 a test",
        "ann recharge.request recharge:1 a test",
    ];
    assert_eq!(deeds, expected);
    let paid = &page.items[0].details;
    assert_eq!(paid["status"], serde_json::json!({ "from": "approved", "to": "paid" }));
    assert_eq!(paid["reference"], serde_json::json!({ "from": null, "to": "B-1" }));
    assert!(verify_audit(&w.app, None).await.expect("checked").ok);
});
