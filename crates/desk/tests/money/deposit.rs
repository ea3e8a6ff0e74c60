//! The deposit.

use foundation::idempotent::Key;
use foundation::people::pay_password::Proof;
use money::wallet::deposit::{MoveDeposit, pay_deposit, return_deposit};
use money::wallet::verify::verify;
use money::wallet::withdraw::{Withdraw, withdraw};
use store::on_both;

use crate::support::{funded, money, why};

fn of(amount: &str) -> MoveDeposit {
    MoveDeposit { amount: amount.parse().expect("an amount"), key: None }
}

on_both!(paid_in_and_taken_back, |test| {
    let w = funded(test, "100").await;
    let paid = pay_deposit(&w.app, Proof::assumed(w.user), of("40")).await.expect("paid");
    assert_eq!((paid.deposit, paid.available), (money("40"), money("60")));
    let figures = w.property().await;
    assert_eq!((figures.deposit, figures.total_assets), (money("40"), money("100")));
    let back = return_deposit(&w.app, Proof::assumed(w.user), of("15.50")).await.expect("returned");
    assert_eq!((back.deposit, back.available), (money("24.50"), money("75.50")));
    assert_eq!(w.lines().await[..2], ["deposit 15.50 75.50", "deposit -40.00 60.00"]);
    assert!(verify(&w.app).await.expect("verified").ok);
});

on_both!(no_more_than_is_there, |test| {
    let w = funded(test, "10").await;
    assert_eq!(why(pay_deposit(&w.app, Proof::assumed(w.user), of("10.01")).await), "insufficient_balance");
    assert_eq!(why(return_deposit(&w.app, Proof::assumed(w.user), of("0.01")).await), "insufficient_balance");
    for (amount, told) in [("0", "amount_out_of_range"), ("-1", "amount_out_of_range"), ("x", "amount=invalid_amount")]
    {
        assert_eq!(why(MoveDeposit::read(amount, None)), told);
    }
    for (amount, told) in [("0", "amount_out_of_range"), ("-1", "amount_out_of_range")] {
        assert_eq!(why(pay_deposit(&w.app, Proof::assumed(w.user), of(amount)).await), told);
        assert_eq!(why(return_deposit(&w.app, Proof::assumed(w.user), of(amount)).await), told);
    }
    assert_eq!(w.property().await.available, money("10"));
});

on_both!(a_key_moves_once_and_for_one_direction, |test| {
    let w = funded(test, "10").await;
    let keyed = || MoveDeposit { key: Key::parse("k").ok(), ..of("4") };
    let first = pay_deposit(&w.app, Proof::assumed(w.user), keyed()).await.expect("paid");
    assert_eq!(pay_deposit(&w.app, Proof::assumed(w.user), keyed()).await.expect("the same answer"), first);
    assert_eq!(why(return_deposit(&w.app, Proof::assumed(w.user), keyed()).await), "idempotency_key_reused");
    assert_eq!(w.property().await.deposit, money("4"));
});

on_both!(no_withdrawal_depends_on_it, |test| {
    let w = funded(test, "10").await;
    assert!(
        withdraw(&w.app, Proof::assumed(w.user), Withdraw { amount: "10".parse().expect("an amount"), key: None })
            .await
            .is_ok()
    );
});

on_both!(a_repeat_shows_the_balances_as_they_are_now, |test| {
    let w = funded(test, "10").await;
    let pay = || pay_deposit(&w.app, Proof::assumed(w.user), MoveDeposit { key: Key::parse("k").ok(), ..of("4") });
    pay().await.expect("paid");
    assert_eq!(w.kept().await, "{}");
    let now = return_deposit(&w.app, Proof::assumed(w.user), of("1")).await.expect("returned");
    assert_eq!(pay().await.expect("answered again"), now);
    w.keep(r#"{"deposit":"4.00","available":"6.00"}"#).await;
    assert_eq!(pay().await.expect("kept by the version before"), now);
    assert_eq!(w.property().await.deposit, money("3"));
});
