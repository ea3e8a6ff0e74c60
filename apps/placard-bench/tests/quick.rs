//! The benchmark runs, and all its answers are right, so its table can be produced at any
//! commit.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::process::Command;

#[test]
fn every_answer_is_right_on_both_databases() {
    let ran = Command::new(env!("CARGO_BIN_EXE_placard-bench")).arg("--quick").output().expect("placard-bench runs");
    let (table, said) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{table}\n{said}");
    for row in [
        "movements_sqlite_c64",
        "movements_pg_c64",
        "postbacks_sqlite_c8",
        "postbacks_pg_c8",
        "withdrawals_pg_c64",
        "puts_pg_c64",
        "empty_c64",
        "slots_c64",
        "events_pg",
        "account_show_1e6_pg",
        "rss_mb",
        "idle_mb",
    ] {
        assert!(table.lines().any(|line| line.starts_with(row)), "no row {row}:\n{table}");
    }
    assert!(table.ends_with("every answer was right\n"), "{table}");
}

#[test]
fn all_balances_of_a_day_are_read_on_both_databases() {
    let ran = Command::new(env!("CARGO_BIN_EXE_placard-bench")).args(["balances", "700"]).output().expect("it runs");
    let (table, said) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{table}\n{said}");
    for line in ["sqlite: 700 users, 1024 leaves: ", "pg: 700 users, 1024 leaves: "] {
        assert!(table.lines().any(|found| found.starts_with(line)), "{table}");
    }
}
