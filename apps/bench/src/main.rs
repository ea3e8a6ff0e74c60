//! `placard-bench`: starts the server that is shipped, on SQLite and on
//! PostgreSQL, loads it over HTTP, and prints one table. Run it with
//! `just bench`; docs/BENCHMARKS.md says how to read it.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark fails by panicking")]
#![allow(clippy::float_arithmetic, reason = "figures are for reading")]

mod figures;
mod installation;
mod load;
mod machine;
mod market;
mod place;
mod reference;
mod server;
mod slow_disk;
mod table;
mod wire;

use std::path::Path;

use figures::{answers, balance, events, logins, movements, reads, slots};
use installation::Kind;
use machine::Machine;
use place::Place;
use reference::{RAW_SQLITE, RAW_WORD, TPC_B};
use table::{Table, plain};

const MEMORY_MARK: f64 = 200.0;
const JSON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench.json");

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => all(&Kind::ALL),
        [word] if word == "sqlite" => all(&[Kind::Sqlite]),
        [word] if word == "pg" => all(&[Kind::Postgres]),
        [word, path] if word == RAW_WORD => reference::be_raw(Path::new(path)),
        _ => panic!("placard-bench takes nothing, or sqlite or pg"),
    }
}

fn all(kinds: &[Kind]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    println!("{}", Machine::look());
    let mut table = Table::head();
    runtime.block_on(async {
        let mut most = 0.0_f64;
        for kind in kinds {
            most = most.max(match kind {
                Kind::Sqlite => sqlite(&mut table).await,
                Kind::Postgres => postgres(&mut table).await,
            });
        }
        table.add("rss_mb", plain(most, "MiB").against("200 MiB", Some(MEMORY_MARK)));
    });
    if kinds.len() == Kind::ALL.len() {
        table.write(Path::new(JSON));
    }
}

/// Gives the most memory that the server held under load.
async fn sqlite(table: &mut Table) -> f64 {
    reference::raw_sqlite(table, RAW_SQLITE, None);
    let mut place = Place::prepare(Kind::Sqlite).await;
    let memory = place_figures(&place, table, RAW_SQLITE).await;
    place.check();
    slow_disk::measure(place, table).await;
    memory
}

async fn postgres(table: &mut Table) -> f64 {
    reference::pgbench(table);
    let mut place = Place::prepare(Kind::Postgres).await;
    let memory = place_figures(&place, table, TPC_B).await;
    place.check();
    memory
}

async fn place_figures(place: &Place, table: &mut Table, reference: &str) -> f64 {
    movements::measure(place, table, reference).await;
    movements::measure_hot(place, table).await;
    slots::measure(place, table).await;
    events::measure(place, table).await;
    // Before the passwords, which take 19 MiB each to verify.
    let memory = place.server.most_memory();
    reads::measure(place, table).await;
    answers::measure(place, table).await;
    balance::measure(place, table).await;
    logins::measure(place, table).await;
    memory
}
