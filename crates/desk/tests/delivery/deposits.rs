//! A deposit cannot be returned while plans are running.

use foundation::people::pay_password::Proof;
use money::wallet::deposit::{MoveDeposit, pay_deposit, return_deposit};
use store::on_both;

use crate::money::why;
use crate::support::market;

fn of(amount: &str) -> MoveDeposit {
    MoveDeposit { amount: amount.parse().expect("an amount"), key: None }
}

on_both!(it_is_returned_once_every_plan_is_settled, |test| {
    let market = market(test).await;
    let (app, user) = (&market.world.app, market.world.user);
    pay_deposit(app, Proof::assumed(user), of("100.00")).await.expect("paid");
    let plan = market.put("100.00").await;
    assert_eq!(why(return_deposit(app, Proof::assumed(user), of("1.00")).await), "plans_under_way");
    assert!(pay_deposit(app, Proof::assumed(user), of("1.00")).await.is_ok());
    for _ in 0..3 {
        market.visit().await;
    }
    market.work().await;
    assert_eq!(why(return_deposit(app, Proof::assumed(user), of("1.00")).await), "plans_under_way");
    market.wait(40 * 86_400);
    market.work().await;
    market.wait(40 * 86_400);
    market.work().await;
    assert_eq!(market.status(&plan).await, "settled");
    assert!(return_deposit(app, Proof::assumed(user), of("101.00")).await.is_ok());
    market.check().await;
});
