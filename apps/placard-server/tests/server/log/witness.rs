//! `placard-server witness`, as somebody runs it for another installation, and servers whose log it cosigns.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use base::Money;
use campaigns::plans::put::{Put, PutTarget, put};
use foundation::people::pay_password::Proof;
use plans::ContentType;
use proof::proofs::{consistency, range_root};
use proof::witness::{AddCheckpoint, LONGEST_REQUEST, answered_lines, conflicting_size};
use proof::{
    Checkpoint, CosignerKey, GrowingTree, Hash, Note, NoteKey, NoteSigner, TreeHead, hash, tile_bytes, tile_hashes,
};
use reqwest::blocking::Response;
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::client::{Client, http};
use crate::installation::{Installation, PROGRAM, end, free_address};
use crate::market::open_market;
use crate::push::service::{Answer, PushService};

const SOON: Duration = Duration::from_secs(10);
const LOG: &str = "ads.example.com/placard-simulated";
const NAME: &str = "witness.example/w1";

fn wait<T>(what: &str, mut until: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = until() {
            return found;
        }
        assert!(begun.elapsed() < 3 * SOON, "{what} does not come");
        sleep(Duration::from_millis(30));
    }
}

fn command(state: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env_clear().arg("witness").args(arguments).arg("--state").arg(state).stdin(Stdio::null());
    command
}

fn said(output: &Output) -> (Option<i32>, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// The key of a witness, made if there is none.
fn key(state: &Path) -> CosignerKey {
    let output = command(state, &["key", "--name", NAME]).output().expect("runs");
    let (code, text) = said(&output);
    assert_eq!(code, Some(0), "{text}");
    text.trim_end().parse().expect("a key alone")
}

/// A running witness.
struct Serving {
    child: Child,
    address: SocketAddr,
}

impl Drop for Serving {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

impl Serving {
    fn of(state: &Path, log: &NoteKey) -> Self {
        Self::at(free_address(), state, log)
    }

    fn at(address: SocketAddr, state: &Path, log: &NoteKey) -> Self {
        let (bind, log) = (address.to_string(), log.to_string());
        let mut command = command(state, &["serve", "--name", NAME, "--prefix", "/w1", "--bind", &bind, "--log", &log]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
        let serving = Self { child, address };
        wait("the witness", || http().get(serving.url("")).send().ok());
        serving
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}/w1{path}", self.address)
    }

    fn post(&self, body: impl Into<reqwest::blocking::Body>) -> Option<Response> {
        http().post(self.url("/add-checkpoint")).body(body).send().ok()
    }
}

/// A log of the test's own.
struct Log {
    tree: GrowingTree,
    tiles: std::collections::BTreeMap<String, Vec<u8>>,
    signer: NoteSigner,
}

impl Log {
    fn new() -> Self {
        let signer = NoteSigner::new(LOG, &[7; 32]).expect("a signer");
        Self { tree: GrowingTree::default(), tiles: Default::default(), signer }
    }

    fn grow(&mut self, kind: &str) {
        self.tree.append(hash::leaf(format!("{kind} {}", self.tree.size()).as_bytes()));
        self.tiles
            .extend(self.tree.take_changed().into_iter().map(|(tile, hashes)| (tile.path(), tile_bytes(&hashes))));
    }

    fn root(&self, range: std::ops::Range<u64>) -> Hash {
        range_root(&range, self.tree.size(), |tile| tile_hashes(self.tiles.get(&tile.path())?)).expect("every tile")
    }

    fn note(&self) -> Note {
        Checkpoint::new(LOG, TreeHead { size: self.tree.size(), root: self.tree.root() }).sign(&self.signer)
    }

    fn request(&self, old: u64) -> String {
        let ranges = consistency(old, self.tree.size()).expect("provable");
        let proof = ranges.into_iter().map(|range| self.root(range)).collect();
        AddCheckpoint { old, proof, checkpoint: self.note() }.body()
    }
}

/// Whether the answer has the witness's own line for this checkpoint.
fn cosigns(answer: Response, note: Note, key: &CosignerKey) -> bool {
    assert_eq!(answer.status(), 200);
    let lines = answered_lines(&answer.text().expect("text")).expect("lines");
    Note { signatures: lines, ..note }.cosigned(key).is_ok()
}

#[test]
fn a_witness_answers_as_the_standard_says() {
    let (folder, mut log) = (TempDir::new().expect("a folder"), Log::new());
    let state = folder.path().join("state");
    let (key, serving) = (key(&state), Serving::of(&state, &log.signer.public()));
    log.grow("a");
    assert!(cosigns(serving.post(log.request(0)).expect("an answer"), log.note(), &key));
    assert!(cosigns(serving.post(log.request(1)).expect("an answer"), log.note(), &key), "the same again");
    let mut forked = Log::new();
    forked.grow("b");
    let status = |body: String| serving.post(body).expect("an answer").status().as_u16();
    assert_eq!(status(forked.request(1)), 409);
    forked.grow("b");
    assert_eq!(status(forked.request(1)), 422);
    log.grow("a");
    let conflict = serving.post(log.request(0)).expect("an answer");
    assert_eq!(
        (conflict.status().as_u16(), conflict.headers()["content-type"].as_bytes()),
        (409, b"text/x.tlog.size".as_slice())
    );
    assert_eq!(conflicting_size(&conflict.text().expect("text")), Some(1));
    assert_eq!(status(log.request(1).replace("old 1\n", "old 3\n")), 400);
    let (other, thief) = (
        NoteSigner::new("other.example/placard", &[7; 32]).expect("a signer"),
        NoteSigner::new(LOG, &[8; 32]).expect("a signer"),
    );
    let note = |origin: &str, signer: &NoteSigner| {
        let note = Checkpoint::new(origin, TreeHead { size: 1, root: [1; 32] }).sign(signer);
        AddCheckpoint { old: 0, proof: Vec::new(), checkpoint: note }.body()
    };
    assert_eq!((status(note("other.example/placard", &other)), status(note(LOG, &thief))), (404, 403));
    assert_eq!((status("hello".to_owned()), status("a".repeat(LONGEST_REQUEST + 1))), (400, 413));
    assert_eq!(http().post(serving.url("/other")).send().expect("an answer").status(), 404);
    assert!(cosigns(serving.post(log.request(1)).expect("an answer"), log.note(), &key));
}

#[test]
fn a_witness_forgets_nothing_in_twenty_deaths() {
    let (folder, mut log) = (TempDir::new().expect("a folder"), Log::new());
    let (state, address) = (folder.path().join("state"), free_address());
    let key = key(&state);
    let mut known = 0;
    for death in 0..20_u64 {
        let mut serving = Serving::at(address, &state, &log.signer.public());
        // Anything older than what it answered is refused, and what it has is no less than that.
        let held = match serving.post(log.request(log.tree.size())).expect("an answer") {
            answer if answer.status() == 409 => conflicting_size(&answer.text().expect("text")).expect("a size"),
            _ => log.tree.size(),
        };
        assert!(held >= known && held <= log.tree.size(), "{held} after {known}");
        known = held;
        let (tell, answered) = mpsc::channel();
        let child = &mut serving.child;
        std::thread::scope(|scope| {
            scope.spawn(move || {
                // However slow the machine is, it answers once in each life.
                let _ = answered.recv_timeout(3 * SOON);
                sleep(Duration::from_millis(death * 7));
                end(child);
            });
            let url = format!("http://{address}/w1/add-checkpoint");
            loop {
                log.grow("a");
                let Ok(answer) = http().post(&url).body(log.request(known)).send() else { break };
                assert!(cosigns(answer, log.note(), &key));
                known = log.tree.size();
                let _ = tell.send(());
            }
        });
    }
    assert!(known >= 20, "{known}");
    let left: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
        .filter(|name| name != "state.new")
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn key_and_state_belong_together_and_to_one_witness() {
    let folder = TempDir::new().expect("a folder");
    let (state, file) = (folder.path().join("state"), folder.path().join("state.key"));
    let refused = |arguments: &[&str]| {
        let (code, text) = said(&command(&state, arguments).output().expect("runs"));
        assert_eq!((code, text.lines().count()), (Some(1), 1), "{text}");
        text
    };
    assert!(refused(&["key"]).contains("--name"));
    assert!(refused(&["key", "--name", "a b"]).contains("--name"));
    let own = key(&state);
    assert_eq!(own.name(), NAME);
    assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
    assert_eq!(key(&state), own, "it stays");
    assert!(refused(&["key", "--name", "witness.example/w2"]).contains(NAME));
    let log = NoteSigner::new(LOG, &[7; 32]).expect("a signer").public().to_string();
    let serve = ["serve", "--bind", "127.0.0.1:0", "--log", &log];
    {
        let _serving = Serving::of(&state, &log.parse().expect("a key"));
        assert!(refused(&serve).contains("another witness uses it"));
    }
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("set");
    assert!(refused(&serve).contains("chmod 600"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("set");
    for damage in ["", "placard-witness/1", "placard-witness/2\n", "placard-witness/1\nads.example.com 01 00\n"] {
        fs::write(&state, damage).expect("written");
        assert!(refused(&serve).contains("no state of a witness"), "{damage:?}");
    }
    fs::remove_file(&state).expect("removed");
    assert!(refused(&serve).contains("it is missing"), "whoever forgot everything would sign anything");
    assert!(refused(&["key"]).contains("it is missing"));
}

fn log_key(client: &Client) -> NoteKey {
    wait("the log", || {
        let answer = client.get("/log/key").ok().filter(|answer| answer.status == 200)?;
        let key = answer.body.lines().find(|line| !line.starts_with('#')).expect("a key");
        Some(key.parse().expect("a key"))
    })
}

fn note(client: &Client) -> Note {
    wait("the checkpoint", || Note::parse(&client.get("/log/checkpoint").ok()?.body).ok())
}

fn state(client: &Client) -> Value {
    client.get("/log/state").expect("an answer").json()["public_log"].clone()
}

fn size(note: &Note) -> u64 {
    Checkpoint::parse(&note.text).expect("a checkpoint").head.size
}

fn named() -> (&'static str, String) {
    ("PLACARD_DOMAIN", "ads.example.com".to_owned())
}

#[test]
fn a_server_has_its_log_cosigned_on_sqlite() {
    has_its_log_cosigned(&Installation::sqlite());
}

#[test]
fn a_server_has_its_log_cosigned_on_postgres() {
    has_its_log_cosigned(&Installation::postgres());
}

fn has_its_log_cosigned(installation: &Installation) {
    let runtime = Runtime::new().expect("a runtime");
    let (witness, memory) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    let (own, others) = (witness.path().join("state"), memory.path().join("state"));
    let (key, other) = (key(&own), key(&others));
    let market = runtime.block_on(async { open_market(&installation.app()).await });
    // The log's key is needed before its witnesses are.
    let log = {
        let server = installation.start_with(&[named()]);
        log_key(&server.client())
    };
    let address = free_address();
    let serving = Serving::at(address, &own, &log);
    // One that leads elsewhere, and one that never ends.
    let liar = PushService::start();
    liar.answer("/moved/add-checkpoint", Answer::Moved { to: serving.url("/add-checkpoint") });
    liar.answer("/endless/add-checkpoint", Answer::Endless);
    let another = proof::Cosigner::new("witness.example/w3", &[3; 32]).expect("a key").public();
    let policy = format!(
        "witness own {key} http://{address}/w1\nwitness moved {other} {0}/moved\nwitness endless {another} {0}/endless\n\
         group any 1 own moved endless\nquorum any\n",
        liar.origin()
    );
    let file = installation.path("witnesses");
    fs::write(&file, policy).expect("written");
    let metrics = free_address();
    let server = installation.start_with(&[
        named(),
        ("PLACARD_WITNESSES", file.display().to_string()),
        ("PLACARD_METRICS_BIND", metrics.to_string()),
    ]);
    let client = server.client();
    wait("the cosignature", || note(&client).cosigned(&key).ok());
    let cosigned = wait("its state", || Some(state(&client)).filter(|state| state["cosigned_at"].is_string()));
    assert_eq!((cosigned["needed"].as_u64(), cosigned["missing_since"].is_null()), (Some(1), true));
    assert!(note(&client).check(&log).is_ok());
    let figure = "placard_log_cosigned_timestamp_seconds ";
    let text = Client::new(metrics).get("/metrics").expect("figures").body;
    assert!(text.lines().any(|line| line.starts_with(figure)), "{text}");

    // It dies, and money moves: nobody waits for it.
    drop(serving);
    let before = size(&note(&client));
    let command = Put::new(PutTarget::Product(market.products[2]), Money::from_minor(6_000), ContentType::LandingPage);
    runtime.block_on(put(&installation.app(), Proof::assumed(market.user), command)).expect("put");
    let begun = Instant::now();
    wait("the transaction", || Some(()).filter(|()| size(&note(&client)) > before));
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    assert!(note(&client).cosigned(&key).is_err());
    let missing =
        wait("what is told of it", || Some(state(&client)).filter(|state| state["missing_since"].is_string()));
    assert!(missing["cosigned_at"].is_string() && missing["witnesses"][0]["cosigned_at"].is_string(), "{missing}");
    assert!(missing["witnesses"][1]["cosigned_at"].is_null(), "nobody is led elsewhere: {missing}");
    // It comes back, and is asked without anything new.
    let _serving = Serving::at(address, &own, &log);
    let begun = Instant::now();
    while note(&client).cosigned(&key).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it is not asked again");
        sleep(Duration::from_millis(200));
    }
}
