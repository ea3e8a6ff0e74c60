//! Which operators may decide on an exchange, up to which amount, and what happens if
//! several decide at once.

use auth::Role;
use base::ExchangeOrderId;
use desk::requests::approve;
use diesel::connection::SimpleConnection;
use foundation::staff::Staff;
use foundation::staff::audit_log::verify_audit;
use foundation::staff::limits::set_limit;
use foundation::staff::operator_keys::revoke_operator;
use foundation::staff::requests::RequestRef;
use foundation::{Error, Refusal};
use money::wallet::exchange::cancel_exchange;
use money::wallet::exchange_review::{OrderFilter, all_orders, approve_exchange, complete_exchange, reject_exchange};
use money::wallet::payment_files::unpaid::GivenBack;
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

on_both!(what_the_audit_does_not_say_was_approved_is_not_completed, |test| {
    let s = shop(test, "100").await;
    let id = s.asked("40").await;
    let (ann, bob) = (s.w.ann.id(), s.w.bob.id());
    let approved_by = async |by: String| {
        let sql = format!("UPDATE exchange_orders SET approved_by = {by}, approved_person = {by} WHERE id = {id}");
        let done = s.w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
        done.await.expect("written past the program");
    };
    // One alone says that another approved it.
    approved_by(ann.to_string()).await;
    let before = s.seen().await;
    assert_eq!(why(s.complete(&s.w.bob, id).await), "payment_altered");
    assert_eq!(s.seen().await, before);
    approved_by("NULL".to_owned()).await;
    s.approve(&s.w.bob, id).await.expect("approved");
    approved_by(ann.to_string()).await;
    assert_eq!(why(s.complete(&s.w.bob, id).await), "payment_altered");
    approved_by(bob.to_string()).await;
    s.complete(&s.w.ann, id).await.expect("completed");
});

on_both!(what_was_edited_since_its_user_put_it_is_not_approved, |test| {
    let s = shop(test, "100").await;
    let id = s.asked("40").await;
    let other = s.w.test.user("other").await;
    let put_by = async |user: base::UserId| {
        let sql = format!("UPDATE exchange_orders SET user_id = {user} WHERE id = {id}");
        let done = s.w.app.db.write(move |tx| Ok::<_, store::Error>(tx.batch_execute(&sql)?));
        done.await.expect("written past the program");
    };
    put_by(other).await;
    assert_eq!(why(s.approve(&s.w.ann, id).await), "request_altered");
    put_by(s.w.user).await;
    s.approve(&s.w.ann, id).await.expect("as it was put");
});

/// What was approved, to be given back.
async fn unpaid(s: &Shop, by: &Staff, id: ExchangeOrderId) -> RequestRef {
    match reject_exchange(&s.w.app, by, id).await.expect("requested") {
        GivenBack::Asked(asked) => asked.id.into(),
        GivenBack::Done(order) => panic!("one alone gave back {order:?}"),
    }
}

on_both!(what_the_acceptor_has_is_given_back_by_two, |test| {
    let s = shop(test, "100").await;
    let (app, ann, bob) = (&s.w.app, &s.w.ann, &s.w.bob);
    let id = s.asked("40").await;
    s.approve(ann, id).await.expect("approved");
    let before = s.seen().await;
    let asked = unpaid(&s, ann, id).await;
    assert_eq!(unpaid(&s, bob, id).await, asked, "it is requested once");
    assert_eq!(why(approve(app, ann, asked).await), "second_person_needed");
    assert_eq!(s.seen().await, before);
    // Until then it may be completed, and then there is nothing to give back.
    s.complete(bob, id).await.expect("completed");
    assert_eq!(why(approve(app, bob, asked).await), "already_decided");
    assert_eq!(why(s.cancel(ann, id).await), "already_decided");

    let id = s.asked("20").await;
    s.approve(bob, id).await.expect("approved");
    let asked = unpaid(&s, bob, id).await;
    approve(app, ann, asked).await.expect("agreed");
    assert_eq!(s.figures().await, ("60.00".into(), "0.00".into()));
    let last = all_orders(app, OrderFilter::default(), PageRequest::default()).await.expect("a list").items.remove(0);
    assert_eq!((last.status.name(), last.reason.as_str()), ("cancelled", "a test"));
    assert_eq!(s.w.lines().await[0], "refund 20.00 60.00");
    assert_eq!(why(approve(app, ann, asked).await), "already_decided");
    assert!(verify(app).await.expect("verified").ok);
    let audit = verify_audit(app, None).await.expect("verified");
    assert!(audit.ok, "{audit:?}");
});

on_both!(approving_completing_and_giving_back_count, |test| {
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
    assert_eq!(over(s.cancel(&dora, id).await), "30.00");
    let asked = unpaid(&s, bob, id).await;
    assert_eq!(over(approve(app, &dora, asked).await.map(drop)), "30.00");
    approve(app, &s.staff("eve", Role::Admin).await, asked).await.expect("another admin may");
    let id = s.asked("30.01").await;
    s.cancel(&dora, id).await.expect("what nobody has approved needs no limit");
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
                        Did::Approve => approve_exchange(&app, &by, id).await.map(|_| true),
                        Did::Complete => complete_exchange(&app, &by, id).await.map(|_| true),
                        // Once it was approved, that is only requested.
                        Did::Reject => {
                            reject_exchange(&app, &by, id).await.map(|back| matches!(back, GivenBack::Done(_)))
                        }
                        Did::Cancel => cancel_exchange(&app, user, id, None).await.map(|_| true),
                    };
                    (what, done)
                })
            })
            .collect();
        let mut done = Vec::new();
        for task in tasks {
            match task.await.expect("no panic") {
                (what, Ok(true)) => done.push(what),
                (_, Ok(false)) => {}
                (what, refused) => {
                    let why = why(refused);
                    let known = why == "already_decided" || (what == Did::Complete && why == "not_approved");
                    assert!(known, "{what:?}: {why}");
                }
            }
        }
        // It may have been approved when all had tried to complete it.
        if done == [Did::Approve] {
            s.complete(&s.w.bob, id).await.expect("completed");
            done.push(Did::Complete);
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
