//! The size of a row of each table on PostgreSQL, including indexes, how much log a
//! movement, an event and a bill write, how many plans are counted and billed in a second,
//! and how long hashing a password takes. The figures in docs/capacity.py are from here.
//!
//! `scripts/with-postgres cargo run -p desk --example row_sizes`
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a measurement fails by panicking")]

mod fill;
mod sizes;

use std::time::{Duration, Instant};

use fill::World;

#[tokio::main]
async fn main() {
    let mut world = World::new(store::testing::postgres()).await;
    let db = world.app().db.clone();
    let before = sizes::written(&db).await;
    let withdrawals = world.withdraw().await;
    let after_withdrawals = sizes::written(&db).await;
    let counted = world.visit().await;
    let after_visits = sizes::written(&db).await;
    let billed = world.close_days().await;
    let after_bills = sizes::written(&db).await;
    println!("a password takes {} ms", password().as_millis());
    println!("log written, in bytes");
    println!("  a withdrawal                          {:>6}", (after_withdrawals - before) / withdrawals);
    println!("  a creative served, seen and counted   {:>6}", (after_visits - after_withdrawals) / counted.number);
    println!("  a plan seen once, counted and billed  {:>6}", (after_bills - after_visits) / billed.number);
    println!("in a second");
    println!("  plans with new events counted         {:>6}", counted.a_second());
    println!("  plans billed                          {:>6}", billed.a_second());
    println!("rows, and bytes a row with its indexes");
    for table in sizes::tables(&db).await {
        println!("  {:<22} {:>8} {:>6}", table.name, table.rows, table.bytes / table.rows);
    }
}

/// The time to hash one.
fn password() -> Duration {
    const TIMES: u32 = 20;
    let began = Instant::now();
    for _ in 0..TIMES {
        auth::hashing::hash(b"seven green bottles", &[7; 16]).expect("hashed");
    }
    began.elapsed() / TIMES
}
