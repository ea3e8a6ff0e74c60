//! The demonstration's past in files: everything reads as before, also from a restored
//! backup, and a changed file is found.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use calendar::{Month, Zone};
use objects::testing::FakeS3;
use serde_json::Value;
use store::on_both;

use super::history::plans;
use crate::support::{Key, Placard, Ran, WithPast, with_past};

/// Of the past, the months that can be archived, oldest first: for two days after one, events may be filed in it.
fn months(placard: &Placard) -> Vec<Month> {
    let now = placard.app().now();
    let first = Zone::UTC.month(now.plus_days(-100));
    let mut months: Vec<Month> = Zone::UTC.month(now.plus_days(-2)).back_to(first).skip(1).collect();
    months.reverse();
    months
}

/// What staff see of all plans' events.
fn events(placard: &Placard, who: &Key, plans: &[String]) -> Vec<Value> {
    let read = |plan: &String| {
        let of = placard.run_as(who, &["plan", "events", plan, "--limit", "300"]).done();
        let shown = placard.run_as(who, &["plan", "show", plan]).done();
        [of, shown["delivery"].clone()]
    };
    plans.iter().flat_map(read).collect()
}

fn files(placard: &Placard) -> Vec<PathBuf> {
    let entries = fs::read_dir(placard.path("data/files/events")).expect("a folder");
    entries.map(|entry| entry.expect("a file").path()).collect()
}

on_both!(archived_events_are_in_the_backup_and_come_back, |t| {
    let WithPast { placard, anna, .. } = with_past(t);
    // The oldest of them.
    let plans: Vec<String> = plans(&placard.app()).await.into_iter().rev().take(6).map(|plan| plan.plan_no).collect();
    let before = events(&placard, &anna, &plans);
    let mut archived = 0;
    for month in months(&placard) {
        let ran = placard.change(&anna, &["archive", "month", &month.to_string()]);
        match ran.code {
            Some(0) => archived += 1,
            _ => assert!(ran.err.contains("plans_open: ") || ran.err.contains("no_events: "), "{ran:?}"),
        }
    }
    assert!(archived > 0);
    assert_eq!(files(&placard).len(), archived);
    assert_eq!(events(&placard, &anna, &plans), before);
    let made = placard.run_as(&anna, &["backup", "a.placard"]).done();
    assert_eq!(made["missing_files"], Value::Array(Vec::new()), "{made}");
    let file = placard.path("a.placard").display().to_string();
    for target in [store::testing::sqlite(), store::testing::postgres()] {
        let copy = Placard::new(target);
        fs::create_dir(copy.path("data")).expect("a folder");
        fs::copy(placard.path("data/secrets.toml"), copy.path("data/secrets.toml")).expect("put back first");
        copy.run(&["restore", &file]).done();
        for check in [&["ledger", "verify"][..], &["audit", "verify"], &["delivery", "recompute"]] {
            assert_eq!(copy.run(check).done()["ok"], true, "{check:?}");
        }
        let listed = copy.run(&["archive", "list", "--check"]).done();
        assert_eq!(listed.as_array().map(Vec::len), Some(archived), "{listed}");
        assert_eq!(events(&copy, &anna, &plans), before);
        let changed = files(&copy).remove(0);
        let mut bytes = fs::read(&changed).expect("read");
        bytes[100] ^= 1;
        fs::write(&changed, bytes).expect("written");
        for check in [&["archive", "list", "--check"][..], &["delivery", "recompute"], &["doctor", "--full"]] {
            let ran = copy.run(check);
            assert!(ran.code == Some(1) && ran.out.contains("not as it was written"), "{check:?} {ran:?}");
        }
        let made = copy.run_as(&anna, &["backup", "b.placard"]).done();
        assert_eq!(made["missing_files"].as_array().map(Vec::len), Some(1), "{made}");
    }
});

/// With files in a bucket.
fn in_bucket(mut command: Command, fake: &FakeS3) -> Command {
    command.env("PLACARD_FILES_URL", "s3://placard").envs(fake.environment()).arg("--json");
    command
}

/// Whether the program was killed after it stored the file of this month, and before it was told so.
fn killed_when_stored(command: &mut Command, fake: &FakeS3) -> bool {
    let mut running = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("runs");
    loop {
        if !fake.is_waiting() {
            running.kill().expect("killed");
            running.wait().expect("ended");
            return true;
        }
        if running.try_wait().expect("known").is_some() {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_killed_after_its_file_was_stored_is_finished_by_the_next() {
    let WithPast { placard, anna, .. } = with_past(store::testing::sqlite());
    let plans: Vec<String> = plans(&placard.app()).await.into_iter().rev().take(6).map(|plan| plan.plan_no).collect();
    let before = events(&placard, &anna, &plans);
    let fake = FakeS3::start();
    // The request that completes an upload.
    fake.leave_unanswered("?uploadId=");
    let month = months(&placard).into_iter().map(|month| month.to_string()).find(|month| {
        let command = placard.command_as(&anna, &["archive", "month", month, "--reason", "a test"]);
        killed_when_stored(&mut in_bucket(command, &fake), &fake)
    });
    let month = month.expect("a month can be archived");
    assert_eq!(fake.seen().objects.len(), 1);
    let run = |arguments: &[&str]| -> Ran {
        in_bucket(placard.command_as(&anna, arguments), &fake).output().expect("runs").into()
    };
    assert_eq!(run(&["archive", "list"]).done(), Value::Array(Vec::new()));
    assert_eq!(events(&placard, &anna, &plans), before, "the events are still in the database");

    run(&["archive", "month", &month, "--reason", "a test"]).done();
    assert_eq!(fake.seen().objects.len(), 1, "the same file again");
    assert_eq!(run(&["archive", "list", "--check"]).done().as_array().map(Vec::len), Some(1));
    for check in [&["delivery", "recompute"][..], &["ledger", "verify"], &["audit", "verify"]] {
        assert_eq!(run(check).done()["ok"], true, "{check:?}");
    }
}
