//! Acceptance codes that are guessed with right ones in between.

use foundation::{Error, Refusal};
use store::on_both;

use super::{Shop, shop};
use crate::support::why;

impl Shop {
    /// A wrong code: how many may follow.
    async fn guess(&self) -> u32 {
        match self.look_with("WRONG-CODE").await {
            Err(Error::Refused(Refusal::AcceptanceCodeWrong { attempts_left })) => attempts_left,
            other => panic!("{other:?}"),
        }
    }
}

on_both!(a_right_code_in_between_gives_no_more_guesses_in_a_day, |test| {
    let s = shop(test, "100").await;
    for round in 0..4 {
        for left in [4, 3, 2, 1] {
            assert_eq!(s.guess().await, left, "round {round}");
        }
        s.look().await;
        s.w.test.clock.advance_seconds(3_600);
    }
    for left in [3, 2, 1] {
        assert_eq!(s.guess().await, left);
    }
    s.look().await;
    assert_eq!(s.guess().await, 0);
    match s.look_with(&s.code).await {
        // The first is a day old then.
        Err(Error::Refused(Refusal::AcceptanceCodeLocked { retry_after })) => assert_eq!(retry_after, 20 * 3_600 + 1),
        other => panic!("{other:?}"),
    }
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "acceptance_code_locked");
    let other = s.w.test.user("other").await;
    let shown = money::wallet::acceptors::acceptor_detail;
    shown(&s.w.app, other, "enterprise", &s.code, calendar::Zone::UTC).await.expect("nobody else is locked");
    s.w.test.clock.advance_seconds(20 * 3_600);
    s.look().await;
    assert_eq!(s.guess().await, 3);
});
