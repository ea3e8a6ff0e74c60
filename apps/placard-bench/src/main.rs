//! `placard-bench` starts the release build of the server on SQLite and on PostgreSQL,
//! puts load on it over HTTP, and prints one table. Run it with `just bench`;
//! docs/BENCHMARKS.md explains the table.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark fails by panicking")]
#![allow(clippy::float_arithmetic, reason = "figures are for reading")]

mod all_balances;
mod figures;
mod idle;
mod installation;
mod load;
mod machine;
mod market;
mod reference;
mod scale;
mod server;
mod slow_disk;
mod table;
mod test_bed;
mod wire;

use std::path::Path;

use figures::{answers, balance, bids, empty, events, logins, movements, payments, reads, slots};
use installation::Kind;
use machine::Machine;
use reference::{RAW_SQLITE, RAW_WORD, TPC_B};
use scale::{FULL, QUICK, Scale};
use table::{Table, plain};
use test_bed::TestBed;
use tokio::runtime::{Builder, Runtime};

const MEMORY_MARK: f64 = 200.0;
const JSON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench.json");

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => all(&Kind::ALL, FULL),
        ["--quick"] => all(&Kind::ALL, QUICK),
        [RAW_WORD, path] => reference::be_raw(Path::new(path)),
        ["idle"] => runtime().block_on(idle::measure(&mut Table::head(), FULL)),
        ["balances", users] => all_balances::measure(users.parse().expect("a number of users")),
        ["sqlite"] => all(&[Kind::Sqlite], FULL),
        ["pg"] => all(&[Kind::Postgres], FULL),
        ["sqlite", figures @ ..] => some(Kind::Sqlite, figures),
        ["pg", figures @ ..] => some(Kind::Postgres, figures),
        _ => panic!(
            "placard-bench takes nothing, or --quick, or idle, or balances and how many users, or sqlite or pg and then the \
             figures: {FIGURES:?}"
        ),
    }
}

const FIGURES: [&str; 9] =
    ["movements", "payments", "slots", "bids", "events", "reads", "answers", "balance", "logins"];

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Measures only these figures on one database, to investigate what is slow.
fn some(kind: Kind, figures: &[&str]) {
    assert!(figures.iter().all(|figure| FIGURES.contains(figure)), "the figures are {FIGURES:?}");
    let mut table = Table::head();
    runtime().block_on(async {
        let mut place = TestBed::prepare(kind, FULL).await;
        place_figures(&place, &mut table, RAW_SQLITE, figures).await;
        place.check();
    });
    assert!(table.wrong() == 0, "{} answers were wrong", table.wrong());
}

fn all(kinds: &[Kind], scale: Scale) {
    println!("{}", Machine::look());
    let mut table = Table::head();
    runtime().block_on(async {
        let mut most = 0.0_f64;
        for kind in kinds {
            most = most.max(match kind {
                Kind::Sqlite => sqlite(&mut table, scale).await,
                Kind::Postgres => postgres(&mut table, scale).await,
            });
        }
        table.add("rss_mb", plain(most, "MiB").against("200 MiB", Some(MEMORY_MARK)));
        idle::measure(&mut table, scale).await;
    });
    if kinds.len() == Kind::ALL.len() && scale.references {
        table.write(Path::new(JSON));
    }
    assert!(table.wrong() == 0, "{} answers were wrong", table.wrong());
    println!("every answer was right");
}

/// Returns the most memory that the server used under load.
async fn sqlite(table: &mut Table, scale: Scale) -> f64 {
    if scale.references {
        reference::raw_sqlite(table, RAW_SQLITE, None);
    }
    let mut place = TestBed::prepare(Kind::Sqlite, scale).await;
    let memory = place_figures(&place, table, RAW_SQLITE, &FIGURES).await;
    place.check();
    if scale.references {
        slow_disk::measure(place, table).await;
    }
    memory
}

async fn postgres(table: &mut Table, scale: Scale) -> f64 {
    if scale.references {
        reference::pgbench(table);
    }
    let mut place = TestBed::prepare(Kind::Postgres, scale).await;
    let memory = place_figures(&place, table, TPC_B, &FIGURES).await;
    place.check();
    memory
}

async fn place_figures(place: &TestBed, table: &mut Table, reference: &str, figures: &[&str]) -> f64 {
    let wanted = |figure| figures.contains(&figure);
    if wanted("movements") {
        movements::measure(place, table, reference).await;
        movements::measure_hot(place, table).await;
        movements::measure_lists(place, table).await;
    }
    if wanted("slots") {
        empty::measure(place, table).await;
        slots::measure(place, table).await;
    }
    if wanted("bids") {
        bids::measure(place, table).await;
    }
    if wanted("events") {
        events::measure(place, table).await;
    }
    // Before the passwords, which take 19 MiB each to verify.
    let memory = place.server.most_memory();
    if wanted("reads") {
        reads::measure(place, table).await;
    }
    if wanted("answers") {
        answers::measure(place, table).await;
    }
    if wanted("payments") {
        payments::measure(place, table).await;
    }
    if wanted("balance") {
        balance::measure(place, table).await;
    }
    if wanted("logins") {
        logins::measure(place, table).await;
    }
    memory
}
