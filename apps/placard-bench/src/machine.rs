//! The machine that the figures were measured on.

use std::fmt::{self, Display, Formatter};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use store::testing::raw::sqlite_version;

const FLUSHING: Duration = Duration::from_secs(1);
/// The size of a small commit.
const PAGE: [u8; 8_192] = [1; 8_192];
/// The size of the file in pages.
const PAGES: u64 = 1_000;

pub struct Machine {
    cores: usize,
    processor: String,
    memory_mib: u64,
    kernel: String,
    postgres: String,
    sqlite: String,
    flushes: f64,
    /// Processes that wanted a core in the minute before.
    busy: String,
}

impl Machine {
    pub fn look() -> Self {
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name));
            line.and_then(|line| line.split_once(':')).map_or_else(String::new, |(_, value)| value.trim().to_owned())
        };
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let memory = field(&read("/proc/meminfo"), "MemTotal");
        Self {
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            processor: field(&read("/proc/cpuinfo"), "model name"),
            memory_mib: memory.trim_end_matches(" kB").parse::<u64>().map_or(0, |kib| kib / 1024),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            postgres: postgres_version(),
            sqlite: sqlite_version().expect("a version"),
            busy: read("/proc/loadavg").split_whitespace().next().unwrap_or("?").to_owned(),
            flushes: flushes_per_second(),
        }
    }
}

impl Display for Machine {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "cores       {} x {}", self.cores, self.processor)?;
        writeln!(f, "memory      {} MiB", self.memory_mib)?;
        writeln!(f, "kernel      {}", self.kernel)?;
        writeln!(f, "databases   PostgreSQL {}, SQLite {}", self.postgres, self.sqlite)?;
        writeln!(f, "disk        {:.0} flushes a second, of 8 KiB each", self.flushes)?;
        writeln!(f, "busy        {} processes wanted a core in the minute before", self.busy)
    }
}

/// A program of the PostgreSQL installation that `scripts/with-postgres` uses.
pub fn postgres_program(name: &str) -> PathBuf {
    let folder = std::env::var_os("PLACARD_POSTGRES_BIN").map(PathBuf::from).unwrap_or_default();
    folder.join(name)
}

/// The version number in `postgres (PostgreSQL) 15.4 (Debian …)`.
fn postgres_version() -> String {
    let said = Command::new(postgres_program("postgres")).arg("--version").output().expect("PostgreSQL");
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    said.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit())).unwrap_or("?").to_owned()
}

/// How often the disk of the databases can flush a page.
fn flushes_per_second() -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let file = File::create(folder.path().join("pages")).expect("a file");
    let began = Instant::now();
    let mut flushed = 0_u32;
    while began.elapsed() < FLUSHING {
        let place = u64::from(flushed) % PAGES * PAGE.len() as u64;
        file.write_all_at(&PAGE, place).expect("written");
        file.sync_data().expect("flushed");
        flushed += 1;
    }
    f64::from(flushed) / began.elapsed().as_secs_f64()
}
