//! All users' balances at the end of a day (docs/PROOF.md): how long a server reads them, and how much memory that takes.

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use base::UserId;
use foundation::{App, Settings};
use money::wallet::public_log::{Sealer, balances, read_published_head};
use store::testing::execute;
use tokio::runtime::Builder;

use crate::installation::{Installation, Kind};

/// The numbers of the users begin here.
const FIRST: i64 = 1_000_000;

pub fn measure(users: i64) {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    for kind in Kind::ALL {
        runtime.block_on(measure_on(kind, users));
    }
}

async fn measure_on(kind: Kind, users: i64) {
    let installation = Installation::new(kind);
    let app = named(&installation);
    let mut sealer = Sealer::default();
    sealer.round(&app).await.expect("the log begins");
    write(&installation, users);
    let before = forget_most_memory();
    let begun = Instant::now();
    assert!(balances::make(&app).await.expect("read"), "nobody else reads them");
    let (took, most) = (begun.elapsed(), memory("VmHWM:"));
    sealer.round(&app).await.expect("sealed");
    let size = read_published_head(&app).await.expect("read").expect("published").size;
    let begun = Instant::now();
    let found = balances::section(&app, UserId(FIRST), 0..=u64::MAX, size).await.expect("read");
    let shown = begun.elapsed();
    let leaves = found.as_deref().and_then(|text| text.lines().find_map(|line| line.strip_prefix("leaves: ")));
    println!(
        "{}: {users} users, {} leaves: {:.1} s, {} MiB of memory above {} MiB before; one user's place: {:.1} ms",
        kind.name(),
        leaves.expect("the user is in it"),
        took.as_secs_f64(),
        most.saturating_sub(before) / 1_024,
        before / 1_024,
        shown.as_secs_f64() * 1_000.0,
    );
}

/// Only an installation with a name has a log.
fn named(installation: &Installation) -> App {
    let mut app = App::clone(&installation.app());
    let domain = Some("ads.example.com".parse().expect("a domain"));
    app.settings = Arc::new(Settings { domain, ..Settings::clone(&app.settings) });
    app
}

/// Wallets with random balances, every fourth with a plan that holds something, and nothing else: no more is read.
fn write(installation: &Installation, users: i64) {
    let (free, hash) = match installation.kind {
        Kind::Sqlite => ("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF;", "randomblob(32)"),
        Kind::Postgres => (
            "SET session_replication_role = replica; SET synchronous_commit = off; SET statement_timeout = 0;",
            "sha256(CAST(CAST(i AS TEXT) AS BYTEA))",
        ),
    };
    let numbers = format!(
        "WITH RECURSIVE n(i) AS (SELECT CAST({FIRST} AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {FIRST} + {users})"
    );
    let wallets = format!(
        "{numbers} INSERT INTO wallets (user_id, available, deposit, promotional, income, book_seq, book_head) \
         SELECT i, i * 7919 % 1000003, i * 31 % 5003, i * 17 % 211, 2000000, 1 + i % 300, {hash} FROM n;"
    );
    let holds = format!(
        "{numbers} INSERT INTO holds (plan_id, user_id, available, promotional, coupon) \
         SELECT i, i, i * 13 % 90001, 0, i % 3 FROM n WHERE i % 4 = 0;"
    );
    let written = |sql: &str| execute(installation.url(), sql).expect("written");
    written(&format!("{free} {wallets} {holds}"));
    for settled in match installation.kind {
        Kind::Sqlite => ["ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"],
        Kind::Postgres => ["VACUUM ANALYZE", "CHECKPOINT"],
    } {
        written(settled);
    }
}

/// The memory that this process uses now, in KiB. Resets the peak.
fn forget_most_memory() -> u64 {
    fs::write("/proc/self/clear_refs", "5").expect("Linux");
    memory("VmRSS:")
}

fn memory(line: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let found = status.lines().find_map(|found| found.strip_prefix(line)).expect("a line");
    found.trim().trim_end_matches(" kB").parse().expect("a number")
}
