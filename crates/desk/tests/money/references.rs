//! One payment counts once, however its reference is typed.

use base::Money;
use desk::installation::upgrade::bring_up_to_date;
use desk::requests::{MoneyRequestDraft, approve, reject, request, show};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use foundation::Error;
use foundation::people::pay_password::Proof;
use foundation::staff::requests::RequestRef;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal};
use store::on_both;

use crate::support::{World, funded, why, world};

const TYPED: [&str; 6] =
    ["bank-1", "BANK 1", "BANK-1\u{200b}", "\u{ff22}\u{ff21}\u{ff2e}\u{ff2b}\u{ff0d}1", "Bank\u{a0}1", "BANK\u{2011}1"];

async fn asked(w: &World, reference: &str) -> Result<RequestRef, Error> {
    let made = request(&w.app, &w.ann, MoneyRequestDraft::recharge(w.user, "5", reference)).await?;
    Ok(made.id.into())
}

on_both!(one_reference_is_one_however_it_is_typed, |test| {
    let w = world(test).await;
    let first = asked(&w, "BANK-1").await.expect("asked");
    for typed in TYPED {
        assert_eq!(why(asked(&w, typed).await), "reference_used", "{typed:?}");
    }
    // What was rejected is free, and the next to have it keeps it.
    reject(&w.app, &w.bob, first).await.expect("rejected");
    let second = asked(&w, "bank 1").await.expect("asked");
    assert_eq!(why(asked(&w, "BANK-1").await), "reference_used");
    approve(&w.app, &w.bob, second).await.expect("approved");
    for typed in TYPED {
        assert_eq!(why(asked(&w, typed).await), "reference_used", "{typed:?}");
    }
    asked(&w, "BANK-2").await.expect("another");
});

on_both!(who_approves_sees_what_was_compared_and_the_other_use, |test| {
    let w = world(test).await;
    let taken_back = MoneyRequestDraft::chargeback(w.user, "5", "ｂａｎｋ 1");
    let made = request(&w.app, &w.ann, taken_back).await.expect("asked");
    assert!(made.reference_also.is_empty(), "{made:?}");
    let which = asked(&w, "BANK-1").await.expect("asked");
    let shown = show(&w.app, which).await.expect("shown");
    assert_eq!(shown.reference_compared.as_deref(), Some("bank1"));
    let [other] = shown.reference_also.as_slice() else { panic!("{shown:?}") };
    assert_eq!((other.document.as_str(), other.status.as_str()), (&*format!("chargeback:{}", made.id), "requested"));
    assert_eq!((other.reference.as_str(), other.name.as_str(), other.amount.as_str()), ("ｂａｎｋ 1", "demo", "5.00"));
    let approved = approve(&w.app, &w.bob, which).await.expect("approved");
    assert_eq!(
        (approved.reference_compared, approved.reference_also),
        (shown.reference_compared, shown.reference_also)
    );
});

on_both!(a_withdrawal_is_paid_once_under_a_reference, |test| {
    let w = funded(test, "100").await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let command = Withdraw { amount: "20".parse::<Money>().expect("an amount"), key: None };
        let made = withdraw(&w.app, Proof::assumed(w.user), command).await.expect("asked");
        let id = made.id;
        approve_withdrawal(&w.app, &w.ann, id).await.expect("approved");
        ids.push(id);
    }
    pay_withdrawal(&w.app, &w.bob, ids[0], Some("OUT-1".into())).await.expect("paid");
    for typed in ["out-1", "OUT 1", "OUT-1\u{2060}"] {
        assert_eq!(why(pay_withdrawal(&w.app, &w.bob, ids[1], Some(typed.into())).await), "reference_used");
    }
    pay_withdrawal(&w.app, &w.bob, ids[1], Some("OUT-2".into())).await.expect("paid");
    let which = asked(&w, "out 2").await.expect("asked");
    let shown = show(&w.app, which).await.expect("shown");
    assert_eq!(shown.reference_also[0].document, format!("withdrawal:{}", ids[1]));
});

// The version before kept references as they were typed.
on_both!(what_was_there_before_is_compared_too, |test| {
    let w = funded(test, "100").await;
    let (user, by, other) = (w.user.0, w.ann.id().0, w.bob.id().0);
    let old = move |reference: &str, status: u8| {
        format!(
            "INSERT INTO money_requests (kind, user_id, amount, reference, status, reason, requested_by, \
             requested_person, requested_at, decided_by, decided_person, decided_at, expires_at) \
             VALUES (1, {user}, 100, '{reference}', {status}, 'old', {by}, {by}, 1, {other}, {other}, 2, {});",
            i64::MAX
        )
    };
    let rows = [old("Old 7", 0), old("OLD-7", 1), old("Gone 8", 2), old("old-9", 1)].concat();
    let lost = "DELETE FROM payment_references;";
    let written = w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&format!("{rows}{lost}"))?)).await;
    written.expect("written");
    for _ in 0..2 {
        bring_up_to_date(&w.app).await.expect("compared");
    }
    for typed in ["OLD 7", "old-7", "OLD 9", "FIRST"] {
        assert_eq!(why(asked(&w, typed).await), "reference_used", "{typed}");
    }
    asked(&w, "GONE-8").await.expect("it was rejected");
});

// In the row that holds it, nothing is left of that.
on_both!(a_reference_that_counted_twice_is_found, |test| {
    let w = world(test).await;
    let (first, over) = (asked(&w, "BANK-1").await.expect("asked"), asked(&w, "BANK-2").await.expect("asked"));
    approve(&w.app, &w.bob, first).await.expect("approved");
    reject(&w.app, &w.bob, over).await.expect("rejected");
    let free = "UPDATE payment_references SET holder = (SELECT MAX(id) FROM money_requests) WHERE compared = 'bank1'";
    let written = w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(free)?)).await;
    written.expect("given to the one that is over");
    let second = asked(&w, "bank 1").await.expect("asked");
    approve(&w.app, &w.bob, second).await.expect("approved");
    let found = w.app.db.snapshot(store::wallet::verify::laws).await.expect("walked").faults;
    assert!(found.iter().any(|fault| fault.contains("has the reference of another")), "{found:#?}");
});

#[derive(QueryableByName)]
struct Look {
    #[diesel(sql_type = diesel::sql_types::Text)]
    name_look: String,
}

on_both!(names_of_before_have_looks_and_keep_their_names, |test| {
    let w = world(test).await;
    for name in ["fin", "f\u{456}n", "mia"] {
        w.test.user(name).await;
    }
    for _ in 0..2 {
        bring_up_to_date(&w.app).await.expect("compared");
    }
    let looks: Vec<Look> = w
        .app
        .db
        .read(|conn| {
            let sql = "SELECT name_look FROM user_looks ORDER BY user_id";
            diesel::sql_query(sql).load(conn).map_err(store::Error::from)
        })
        .await
        .expect("looks");
    let looks: Vec<String> = looks.into_iter().map(|look| look.name_look).collect();
    assert_eq!(looks, ["derno", "fin", "fin 3", "rnia"]);
});
