//! Commands that are decided together: what one of them does to the others.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base::{Money, UserId};
use futures_util::future::join_all;
use store::wallet::books::{Books, Note};
use store::{Answers, Batch, Db, Error, Tx, on_both};

/// Pays into a wallet, or takes out of it; `Poison` breaks the whole batch.
#[derive(Clone)]
struct Pay {
    user: UserId,
    minor: i64,
    poison: bool,
    batches: Arc<AtomicUsize>,
}

impl Batch for Pay {
    type Answer = Money;
    type Error = Error;

    fn run(tx: &mut Tx<'_>, asked: &[Self]) -> Result<Answers<Self>, Error> {
        asked[0].batches.fetch_add(1, Ordering::SeqCst);
        let mut books = Books::lock(tx, asked.iter().map(|pay| pay.user), [])?;
        let mut answers = Vec::new();
        for pay in asked {
            assert!(!pay.poison, "on purpose");
            let amount = Money::from_minor(pay.minor.abs());
            let wallet = books.wallet_of(pay.user)?;
            let decided =
                if pay.minor < 0 { wallet::pay_deposit(wallet, amount) } else { wallet::recharge(wallet, amount) };
            answers.push(match decided {
                Err(refused) => Err(Error::Corrupt(refused.to_string())),
                Ok(postings) => {
                    books.enter(&postings, note(tx))?;
                    Ok(books.wallet_of(pay.user)?.available)
                }
            });
        }
        books.flush(tx)?;
        Ok(answers)
    }
}

fn note(tx: &Tx<'_>) -> Note {
    Note {
        document: wallet::Document::Request(wallet::RequestDocument::Recharge, base::RequestId(1)),
        event_at: tx.now(),
        actor: "test".into(),
        reason: String::new(),
        idempotency_key: None,
    }
}

fn pay(user: UserId, minor: i64) -> Pay {
    Pay { user, minor, poison: false, batches: Arc::default() }
}

/// Money is moved without documents here, which is all that may be found.
async fn laws_hold(db: &Db) {
    let laws = db.snapshot(store::wallet::verify::laws).await.expect("walked");
    let other = laws.faults.iter().find(|fault| !fault.contains("is of no document"));
    assert!(laws.chain_ok && other.is_none(), "{laws:?}");
}

/// Keeps the writers busy, so that what comes meanwhile waits together.
async fn hold_up(db: &Db) -> Vec<tokio::task::JoinHandle<Result<(), Error>>> {
    let slow = (0..2).map(|_| {
        let db = db.clone();
        tokio::spawn(async move { db.batch(Slow).await })
    });
    let slow = slow.collect();
    tokio::time::sleep(Duration::from_millis(50)).await;
    slow
}

struct Slow;

impl Batch for Slow {
    type Answer = ();
    type Error = Error;

    fn run(_: &mut Tx<'_>, asked: &[Self]) -> Result<Answers<Self>, Error> {
        std::thread::sleep(Duration::from_millis(300));
        Ok(asked.iter().map(|_| Ok(())).collect())
    }
}

on_both!(what_waits_is_decided_together_and_a_refusal_costs_the_others_nothing, |test| {
    let user = test.user("ann").await;
    test.db.batch(pay(user, 1_000)).await.expect("paid in");
    let slow = hold_up(&test.db).await;
    let batches = Arc::<AtomicUsize>::default();
    let asked = (0..64).map(|_| test.db.batch(Pay { batches: batches.clone(), ..pay(user, -100) }));
    let answers = join_all(asked).await;
    join_all(slow).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 10, "ten times 1.00");
    assert!(batches.load(Ordering::SeqCst) < 10, "{batches:?} batches");
    laws_hold(&test.db).await;
});

on_both!(a_poisoned_batch_is_run_one_by_one, |test| {
    let (ann, bob) = (test.user("ann").await, test.user("bob").await);
    let slow = hold_up(&test.db).await;
    let asked = (0..20).map(|n| {
        let one = pay(if n % 2 == 0 { ann } else { bob }, 100);
        test.db.batch(Pay { poison: n == 7, ..one })
    });
    let answers = join_all(asked).await;
    join_all(slow).await;
    for (n, answer) in answers.iter().enumerate() {
        assert_eq!(answer.is_ok(), n != 7, "{n}: {answer:?}");
    }
    assert!(matches!(answers[7], Err(Error::Panicked)));
    laws_hold(&test.db).await;
});

on_both!(a_full_queue_refuses_at_once, |test| {
    let user = test.user("ann").await;
    let slow = hold_up(&test.db).await;
    let answers = join_all((0..5_000).map(|_| test.db.batch(pay(user, 1)))).await;
    join_all(slow).await;
    let refused = answers.iter().filter(|answer| matches!(answer, Err(Error::Overloaded))).count();
    let kept = answers.iter().filter(|answer| answer.is_ok()).count();
    assert!(refused > 0 && refused + kept == answers.len(), "{refused} refused, {kept} kept");
    let wallet =
        test.db.read(move |conn| store::wallet::books::read_wallet(conn, user)).await.expect("read").expect("a wallet");
    assert_eq!(wallet.available.minor(), i64::try_from(kept).expect("few"));
    laws_hold(&test.db).await;
});

on_both!(batches_that_cross_do_not_block_each_other, |test| {
    let (ann, bob) = (test.user("ann").await, test.user("bob").await);
    let asked = (0..200).map(|n| {
        let (db, user) = (test.db.clone(), if n % 2 == 0 { ann } else { bob });
        tokio::spawn(async move { db.batch(pay(user, 1)).await })
    });
    for answer in join_all(asked).await {
        answer.expect("joined").expect("paid");
    }
    laws_hold(&test.db).await;
});
