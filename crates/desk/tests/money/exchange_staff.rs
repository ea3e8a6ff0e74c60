//! Which operators may decide on an exchange, up to which amount, and what happens if
//! several decide at once.

use auth::Role;
use base::ExchangeOrderId;
use foundation::staff::Staff;
use foundation::staff::limits::set_limit;
use foundation::staff::operator_keys::revoke_operator;
use foundation::{Error, Refusal};
use money::wallet::exchange::cancel_exchange;
use money::wallet::exchange_review::{OrderFilter, all_orders, approve_exchange, complete_exchange, reject_exchange};
use money::wallet::verify::verify;
use store::{PageRequest, on_both};

use crate::exchange::{Shop, shop};
use crate::support::why;

impl Shop {
    async fn staff(&self, name: &'static str, role: Role) -> Staff {
        Staff::new(self.w.test.operator(name, role).await, "a test").expect("a reason")
    }

    async fn approve(&self, by: &Staff, id: ExchangeOrderId) -> Result<(), Error> {
        approve_exchange(&self.w.app, by, id).await.map(|_| ())
    }

    async fn complete(&self, by: &Staff, id: ExchangeOrderId) -> Result<(), Error> {
        complete_exchange(&self.w.app, by, id).await.map(|_| ())
    }

    async fn cancel(&self, by: &Staff, id: ExchangeOrderId) -> Result<(), Error> {
        reject_exchange(&self.w.app, by, id).await.map(|_| ())
    }

    /// Everything visible of the orders and of the user's money.
    async fn seen(&self) -> String {
        let orders =
            all_orders(&self.w.app, OrderFilter::default(), PageRequest::default()).await.expect("a list").items;
        format!("{orders:?} {:?} {:?}", self.w.property().await, self.w.lines().await)
    }

    /// `by` may take none of the three decisions, and trying changes nothing.
    async fn may_decide_nothing(&self, by: &Staff, id: ExchangeOrderId) {
        let before = self.seen().await;
        assert_eq!(why(self.approve(by, id).await), "not_permitted");
        assert_eq!(why(self.complete(by, id).await), "not_permitted");
        assert_eq!(why(self.cancel(by, id).await), "not_permitted");
        assert_eq!(self.seen().await, before);
    }
}

on_both!(each_decision_is_for_those_who_may_move_money, |test| {
    let s = shop(test, "100").await;
    let id = s.asked("40").await;
    s.may_decide_nothing(&s.w.carl, id).await;
    s.approve(&s.w.ann, id).await.expect("approved");
    s.may_decide_nothing(&s.w.carl, id).await;
    s.complete(&s.w.bob, id).await.expect("completed");
});

on_both!(whoever_was_revoked_decides_nothing_more, |test| {
    let s = shop(test, "100").await;
    let dora = s.staff("dora", Role::Finance).await;
    let id = s.asked("40").await;
    // Signed in while the key was valid.
    revoke_operator(&s.w.app, &s.w.bob, "dora").await.expect("revoked");
    s.may_decide_nothing(&dora, id).await;
    s.approve(&s.w.ann, id).await.expect("approved");
    s.may_decide_nothing(&dora, id).await;
    s.complete(&s.w.bob, id).await.expect("completed");
});

on_both!(approving_and_completing_count_and_giving_back_does_not, |test| {
    let s = shop(test, "100").await;
    let (app, bob) = (&s.w.app, &s.w.bob);
    set_limit(app, bob, Role::Finance, "30", "60").await.expect("set");
    let (dora, fay) = (s.staff("dora", Role::Finance).await, s.staff("fay", Role::Finance).await);
    let over = |told: Result<(), Error>| match told {
        Err(Error::Refused(Refusal::LimitExceeded { limit })) => limit.to_string(),
        other => panic!("{other:?}"),
    };
    // More than allowed per action.
    let id = s.asked("30.01").await;
    assert_eq!(over(s.approve(&dora, id).await), "30.00");
    s.approve(bob, id).await.expect("an admin may");
    assert_eq!(over(s.complete(&dora, id).await), "30.00");
    s.cancel(&dora, id).await.expect("what goes back to the user needs no limit");
    // More than allowed per day: 30 approved, 30 completed.
    let first = s.asked("30").await;
    s.approve(&dora, first).await.expect("30 of 60");
    s.complete(&fay, first).await.expect("30 of 60");
    let second = s.asked("30").await;
    s.approve(&fay, second).await.expect("60 of 60");
    s.complete(&dora, second).await.expect("60 of 60");
    let third = s.asked("0.10").await;
    assert_eq!(over(s.approve(&dora, third).await), "60.00");
    s.approve(bob, third).await.expect("approved");
    assert_eq!(over(s.complete(&fay, third).await), "60.00");
    assert_eq!(s.figures().await, ("39.90".into(), "0.10".into()));
    s.w.test.clock.advance_seconds(86_400);
    s.complete(&fay, third).await.expect("another day");
    assert_eq!(s.figures().await, ("39.90".into(), "0.00".into()));
});

/// Who does what at once, and the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Did {
    Approve,
    Complete,
    Reject,
    Cancel,
}

on_both!(all_decisions_at_once_come_to_one_end, |test| {
    let s = shop(test, "100").await;
    let dora = s.staff("dora", Role::Finance).await;
    let mut completed = 0;
    for _ in 0..6 {
        let id = s.asked("10").await;
        let did = [Did::Approve, Did::Complete, Did::Reject, Did::Cancel];
        let tasks: Vec<_> = (0..24)
            .map(|n| {
                let (app, user, what) = (s.w.app.clone(), s.w.user, did[n % 4]);
                let by = match what {
                    Did::Approve => s.w.ann.clone(),
                    Did::Complete => s.w.bob.clone(),
                    Did::Reject | Did::Cancel => dora.clone(),
                };
                tokio::spawn(async move {
                    let done = match what {
                        Did::Approve => approve_exchange(&app, &by, id).await,
                        Did::Complete => complete_exchange(&app, &by, id).await,
                        Did::Reject => reject_exchange(&app, &by, id).await,
                        Did::Cancel => cancel_exchange(&app, user, id, None).await,
                    };
                    (what, done)
                })
            })
            .collect();
        let mut done = Vec::new();
        for task in tasks {
            match task.await.expect("no panic") {
                (what, Ok(_)) => done.push(what),
                (what, refused) => {
                    let why = why(refused);
                    let known = why == "already_decided" || (what == Did::Complete && why == "not_approved");
                    assert!(known, "{what:?}: {why}");
                }
            }
        }
        let ends: Vec<_> = done.iter().filter(|what| **what != Did::Approve).collect();
        assert_eq!(ends.len(), 1, "{done:?}");
        assert!(done.len() <= 2, "{done:?}");
        completed += i32::from(ends == [&Did::Complete]);
        let left = 100 - 10 * completed;
        assert_eq!(s.figures().await, (format!("{left}.00"), "0.00".into()), "{done:?}");
    }
    let found = verify(&s.w.app).await.expect("verified");
    assert!(found.ok, "{found:?}");
});
