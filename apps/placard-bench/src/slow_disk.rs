//! SQLite on a disk with a thousand flushes per second: the same server on the same
//! database, with a preloaded library that makes flushes wait.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::figures::movements;
use crate::reference::raw_sqlite;
use crate::server::Server;
use crate::table::Table;
use crate::test_bed::TestBed;

const SOURCE: &str = include_str!("slow_disk.c");
const RAW: &str = "raw_sqlite_slow_disk";

pub async fn measure(mut place: TestBed, table: &mut Table) {
    let Some(library) = compile(&place) else {
        println!("movements_sqlite_slow_disk_c64 is left out: there is no C compiler");
        return;
    };
    raw_sqlite(table, RAW, Some(&library));
    place.server = Server::start_with(&place.installation, &[("LD_PRELOAD", &library)]).await;
    movements::measure_slow(&place, table, RAW).await;
}

/// `None` without a C compiler.
fn compile(place: &TestBed) -> Option<PathBuf> {
    let (source, library) = (place.installation.path("slow_disk.c"), place.installation.path("slow_disk.so"));
    fs::write(&source, SOURCE).expect("written");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let made =
        Command::new(compiler).args(["-shared", "-fPIC", "-O2", "-o"]).arg(&library).arg(&source).arg("-ldl").output();
    made.is_ok_and(|made| made.status.success()).then_some(library)
}
