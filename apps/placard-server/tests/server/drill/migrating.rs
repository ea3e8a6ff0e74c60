//! A PostgreSQL of the version before, with a million rows in each of its large tables, is migrated
//! while everybody goes on reading and writing all tables: nobody waits for long.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use store::testing::{catalog, connect_to, empty_postgres, execute};

use super::rolling::undo_later_migrations;
use crate::installation::Installation;

const ROWS: u32 = 1_000_000;
const LONGEST: Duration = Duration::from_millis(200);
const BETWEEN: Duration = Duration::from_millis(2);

/// Without triggers and foreign keys, which are no matter here.
fn fill(url: &str) {
    let series = format!("FROM generate_series(1, {ROWS}) AS n");
    let statements = [
        format!(
            "INSERT INTO transactions (book, book_seq, kind, ref_type, ref_id, event_time, recorded_at, actor, reason, \
             prev_hash, hash) SELECT n, 1, 1, 'recharge', n, n, n, 'bulk', '', '\\x00', '\\x00' {series}"
        ),
        format!(
            "INSERT INTO entries (id, transaction_id, position, account_kind, owner_id, amount, balance_after, flow, \
             available_after, income_after, ref_type, ref_id, remark, recorded_at) \
             SELECT n, n, 0, 1, n, 100, 100, 1, 100, 100, 'recharge', n, '', {now} - n {series}",
            now = "(extract(epoch FROM now()) * 1000)::bigint"
        ),
        format!(
            "INSERT INTO events (plan_id, kind, nonce, realm, at, filed_at, valid, reason, filter_version, price_milli) \
             SELECT n % 1000, 1, decode(lpad(to_hex(n), 32, '0'), 'hex'), 1, {now} - n, {now} - n, TRUE, 0, 1, 10 {series}",
            now = "(extract(epoch FROM now()) * 1000)::bigint"
        ),
    ];
    let settings = "SET session_replication_role = replica; SET synchronous_commit = off; SET statement_timeout = 0";
    let mut conn = connect_to(url).expect("connected");
    conn.batch_execute(settings).expect("set");
    for statement in statements {
        conn.batch_execute(&statement).unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    execute(url, "ANALYZE").expect("analysed");
}

/// Takes the locks of a reader and of a writer on each table in turn; returns the longest wait, and
/// the table that it was for.
fn longest_wait(url: &str, tables: &[String], ended: &AtomicBool) -> (Duration, String) {
    let mut conn = connect_to(url).expect("connected");
    conn.batch_execute("SET lock_timeout = 0").expect("set");
    let mut longest = (Duration::ZERO, String::new());
    while !ended.load(Ordering::SeqCst) {
        for table in tables {
            let begun = Instant::now();
            let work =
                format!("BEGIN; SELECT 1 FROM {table} LIMIT 1; LOCK TABLE {table} IN ROW EXCLUSIVE MODE; COMMIT");
            conn.batch_execute(&work).unwrap_or_else(|error| panic!("{table}: {error}"));
            longest = longest.max((begun.elapsed(), table.clone()));
        }
        sleep(BETWEEN);
    }
    longest
}

#[test]
#[ignore = "takes a minute, and the machine for itself: see just drill"]
fn nobody_waits_while_a_million_rows_are_migrated() {
    let database = empty_postgres();
    let installation = Installation::at(&database.url);
    drop(installation.start());
    undo_later_migrations(&database.url);
    fill(&database.url);
    let tables: Vec<String> = catalog(&database.url).into_iter().map(|table| table.name).collect();
    assert!(["entries", "events", "plans", "wallets"].iter().all(|name| tables.iter().any(|table| table == name)));
    let ended = AtomicBool::new(false);
    let (took, (longest, table)) = scope(|scope| {
        let waiting = scope.spawn(|| longest_wait(&database.url, &tables, &ended));
        sleep(Duration::from_millis(500));
        let begun = Instant::now();
        let server = installation.begin();
        while server.client().get("/readyz").map_or(0, |answer| answer.status) != 200 {
            if begun.elapsed() > Duration::from_secs(120) {
                ended.store(true, Ordering::SeqCst);
                panic!("it is not ready: {}", installation.said(&server));
            }
            sleep(Duration::from_millis(20));
        }
        let took = begun.elapsed();
        ended.store(true, Ordering::SeqCst);
        (took, waiting.join().expect("it waited"))
    });
    eprintln!("{ROWS} rows each: ready after {took:?}; the longest wait was {longest:?}, for {table}");
    assert!(longest < LONGEST, "{longest:?} for {table}");
}
