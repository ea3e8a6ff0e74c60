//! How long staff's program takes to read one account with a million rows of each kind.

use std::time::{Duration, Instant};

use desk::account_detail::account_detail;

use crate::installation::Kind;
use crate::table::{Table, plain};
use crate::test_bed::TestBed;

/// The number of clients, each of which waits for its answers.
const CALLERS: usize = 40;
const MARK_MILLIS: f64 = 100.0;

/// The slowest of them.
pub async fn measure(place: &TestBed, table: &mut Table) {
    let app = place.installation.app();
    let mut slowest = Duration::ZERO;
    for _ in 0..CALLERS {
        let began = Instant::now();
        account_detail(&app, "many").await.expect("an account");
        slowest = slowest.max(began.elapsed());
    }
    let name = if place.installation.kind == Kind::Postgres { "account_show_1e6_pg" } else { "account_show_1e6" };
    table.add(name, plain(slowest.as_secs_f64() * 1_000.0, "ms").against("100 ms", Some(MARK_MILLIS)));
}
