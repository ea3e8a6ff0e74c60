//! A SQLite that is copied all the time: its machine is lost, and what was answered seconds before is
//! restored from the copies.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use base::{Clock, Timestamp};
use calendar::Zone;
use campaigns::delivery::archive::check_archives;
use campaigns::work;
use desk::installation::copying::{Copying, RestoredCopy, begin_copying, restore_copy};
use desk::installation::settings::{self, InvalidSetting, copies_at};
use foundation::App;
use serde_json::json;
use store::installation::identity;
use store::{Db, Options, Realm};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::away::prepare_wallet;
use crate::client::{Client, path_of};
use crate::crash::public_log::{head, holds_everything, named};
use crate::installation::{Installation, Server, free_address};
use crate::market::{Market, PASSWORD, SLOT, TRANSACTION_PASSWORD, USER, open_market};

/// What docs/BACKUPS.md says may be lost.
const LOSS: Duration = Duration::from_secs(5);
const WORKS: Duration = Duration::from_secs(12);
const SOON: Duration = Duration::from_secs(30);
const COPIES: &str = "PLACARD_COPY_URL";

struct Site {
    installation: Installation,
    copies: TempDir,
    runtime: Runtime,
    market: Market,
}

impl Site {
    fn open() -> Self {
        let (installation, runtime) = (Installation::sqlite(), Runtime::new().expect("a runtime"));
        let market = runtime.block_on(async { open_market(&installation.app()).await });
        Self { installation, copies: TempDir::new().expect("a folder"), runtime, market }
    }

    fn url(&self) -> String {
        format!("file://{}", self.copies.path().display())
    }

    /// Starts the server, and waits for the first copy.
    fn start(&self) -> Server {
        self.start_with(&[])
    }

    fn start_with(&self, others: &[(&'static str, String)]) -> Server {
        let metrics = free_address();
        let variables = [(COPIES, self.url()), ("PLACARD_METRICS_BIND", metrics.to_string())];
        let variables = [&variables[..], others].concat();
        let server = self.installation.start_with(&variables);
        let begun = Instant::now();
        let copied = || {
            let figures = Client::new(metrics).get("/metrics").expect("figures").body;
            let line = figures.lines().find_map(|line| line.strip_prefix("placard_copied_timestamp_seconds "));
            line.expect("the figure").parse::<i64>().expect("a number") > 0
        };
        while !copied() {
            assert!(begun.elapsed() < SOON, "{}", self.installation.said(&server));
            sleep(Duration::from_millis(100));
        }
        server
    }

    /// Copies within this process, by the application's clock.
    fn begin(&self, app: &App) -> Copying {
        let values = self.installation.values();
        let read = settings::Installation::read(&values).expect("settings");
        begin_copying(app, &read, &copies_at(&values, &self.url()).expect("a place")).expect("begun")
    }

    fn wait_for(&self, what: &dyn Fn() -> bool) {
        let begun = Instant::now();
        while !what() {
            assert!(begun.elapsed() < SOON, "{:?}", self.listed());
            sleep(Duration::from_millis(50));
        }
    }

    /// A machine that has nothing but the secrets.
    fn another(&self) -> Installation {
        let other = Installation::sqlite();
        fs::copy(self.installation.path("secrets.toml"), other.path("secrets.toml")).expect("its secrets");
        other
    }

    fn restore(&self, to: &Installation, until: Option<Timestamp>) -> Result<RestoredCopy, String> {
        let values = to.values();
        let place = copies_at(&values, &self.url()).expect("a place");
        let read = settings::Installation::read(&values).expect("settings");
        let done = restore_copy(&read, &place, until, Arc::new(|_, _| ()));
        self.runtime.block_on(done).map_err(|error| error.to_string())
    }

    fn withdrawing(&self, installation: &Installation) -> String {
        let server = installation.start();
        let token = server.client().sign_in(USER, PASSWORD);
        let property = server.client().get_as(&token, "/api/user/property").expect("an answer").json();
        property["data"]["withdrawing"].as_str().unwrap_or_else(|| panic!("{property}")).to_owned()
    }

    /// Views that were counted, valid or not; the ledger's laws hold.
    fn views(&self, installation: &Installation) -> i64 {
        let found = self.runtime.block_on(async { self.market.figures(&installation.app()).await });
        found.iter().map(|plan| plan.valid.impressions + plan.filtered).sum()
    }

    /// The first moments of the copies, in milliseconds.
    fn listed(&self) -> Vec<i64> {
        let Ok(text) = fs::read_to_string(self.copies.path().join("copies.json")) else { return Vec::new() };
        let list: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        list["copies"].as_array().expect("a list").iter().filter_map(|copy| copy["from"].as_i64()).collect()
    }

    fn increments(&self) -> Vec<PathBuf> {
        let entries = |folder: PathBuf| {
            let mut all: Vec<_> =
                fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
            all.sort();
            all
        };
        let copies = entries(self.copies.path().to_owned());
        let copy = copies.into_iter().rfind(|path| path.join("pages").is_dir()).expect("a copy");
        entries(copy.join("pages"))
    }
}

fn withdraw(client: &Client, token: &str, key: &str) -> bool {
    let body = json!({ "amount": "1.00", "password": TRANSACTION_PASSWORD });
    let answer = client.post_as(token, "/api/user/withdraw", Some(key), &body);
    answer.is_ok_and(|answer| answer.status == 200 && answer.json()["code"] == 200)
}

/// What was sent in a while, and when it was answered.
#[derive(Default)]
struct Sent {
    all: usize,
    answered: Vec<Instant>,
}

impl Sent {
    fn repeat(dead: &AtomicBool, pause: Duration, mut call: impl FnMut(usize) -> bool) -> Self {
        let mut sent = Self::default();
        while !dead.load(Ordering::SeqCst) {
            sent.all += 1;
            if call(sent.all) {
                sent.answered.push(Instant::now());
            }
            sleep(pause);
        }
        sent
    }

    fn before(&self, moment: Instant) -> usize {
        self.answered.iter().filter(|at| **at < moment).count()
    }
}

#[test]
fn what_was_answered_seconds_before_the_machine_was_lost_is_restored() {
    let site = Site::open();
    let server = site.start();
    let (client, dead) = (server.client(), AtomicBool::new(false));
    let token = client.sign_in(USER, PASSWORD);
    prepare_wallet(&client, &token);
    let (mut views, mut withdrawals, mut killed) = (Sent::default(), Sent::default(), Instant::now());
    scope(|scope| {
        let viewing = scope.spawn(|| {
            Sent::repeat(&dead, Duration::ZERO, |n| {
                let client = client.from(format!("10.{}.{}.7", n / 250 % 250, n % 250));
                let Ok(slot) = client.get(SLOT) else { return false };
                let Ok(served) = serde_json::from_str::<serde_json::Value>(&slot.body) else { return false };
                client.get(&path_of(&served["impression_url"])).is_ok_and(|answer| answer.status == 200)
            })
        });
        let paying = scope.spawn(|| {
            Sent::repeat(&dead, Duration::from_millis(200), |n| withdraw(&client, &token, &format!("key-{n}")))
        });
        sleep(WORKS);
        killed = Instant::now();
        server.kill();
        dead.store(true, Ordering::SeqCst);
        views = viewing.join().expect("viewed");
        withdrawals = paying.join().expect("paid");
    });
    // Nothing is left of it.
    fs::remove_file(site.installation.path("placard.db")).expect("removed");
    fs::remove_file(site.installation.path("placard.mark")).expect("removed");

    let other = site.another();
    let restored = site.restore(&other, None).expect("restored");
    assert!(restored.ok && restored.increments > 2, "{restored:?}");
    let long_before = killed.checked_sub(LOSS).expect("a moment");
    let (least, most) = (views.before(long_before), views.all);
    let found = usize::try_from(site.views(&other)).expect("a number");
    assert!(least > 100 && (least..=most).contains(&found), "views: {found}, {least} to {most}");
    let (least, most) = (withdrawals.before(long_before), withdrawals.all);
    let found: f64 = site.withdrawing(&other).parse().expect("an amount");
    assert!(least > 10 && found >= least as f64 && found <= most as f64, "withdrawn: {found}, {least} to {most}");
    println!(
        "of {} views and {} withdrawals in {WORKS:?}, {found} withdrawals were restored",
        views.all, withdrawals.all
    );

    // What was answered last is done once if it is sent again.
    let server = other.start();
    let token = server.client().sign_in(USER, PASSWORD);
    assert!((1..=withdrawals.all).all(|n| withdraw(&server.client(), &token, &format!("key-{n}"))));
    drop(server);
    assert_eq!(site.withdrawing(&other), format!("{}.00", withdrawals.all));
}

#[test]
fn a_server_that_stops_leaves_nothing_uncopied_and_any_moment_can_be_restored() {
    let site = Site::open();
    let mut server = site.start();
    let client = server.client();
    let token = client.sign_in(USER, PASSWORD);
    prepare_wallet(&client, &token);
    assert!(withdraw(&client, &token, "first"));
    // Copies are two seconds apart.
    sleep(Duration::from_secs(3));
    let between = Clock::system().now();
    sleep(Duration::from_secs(3));
    assert!(withdraw(&client, &token, "second"));
    server.terminate();
    assert!(server.wait(SOON).expect("it stops").success());

    let all = site.another();
    let restored = site.restore(&all, None).expect("restored");
    assert!(restored.ok && restored.lost.is_none(), "{restored:?}");
    assert_eq!(site.withdrawing(&all), "2.00");

    let earlier = site.another();
    let restored = site.restore(&earlier, Some(between)).expect("restored");
    assert!(restored.ok, "{restored:?}");
    assert_eq!(site.withdrawing(&earlier), "1.00");

    // The mark knows what is missing.
    let marked = site.another();
    fs::copy(site.installation.path("placard.mark"), marked.path("placard.mark")).expect("its mark");
    let restored = site.restore(&marked, Some(between)).expect("restored");
    let lost = restored.lost.expect("the mark is ahead");
    assert!(!restored.ok && lost.contains("commits are missing"), "{lost}");
    assert!(marked.refuses().contains("accept loss"));
}

/// A machine is lost while its copies are behind: the log goes on from what outsiders saw of it.
#[test]
fn what_outsiders_saw_of_the_log_is_in_the_copies() {
    /// What is copied is published by then.
    const SETTLED: Duration = Duration::from_secs(7);
    let site = Site::open();
    let server = site.start_with(&named());
    let client = server.client();
    let token = client.sign_in(USER, PASSWORD);
    prepare_wallet(&client, &token);
    sleep(SETTLED);
    let between = Clock::system().now();
    assert!(withdraw(&client, &token, "first"));
    sleep(SETTLED);
    let pages = site.increments().first().and_then(|first| first.parent()).expect("a copy").to_owned();
    let aside = pages.with_file_name("aside");
    fs::rename(&pages, &aside).expect("renamed");
    fs::write(&pages, "no folder").expect("written");
    sleep(SETTLED);
    let seen = head(&client).expect("published");
    assert!(seen.size > 0);
    assert!(withdraw(&client, &token, "second"));
    sleep(SETTLED);
    assert_eq!(head(&client), Some(seen), "nobody sees what is not copied");
    server.kill();
    fs::remove_file(&pages).expect("removed");
    fs::rename(&aside, &pages).expect("put back");

    let other = site.another();
    let restored = site.restore(&other, None).expect("restored");
    assert!(restored.ok, "{restored:?}");
    let server = other.start_with(&named());
    let token = server.client().sign_in(USER, PASSWORD);
    assert!(withdraw(&server.client(), &token, "third"));
    let app = other.app();
    holds_everything(&server.client(), &site.runtime, &app, &[seen]);
    assert!(!other.path("files/log/restored").exists());
    drop(server);

    // An earlier moment is behind what was seen, and nothing is left here that tells how far.
    let earlier = site.another();
    assert!(site.restore(&earlier, Some(between)).expect("restored").ok);
    let server = earlier.start_with(&named());
    sleep(SETTLED);
    assert_eq!(head(&server.client()), None);
    assert!(earlier.said(&server).contains("the checkpoint that was published last is not there"));
}

#[test]
fn copies_that_are_not_whole_are_not_restored() {
    let site = Site::open();
    let server = site.start();
    for _ in 0..3 {
        let client = server.client();
        assert_eq!(
            client.get(&path_of(&client.get(SLOT).expect("a slot").json()["impression_url"])).expect("").status,
            200
        );
        sleep(Duration::from_millis(2_200));
    }
    drop(server);
    let increments = site.increments();
    assert!(increments.len() > 2, "{increments:?}");
    let refused = |what: &str| {
        let other = site.another();
        let problem = site.restore(&other, None).expect_err(what);
        assert!(problem.starts_with("the backup is damaged: "), "{what}: {problem}");
        let database = other.path("placard.db");
        let left = fs::read_dir(database.parent().expect("a folder")).expect("a folder");
        let names = left.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
        let begun: Vec<String> = names.filter(|name| name.starts_with("placard.db")).collect();
        assert!(begun.is_empty(), "{what}: {begun:?}");
    };
    let second = increments.get(1).expect("a second increment");
    let whole = fs::read(second).expect("read");
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(second, bytes).expect("written");
    refused("a changed byte");
    fs::write(second, &whole[..middle]).expect("written");
    refused("half of an increment");
    fs::remove_file(second).expect("removed");
    refused("an increment that is missing");
    fs::write(second, fs::read(&increments[2]).expect("read")).expect("written");
    refused("another increment");
    fs::write(second, whole).expect("written");
    let other = site.another();
    assert!(site.restore(&other, None).expect("restored").ok);
    let again = site.restore(&other, None).expect_err("there is one");
    assert!(again.contains("is there already"), "{again}");
    // One that ends too early leaves a database that says so.
    let half = site.another();
    fs::write(half.path("files"), "no folder").expect("written");
    let problem = site.restore(&half, None).expect_err("pictures have no place");
    assert!(problem.starts_with("PLACARD_FILES_URL: "), "{problem}");
    let db = Db::open(&Options { url: half.url.clone(), realm: Realm::Simulated, clock: Clock::system() });
    let noted = db.expect("opens").here(identity::unsound).expect("read");
    assert_eq!(noted.as_deref(), Some("its restore did not end"));
}

#[test]
fn a_copy_is_begun_each_day_and_kept_for_a_week() {
    const DAY: i64 = 86_400;
    let site = Site::open();
    let app = site.installation.app_at(Clock::system().now());
    let copying = site.begin(&app);
    let is_new = |now: i64| site.listed().last().is_some_and(|from| *from >= now);
    site.wait_for(&|| is_new(0));
    for _ in 0..10 {
        app.clock().advance_seconds(DAY);
        site.wait_for(&|| is_new(app.now().millis()));
    }
    let (listed, now) = (site.listed(), app.now().millis());
    let week = now - 7 * DAY * 1_000;
    assert!(listed.first().is_some_and(|from| *from <= week) && listed.len() == 8, "{now}: {listed:?}");
    site.wait_for(&|| {
        app.clock().advance_seconds(3);
        let files = |entry: fs::DirEntry| fs::read_dir(entry.path().join("file")).map_or(0, |files| files.count());
        let folders = fs::read_dir(site.copies.path()).expect("a folder").map(|entry| entry.expect("an entry"));
        folders.filter(|entry| entry.path().is_dir()).map(files).filter(|files| *files > 0).count() == 8
    });
    copying.end();
}

/// Otherwise an earlier moment would be restored than was asked for: the copies are searched by when they were begun.
#[test]
fn a_copy_is_begun_where_the_clock_was_set_back() {
    const YEAR: i64 = 365 * 86_400;
    let site = Site::open();
    let app = site.installation.app_at(Clock::system().now());
    let copying = site.begin(&app);
    for (number, seconds) in [(1, 0), (2, YEAR), (3, 60 - YEAR)] {
        app.clock().advance_seconds(seconds);
        site.wait_for(&|| site.listed().len() >= number);
    }
    assert!(matches!(site.listed()[..], [first, ahead, back] if first < back && back < ahead), "{:?}", site.listed());
    copying.end();
}

/// The events of a month that is over are in a file beside the database, and nowhere else.
#[test]
fn files_of_archived_events_are_copied_and_restored() {
    let site = Site::open();
    let server = site.installation.start();
    let served = server.client().get(SLOT).expect("an answer").json();
    assert_eq!(server.client().get(&path_of(&served["impression_url"])).expect("an answer").status, 200);
    drop(server);
    let now = Clock::system().now();
    // The plans' days end, and then the time in which conversions count.
    for days in (5..=60).step_by(5) {
        site.runtime.block_on(work::round(&site.installation.app_at(now.plus_days(days)))).expect("works");
    }
    let app = site.installation.app_at(now.plus_days(60));
    let archived = site.runtime.block_on(site.market.archive(&app, Zone::UTC.month(now))).expect("archived");
    let copying = site.begin(&app);
    site.wait_for(&|| !site.listed().is_empty());
    copying.end();

    let other = site.another();
    let restored = site.restore(&other, None).expect("restored");
    assert!(restored.ok && restored.missing_files.is_empty(), "{restored:?}");
    assert!(other.path("files").join(&archived.file).exists(), "{archived:?}");
    let checked = site.runtime.block_on(check_archives(&other.app_at(now.plus_days(60)))).expect("checked");
    assert!(checked.iter().all(|month| month.problem.is_none()) && checked.len() == 1, "{checked:?}");

    // One that is in no copy is told.
    fs::remove_dir_all(site.copies.path().join("events")).expect("removed");
    let third = site.another();
    let restored = site.restore(&third, None).expect("restored");
    assert_eq!(restored.missing_files, [archived.file]);
}

#[test]
fn a_postgres_is_not_copied_like_this() {
    let installation = Installation::postgres();
    let url = format!("file://{}", installation.path("copies").display());
    let place = copies_at(&installation.values(), &url).expect("a place");
    let read = settings::Installation::read(&installation.values()).expect("settings");
    let begun = begin_copying(&installation.app(), &read, &place);
    let Err(InvalidSetting { variable, .. }) = begun else { panic!("it begins") };
    assert_eq!(variable, COPIES);
}
