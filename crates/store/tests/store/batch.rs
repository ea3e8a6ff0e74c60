//! Commands decided together: how one of them affects the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base::{Money, Timestamp, UserId};
use futures_util::future::join_all;
use store::wallet::books::{Books, Note};
use store::{Batch, Conn, Context, Db, Error, Fault, Lookup, Tx, on_both};

/// Pays into a wallet, or takes out of it; `Poison` breaks the whole batch.
#[derive(Clone)]
struct Pay {
    user: UserId,
    minor: i64,
    poison: bool,
    batches: Arc<AtomicUsize>,
}

/// Why a payment is refused.
#[derive(Debug)]
enum Refused {
    Rule(wallet::Refused),
    Database(Error),
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl Fault for Refused {
    fn database_error(&self) -> Option<&Error> {
        match self {
            Self::Rule(_) => None,
            Self::Database(error) => Some(error),
        }
    }
}

struct State {
    books: Books,
    now: Timestamp,
}

impl Batch<Context> for Pay {
    type Answer = Money;
    type Error = Refused;
    type State = State;
    type Decision = Money;
    type Saved = ();

    fn load(tx: &mut Tx<'_>, commands: &[Self]) -> Result<State, Refused> {
        commands[0].batches.fetch_add(1, Ordering::SeqCst);
        let books = Books::lock(tx, commands.iter().map(|pay| pay.user), [])?;
        Ok(State { books, now: tx.now() })
    }

    fn decide(&self, state: &mut State) -> Result<Money, Refused> {
        assert!(!self.poison, "on purpose");
        let amount = Money::from_minor(self.minor.abs());
        let wallet = state.books.wallet_of(self.user)?;
        let decided =
            if self.minor < 0 { wallet::pay_deposit(wallet, amount) } else { wallet::recharge(wallet, amount) };
        state.books.enter(&decided.map_err(Refused::Rule)?, note(state.now))?;
        Ok(state.books.wallet_of(self.user)?.available)
    }

    fn save(mut state: State, tx: &mut Tx<'_>) -> Result<(), Refused> {
        Ok(state.books.flush(tx)?)
    }

    fn answer(available: Money, (): &()) -> Money {
        available
    }
}

fn note(now: Timestamp) -> Note {
    Note {
        document: wallet::Document::Request(wallet::RequestDocument::Recharge, base::RequestId(1)),
        event_at: now,
        actor: "test".into(),
        reason: String::new(),
        idempotency_key: None,
    }
}

fn pay(user: UserId, minor: i64) -> Pay {
    Pay { user, minor, poison: false, batches: Arc::default() }
}

/// Money is moved without documents here; nothing else may be found.
async fn laws_hold(db: &Db) {
    let laws = db.snapshot(store::wallet::verify::laws).await.expect("walked");
    let other = laws.faults.iter().find(|fault| !fault.contains("is of no document"));
    assert!(laws.chain_ok && other.is_none(), "{laws:?}");
}

/// Keeps the writers busy, so that later work waits together.
async fn hold_up(db: &Db) -> Vec<tokio::task::JoinHandle<Result<(), Error>>> {
    let begun = Arc::<AtomicUsize>::default();
    let mut slow = Vec::new();
    for n in 1..=2 {
        let (db, one) = (db.clone(), Slow { begun: begun.clone() });
        slow.push(tokio::spawn(async move { db.batch(one).await }));
        while begun.load(Ordering::SeqCst) < n {
            tokio::task::yield_now().await;
        }
    }
    slow
}

struct Slow {
    begun: Arc<AtomicUsize>,
}

impl Batch<Context> for Slow {
    type Answer = ();
    type Error = Error;
    type State = ();
    type Decision = ();
    type Saved = ();

    fn load(_: &mut Tx<'_>, all: &[Self]) -> Result<(), Error> {
        all[0].begun.fetch_add(all.len(), Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(300));
        Ok(())
    }

    fn decide(&self, (): &mut ()) -> Result<(), Error> {
        Ok(())
    }

    fn save((): (), _: &mut Tx<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn answer((): (), (): &()) {}
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
    let refused =
        |answer: &&Result<_, _>| matches!(answer, Err(Refused::Rule(wallet::Refused::InsufficientBalance { .. })));
    assert_eq!(answers.iter().filter(refused).count(), 54);
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
    assert!(matches!(answers[7], Err(Refused::Database(Error::Panicked))));
    laws_hold(&test.db).await;
});

on_both!(a_full_queue_refuses_at_once, |test| {
    let user = test.user("ann").await;
    let slow = hold_up(&test.db).await;
    let answers = join_all((0..5_000).map(|_| test.db.batch(pay(user, 1)))).await;
    join_all(slow).await;
    let refused = answers.iter().filter(|answer| matches!(answer, Err(Refused::Database(Error::Overloaded)))).count();
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

on_both!(what_is_to_happen_after_a_commit_happens_only_where_there_is_one, |test| {
    let slow = hold_up(&test.db).await;
    let happened = Arc::<AtomicUsize>::default();
    let writes = (0..20_usize).map(|n| {
        let (db, happened) = (test.db.clone(), happened.clone());
        tokio::spawn(async move {
            let write = db.write(move |tx| {
                let happened = happened.clone();
                tx.on_commit(move || {
                    happened.fetch_add(1 << n, Ordering::SeqCst);
                });
                if n % 3 == 0 { Err(Error::Corrupt("refused".into())) } else { Ok(()) }
            });
            write.await.is_ok()
        })
    });
    let mut kept = 0;
    for (n, write) in writes.collect::<Vec<_>>().into_iter().enumerate() {
        if write.await.expect("joined") {
            kept += 1 << n;
        }
    }
    join_all(slow).await;
    assert_eq!(happened.load(Ordering::SeqCst), kept, "each that was kept, once");
});

/// The balance of a wallet; an unknown one is refused, and `broken` makes reading fail.
struct Available {
    user: UserId,
    broken: bool,
    readings: Arc<AtomicUsize>,
}

impl Lookup for Available {
    type Answer = Money;
    type Error = Error;
    type Found = Vec<(UserId, Money)>;

    fn find(conn: &mut Conn, asked: &[Self]) -> Result<Self::Found, Error> {
        asked[0].readings.fetch_add(1, Ordering::SeqCst);
        assert!(asked.iter().all(|one| !one.broken), "on purpose");
        std::thread::sleep(Duration::from_millis(50));
        let read = |one: &Self| Ok(store::wallet::books::read_wallet(conn, one.user)?.map(|w| (one.user, w.available)));
        asked.iter().map(read).filter_map(Result::transpose).collect()
    }

    fn answer(&self, found: &Self::Found) -> Result<Money, Error> {
        let own = found.iter().find(|(user, _)| *user == self.user);
        own.map(|(_, available)| *available).ok_or_else(|| Error::Corrupt("nobody's".into()))
    }
}

on_both!(questions_that_wait_are_answered_together_and_each_for_itself, |test| {
    let (ann, bob) = (test.user("ann").await, test.user("bob").await);
    test.db.batch(pay(ann, 100)).await.expect("paid in");
    test.db.batch(pay(bob, 200)).await.expect("paid in");
    let readings = Arc::<AtomicUsize>::default();
    let asked = (0..40_i64).map(|n| {
        let user = [ann, bob, UserId(0)][usize::try_from(n % 3).expect("small")];
        test.db.lookup(Available { user, broken: n == 39, readings: readings.clone() })
    });
    let answers = join_all(asked).await;
    for (n, answer) in answers.iter().enumerate() {
        match n % 3 {
            _ if n == 39 => assert!(matches!(answer, Err(Error::Panicked)), "{answer:?}"),
            0 => assert_eq!(answer.as_ref().expect("ann's").minor(), 100),
            1 => assert_eq!(answer.as_ref().expect("bob's").minor(), 200),
            _ => assert!(matches!(answer, Err(Error::Corrupt(_))), "{answer:?}"),
        }
    }
    test.db.lookup(Available { user: ann, broken: false, readings: readings.clone() }).await.expect("still answered");
});

on_both!(after_a_read_that_broke_off_others_see_what_is_new, |test| {
    let user = test.user("ann").await;
    let read = move |conn: &mut Conn| {
        let wallet = store::wallet::books::read_wallet(conn, user)?;
        Ok::<_, Error>(wallet.map_or(Money::ZERO, |wallet| wallet.available))
    };
    let broken = test.db.snapshot(move |conn| {
        let before = read(conn)?;
        assert!(before.is_positive(), "on purpose");
        Ok::<_, Error>(before)
    });
    assert!(matches!(broken.await, Err(Error::Panicked)));
    test.db.batch(pay(user, 100)).await.expect("paid in");
    for _ in 0..8 {
        assert_eq!(test.db.read(read).await.expect("read").minor(), 100);
    }
    assert_eq!(test.db.snapshot(read).await.expect("read").minor(), 100);
});

on_both!(what_was_applied_is_written_with_its_document_or_not_at_all, |test| {
    let user = test.user("ann").await;
    let paid = move |tx: &mut Tx<'_>, explained: bool| {
        let mut books = Books::lock_user(tx, user)?;
        let postings = wallet::recharge(books.wallet()?, Money::from_minor(100)).expect("is paid in");
        let applied = books.apply(&postings)?;
        if explained {
            books.explain(applied, note(tx.now()));
        }
        books.flush(tx)
    };
    let refused = test.db.write(move |tx| paid(tx, false)).await;
    assert!(matches!(refused, Err(Error::Corrupt(_))), "{refused:?}");
    let wallet = test.db.read(move |conn| store::wallet::books::read_wallet(conn, user)).await.expect("read");
    assert_eq!(wallet.expect("a wallet").available, Money::ZERO);
    test.db.write(move |tx| paid(tx, true)).await.expect("paid in");
    let wallet = test.db.read(move |conn| store::wallet::books::read_wallet(conn, user)).await.expect("read");
    assert_eq!(wallet.expect("a wallet").available, Money::from_minor(100));
    laws_hold(&test.db).await;
});
