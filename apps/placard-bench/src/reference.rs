//! The raw speed that movements are compared with, in the same run on the same disk.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use store::testing::{postgres, raw};

use crate::machine::postgres_program;
use crate::table::{Table, plain};

/// Branches in pgbench, with a hundred thousand accounts each.
const SCALE: &str = "50";
const SECONDS: &str = "5";
const RAW: Duration = Duration::from_secs(2);
/// The argument that makes this program run the raw loop.
pub const RAW_WORD: &str = "raw-sqlite";

pub const TPC_B: &str = "pgbench_tpcb_c8";
pub const RAW_SQLITE: &str = "raw_sqlite";

/// pgbench's `TPC-B (sort of)` with 8 clients: five statements in a transaction.
pub fn pgbench(table: &mut Table) {
    let database = postgres();
    run_pgbench(&["-i", "-q", "-s", SCALE], &database.url);
    let mut runs = [(); 3].map(|()| transactions(&database.url, "simple"));
    runs.sort_by(f64::total_cmp);
    table.add(TPC_B, plain(runs[1], "1/s"));
    table.add(format!("{TPC_B}_prepared"), plain(transactions(&database.url, "prepared"), "1/s"));
}

fn transactions(url: &str, mode: &str) -> f64 {
    let said = run_pgbench(&["-n", "-c", "8", "-j", "2", "-T", SECONDS, "-M", mode], url);
    let line = said.lines().find_map(|line| line.strip_prefix("tps = ")).expect("a rate");
    line.split_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
}

fn run_pgbench(arguments: &[&str], url: &str) -> String {
    let ran = Command::new(postgres_program("pgbench")).args(arguments).arg(url).output().expect("pgbench");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// The raw loop on SQLite; with `slow`, under a library that slows the disk.
pub fn raw_sqlite(table: &mut Table, name: &str, slow: Option<&Path>) {
    let mut runs = [(); 3].map(|()| raw_run(slow));
    runs.sort_by(f64::total_cmp);
    table.add(name, plain(runs[1], "1/s"));
}

/// Runs in a separate process, so that a library can be preloaded.
fn raw_run(slow: Option<&Path>) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.arg(RAW_WORD).arg(folder.path().join("raw.db")).envs(slow.map(|library| ("LD_PRELOAD", library)));
    let ran = command.output().expect("the raw loop");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    said.trim().parse().unwrap_or_else(|_| panic!("{said}{}", String::from_utf8_lossy(&ran.stderr)))
}

/// Runs the raw loop in that process.
pub fn be_raw(path: &Path) {
    println!("{}", raw::transfers_per_second(path, RAW).expect("transfers"));
}
