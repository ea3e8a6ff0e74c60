//! How long a page of a plan's events takes among a million. Run explicitly, in a release
//! build:
//!
//! `cargo test --release -p store --bench million_events -- --ignored --nocapture
//! --test-threads 1`
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement that prints, and fails by panicking"
)]

use std::time::{Duration, Instant};

use base::PlanId;
use delivery::EventKind;
use diesel::connection::SimpleConnection;
use store::delivery::plan_events::{EventFilter, event, events};
use store::testing::TestDb;
use store::{Error, PageRequest};

const EVENTS: i64 = 1_000_000;
const LONGEST: Duration = Duration::from_millis(50);

/// Views of plan 1 of which one in a thousand is clicked. Only the oldest two do not count.
async fn write(t: &TestDb) {
    let now = t.clock.now().millis();
    let bytes = if t.db.sqlite_path().is_some() {
        "CAST(printf('%016d', n) AS BLOB)"
    } else {
        "convert_to(lpad(n::text, 16, '0'), 'UTF8')"
    };
    let written = t.db.write(move |tx| {
        tx.batch_execute(&format!(
            "INSERT INTO events (plan_id, kind, nonce, slot_id, realm, at, filed_at, valid, reason, filter_version, \
             price_milli) SELECT 1, CASE WHEN n % 1000 = 0 THEN 2 ELSE 1 END, {bytes}, NULL, 1, {now} + n, {now} + n, \
             n > 2, CASE WHEN n > 2 THEN 0 ELSE 3 END, 2, 240 FROM (WITH RECURSIVE s(n) AS \
             (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {EVENTS}) SELECT n FROM s) AS s ORDER BY n"
        ))?;
        Ok::<_, Error>(())
    });
    written.await.expect("written");
    t.db.write(|tx| tx.batch_execute("ANALYZE events").map_err(Error::from)).await.expect("analysed");
}

async fn measure(t: TestDb) {
    write(&t).await;
    let kind = if t.db.sqlite_path().is_some() { "SQLite" } else { "PostgreSQL" };
    println!("{kind}, {EVENTS} events");
    let asked = t.db.read(move |conn| {
        let plan = PlanId(1);
        let middle = PageRequest { before: Some(EVENTS / 2), limit: 100 };
        for (name, of, counted, page, expected) in [
            ("the newest", EventKind::Impression, None, PageRequest::default(), 20),
            ("from the middle on", EventKind::Impression, None, middle, 100),
            ("clicks", EventKind::Click, Some(true), middle, 100),
            ("the few that do not count", EventKind::Impression, Some(false), PageRequest::default(), 2),
            ("none", EventKind::Click, Some(false), PageRequest::default(), 0),
        ] {
            let began = Instant::now();
            let found = events(conn, plan, of, EventFilter { counted, ..EventFilter::default() }, page)?;
            let took = began.elapsed();
            println!("{name:28} {took:9.1?}");
            let limit = usize::try_from(page.limit).expect("a length");
            assert_eq!(found.len().min(limit), expected, "{name}");
            assert!(cfg!(debug_assertions) || took < LONGEST, "{name}: {took:?}");
        }
        assert!(event(conn, plan, EventKind::Impression, EVENTS / 2 + 1)?.is_some());
        Ok::<_, Error>(())
    });
    asked.await.expect("read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn a_page_among_a_million_events_is_read_at_once_on_sqlite() {
    measure(store::testing::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn a_page_among_a_million_events_is_read_at_once_on_postgres() {
    measure(store::testing::postgres()).await;
}
