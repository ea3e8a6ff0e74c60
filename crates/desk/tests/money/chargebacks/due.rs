//! What a chargeback does not find stays due: it is not escaped by putting money aside, keeps money from leaving, and
//! two people collect or waive it.

use base::Money;
use desk::account_detail::account_detail;
use desk::requests::{MoneyRequestDraft, approve, request};
use diesel::connection::SimpleConnection;
use foundation::Refusal;
use foundation::notifications::{NotificationQuery, list_notifications};
use foundation::people::pay_password::Proof;
use foundation::staff::audit_log::verify_audit;
use foundation::staff::limits::set_limit;
use i18n::Lang;
use money::wallet::deposit::{MoveDeposit, pay_deposit, return_deposit};
use money::wallet::verify::{trial_balance, verify};
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal, reject_withdrawal, withdrawal_detail};
use store::on_both;

use crate::support::{World, funded, money, why, world};

fn of(w: &World, amount: &str) -> MoneyRequestDraft {
    MoneyRequestDraft::chargeback(w.user, amount, "CB-1")
}

fn deposit(amount: &str) -> MoveDeposit {
    MoveDeposit { amount: money(amount), key: None }
}

async fn withdrawn(w: &World, amount: &str) -> Result<base::WithdrawalId, foundation::Error> {
    let asked = withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: money(amount), key: None }).await;
    asked.map(|view| view.id)
}

/// What the account shows as due, and what the platform has written off.
async fn due(w: &World) -> (Money, Money) {
    let lines = trial_balance(&w.app).await.expect("balances");
    let written_off = lines.into_iter().find(|line| line.account == "write_offs").map(|line| line.balance);
    let shown = account_detail(&w.app, "demo").await.expect("shown");
    assert_eq!(shown.flags.contains(&"chargeback_due".to_owned()), shown.chargeback_due.is_positive());
    (shown.chargeback_due, written_off.unwrap_or_default())
}

async fn sound(w: &World) {
    let found = verify(&w.app).await.expect("verified");
    assert!(found.ok, "{:?}", found.faults);
    assert!(verify_audit(&w.app, None).await.expect("verified").ok);
}

async fn told(w: &World) -> Vec<(String, String)> {
    let all = list_notifications(&w.app, w.user, Lang::En, NotificationQuery::default()).await.expect("notices");
    let of_chargebacks = |kind: &str| kind.starts_with("chargeback");
    let items = all.items.into_iter().filter_map(|notice| Some((notice.kind?, notice.body)));
    items.filter(|(kind, _)| of_chargebacks(kind)).collect()
}

on_both!(the_deposit_is_taken_as_well, |test| {
    let w = funded(test, "1000").await;
    pay_deposit(&w.app, Proof::assumed(w.user), deposit("900")).await.expect("paid");
    let booked = w.book(of(&w, "950")).await;
    let borne = booked.chargeback.expect("who bore it");
    assert_eq!((borne.from_user, borne.written_off), (Some(money("950")), Some(money("0"))));
    let figures = w.property().await;
    assert_eq!((figures.available, figures.deposit), (money("0"), money("50")));
    assert_eq!(w.lines().await[..2], ["system_chargeback -950.00 0.00", "deposit 850.00 950.00"]);
    assert_eq!(due(&w).await, (money("0"), money("0")));
    sound(&w).await;
});

on_both!(nothing_is_written_off_while_a_withdrawal_could_be_rejected, |test| {
    let w = funded(test, "1000").await;
    let asked = request(&w.app, &w.ann, of(&w, "1000")).await.expect("requested");
    let id = withdrawn(&w, "990").await.expect("asked");
    let error = approve(&w.app, &w.bob, asked.id.into()).await.expect_err("refused");
    let foundation::Error::Refused(refusal @ Refusal::FundsSetAside { .. }) = &error else { panic!("{error:?}") };
    let data = refusal.data();
    assert_eq!((&data["withdrawing"], &data["exchanging"]), (&"990.00".into(), &"0.00".into()));
    assert_eq!((w.property().await.available, due(&w).await), (money("10"), (money("0"), money("0"))));
    let another = MoneyRequestDraft::chargeback(w.user, "1000", "CB-2");
    assert_eq!(why(request(&w.app, &w.ann, another).await), "funds_set_aside", "nor is it requested");
    // What is there can be taken in spite of it.
    w.book(MoneyRequestDraft::chargeback(w.user, "10", "CB-3")).await;
    reject_withdrawal(&w.app, &w.ann, id).await.expect("rejected");
    approve(&w.app, &w.bob, asked.id.into()).await.expect("approved");
    assert_eq!(due(&w).await, (money("10"), money("-10")));
    sound(&w).await;
});

on_both!(nothing_leaves_while_something_is_due, |test| {
    let w = funded(test, "100").await;
    let paid = withdrawn(&w, "60").await.expect("asked");
    approve_withdrawal(&w.app, &w.ann, paid).await.expect("approved");
    pay_withdrawal(&w.app, &w.bob, paid, None).await.expect("paid");
    let booked = w.book(of(&w, "100")).await;
    assert_eq!(booked.outstanding, Some(money("60")));
    assert_eq!(due(&w).await, (money("60"), money("-60")));
    assert_eq!(withdrawal_detail(&w.app, paid).await.expect("shown").chargeback_due, money("60"));
    w.recharge("200", "again").await;
    pay_deposit(&w.app, Proof::assumed(w.user), deposit("150")).await.expect("put aside");
    assert_eq!(why(return_deposit(&w.app, Proof::assumed(w.user), deposit("1")).await), "chargeback_due");
    let error = withdrawn(&w, "1").await.expect_err("refused");
    let foundation::Error::Refused(refusal) = &error else { panic!("{error:?}") };
    assert_eq!((error.key(), &refusal.data()["outstanding"]), ("chargeback_due", &"60.00".into()));
    let bodies = told(&w).await;
    let kinds: Vec<_> = bodies.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["chargeback_due", "chargeback"], "newest first");
    assert!(bodies[0].1.contains("60.00"), "{bodies:?}");
    // What is put aside is collected like what is available.
    w.book(MoneyRequestDraft::collect_chargeback(w.user, "60")).await;
    let figures = w.property().await;
    assert_eq!((figures.available, figures.deposit), (money("0"), money("140")));
    assert_eq!(due(&w).await, (money("0"), money("0")));
    return_deposit(&w.app, Proof::assumed(w.user), deposit("140")).await.expect("returned");
    withdrawn(&w, "140").await.expect("asked");
    sound(&w).await;
});

on_both!(two_people_collect_and_waive_no_more_than_is_due, |test| {
    let w = world(test).await;
    w.book(of(&w, "100")).await;
    let collect = |amount: &str| MoneyRequestDraft::collect_chargeback(w.user, amount);
    let waive = |amount: &str| MoneyRequestDraft::waive_chargeback(w.user, amount);
    assert_eq!(why(request(&w.app, &w.ann, collect("30")).await), "insufficient_balance");
    w.recharge("90", "later").await;
    for ask in [collect("100.01"), waive("100.01"), collect("0"), waive("0")] {
        assert_eq!(why(request(&w.app, &w.ann, ask).await), "amount_out_of_range");
    }
    assert_eq!(why(request(&w.app, &w.carl, waive("1")).await), "not_permitted");
    let asked = request(&w.app, &w.ann, collect("80")).await.expect("requested");
    assert_eq!((asked.kind.name(), asked.direction.as_deref()), ("chargeback_collection", Some("collect")));
    let forgiven = request(&w.app, &w.ann, waive("30")).await.expect("requested");
    assert_eq!(why(approve(&w.app, &w.ann, asked.id.into()).await), "second_person_needed");
    assert_eq!(why(approve(&w.app, &w.ann, forgiven.id.into()).await), "second_person_needed");
    assert_eq!(due(&w).await, (money("100"), money("-100")), "nothing has changed so far");
    let collected = approve(&w.app, &w.bob, asked.id.into()).await.expect("approved");
    assert_eq!(collected.outstanding, Some(money("20")));
    assert_eq!(w.lines().await[0], "system_chargeback -80.00 10.00");
    assert_eq!(due(&w).await, (money("20"), money("-20")));
    assert_eq!(why(approve(&w.app, &w.bob, forgiven.id.into()).await), "amount_out_of_range", "less is due by now");
    let waived = w.book(waive("20")).await;
    assert_eq!((waived.direction.as_deref(), waived.outstanding), (Some("waive"), Some(money("0"))));
    assert_eq!(due(&w).await, (money("0"), money("-20")), "what was written off stays so");
    assert_eq!(w.property().await.available, money("10"));
    let kinds: Vec<_> = told(&w).await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["chargeback_waived", "chargeback_collected", "chargeback_due", "chargeback"]);
    sound(&w).await;
});

on_both!(what_is_waived_for_one_user_adds_up, |test| {
    let w = world(test).await;
    w.book(of(&w, "100")).await;
    set_limit(&w.app, &w.bob, auth::Role::Finance, "50", "5000").await.expect("lowered");
    let waive = |amount: &str| request(&w.app, &w.ann, MoneyRequestDraft::waive_chargeback(w.user, amount));
    waive("30").await.expect("requested");
    assert_eq!(why(waive("20.01").await), "limit_exceeded");
    waive("20").await.expect("requested");
});

on_both!(an_edit_of_what_is_due_is_found, |test| {
    let w = world(test).await;
    let id = w.book(of(&w, "100")).await.id;
    w.recharge("90", "later").await;
    let collected = w.book(MoneyRequestDraft::collect_chargeback(w.user, "80")).await.id;
    for (column, row, was, edited) in
        [("written_off", id, "10000", "0"), ("amount", collected, "8000", "9000"), ("status", collected, "1", "2")]
    {
        sound(&w).await;
        execute(&w, format!("UPDATE money_requests SET {column} = {edited} WHERE id = {row}")).await;
        let found = verify_audit(&w.app, None).await.expect("verified").faults;
        assert!(found.iter().any(|fault| fault.contains(&format!("request {row} "))), "{column}: {found:?}");
        execute(&w, format!("UPDATE money_requests SET {column} = {was} WHERE id = {row}")).await;
    }
    sound(&w).await;
});

async fn execute(w: &World, sql: String) {
    let done = w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
    done.await.expect("executed");
}
