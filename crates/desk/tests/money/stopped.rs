//! Disabled means stopped: the state of an account is read in the transaction that moves
//! its money, whatever it was when the request arrived.

use auth::{AccountStatus, Barred};
use base::{Money, ProductId};
use calendar::Zone;
use campaigns::plans::put::{Put, PutTarget, put};
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::Error;
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::{StatusOutcome, change_status};
use foundation::staff::audit_log::{AuditFilter, audit_lines};
use money::offers::activities::receive;
use money::offers::vip::subscribe;
use money::wallet::deposit::{MoveDeposit, pay_deposit, return_deposit};
use money::wallet::startup_loan::{RepayStartupLoan, repay_startup_loan};
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{approve_withdrawal, pay_withdrawal};
use plans::ContentType;
use store::{PageRequest, on_both};

use crate::support::{World, address, bind, funded, money, why};

fn of(amount: &str) -> Withdraw {
    Withdraw { amount: amount.parse().expect("an amount"), key: None }
}

/// What owns something is cancelled by two.
async fn turn(w: &World, to: AccountStatus) {
    if let StatusOutcome::Requested(asked) =
        change_status(&w.app, w.carl.clone(), "demo", to).await.expect("changed or requested")
    {
        approve(&w.app, &w.bob, asked.id.into()).await.expect("approved");
    }
}

fn barred<T: std::fmt::Debug>(told: Result<T, Error>) {
    assert!(matches!(&told, Err(Error::Barred(Barred::Disabled))), "{told:?}");
}

on_both!(a_disabled_account_moves_nothing_whatever_is_on_its_way, |test| {
    let w = funded(test, "200").await;
    turn(&w, AccountStatus::Disabled).await;
    let (app, user, before) = (&w.app, w.user, w.property().await);
    let one = || MoveDeposit { amount: "1".parse().expect("an amount"), key: None };
    barred(withdraw(app, Proof::assumed(user), of("1")).await);
    barred(pay_deposit(app, Proof::assumed(user), one()).await);
    barred(return_deposit(app, Proof::assumed(user), one()).await);
    barred(subscribe(app, Proof::assumed(user), None).await);
    barred(
        repay_startup_loan(
            app,
            Proof::assumed(user),
            RepayStartupLoan { amount: Some("1".parse().expect("an amount")), key: None },
        )
        .await,
    );
    barred(
        put(
            app,
            Proof::assumed(user),
            Put::new(PutTarget::Product(ProductId(1)), Money::from_minor(100), ContentType::Video),
        )
        .await,
    );
    barred(receive(app, user, "newcomer", Zone::UTC).await);
    barred(bind(app, user, address("other")).await);
    assert_eq!(w.property().await, before);
    turn(&w, AccountStatus::Active).await;
    withdraw(app, Proof::assumed(user), of("1")).await.expect("accepted");
});

on_both!(nothing_moves_once_it_was_said_that_the_account_is_disabled, |test| {
    let w = funded(test, "100").await;
    let asks: Vec<_> = (0..48)
        .map(|_| {
            let (app, user) = (w.app.clone(), w.user);
            tokio::spawn(async move { withdraw(&app, Proof::assumed(user), of("1")).await })
        })
        .collect();
    turn(&w, AccountStatus::Disabled).await;
    let then = w.property().await;
    for ask in asks {
        if let Err(refused) = ask.await.expect("no panic") {
            barred::<()>(Err(refused));
        }
    }
    assert_eq!(w.property().await, then);
});

on_both!(only_an_admin_pays_out_of_an_account_that_is_not_active, |test| {
    let w = funded(test, "100").await;
    let mut ids = Vec::new();
    for amount in ["40", "10", "5"] {
        let asked = withdraw(&w.app, Proof::assumed(w.user), of(amount)).await.expect("accepted");
        ids.push(asked.id);
    }
    approve_withdrawal(&w.app, &w.bob, ids[0]).await.expect("approved");
    turn(&w, AccountStatus::Disabled).await;
    assert_eq!(why(pay_withdrawal(&w.app, &w.ann, ids[0], None).await), "account_not_active");
    assert_eq!(w.property().await.withdrawing, money("55"));
    approve_withdrawal(&w.app, &w.ann, ids[1]).await.expect("approved");
    pay_withdrawal(&w.app, &w.bob, ids[1], None).await.expect("an admin answers for it");
    let last = &audit_lines(&w.app, AuditFilter::default(), PageRequest::default()).await.expect("the audit").items[0];
    assert_eq!((last.action.as_str(), &last.details["account"]), ("withdrawal.pay", &serde_json::json!("disabled")));
    // Once it is active again, it goes through.
    turn(&w, AccountStatus::Active).await;
    pay_withdrawal(&w.app, &w.ann, ids[0], None).await.expect("paid");
    approve_withdrawal(&w.app, &w.bob, ids[2]).await.expect("approved");
    turn(&w, AccountStatus::Cancelled).await;
    assert_eq!(why(pay_withdrawal(&w.app, &w.ann, ids[2], None).await), "account_not_active");
    assert_eq!(w.property().await.withdrawing, money("5"));
});

on_both!(nothing_is_given_to_an_account_that_cannot_use_it, |test| {
    let w = funded(test, "1").await;
    let asked = request(&w.app, &w.ann, MoneyRequestDraft::grant(w.user, "10")).await.expect("requested");
    turn(&w, AccountStatus::Disabled).await;
    for ask in [MoneyRequestDraft::grant(w.user, "10"), MoneyRequestDraft::startup_loan(w.user, "10")] {
        assert_eq!(why(request(&w.app, &w.ann, ask).await), "account_not_active");
    }
    assert_eq!(why(approve(&w.app, &w.bob, asked.id.into()).await), "account_not_active");
    // An incoming payment is the user's own.
    w.recharge("10", "second").await;
    turn(&w, AccountStatus::Cancelled).await;
    assert_eq!(
        why(request(&w.app, &w.ann, MoneyRequestDraft::recharge(w.user, "10", "third")).await),
        "account_not_active"
    );
    assert_eq!((w.property().await.available, w.property().await.promotional), (money("11"), money("0")));
});
