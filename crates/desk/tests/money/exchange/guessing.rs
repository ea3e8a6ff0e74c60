//! Acceptance codes that are guessed.

use calendar::Zone;
use foundation::{Error, Refusal};
use money::wallet::acceptors::{AcceptorDetail, acceptor_detail};
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

on_both!(codes_cannot_be_guessed, |test| {
    let s = shop(test, "100").await;
    let left = |result: Result<AcceptorDetail, Error>| match result {
        Err(Error::Refused(Refusal::AcceptanceCodeWrong { attempts_left })) => attempts_left,
        other => panic!("{other:?}"),
    };
    assert_eq!(left(s.look_with("WRONG-CODE").await), 4);
    let personal = acceptor_detail(&s.w.app, s.w.user, "personal", &s.code, Zone::UTC).await;
    assert_eq!(left(personal), 3);
    assert_eq!(why(acceptor_detail(&s.w.app, s.w.user, "bank", &s.code, Zone::UTC).await), "type=invalid");
    // The right one, however it is typed, clears them.
    s.look_with(&format!(" {} ", s.code.to_lowercase())).await.expect("right");
    for expected in [4, 3, 2, 1, 0] {
        assert_eq!(left(s.look_with("WRONG-CODE").await), expected);
    }
    let locked = |seconds| match seconds {
        Err(Error::Refused(Refusal::AcceptanceCodeLocked { retry_after })) => retry_after,
        other => panic!("{other:?}"),
    };
    assert_eq!(locked(s.look_with(&s.code).await), 900);
    assert_eq!(why(s.put(s.order("10", "EUR")).await), "acceptance_code_locked");
    s.w.test.clock.advance_seconds(900);
    s.look().await;
});

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
