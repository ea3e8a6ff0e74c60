//! Money that is set aside and taken back in turn.

use desk::account_detail::account_detail;
use foundation::Error;
use foundation::people::pay_password::Proof;
use money::wallet::exchange::cancel_exchange;
use money::wallet::withdraw::{Withdraw, withdraw};
use money::wallet::withdrawals::{WithdrawalView, cancel_withdrawal};
use store::on_both;

use crate::exchange::{Shop, shop};
use crate::support::why;

impl Shop {
    async fn take_out(&self, amount: &str) -> Result<WithdrawalView, Error> {
        let command = Withdraw { amount: amount.parse().expect("an amount"), key: None };
        withdraw(&self.w.app, Proof::assumed(self.w.user), command).await
    }
}

on_both!(whoever_cancels_twenty_in_a_day_sets_nothing_more_aside, |test| {
    let s = shop(test, "100").await;
    let (app, user) = (&s.w.app, s.w.user);
    let open = s.take_out("10").await.expect("asked").id;
    for _ in 0..10 {
        let id = s.take_out("1").await.expect("asked").id;
        cancel_withdrawal(app, user, id, None).await.expect("cancelled");
        assert_eq!(why(cancel_withdrawal(app, user, id, None).await), "already_decided", "and counts once");
        let id = s.asked("1").await;
        cancel_exchange(app, user, id, None).await.expect("cancelled");
    }
    let before = s.w.lines().await;
    match s.take_out("1").await {
        Err(Error::TooManyRequests { retry_after }) => assert_eq!(retry_after, 86_401),
        other => panic!("{other:?}"),
    }
    let put = s.put(s.order("1", "EUR")).await;
    assert!(matches!(put, Err(Error::TooManyRequests { .. })), "{put:?}");
    assert_eq!(s.w.lines().await, before);
    let told = account_detail(app, "demo").await.expect("shown").withdrawal;
    let block = told.blocks.iter().find(|block| block.key == "too_many_requests");
    assert!(block.is_some_and(|block| block.until.is_some()), "{:?}", told.blocks);

    cancel_withdrawal(app, user, open, None).await.expect("what is set aside always comes back");
    s.w.test.clock.advance_seconds(86_400);
    s.take_out("1").await.expect("another day");
    s.asked("1").await;
});
