//! How long verifying a large ledger takes. Run explicitly, in a release build:
//!
//! `cargo test --release -p store --bench million -- --ignored --nocapture --test-threads
//! 1`
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement that prints, and fails by panicking"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::{Money, UserId};
use store::testing::TestDb;
use store::wallet::books::{Books, Note};
use store::wallet::verify::{LedgerFindings, laws};
use store::{Db, Error, Tx};
use wallet::{Document, Postings, Refused, ReturnDeposit};

const USERS: i64 = 1_000;
/// Each moves a deposit back or forth once a round: two entries.
const ROUNDS: i64 = 500;
const LONGEST: Duration = Duration::from_secs(10);

/// Start-up funds as they were booked before they needed requests.
const WITHOUT_REQUEST: fn(UserId) -> Document = Document::Startup;

fn note(tx: &Tx<'_>, user: UserId, document: fn(UserId) -> Document) -> Note {
    Note {
        document: document(user),
        event_at: tx.now(),
        actor: format!("user:{user}"),
        reason: String::new(),
        idempotency_key: None,
    }
}

fn decided(postings: Result<Postings, Refused>) -> Result<Postings, Error> {
    postings.map_err(|e| Error::Corrupt(e.to_string()))
}

async fn people(test: &TestDb) {
    let made = test.db.write(|tx| {
        use diesel::connection::SimpleConnection;
        tx.batch_execute(&format!(
            "INSERT INTO users (username, username_key, nickname, email, phone, lang, entry, status, store_opened, created_at) \
             SELECT 'u' || n, 'u' || n, 'u', 'someone@example.com', '+1', 'en', 1, 1, TRUE, 0 FROM \
             (WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {USERS}) SELECT n FROM s) AS s ORDER BY n"
        ))?;
        for id in 1..=USERS {
            store::wallet::books::create_wallet(tx, UserId(id))?;
        }
        Ok::<_, Error>(())
    });
    made.await.expect("people");
}

/// One movement of each user.
async fn round(db: &Db, round: i64, users: std::ops::RangeInclusive<i64>) {
    let done = db.write(move |tx| {
        let users: Vec<UserId> = users.clone().map(UserId).collect();
        let mut books = Books::lock(tx, users.clone(), [])?;
        for user in users {
            let wallet = books.wallet_of(user)?;
            let amount = Money::from_minor(1_000);
            let postings = match round {
                0 => wallet::advance_startup_loan(wallet, Money::from_minor(100_000)),
                n if n % 2 == 1 => wallet::pay_deposit(wallet, amount),
                _ => {
                    wallet::return_deposit(wallet, &ReturnDeposit { amount, plans_under_way: false, due: Money::ZERO })
                }
            };
            books.enter(
                &decided(postings)?,
                note(tx, user, if round == 0 { WITHOUT_REQUEST } else { Document::Deposit }),
            )?;
        }
        books.flush(tx)
    });
    done.await.expect("moved");
}

async fn checked(db: &Db) -> (LedgerFindings, Duration) {
    let began = Instant::now();
    let laws = db.snapshot(laws).await.expect("walked");
    (laws, began.elapsed())
}

async fn measure(t: TestDb) {
    people(&t).await;
    for n in 0..ROUNDS {
        t.clock.advance_seconds(3_600);
        round(&t.db, n, 1..=USERS).await;
    }
    let (laws, idle) = checked(&t.db).await;
    assert!(laws.faults.is_empty() && laws.entries == 2 * USERS * ROUNDS, "{laws:?}");
    let stop = Arc::<AtomicBool>::default();
    let writer = {
        let (db, stop) = (t.db.clone(), stop.clone());
        tokio::spawn(async move {
            let mut n = ROUNDS;
            while !stop.load(Ordering::Relaxed) {
                round(&db, n + n % 2 + 1, 1..=20).await;
                round(&db, n + n % 2, 1..=20).await;
                n += 2;
            }
            n - ROUNDS
        })
    };
    let (laws, busy) = checked(&t.db).await;
    stop.store(true, Ordering::Relaxed);
    let written = writer.await.expect("no fault") * 20;
    assert!(laws.faults.is_empty(), "{laws:?}");
    let kind = if t.db.sqlite_path().is_some() { "SQLite" } else { "PostgreSQL" };
    println!("{kind}: {} entries, {idle:?} at rest, {busy:?} beside {written} movements", laws.entries);
    assert!(cfg!(debug_assertions) || (idle < LONGEST && busy < LONGEST), "{idle:?} {busy:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn a_million_entries_are_checked_in_ten_seconds_on_sqlite() {
    measure(store::testing::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn a_million_entries_are_checked_in_ten_seconds_on_postgres() {
    measure(store::testing::postgres()).await;
}
