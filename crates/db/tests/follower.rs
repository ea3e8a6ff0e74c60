//! A copy of a SQLite database that is kept up by following its log: at every moment it is the
//! database as it was at one moment, whatever writers, readers and checkpoints do.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use db::{Conn, FollowError, Follower, PageChanges, Target};
use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use tempfile::TempDir;

/// However slow the machine is.
const LONGEST: Duration = Duration::from_secs(120);

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

fn open(path: &Path) -> Conn {
    Target::Sqlite(path.to_owned()).open().expect("opened")
}

fn number(conn: &mut Conn, sql: &str) -> i64 {
    diesel::sql_query(sql).get_result::<Number>(conn).expect("a number").n
}

fn database(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("a.db");
    let sql = "CREATE TABLE counted (n INTEGER NOT NULL); INSERT INTO counted VALUES (0); \
               CREATE TABLE rows (id INTEGER PRIMARY KEY, filler BLOB NOT NULL)";
    open(&path).batch_execute(sql).expect("made");
    path
}

/// One commit: a row, and their number.
fn write(conn: &mut Conn, bytes: u32) {
    let sql = format!(
        "BEGIN IMMEDIATE; INSERT INTO rows (filler) VALUES (randomblob({bytes})); UPDATE counted SET n = n + 1; COMMIT"
    );
    // The others may be so many that its turn does not come in time.
    while let Err(error) = conn.batch_execute(&sql) {
        assert!(error.to_string().contains("locked"), "{error}");
        let _ = conn.batch_execute("ROLLBACK");
    }
}

struct Copy(File, PathBuf);

impl Copy {
    /// The whole file, as it is at the moment.
    fn of(follower: &Follower, path: PathBuf) -> Self {
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&path).expect("a file");
        let (mut bytes, mut offset) = (vec![0; 64 * 1024], 0);
        loop {
            let read = follower.read_file(&mut bytes, offset).expect("read");
            if read == 0 {
                return Self(file, path);
            }
            file.write_all_at(bytes.get(..read).expect("as many"), offset).expect("written");
            offset += read as u64;
        }
    }

    fn apply(&self, changes: &PageChanges) {
        for (number, page) in &changes.pages {
            let offset = u64::from(number - 1) * u64::from(changes.page_size);
            self.0.write_all_at(page, offset).expect("written");
        }
        if !changes.is_empty() {
            self.0.set_len(u64::from(changes.database_pages) * u64::from(changes.page_size)).expect("cut");
        }
    }

    /// How many rows it has; it must be whole.
    fn rows(&self) -> i64 {
        let apart = self.1.with_extension("apart");
        fs::copy(&self.1, &apart).expect("copied");
        let mut conn = open(&apart);
        let sql = "SELECT integrity_check AS line FROM pragma_integrity_check";
        let lines: Vec<Line> = diesel::sql_query(sql).load(&mut conn).expect("checked");
        let lines: Vec<String> = lines.into_iter().map(|line| line.line).collect();
        assert_eq!(lines, ["ok"]);
        let rows = number(&mut conn, "SELECT COUNT(*) AS n FROM rows");
        assert_eq!(number(&mut conn, "SELECT n FROM counted"), rows, "half a transaction");
        rows
    }
}

fn whole(follower: &mut Follower, copy: &Copy) {
    loop {
        copy.apply(&follower.changes().expect("changes"));
        if follower.is_complete() {
            return;
        }
    }
}

/// Two writers, a reader that takes its time, and checkpoints of every kind, as servers and commands
/// do them.
fn busily(path: &Path, written: &AtomicI64, work: impl FnOnce()) {
    let ended = &AtomicBool::new(false);
    thread::scope(|scope| {
        let _end = End(ended);
        for bytes in [300, 9_000] {
            scope.spawn(move || {
                let mut conn = open(path);
                while !ended.load(Ordering::SeqCst) {
                    write(&mut conn, bytes);
                    written.fetch_add(1, Ordering::SeqCst);
                    // Faster than any server; without a pause the copy may never catch up on a fast disk.
                    thread::sleep(Duration::from_millis(1));
                }
            });
        }
        for (mode, pause) in [("PASSIVE", 7), ("RESTART", 90), ("TRUNCATE", 170)] {
            scope.spawn(move || {
                let mut conn = open(path);
                conn.batch_execute("PRAGMA busy_timeout = 20").expect("set");
                while !ended.load(Ordering::SeqCst) {
                    let _ = conn.batch_execute(&format!("PRAGMA wal_checkpoint({mode})"));
                    thread::sleep(Duration::from_millis(pause));
                }
            });
        }
        scope.spawn(move || {
            while !ended.load(Ordering::SeqCst) {
                let mut conn = open(path);
                conn.batch_execute("BEGIN; SELECT COUNT(*) FROM rows").expect("read");
                thread::sleep(Duration::from_millis(15));
                drop(conn);
                // Meanwhile the log could be begun anew.
                thread::sleep(Duration::from_millis(60));
            }
        });
        work();
    });
}

/// Ends the others, also if the work fails.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_copy_is_the_database_at_one_moment_whatever_happens_to_the_log() {
    let folder = TempDir::new().expect("a folder");
    let path = database(&folder);
    let written = AtomicI64::new(0);
    busily(&path, &written, || {
        thread::sleep(Duration::from_millis(200));
        let mut follower = Follower::begin(&path).expect("follows");
        let copy = Copy::of(&follower, folder.path().join("copy"));
        whole(&mut follower, &copy);
        let (begun, mut round, mut turned) = (Instant::now(), 0, 0);
        let mut frames = 0;
        // Unless it is turned over, the log only grows. A slow machine takes longer for the same.
        while begun.elapsed() < Duration::from_secs(5) || round <= 5 || turned == 0 {
            assert!(begun.elapsed() < LONGEST, "{round} rounds, and the log was begun anew {turned} times");
            let before = written.load(Ordering::SeqCst);
            let changes = if round % 3 == 2 { follower.turn_over() } else { follower.changes() };
            copy.apply(&changes.expect("changes"));
            // A writer may be between its commit and counting it.
            let after = written.load(Ordering::SeqCst) + 2;
            let rows = copy.rows();
            assert!((before..=after).contains(&rows), "{before} to {after}: {rows}");
            turned += u32::from(follower.log_frames() < frames);
            frames = follower.log_frames();
            round += 1;
            thread::sleep(Duration::from_millis(20));
        }
    });
}

/// Whoever opens the database while nobody holds it may empty the log.
#[test]
fn a_log_that_does_not_continue_is_noticed() {
    let folder = TempDir::new().expect("a folder");
    let path = database(&folder);
    let mut follower = Follower::begin(&path).expect("follows");
    let mut conn = open(&path);
    write(&mut conn, 10);
    follower.changes().expect("changes");
    let log = folder.path().join("a.db-wal");
    let mut bytes = fs::read(&log).expect("the log");
    let last = bytes.len() - 4_096 - 8;
    bytes.get_mut(last..).expect("a frame").iter_mut().for_each(|byte| *byte ^= 1);
    fs::write(&log, bytes).expect("written");
    assert!(matches!(follower.changes(), Err(FollowError::Lost)));
}

/// A place of copies that is full lets each copy of the file fail, and the next one begin, for days.
#[test]
fn the_file_is_opened_once_however_often_a_copy_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = database(&folder);
    let open = || {
        let files = fs::read_dir("/proc/self/fd").expect("the process's files").filter_map(Result::ok);
        files.filter(|file| fs::read_link(file.path()).is_ok_and(|at| at == path)).count()
    };
    drop(Follower::begin(&path).expect("begun"));
    let first = open();
    (0..20).for_each(|_| drop(Follower::begin(&path).expect("begun again")));
    assert_eq!(open(), first);
}
