//! The disk of the database is full, and has room again: what cannot be stored is refused, reads go
//! on, and afterwards everything works by itself. The disk is a small file system of the test's own,
//! so this needs root.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;
use store::testing::execute;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::cluster::give_to_postgres;
use crate::away::prepare_wallet;
use crate::client::{Answer, Client};
use crate::installation::{Installation, Server};
use crate::market::{Market, PASSWORD, TRANSACTION_PASSWORD, USER, open_market};

const WITHIN: Duration = Duration::from_secs(30);
const BETWEEN: Duration = Duration::from_millis(50);
/// The user has 80.00.
const TRIES: usize = 70;

/// A file system in memory.
struct Disk(TempDir);

impl Disk {
    fn of(size: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size},mode=0700"), "tmpfs"])
            .arg(folder.path())
            .status();
        assert!(mounted.is_ok_and(|status| status.success()), "it needs root to mount a file system");
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Takes all room that is left.
    fn fill(&self) {
        let mut file = File::create(self.path("filler")).expect("a file");
        for size in [1 << 16, 1 << 12, 1] {
            let bytes = vec![0; size];
            while file.write_all(&bytes).is_ok() {}
        }
    }

    fn make_room(&self) {
        fs::remove_file(self.path("filler")).expect("removed");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily, since a database may still have it open.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

struct Site<'a> {
    disk: &'a Disk,
    installation: Installation,
    runtime: Runtime,
    market: Market,
}

fn withdraw(client: &Client, token: &str, key: &str) -> Answer {
    let body = json!({ "amount": "1.00", "password": TRANSACTION_PASSWORD });
    client.post_as(token, "/api/user/withdraw", Some(key), &body).expect("an answer")
}

fn is_ready(server: &Server) {
    let begun = Instant::now();
    while server.client().get("/readyz").expect("an answer").status != 200 {
        assert!(begun.elapsed() < WITHIN, "never ready");
        sleep(BETWEEN);
    }
}

impl<'a> Site<'a> {
    fn open(disk: &'a Disk, installation: Installation) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let market = runtime.block_on(async { open_market(&installation.app()).await });
        Self { disk, installation, runtime, market }
    }

    /// Readiness need not notice: its row may find room where a movement does not.
    fn goes_through_it(&self) {
        let server = self.installation.start();
        let client = server.client();
        let token = client.sign_in(USER, PASSWORD);
        prepare_wallet(&client, &token);
        let property = || client.get_as(&token, "/api/user/property").expect("an answer");
        assert_eq!(withdraw(&client, &token, "before").json()["code"], 200);
        self.disk.fill();
        let mut done = 1;
        let refused = (0..TRIES).find_map(|n| {
            let answer = withdraw(&client, &token, &format!("key-{n}"));
            if answer.json()["code"] == 200 {
                done += 1;
                return None;
            }
            Some((format!("key-{n}"), answer))
        });
        let (key, answer) = refused.expect("a full disk takes everything");
        assert_eq!((answer.status, &answer.json()["data"]["error"]), (503, &json!("overloaded")), "{}", answer.body);
        assert!(answer.retry_after, "it says when to come again");
        let read = property();
        assert_eq!((read.status, &read.json()["code"]), (200, &json!(200)), "reads go on: {}", read.body);
        assert_eq!(client.get("/healthz").expect("an answer").status, 200);
        self.disk.make_room();
        is_ready(&server);
        let begun = Instant::now();
        while withdraw(&client, &token, &key).json()["code"] != 200 {
            assert!(begun.elapsed() < WITHIN, "it does not recover");
            sleep(BETWEEN);
        }
        assert_eq!(property().json()["data"]["withdrawing"], format!("{}.00", done + 1), "each once");
        drop(server);
        self.runtime.block_on(async { self.market.figures(&self.installation.app()).await });
    }
}

#[test]
#[ignore = "mounts a file system: see just drill"]
fn a_full_disk_refuses_and_recovers_on_sqlite() {
    let disk = Disk::of("24m");
    let url = format!("sqlite://{}", disk.path("placard.db").display());
    Site::open(&disk, Installation::at(&url)).goes_through_it();
}

/// Of the tables alone: where its log cannot be written, PostgreSQL itself stops.
#[test]
#[ignore = "mounts a file system: see just drill"]
fn a_full_disk_refuses_and_recovers_on_postgres() {
    let disk = Disk::of("200m");
    give_to_postgres(disk.0.path());
    fs::create_dir(disk.path("tables")).expect("a folder");
    give_to_postgres(&disk.path("tables"));
    let server = std::env::var("PLACARD_TEST_POSTGRES").expect("a server");
    let admin = format!("{server}/postgres");
    let name = format!("full_{}", std::process::id());
    let place = disk.path("tables").display().to_string();
    execute(&admin, &format!("CREATE TABLESPACE {name} LOCATION '{place}'")).expect("a tablespace");
    let _dropped = Dropped { admin: &admin, name: &name };
    execute(&admin, &format!("CREATE DATABASE {name} TABLESPACE {name}")).expect("a database");
    Site::open(&disk, Installation::at(&format!("{server}/{name}"))).goes_through_it();
}

/// Leaves nothing on the disk before that is gone, or the server of all tests would look for it.
struct Dropped<'a> {
    admin: &'a str,
    name: &'a str,
}

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        for what in [format!("DATABASE IF EXISTS {} WITH (FORCE)", self.name), format!("TABLESPACE {}", self.name)] {
            let _ = execute(self.admin, &format!("DROP {what}"));
        }
    }
}
