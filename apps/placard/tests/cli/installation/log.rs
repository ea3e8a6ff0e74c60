//! The public log: it is watched, and begins anew or gets another key by two people.

use std::fs;
use std::process::Command;

use base::Clock;
use campaigns::AdServer;
use desk::installation::settings::{Installation, Values};
use money::wallet::public_log::{FIRST, LogError, Sealer, checkpoint, read_published_head, tile};
use proof::proofs::range_root;
use proof::{TreeHead, tile_hashes};
use serde_json::{Value, json};
use store::on_both;
use store::testing::{postgres, sqlite};

use crate::support::{Key, Placard, text};

/// The installation as a server has it open, with a name.
fn named(placard: &Placard) -> AdServer {
    let pairs = [
        ("PLACARD_DATABASE_URL", placard.url().to_owned()),
        ("PLACARD_DATA_DIR", placard.path("data").display().to_string()),
        ("PLACARD_DOMAIN", "ads.example.com".to_owned()),
    ];
    let values = Values::from_pairs(pairs.map(|(name, value)| (name.to_owned(), value))).expect("values");
    Installation::read(&values).and_then(|read| read.open(Clock::system())).expect("opens")
}

/// What a server does within seconds.
async fn seal(placard: &Placard) {
    Sealer::default().round(&named(placard)).await.expect("sealed");
}

/// The doctor's finding, if there is one.
fn finding(placard: &Placard) -> Option<Value> {
    let found: Value = serde_json::from_str(&placard.run(&["doctor"]).out).expect("a document");
    found["findings"].as_array().expect("findings").iter().find(|finding| finding["check"] == "public log").cloned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_is_watched_and_renewed_by_two() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.demonstration();
    placard.run(&["log", "show"]).refused("not_found");
    assert_eq!(finding(&placard), None);
    seal(&placard).await;
    let shown = placard.run(&["log", "show"]).done();
    assert!(shown["size"].as_u64().is_some_and(|size| size > 0), "{shown}");
    assert_eq!(
        (&shown["unsealed"], &shown["problem"], &shown["keys"][0]["until"]),
        (&json!(0), &Value::Null, &Value::Null)
    );
    assert_eq!(finding(&placard).expect("a log")["status"], "ok");
    placard.change(&ann, &["log", "begin"]).refused("log_goes_on");

    placard.execute("UPDATE log_tiles SET number = number + 1000").await;
    let ran = placard.run(&["log", "show"]);
    assert_eq!((ran.code, ran.out.contains("is not the one that was signed")), (Some(1), true), "{ran:?}");
    let found = finding(&placard).expect("a log");
    assert_eq!(found["status"], "problem", "{found}");
    assert!(text(&found["found"]).starts_with("it stopped: ") && text(&found["advice"]).contains("placard log begin"));
    let asked = placard.change(&ann, &["log", "begin"]).done();
    assert_eq!((&asked["kind"], &asked["status"]), (&json!("public_log"), &json!("requested")));
    placard.change(&ann, &["request", "approve", &text(&asked["id"])]).refused("second_person_needed");
    placard.change(&bob, &["request", "approve", &text(&asked["id"])]).done();
    seal(&placard).await;
    let begun = placard.run(&["log", "show"]).done();
    assert_eq!((&begun["size"], &begun["problem"]), (&shown["size"], &Value::Null));
    assert!(text(&begun["keys"][0]["key"]).starts_with("ads.example.com/placard-simulated-2+"), "{begun}");
    assert_eq!(begun["keys"][1]["key"], shown["keys"][0]["key"]);

    placard.change(&ann, &["log", "rotate-key"]).refused("log_key_missing");
    placard.run(&["log", "new-key"]).done();
    let file = std::fs::read_to_string(placard.path("data/secrets.toml")).expect("secrets");
    let secret = file.lines().find_map(|line| line.strip_prefix("log = [\"")?.strip_suffix("\"]")).expect("a key");
    let ran = placard.change(&ann, &["log", "rotate-key"]);
    assert!(!ran.out.contains(secret) && secret.len() == 64, "{ran:?}");
    placard.change(&bob, &["request", "approve", &text(&ran.done()["id"])]).done();
    seal(&placard).await;
    let renewed = placard.run(&["log", "show"]).done();
    assert_eq!((&renewed["problem"], &renewed["keys"][1]["key"]), (&Value::Null, &begun["keys"][0]["key"]));
    assert_eq!(renewed["keys"][0]["since"], renewed["keys"][1]["until"]);
    let deeds = placard.run_as(&ann, &["audit", "list", "--action", "public_log.approve"]).done();
    assert_eq!(deeds.as_array().map(Vec::len), Some(2), "{deeds}");
}

/// Money that two people book.
fn recharge(placard: &Placard, (ann, bob): (&Key, &Key), reference: &str) {
    let asked = placard.change(ann, &["recharge", "request", "demo", "1.00", "--reference", reference]).done();
    placard.change(bob, &["request", "approve", &text(&asked["id"])]).done();
}

/// Another machine with the secrets and a backup.
fn restored_alone(placard: &Placard, backup: &str) -> Placard {
    let copy = Placard::new(if placard.url().starts_with("sqlite") { sqlite() } else { postgres() });
    fs::create_dir_all(copy.path("data")).expect("a folder");
    fs::copy(placard.path("data/secrets.toml"), copy.path("data/secrets.toml")).expect("copied");
    copy.run(&["restore", &placard.path(backup).display().to_string()]).done();
    copy
}

/// The same, with the storage of files, which was not lost.
fn restored(placard: &Placard, backup: &str) -> Placard {
    let copy = restored_alone(placard, backup);
    fs::create_dir_all(copy.path("data/files")).expect("a folder");
    let copied = Command::new("cp").arg("-r").arg(placard.path("data/files/log")).arg(copy.path("data/files")).status();
    assert!(copied.expect("cp runs").success());
    copy
}

async fn head(placard: &Placard) -> TreeHead {
    read_published_head(&named(placard)).await.expect("read").expect("published")
}

/// The published log begins with the leaves that somebody saw.
async fn goes_on(placard: &Placard, old: &TreeHead) -> bool {
    let (app, size) = (named(placard), head(placard).await.size);
    let mut tiles = std::collections::BTreeMap::new();
    for wanted in proof::proofs::range_tiles(&(0..old.size), size) {
        let bytes = tile(&app, FIRST, wanted).await.expect("read").expect("published");
        tiles.insert(wanted, tile_hashes(&bytes).expect("hashes"));
    }
    range_root(&(0..old.size), size, |tile| tiles.get(&tile).cloned()) == Some(old.root)
}

on_both!(after_a_restore_the_log_goes_on_or_says_what_is_missing, |t| {
    let placard = Placard::new(t);
    let (ann, bob) = placard.demonstration();
    let both = (&ann, &bob);
    seal(&placard).await;
    placard.run_as(&ann, &["backup", "early.placard"]).done();
    let early = head(&placard).await;
    recharge(&placard, both, "BANK-1");
    recharge(&placard, both, "BANK-2");
    seal(&placard).await;
    placard.run_as(&ann, &["backup", "late.placard"]).done();
    let last = head(&placard).await;
    assert_eq!(last.size, early.size + 2);

    let whole = restored(&placard, "late.placard");
    recharge(&whole, both, "BANK-3");
    seal(&whole).await;
    assert_eq!((head(&whole).await.size, goes_on(&whole, &last).await), (last.size + 1, true));
    assert_eq!(finding(&whole).expect("a log")["status"], "ok");

    let less = restored(&placard, "early.placard");
    let refused = Sealer::default().round(&named(&less)).await.expect_err("it has less");
    let LogError::Lost { published, stored } = refused else { panic!("{refused}") };
    assert_eq!((published, stored), (last.size, early.size));
    let missing = format!("was published with {published} leaves and the database has {stored}: it lost transactions");
    let found = finding(&less).expect("a log");
    assert_eq!((&found["status"], text(&found["found"]).contains(&missing)), (&json!("problem"), true), "{found}");
    // Whatever else is booked, nothing is published beside what is missing.
    recharge(&less, both, "BANK-4");
    recharge(&less, both, "BANK-5");
    assert!(Sealer::default().round(&named(&less)).await.is_err());
    assert_eq!(head(&less).await, last);
    let asked = less.change(&ann, &["log", "begin"]).done();
    less.change(&ann, &["request", "approve", &text(&asked["id"])]).refused("second_person_needed");
    less.change(&bob, &["request", "approve", &text(&asked["id"])]).done();
    seal(&less).await;
    assert_eq!((head(&less).await.size, &finding(&less).expect("a log")["status"]), (early.size + 2, &json!("ok")));
    let note = checkpoint(&named(&less)).await.expect("read").expect("published");
    let note = String::from_utf8(note).expect("text");
    let follows = format!("previous ads.example.com/placard-simulated {} ", last.size);
    let line = note.lines().find_map(|line| line.strip_prefix(&follows)).expect("what it follows");
    assert!(line.ends_with(" lost"), "{note}");
});

on_both!(a_restored_log_waits_until_the_published_one_is_there_to_tell, |t| {
    let placard = Placard::new(t);
    let (ann, bob) = placard.demonstration();
    let both = (&ann, &bob);
    seal(&placard).await;
    placard.run_as(&ann, &["backup", "early.placard"]).done();
    recharge(&placard, both, "BANK-1");
    seal(&placard).await;
    placard.run_as(&ann, &["backup", "late.placard"]).done();
    let last = head(&placard).await;
    // Somebody kept it; the storage was lost with the machine.
    let kept = fs::read(placard.path("data/files/log/checkpoint")).expect("read");

    let less = restored_alone(&placard, "early.placard");
    recharge(&less, both, "BANK-2");
    recharge(&less, both, "BANK-3");
    let refused = Sealer::default().round(&named(&less)).await.expect_err("it may be behind");
    let LogError::Restored { stored } = refused else { panic!("{refused}") };
    assert_eq!((stored, checkpoint(&named(&less)).await.expect("read")), (last.size - 1, None));
    let found = finding(&less).expect("a log");
    assert_eq!(
        (&found["status"], text(&found["found"]).contains("was restored")),
        (&json!("problem"), true),
        "{found}"
    );
    less.change(&ann, &["log", "begin"]).refused("log_goes_on");
    fs::write(less.path("data/files/log/checkpoint"), &kept).expect("put back");
    let refused = Sealer::default().round(&named(&less)).await.expect_err("it is behind");
    let LogError::Lost { published, stored } = refused else { panic!("{refused}") };
    assert_eq!((published, stored), (last.size, last.size - 1));
    less.change(&ann, &["log", "begin"]).done();

    // With the checkpoint, all that belongs to it is made anew.
    let whole = restored_alone(&placard, "late.placard");
    assert!(Sealer::default().round(&named(&whole)).await.is_err());
    fs::write(whole.path("data/files/log/checkpoint"), &kept).expect("put back");
    recharge(&whole, both, "BANK-4");
    seal(&whole).await;
    assert_eq!((head(&whole).await.size, goes_on(&whole, &last).await), (last.size + 1, true));
    assert!(!whole.path("data/files/log/restored").exists());
    assert_eq!(finding(&whole).expect("a log")["status"], "ok");

    // Nobody kept one.
    let alone = restored_alone(&placard, "early.placard");
    let app = named(&alone);
    let mut sealer = Sealer::default();
    assert!(sealer.round(&app).await.is_err());
    fs::remove_file(alone.path("data/files/log/restored")).expect("taken away");
    sealer.round(&app).await.expect("it goes on");
    assert_eq!(head(&alone).await.size, last.size - 1);
});
