//! How long it takes to read and sum the lines of a plan and of a period among many
//! bills. Run explicitly, in a release build:
//!
//! `cargo test --release -p store --bench bills -- --ignored --nocapture --test-threads 1`
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement that prints, and fails by panicking"
)]

use std::time::{Duration, Instant};

use base::{Money, Period, PlanId, ProductId, Timestamp, UserId};
use diesel::connection::SimpleConnection;
use store::testing::TestDb;
use store::wallet::flows::by_day::{DayRow, DayRowsQuery, Position, Search, rows};
use store::wallet::flows::{Direction, Filter, newest, page, sum};
use store::{Conn, Error, PageRequest};
use wallet::FlowKind;

const DAY: i64 = 86_400_000;
const DAYS: i64 = 87;
/// Four bills a minute for each of two plans: a million.
const BILLS: i64 = 2 * DAYS * 4 * 1_440;
const LONGEST: Duration = Duration::from_millis(500);

/// Bills of plans 1 and 2 in turn, up to now, and each plan's put and settlement.
async fn write(t: &TestDb, user: UserId) {
    let now = t.clock.now().millis();
    let (every, first) = (DAYS * DAY / BILLS, now - DAYS * DAY);
    let written = t.db.write(move |tx| {
        let line = "INSERT INTO entries (transaction_id, position, account_kind, owner_id, plan_id, amount, \
             balance_after, flow, available_after, income_after, ref_type, ref_id, remark, recorded_at)";
        tx.batch_execute(&format!(
            "{line} SELECT 1000 + n, 0, 201, {user}, 1 + n % 2, -5, 0, 3, 0, 0, 'plan', 1 + n % 2, 'P23456789A', \
             {now} - CAST({BILLS} - n AS BIGINT) * {every} FROM (WITH RECURSIVE s(n) AS \
             (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {BILLS}) SELECT n FROM s) AS s ORDER BY n; \
             {line} VALUES (1, 0, 101, {user}, NULL, -500, 0, 4, 0, 0, 'plan', 1, '', {first}), \
             (2, 0, 101, {user}, NULL, 70, 0, 9, 0, 0, 'plan', 1, '', {now})"
        ))?;
        Ok::<_, Error>(())
    });
    written.await.expect("written");
    let analysed = t.db.write(|tx| tx.batch_execute("ANALYZE entries").map_err(Error::from));
    analysed.await.expect("analysed");
}

fn timed(conn: &mut Conn, name: &str, user: UserId, filter: Filter) -> Result<(), Error> {
    let began = Instant::now();
    let first = page(conn, user, filter, PageRequest::default())?;
    let (paged, began) = (began.elapsed(), Instant::now());
    let lines = sum(conn, user, filter)?.map(|sum| sum.lines);
    let summed = began.elapsed();
    println!("{name:28} {paged:9.1?} a page of {:2}, {summed:9.1?} the sum of {lines:?} lines", first.items.len());
    assert!(cfg!(debug_assertions) || (paged < LONGEST && summed < LONGEST), "{name}: {paged:?} {summed:?}");
    Ok(())
}

/// The day of a moment and those before it, in UTC.
fn days(at: Timestamp, count: u64) -> Vec<Period> {
    let last = at.millis().div_euclid(DAY);
    let day = |n: i64| Timestamp::from_millis(n * DAY);
    (0..i64::try_from(count).expect("few")).map(|n| Period { from: day(last - n), until: day(last - n + 1) }).collect()
}

/// A page of the statement by day, from the newest row or from below a position.
fn by_day(conn: &mut Conn, name: &str, query: &DayRowsQuery<'_>) -> Result<Option<Position>, Error> {
    let began = Instant::now();
    let page = rows(conn, query)?;
    let took = began.elapsed();
    let bills: i64 = page.rows.iter().map(|row| if let DayRow::Bill(bill) = row { bill.lines } else { 0 }).sum();
    println!("{name:28} {took:9.1?} a page of {:2} rows over {bills} bills", page.rows.len());
    assert!(cfg!(debug_assertions) || took < LONGEST, "{name}: {took:?}");
    Ok(page.next)
}

fn measure_days(conn: &mut Conn, user: UserId) -> Result<(), Error> {
    let all = DayRowsQuery {
        user,
        filter: Filter::default(),
        search: None,
        until: newest(conn, user)?,
        billable: None,
        below: None,
        limit: 20,
        days: &days,
    };
    let next = by_day(conn, "by day", &all)?;
    by_day(conn, "by day, the second page", &DayRowsQuery { below: next, ..all })?;
    let incoming = Filter { direction: Some(Direction::In), ..Filter::default() };
    by_day(conn, "money in", &DayRowsQuery { filter: incoming, ..all })?;
    let one = Filter { plan: Some(PlanId(1)), ..Filter::default() };
    by_day(conn, "a plan by day", &DayRowsQuery { filter: one, ..all })?;
    for (name, amount) in [("a search for an amount", Some(Money::from_minor(500))), ("a search for a name", None)] {
        let search =
            Search { text: "aurora".into(), plain: "aurora".into(), products: vec![ProductId(1)], amount, line: None };
        by_day(conn, name, &DayRowsQuery { search: Some(&search), ..all })?;
    }
    Ok(())
}

async fn measure(t: TestDb) {
    let user = t.user("demo").await;
    write(&t, user).await;
    let now = t.clock.now();
    let ago = move |days: i64| Timestamp::from_millis(now.millis() - days * DAY);
    let stretch = move |from: i64, until: i64| Some(Period { from: ago(from), until: ago(until) });
    let bills = Some(FlowKind::AdBilling);
    let (one, any) = (Some(PlanId(1)), Filter::default());
    let kind = if t.db.sqlite_path().is_some() { "SQLite" } else { "PostgreSQL" };
    println!("{kind}, {BILLS} bills");
    let asked = t.db.read(move |conn| {
        let hour = Some(Period { from: ago(20), until: ago(20).plus_seconds(3_600) });
        timed(conn, "an hour 20 days ago", user, Filter { period: hour, kind: bills, ..any })?;
        timed(conn, "a day 20 days ago", user, Filter { period: stretch(20, 19), kind: bills, ..any })?;
        timed(conn, "a week of all kinds", user, Filter { period: stretch(20, 13), ..any })?;
        timed(conn, "17 days of bills", user, Filter { period: stretch(17, 0), kind: bills, ..any })?;
        timed(conn, "too many", user, Filter { period: stretch(25, 0), kind: bills, ..any })?;
        timed(
            conn,
            "settlements of 25 days",
            user,
            Filter { period: stretch(25, -1), kind: Some(FlowKind::Settlement), ..any },
        )?;
        timed(conn, "a plan", user, Filter { plan: one, ..any })?;
        timed(conn, "a plan's bills", user, Filter { plan: one, kind: bills, ..any })?;
        timed(conn, "a plan's settlement", user, Filter { plan: one, kind: Some(FlowKind::Settlement), ..any })?;
        timed(conn, "a plan's day, 20 days ago", user, Filter { plan: one, period: stretch(20, 19), ..any })
    });
    asked.await.expect("read");
    t.db.read(move |conn| measure_days(conn, user)).await.expect("read");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn lines_among_many_bills_are_read_at_once_on_sqlite() {
    measure(store::testing::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn lines_among_many_bills_are_read_at_once_on_postgres() {
    measure(store::testing::postgres()).await;
}
