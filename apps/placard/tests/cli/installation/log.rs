//! The public log: it is watched, and begins anew or gets another key by two people.

use base::Clock;
use campaigns::AdServer;
use desk::installation::settings::{Installation, Values};
use money::wallet::public_log::Sealer;
use serde_json::{Value, json};

use crate::support::{Placard, text};

/// What a server does within seconds.
async fn seal(placard: &Placard) {
    let pairs = [
        ("PLACARD_DATABASE_URL", placard.url().to_owned()),
        ("PLACARD_DATA_DIR", placard.path("data").display().to_string()),
        ("PLACARD_DOMAIN", "ads.example.com".to_owned()),
    ];
    let values = Values::from_pairs(pairs.map(|(name, value)| (name.to_owned(), value))).expect("values");
    let app: AdServer = Installation::read(&values).and_then(|read| read.open(Clock::system())).expect("opens");
    Sealer::default().round(&app).await.expect("sealed");
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
