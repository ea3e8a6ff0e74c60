//! Backups, and restoring them.

use campaigns::AdServer;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use base::{Money, ProductId, UserId};
use campaigns::plans::put::{Put, PutTarget, put};
use desk::installation::backup::restore;
use desk::installation::settings::{Installation, Values};
use foundation::ProgressCallback;
use foundation::people::pay_password::Proof;
use futures_util::FutureExt;
use serde_json::Value;
use store::installation::copy;
use store::on_both;
use store::people::files;
use store::testing::TestDb;

use crate::support::{Key, Placard, Ran, deeds};

/// Every row of every table, in an order that does not depend on the database.
async fn everything(app: &AdServer) -> BTreeMap<String, Vec<String>> {
    let found = app.db.snapshot(|conn| {
        let mut tables = BTreeMap::new();
        for table in copy::catalog(conn)? {
            let names: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
            let mut rows = Vec::new();
            copy::read_rows(conn, &table, |row| {
                let values: Vec<Value> = serde_json::from_str(&row).expect("a row");
                // Signing in to make the backup changes this before it begins.
                let kept = names.iter().zip(values).filter(|(name, _)| *name != "last_used_at");
                let mut named: Vec<String> = kept.map(|(name, value)| format!("{name}={value}")).collect();
                named.sort();
                rows.push(named.join(" "));
                Ok::<_, store::Error>(())
            })?;
            rows.sort();
            tables.insert(table.name, rows);
        }
        Ok::<_, store::Error>(tables)
    });
    found.await.expect("read")
}

/// The audit records of backup and restore are written after the rows were read.
fn without_audit(mut tables: BTreeMap<String, Vec<String>>) -> BTreeMap<String, Vec<String>> {
    tables.retain(|name, _| name != "audit" && name != "audit_head");
    tables
}

async fn demo_user(app: &AdServer) -> UserId {
    let found = app.db.read(|conn| store::people::users::find_by_key(conn, "demo")).await.expect("read");
    found.expect("the demonstration's user").id
}

async fn put_ten(app: &AdServer, user: UserId) -> bool {
    let page = 2_i16.try_into().expect("a content type's code");
    put(app, Proof::assumed(user), Put::new(PutTarget::Product(ProductId(1)), Money::from_minor(1_000), page))
        .await
        .is_ok()
}

/// A picture as an upload leaves it: its bytes, then its row.
async fn picture(placard: &Placard, app: &AdServer, user: UserId, id: &'static str, bytes: Option<&[u8]>) {
    if let Some(bytes) = bytes {
        let folder = placard.path("data/files");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(id), bytes).expect("written");
    }
    let file = files::File { id: id.to_owned(), mime: "image/png".to_owned(), width: 1, height: 1, size: 4 };
    let kept =
        app.db.write(move |tx| files::insert(tx, files::Owner::User(user), &file, files::Visibility::Public)).await;
    kept.expect("kept");
}

/// Restores into a separate database and data folder.
fn restored(test: TestDb, file: &str) -> (Placard, Value) {
    let copy = Placard::new(test);
    let done = copy.run(&["restore", file]).done();
    (copy, done)
}

on_both!(a_backup_is_restored_into_either_database, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.demonstration();
    let app = placard.app();
    let user = demo_user(&app).await;
    assert!(put_ten(&app, user).await);
    picture(&placard, &app, user, "00000000000000000000000000000001", Some(b"\x89PNG")).await;
    picture(&placard, &app, user, "00000000000000000000000000000002", None).await;
    let before = everything(&app).await;
    let made = placard.run_as(&ann, &["backup", "a.placard", "--reason", "the nightly one"]).done();
    assert_eq!((&made["files"], &made["ledger"]["ok"]), (&1.into(), &true.into()), "{made}");
    assert_eq!(made["missing_files"], serde_json::json!(["00000000000000000000000000000002"]));
    let file = placard.path("a.placard");
    assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
    let rows: usize = before.values().map(Vec::len).sum();
    assert_eq!(made["rows"], rows);
    assert_eq!(placard.left_over(), Vec::<String>::new(), "no scratch is left");
    for target in [store::testing::sqlite(), store::testing::postgres()] {
        let copy = Placard::new(target);
        fs::create_dir(copy.path("data")).expect("a folder");
        fs::copy(placard.path("data/secrets.toml"), copy.path("data/secrets.toml")).expect("put back first");
        let done = copy.run(&["restore", &file.display().to_string()]).done();
        assert_eq!((&done["ok"], &done["rows"], &done["secrets"]), (&true.into(), &rows.into(), &"same".into()));
        let there = copy.app();
        let after = everything(&there).await;
        assert_eq!(without_audit(after.clone()), without_audit(before.clone()));
        assert_eq!(after["audit"].len(), before["audit"].len() + 1);
        let bytes = fs::read(copy.path("data/files/00000000000000000000000000000001")).expect("the picture");
        assert_eq!(bytes, b"\x89PNG");
        // New ids continue above the old ones, and so does the ledger.
        assert!(put_ten(&there, user).await, "the copy works");
        for check in [&["ledger", "verify"][..], &["audit", "verify"], &["delivery", "recompute"]] {
            assert_eq!(copy.run(check).done()["ok"], true, "{check:?}");
        }
        assert!(deeds(&copy, &ann).contains(&"backup.restore".to_owned()));
        copy.run(&["restore", &file.display().to_string()]).refused("not_empty");
    }
    assert_eq!(deeds(&placard, &ann)[0], "backup.create");
});

/// The path of an installation's mark.
fn mark(placard: &Placard) -> PathBuf {
    match placard.url().strip_prefix("sqlite://") {
        Some(path) => PathBuf::from(path).with_extension("mark"),
        None => placard.path("data/postgres.mark"),
    }
}

// The database is gone but its mark is not, and the restored one has less.
on_both!(an_older_backup_than_what_was_answered_is_told_and_not_opened, |t| {
    let on_sqlite = t.db.sqlite_path().is_some();
    let placard = Placard::new(t);
    let (ann, _) = placard.demonstration();
    placard.run_as(&ann, &["backup", "a.placard"]).done();
    let checked = placard.run(&["backup", "--check", "a.placard"]).done();
    assert!(checked["reached"].as_str().is_some_and(|reached| reached.contains("audit record")), "{checked}");
    assert!(checked["lacks"].is_null(), "{checked}");
    placard.change(&ann, &["account", "disable", "demo"]).done();
    let copy = Placard::new(if on_sqlite { store::testing::sqlite() } else { store::testing::postgres() });
    fs::create_dir_all(copy.path("data")).expect("a folder");
    fs::copy(placard.path("data/secrets.toml"), copy.path("data/secrets.toml")).expect("copied");
    fs::copy(mark(&placard), mark(&copy)).expect("copied");
    let ran = copy.run(&["restore", &placard.path("a.placard").display().to_string()]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&told["ok"], &told["ledger"]["ok"], &told["audit_ok"]), (&false.into(), &true.into(), &true.into()));
    let lost = told["lost"].as_str().unwrap_or_default();
    assert!(lost.contains("missing") && lost.contains("answered up to") && lost.contains(".mark"), "{told}");
    copy.run(&["ledger", "verify"]).refused("PLACARD_DATABASE_URL");
    let accepted = copy.change(&ann, &["accept", "loss"]).done();
    assert!(accepted["lost"].as_str().is_some_and(|lost| lost.contains("missing")), "{accepted}");
    for check in ["ledger", "audit"] {
        assert_eq!(copy.run(&[check, "verify"]).done()["ok"], true, "{check}");
    }
    assert_eq!(deeds(&copy, &ann)[..2], ["installation.accept_loss", "backup.restore"]);
});

// A backup proves itself before it is written, so that here somebody edits what was restored, as a copy of the file
// would have it: `restore` notes what it finds, and nothing opens the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_edited_before_a_backup_is_not_opened_until_an_admin_accepts_it() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    placard.run_as(&ann, &["backup", "a.placard"]).done();
    placard.execute_beside("UPDATE operators SET created_at = created_at + 1 WHERE id = 2");
    placard.run_as(&ann, &["backup", "b.placard"]).refused("unlawful");
    let copy = Placard::on_sqlite();
    fs::create_dir_all(copy.path("data")).expect("a folder");
    fs::copy(placard.path("data/secrets.toml"), copy.path("data/secrets.toml")).expect("copied");
    let told = copy.run(&["restore", &placard.path("a.placard").display().to_string()]).done();
    assert_eq!(told["unsound"], Value::Null);
    copy.execute_beside("UPDATE operators SET created_at = created_at + 1 WHERE id = 2");
    copy.execute_beside("UPDATE installation SET unsound = 'operator 2 was edited'");
    let refused = copy.run_as(&ann, &["account", "list"]);
    refused.refused("PLACARD_DATABASE_URL");
    copy.change(&ben, &["accept", "edits"]).refused("not_permitted");
    copy.run_as(&ann, &["account", "list"]).refused("PLACARD_DATABASE_URL");
    let accepted = copy.change(&ann, &["accept", "edits"]).done();
    assert!(accepted["lost"].as_str().is_some_and(|what| what.contains("operator 2")), "{accepted}");
    assert_eq!(deeds(&copy, &ann)[0], "installation.accept_edits");
    // It is still not as the audit left it.
    assert_eq!(copy.run(&["audit", "verify"]).code, Some(1));
    assert_eq!(copy.change(&ann, &["accept", "edits"]).done()["lost"], Value::Null);
}

// It is killed when all rows are there, and nothing of them is checked.
on_both!(a_restore_that_is_killed_leaves_nothing_that_opens, |t| {
    let on_sqlite = t.db.sqlite_path().is_some();
    let placard = Placard::new(t);
    let (ann, _) = placard.demonstration();
    placard.run_as(&ann, &["backup", "a.placard"]).done();
    let copy = Placard::new(if on_sqlite { store::testing::sqlite() } else { store::testing::postgres() });
    fs::create_dir_all(copy.path("data")).expect("a folder");
    fs::copy(placard.path("data/secrets.toml"), copy.path("data/secrets.toml")).expect("copied");
    let pairs = [
        ("PLACARD_DATABASE_URL", copy.url().to_owned()),
        ("PLACARD_DATA_DIR", copy.path("data").display().to_string()),
    ];
    let values = Values::from_pairs(pairs.map(|(name, value)| (name.to_owned(), value))).expect("values");
    let installation = Installation::read(&values).expect("settings");
    let killing: ProgressCallback =
        Arc::new(|step: &'static str, _| assert_ne!(step, "checking what was restored", "killed"));
    let file = placard.path("a.placard");
    let killed = AssertUnwindSafe(restore(&installation, file.clone(), killing)).catch_unwind().await;
    assert!(killed.is_err(), "it ends");
    let ran = copy.run(&["ledger", "verify"]);
    assert!(ran.err.contains("its restore did not end"), "{ran:?}");
    ran.refused("PLACARD_DATABASE_URL");
    copy.run(&["restore", &file.display().to_string()]).refused("not_empty");
});

on_both!(a_backup_under_load_is_of_one_moment, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.demonstration();
    let app = placard.app();
    let user = demo_user(&app).await;
    let stop = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..3)
        .map(|_| {
            let (app, stop) = (app.clone(), stop.clone());
            tokio::spawn(async move {
                let mut puts = 0;
                while !stop.load(Ordering::Relaxed) && puts < 200 && put_ten(&app, user).await {
                    puts += 1;
                }
                puts
            })
        })
        .collect();
    let begun = placard.run(&["ledger", "verify"]).done()["transactions"].clone();
    let made = tokio::task::block_in_place(|| placard.run_as(&ann, &["backup", "a.placard"]).done());
    stop.store(true, Ordering::Relaxed);
    let mut puts = 0;
    for writer in writers {
        puts += writer.await.expect("a writer");
    }
    assert!(puts > 0, "nobody wrote meanwhile");
    assert_eq!((&made["ledger"]["ok"], &made["ledger"]["sum"]), (&true.into(), &"0.00".into()), "{made}");
    assert!(made["ledger"]["transactions"].as_i64() >= begun.as_i64());
    let file = placard.path("a.placard").display().to_string();
    let (one, _) = restored(store::testing::sqlite(), &file);
    let (other, _) = restored(store::testing::postgres(), &file);
    for copy in [&one, &other] {
        copy.run(&["ledger", "verify"]).refused("PLACARD_SECRET_FILE");
        fs::create_dir_all(copy.path("data")).expect("a folder");
        fs::copy(placard.path("data/secrets.toml"), copy.path("data/secrets.toml")).expect("put there");
    }
    assert_eq!(without_audit(everything(&one.app()).await), without_audit(everything(&other.app()).await));
    assert_eq!(one.run(&["delivery", "recompute"]).done()["ok"], true);
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_damaged_is_not_restored() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    placard.run_as(&ann, &["backup", "a.placard"]).done();
    let whole = fs::read(placard.path("a.placard")).expect("read");
    let empty = Placard::on_sqlite();
    let mut bent = whole.clone();
    bent[whole.len() / 2] ^= 4;
    for (name, bytes) in [("cut", &whole[..whole.len() - 9]), ("bent", &bent), ("text", b"not a backup at all")] {
        let path = placard.path(name);
        fs::write(&path, bytes).expect("written");
        let path = path.display().to_string();
        empty.run(&["restore", &path]).refused("damaged");
        placard.run(&["backup", "--check", &path]).refused("damaged");
    }
    assert!(everything(&empty.app()).await["users"].is_empty());
    for quick in [&[][..], &["--quick"]] {
        let looked = placard.run(&[&["backup", "--check", "a.placard"], quick].concat()).done();
        assert_eq!(looked["ok"], true, "{looked}");
    }
    placard.run(&["backup", "--check", "nowhere"]).misused("nowhere");
    empty.run(&["restore", "nowhere"]).misused("nowhere");
    placard.run(&["restore", "a.placard"]).refused("not_empty");
}

#[test]
fn only_an_admin_makes_a_backup_and_none_replaces_another() {
    let placard = Placard::on_sqlite();
    // Before there are operators, nobody can sign in.
    placard.run(&["backup", "first.placard"]).done();
    let (ann, bob) = placard.staff();
    placard.run(&["backup", "a.placard"]).refused("no_auth");
    placard.run_as(&bob, &["backup", "a.placard"]).refused("not_permitted");
    assert!(!placard.path("a.placard").exists());
    placard.run_as(&ann, &["backup", "a.placard"]).done();
    let kept = fs::read(placard.path("a.placard")).expect("read");
    placard.run_as(&ann, &["backup", "a.placard"]).refused("file_exists");
    assert_eq!(fs::read(placard.path("a.placard")).expect("read"), kept);
    placard.run_as(&ann, &["backup", "nowhere/a.placard"]).misused("nowhere/a.placard");
    assert_eq!(placard.left_over(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_that_breaks_a_law_is_no_backup() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    placard.execute("UPDATE wallets SET available = available + 1").await;
    placard.run_as(&ann, &["backup", "a.placard"]).refused("unlawful");
    assert!(!placard.path("a.placard").exists());
    assert_eq!(placard.left_over(), Vec::<String>::new());
}

#[test]
fn secrets_come_along_where_they_are_asked_for() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let secrets = fs::read(placard.path("data/secrets.toml")).expect("made");
    placard.run_as(&ann, &["backup", "a.placard", "--with-secrets"]).done();
    placard.run_as(&ann, &["backup", "b.placard"]).done();
    let file = |name: &str| placard.path(name).display().to_string();
    let (copy, done) = restored(store::testing::sqlite(), &file("a.placard"));
    assert_eq!(done["secrets"], "restored");
    let written = copy.path("data/secrets.toml");
    assert_eq!(fs::read(&written).expect("written"), secrets);
    assert_eq!(fs::metadata(&written).expect("there").permissions().mode() & 0o777, 0o600);
    let (other, done) = restored(store::testing::sqlite(), &file("b.placard"));
    assert_eq!(done["secrets"], "missing");
    assert!(!other.path("data/secrets.toml").exists(), "new ones would fit nothing");
    let (third, _) = (Placard::on_sqlite(), ());
    third.run(&["ledger", "verify"]).done();
    assert_eq!(third.run(&["restore", &file("a.placard")]).done()["secrets"], "different");
}

#[test]
fn another_installations_backup_is_refused() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    placard.run_as(&ann, &["backup", "a.placard"]).done();
    let file = placard.path("a.placard");
    let with = |variable: &str, value: &str| -> Ran {
        let url = format!("sqlite://{}", placard.path("new.db").display());
        let mut command = placard.command(&["restore"]);
        command.arg(&file).env("PLACARD_DATABASE_URL", url).env(variable, value).output().expect("runs").into()
    };
    with("PLACARD_REALM", "live").misused("PLACARD_REALM: the backup is of a simulated installation");
    with("PLACARD_CURRENCY", "EUR").misused("PLACARD_CURRENCY: the backup counts in USD");
    assert!(!placard.path("new.db").exists());
    assert_eq!(with("PLACARD_LOG", "text").code, Some(0), "a database that is not there yet is empty");
}

#[test]
fn people_are_told_what_to_do_about_secrets() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let made = placard.text(&ann, &["backup", "a.placard"]);
    assert!(made.contains("sha256") && made.lines().all(|line| line.chars().count() <= 90), "{made}");
    let copy = Placard::on_sqlite();
    let nobody = Key { name: String::new(), key: String::new() };
    let told = copy.text(&nobody, &["restore", &placard.path("a.placard").display().to_string()]);
    assert!(told.contains("Put the old one") || told.contains("Put the old\none"), "{told}");
    assert!(Path::new(&placard.path("a.placard")).exists());
}

#[test]
fn a_backup_that_is_stopped_leaves_nothing() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    // On a busy machine, one may have ended before it is stopped.
    let is_stopped = (0..20).any(|_| {
        let mut command = placard.command_as(&ann, &["backup", "a.placard"]);
        let mut backup = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
        while placard.left_over().is_empty() && backup.try_wait().expect("asked").is_none() {
            sleep(Duration::from_millis(1));
        }
        let stop = Command::new("kill").args(["-TERM", &backup.id().to_string()]).stderr(Stdio::null()).status();
        stop.expect("runs");
        let ran = Ran::from(backup.wait_with_output().expect("ended"));
        if ran.code == Some(0) {
            fs::remove_file(placard.path("a.placard")).expect("removed");
            return false;
        }
        ran.refused("stopped");
        assert_eq!(placard.left_over(), Vec::<String>::new());
        assert!(!placard.path("a.placard").exists());
        true
    });
    assert!(is_stopped, "each ended first");
}

#[test]
fn a_trial_restore_is_made_only_where_a_database_can_be() {
    let placard = Placard::on_sqlite();
    let folders: [&[u8]; 3] = [b"caf\xe9", b"what?", "50 % #\u{fc}".as_bytes()];
    let [no_text, asks, fine] = folders.map(|name| PathBuf::from(OsStr::from_bytes(name)));
    for folder in [&no_text, &asks, &fine] {
        fs::create_dir(placard.path(".").join(folder)).expect("a folder");
    }
    let backup = |path: &Path, quick: &[&str]| {
        Ran::from(placard.command(&[&["backup", "--json"], quick].concat()).arg(path).output().expect("runs"))
    };
    for folder in [&no_text, &asks] {
        backup(&folder.join("a.placard"), &[]).misused("a trial restore needs a folder whose name is UTF-8");
        assert_eq!(fs::read_dir(placard.path(".").join(folder)).expect("a folder").count(), 0);
        backup(&folder.join("a.placard"), &["--quick"]).done();
    }
    backup(&fine.join("a.placard"), &[]).done();
    let made = fs::read_dir(placard.path(".")).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let others = ["data", "placard.db"];
    let made: Vec<_> =
        made.filter(|name| !others.iter().any(|other| name.to_string_lossy().starts_with(other))).collect();
    assert_eq!(made.len(), 3, "{made:?}");
}

#[test]
fn a_place_of_copies_that_is_mistyped_is_not_made() {
    let placard = Placard::on_sqlite();
    let nowhere = placard.path("nowhere");
    placard.run(&["restore", &format!("file://{}", nowhere.display())]).misused("nowhere: there is no such folder");
    assert!(!nowhere.exists());
}
