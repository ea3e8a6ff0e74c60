//! Witnesses of the public log: what they cosign is published, and none of them holds up the log, whatever it says.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use auth::Secrets;
use base::Clock;
use foundation::{App, Settings, Witnesses};
use futures_util::future::join_all;
use money::wallet::public_log::{
    PublicLogView, Sealer, WitnessAnswer, WitnessAnswering, WitnessClient, checkpoint, keys, state,
};
use objects::{ObjectLocation, Objects};
use proof::witness::{AddCheckpoint, SIZE_TYPE};
use proof::{Checkpoint, Cosigner, CosignerKey, Note, NoteKey, TreeHead, Witness};
use store::on_both;
use store::testing::{TestDb, sqlite as a_file};
use tempfile::TempDir;

use crate::support::{World, funded};

/// How a witness behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mood {
    #[default]
    Honest,
    /// It does not answer, ever.
    Silent,
    /// It signs with another key than its own.
    OtherKey,
    /// It signs another checkpoint than it is shown.
    OtherCheckpoint,
    /// It says that it saw it long ago.
    LongAgo,
    /// It claims to have seen more than there is.
    Boasts,
    /// It says another size each time.
    Wavers,
    /// It answers with a page.
    Chatters,
}

struct TestWitness {
    witness: Witness,
    mood: Mood,
    asked: Vec<u64>,
}

/// Witnesses in this process, by their addresses.
struct Street {
    clock: Clock,
    all: Mutex<BTreeMap<String, TestWitness>>,
}

fn cosigner(name: &str) -> Cosigner {
    let seed = [u8::try_from(name.len()).expect("short"); 32];
    Cosigner::new(&format!("witness.example/{name}"), &seed).expect("a cosigner")
}

fn key(name: &str) -> CosignerKey {
    cosigner(name).public()
}

fn address(name: &str) -> String {
    format!("http://127.0.0.1:7380/{name}/add-checkpoint")
}

impl Street {
    /// Witnesses that know this log.
    fn of(app: &App, log: &NoteKey, names: &[&str]) -> Arc<Self> {
        let all = names.iter().map(|name| {
            let witness = Witness::new(cosigner(name), vec![log.clone()]);
            (address(name), TestWitness { witness, mood: Mood::Honest, asked: Vec::new() })
        });
        Arc::new(Self { clock: app.clock().clone(), all: Mutex::new(all.collect()) })
    }

    fn be(&self, name: &str, mood: Mood) {
        self.all.lock().expect("open").get_mut(&address(name)).expect("there").mood = mood;
    }

    /// From which sizes it was asked since this was last called.
    fn asked(&self, name: &str) -> Vec<u64> {
        std::mem::take(&mut self.all.lock().expect("open").get_mut(&address(name)).expect("there").asked)
    }

    fn head(&self, name: &str) -> Option<TreeHead> {
        let all = self.all.lock().expect("open");
        all.get(&address(name)).expect("there").witness.heads().values().next().copied()
    }

    fn answer(&self, address: &str, body: &str) -> Option<WitnessAnswer> {
        let mut all = self.all.lock().expect("open");
        let of = all.get_mut(address)?;
        let asked = AddCheckpoint::parse(body).expect("a request as the standard has it");
        of.asked.push(asked.old);
        let now = u64::try_from(self.clock.now().seconds()).expect("after 1970");
        let (text, size) = (asked.checkpoint.text.clone(), 1_000_000 + of.asked.len());
        let signed =
            |by: &Cosigner, text: &str, at: u64| (200, None, format!("{}\n", by.cosign(text, at).expect("signed")));
        let own = cosigner(address.split('/').nth(3).expect("a name"));
        let sized = |size: u64| (409, Some(SIZE_TYPE.to_owned()), format!("{size}\n"));
        let (status, content_type, body) = match of.mood {
            Mood::Silent => return None,
            Mood::OtherKey => signed(&Cosigner::new(own.public().name(), &[77; 32]).expect("a key"), &text, now),
            Mood::OtherCheckpoint => signed(&own, &text.replace("placard", "other"), now),
            Mood::LongAgo => signed(&own, &text, now - 7_200),
            Mood::Boasts => sized(u64::try_from(size).expect("small")),
            Mood::Wavers => sized(u64::from(asked.old == 0)),
            Mood::Chatters => (200, Some("text/html".to_owned()), "<p>Hello</p>\n".to_owned()),
            Mood::Honest => match of.witness.decide(body, now) {
                Ok(cosigned) => {
                    of.witness.keep(cosigned.origin, cosigned.head);
                    (200, None, format!("{}\n", cosigned.line))
                }
                Err(refused) => match refused.size() {
                    Some(size) => (refused.status(), Some(SIZE_TYPE.to_owned()), format!("{size}\n")),
                    None => (refused.status(), None, String::new()),
                },
            },
        };
        Some(WitnessAnswer { status, content_type, body })
    }
}

impl WitnessClient for Street {
    fn post<'a>(&'a self, address: &'a str, body: String) -> WitnessAnswering<'a> {
        Box::pin(async move {
            match self.answer(address, &body) {
                Some(answer) => Ok(answer),
                None => std::future::pending().await,
            }
        })
    }
}

/// Two of three are needed.
fn settings() -> Settings {
    let mut policy = String::new();
    for name in ["a", "bb", "ccc"] {
        policy += &format!("witness {name} {} http://127.0.0.1:7380/{name}\n", key(name));
    }
    policy += "group all 2 a bb ccc\nquorum all\n";
    let domain = Some("ads.example.com".parse().expect("a domain"));
    Settings { domain, witnesses: Witnesses::parse(&policy).expect("a policy"), ..Settings::default() }
}

fn server(test: &TestDb, folder: &TempDir) -> App {
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), settings()).with_objects(objects)
}

/// The log's key, which each server of an installation has.
fn log_key() -> NoteKey {
    let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
    proof::NoteSigner::new("ads.example.com/placard-simulated", &secrets.public_log()[0]).expect("a key").public()
}

/// The published checkpoint, and who cosigned it.
async fn published(app: &App) -> (Note, TreeHead, Vec<&'static str>) {
    let bytes = checkpoint(app).await.expect("read").expect("published");
    let note = Note::parse(std::str::from_utf8(&bytes).expect("text")).expect("a note");
    let own: NoteKey = keys(app).await.expect("read")[0].key.parse().expect("a key");
    let head = Checkpoint::open(&note, &own).expect("signed").head;
    let by = ["a", "bb", "ccc"].into_iter().filter(|name| note.cosigned(&key(name)).is_ok()).collect();
    (note, head, by)
}

async fn told(app: &App) -> PublicLogView {
    state(app).await.expect("read").public_log.expect("a log")
}

async fn move_money(w: &World, name: &str) {
    w.recharge("1.00", name).await;
}

on_both!(a_published_checkpoint_carries_its_cosignatures, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    let street = Street::of(&app, &log_key(), &["a", "bb", "ccc"]);
    let mut sealer = Sealer::witnessed(street.clone());
    for time in 0..4 {
        move_money(&w, &format!("bank-{time}")).await;
        sealer.round(&app).await.expect("sealed");
        let (_, head, by) = published(&app).await;
        assert_eq!((by, street.head("a")), (vec!["a", "bb", "ccc"], Some(head)));
    }
    // Each was asked once a checkpoint, from the size that it had.
    let asked = street.asked("a");
    assert!(asked.len() == 4 && asked[0] == 0 && asked.is_sorted(), "{asked:?}");
    let state = told(&app).await;
    assert_eq!((state.needed, state.missing_since, state.cosigned_at), (2, None, Some(app.now())));
    assert_eq!(state.witnesses.iter().map(|one| one.cosigned_at).collect::<Vec<_>>(), [Some(app.now()); 3]);
    // A server that was started anew is told the size by the witness.
    move_money(&w, "bank-anew").await;
    Sealer::witnessed(street.clone()).round(&app).await.expect("sealed");
    assert_eq!((street.asked("a").len(), published(&app).await.2.len()), (2, 3));
});

on_both!(an_unchanged_checkpoint_is_cosigned_anew_each_hour, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    let street = Street::of(&app, &log_key(), &["a", "bb", "ccc"]);
    let mut sealer = Sealer::witnessed(street.clone());
    sealer.round(&app).await.expect("sealed");
    let (first, head, _) = published(&app).await;
    let begun = told(&app).await.checkpoint_at;
    for _ in 0..3 {
        w.test.clock.advance_seconds(1_000);
        sealer.round(&app).await.expect("nothing to do");
    }
    assert_eq!((street.asked("a").len(), published(&app).await.0), (1, first.clone()));
    w.test.clock.advance_seconds(1_000);
    sealer.round(&app).await.expect("renewed");
    let (renewed, same, by) = published(&app).await;
    assert_eq!((same, by.len(), &renewed.text), (head, 3, &first.text));
    let time = |note: &Note| note.cosigned(&key("a")).expect("cosigned");
    assert!(time(&renewed) > time(&first));
    let state = told(&app).await;
    assert_eq!((state.checkpoint_at, state.cosigned_at), (begun, Some(app.now())));
});

on_both!(a_witness_that_is_away_or_lies_is_left_out_and_named, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    let street = Street::of(&app, &log_key(), &["a", "bb", "ccc"]);
    let moods = [
        Mood::Silent,
        Mood::OtherKey,
        Mood::OtherCheckpoint,
        Mood::LongAgo,
        Mood::Boasts,
        Mood::Wavers,
        Mood::Chatters,
    ];
    let mut sealer = Sealer::witnessed(street.clone());
    for (number, mood) in moods.into_iter().enumerate() {
        street.be("a", mood);
        street.asked("a");
        move_money(&w, &format!("lie-{number}")).await;
        tokio::time::timeout(Duration::from_secs(10), sealer.round(&app)).await.expect("in time").expect("sealed");
        // Two suffice.
        let (note, _, by) = published(&app).await;
        assert_eq!((by, note.signatures.len()), (vec!["bb", "ccc"], 3), "{mood:?}");
        assert_eq!(told(&app).await.missing_since, None, "{mood:?}");
        assert!((1..=3).contains(&street.asked("a").len()), "{mood:?}");
        // It is left alone for a while, and then believed again.
        move_money(&w, &format!("alone-{number}")).await;
        sealer.round(&app).await.expect("sealed");
        assert!(street.asked("a").is_empty(), "{mood:?}");
        street.be("a", Mood::Honest);
        w.test.clock.advance_seconds(31);
        sealer.round(&app).await.expect("cosigned");
        assert_eq!(published(&app).await.2.len(), 3, "{mood:?}");
    }
});

on_both!(without_enough_of_them_it_is_published_and_told_since_when, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    let street = Street::of(&app, &log_key(), &["a", "bb", "ccc"]);
    let mut sealer = Sealer::witnessed(street.clone());
    sealer.round(&app).await.expect("sealed");
    let cosigned = app.now();
    w.test.clock.advance_seconds(60);
    let away = app.now();
    street.be("a", Mood::Silent);
    street.be("bb", Mood::OtherKey);
    for time in 0..2 {
        move_money(&w, &format!("bank-{time}")).await;
        let before = published(&app).await.1.size;
        tokio::time::timeout(Duration::from_secs(10), sealer.round(&app)).await.expect("in time").expect("sealed");
        let (_, head, by) = published(&app).await;
        assert!(head.size > before, "it goes on without them");
        assert_eq!(by, ["ccc"]);
        let state = told(&app).await;
        assert_eq!((state.cosigned_at, state.missing_since), (Some(cosigned), Some(away)));
        assert_eq!(state.witnesses[0].cosigned_at, Some(cosigned));
        w.test.clock.advance_seconds(5);
    }
    street.be("a", Mood::Honest);
    w.test.clock.advance_seconds(60);
    sealer.round(&app).await.expect("cosigned");
    let state = told(&app).await;
    let (note, _, by) = published(&app).await;
    assert_eq!((by, state.missing_since), (vec!["a", "ccc"], None));
    // Two vouch for it until the earlier of both said so.
    let [a, ccc] = ["a", "ccc"].map(|name| i64::try_from(note.cosigned(&key(name)).expect("cosigned")).ok());
    assert!(ccc < a && a == Some(app.now().seconds()));
    assert_eq!(state.cosigned_at.map(|at| at.seconds()), ccc);
});

on_both!(two_servers_do_not_take_each_others_cosignatures_away, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let servers = [server(&w.test, &folder), server(&w.test, &folder)];
    let street = Street::of(&servers[0], &log_key(), &["a", "bb", "ccc"]);
    let mut sealers = [Sealer::witnessed(street.clone()), Sealer::witnessed(street.clone())];
    for time in 0..6 {
        move_money(&w, &format!("bank-{time}")).await;
        let rounds =
            sealers.iter_mut().zip(&servers).map(async |(sealer, app)| sealer.round(app).await.expect("sealed"));
        join_all(rounds).await;
    }
    // Whoever lost a race asks again.
    w.test.clock.advance_seconds(31);
    for (sealer, app) in sealers.iter_mut().zip(&servers) {
        sealer.round(app).await.expect("cosigned");
    }
    let (_, head, by) = published(&servers[0]).await;
    assert_eq!((by.len(), street.head("a")), (3, Some(head)));
    assert_eq!(told(&servers[0]).await.missing_since, None);
    // One of them no longer reaches two witnesses; what they said to the other stays.
    let before = published(&servers[0]).await.0;
    let times = |note: &Note| ["a", "bb", "ccc"].map(|name| note.cosigned(&key(name)).expect("cosigned"));
    street.be("a", Mood::Silent);
    street.be("bb", Mood::OtherKey);
    w.test.clock.advance_seconds(3_700);
    Sealer::witnessed(street.clone()).round(&servers[1]).await.expect("nothing new");
    let ([a, bb, ccc], then) = (times(&published(&servers[1]).await.0), times(&before));
    assert_eq!([a, bb], then[..2]);
    assert!(ccc > then[2]);
    let state = told(&servers[1]).await;
    assert_eq!((state.missing_since, state.cosigned_at.map(|at| at.seconds())), (None, i64::try_from(a.max(bb)).ok()));
});

on_both!(a_log_that_was_forked_or_cut_back_is_not_cosigned, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let app = server(&w.test, &folder);
    let street = Street::of(&app, &log_key(), &["a", "bb", "ccc"]);
    for time in 0..5 {
        move_money(&w, &format!("bank-{time}")).await;
    }
    Sealer::witnessed(street.clone()).round(&app).await.expect("sealed");
    let seen = street.head("a").expect("seen");
    // The same name and key, another database, and a storage that forgot what was published: nobody else would notice.
    let (other, empty) = (funded(a_file(), "400").await, tempfile::tempdir().expect("a folder"));
    let forged = server(&other.test, &empty);
    let mut sealer = Sealer::witnessed(street.clone());
    sealer.round(&forged).await.expect("sealed");
    let (_, head, by) = published(&forged).await;
    assert!(head.size < seen.size && by.is_empty(), "cut back: {by:?}");
    let told_by = |name: &str| {
        let text = std::fs::read_to_string(empty.path().join("log/state")).expect("kept");
        let state: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let of = state["witnesses"].as_array().expect("a list").iter().find(|one| one["name"] == key(name).name());
        of.expect("there")["problem"].as_str().expect("a problem").to_owned()
    };
    assert!(told_by("a").contains(&format!("it has seen {} leaves of this log", seen.size)), "{}", told_by("a"));
    assert!(told(&forged).await.missing_since.is_some());
    // It grows to the same size, and beyond it.
    let more = seen.size - head.size;
    for time in 0..more {
        move_money(&other, &format!("same-{time}")).await;
    }
    other.test.clock.advance_seconds(31);
    sealer.round(&forged).await.expect("sealed");
    assert_eq!(published(&forged).await.1.size, seen.size);
    assert!(told_by("bb").contains("another log of"), "{}", told_by("bb"));
    move_money(&other, "beyond").await;
    other.test.clock.advance_seconds(31);
    sealer.round(&forged).await.expect("sealed");
    assert!(published(&forged).await.2.is_empty());
    assert!(told_by("ccc").contains("422"), "{}", told_by("ccc"));
    assert_eq!(street.head("a"), Some(seen));
});

on_both!(where_nobody_is_asked_nothing_is_missing, |test| {
    let (w, folder) = (funded(test, "500").await, tempfile::tempdir().expect("a folder"));
    let mut app = server(&w.test, &folder);
    app.settings = Arc::new(Settings { witnesses: Witnesses::default(), ..settings() });
    Sealer::default().round(&app).await.expect("sealed");
    let state = told(&app).await;
    assert_eq!((state.needed, state.witnesses.len(), state.cosigned_at, state.missing_since), (0, 0, None, None));
    assert_eq!((state.size, state.checkpoint_at), (published(&app).await.1.size, app.now()));
});
