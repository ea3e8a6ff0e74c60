//! Staff's commands over the network, sent by an attacker and by their owner.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use auth::operator_key::Call;
use auth::{Role, SigningKey, hex};
use base::Clock;
use foundation::staff::Staff;
use foundation::staff::operator_keys::revoke_operator;
use foundation::staff::operators::{add_operator, sign_in};
use reqwest::blocking::RequestBuilder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use staff::remote::{HEADERS, METHOD, PATH, RemoteCommand, next};
use staff::terminal::OutputItem;
use tokio::runtime::Runtime;

use crate::client::http;
use crate::installation::{Installation, Server, free_address};

/// A calling operator.
struct Caller {
    address: SocketAddr,
    name: String,
    key: SigningKey,
}

/// A call, all of which can be tampered with.
#[derive(Clone)]
struct Sent {
    operator: String,
    timestamp: String,
    nonce: String,
    digest: String,
    signature: String,
    body: Vec<u8>,
    forwarded: Option<&'static str>,
}

#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    body: Vec<u8>,
}

#[derive(Debug)]
struct Ran {
    out: String,
    err: String,
    code: u8,
}

impl Caller {
    fn sent_at(&self, seconds: i64, body: Vec<u8>) -> Sent {
        let timestamp = (Clock::system().now().seconds() + seconds).to_string();
        let nonce = hex::encode(&foundation::random::<16>().expect("random"));
        let digest = hex::encode(&Sha256::digest(&body));
        let call = Call {
            method: METHOD,
            path: PATH,
            operator: &self.name,
            timestamp: &timestamp,
            nonce: &nonce,
            digest: &digest,
        };
        let signature = self.key.sign(&call);
        Sent { operator: hex::encode(self.name.as_bytes()), timestamp, nonce, digest, signature, body, forwarded: None }
    }

    fn sent(&self, line: &str) -> Sent {
        self.sent_at(0, body(line))
    }

    fn run(&self, line: &str) -> Ran {
        ran(&send(self.address, &self.sent(line)))
    }

    fn json(&self, line: &str) -> Value {
        let ran = self.run(&format!("{line} --json"));
        assert_eq!(ran.code, 0, "{ran:?}");
        serde_json::from_str(&ran.out).expect("JSON")
    }
}

fn body(line: &str) -> Vec<u8> {
    let arguments = line.split(' ').map(str::to_owned).collect();
    RemoteCommand { arguments, width: 80, files: BTreeMap::new() }.bytes().expect("bytes")
}

fn send(address: SocketAddr, sent: &Sent) -> Answer {
    let response = request(address, sent).send().expect("an answer");
    let status = response.status().as_u16();
    Answer { status, body: response.bytes().expect("whole").to_vec() }
}

fn request(address: SocketAddr, sent: &Sent) -> RequestBuilder {
    let request = http()
        .post(format!("http://{address}{PATH}"))
        .header(HEADERS.operator, &sent.operator)
        .header(HEADERS.timestamp, &sent.timestamp)
        .header(HEADERS.nonce, &sent.nonce)
        .header(HEADERS.digest, &sent.digest)
        .header(HEADERS.signature, &sent.signature)
        .timeout(Duration::from_secs(30))
        .body(sent.body.clone());
    sent.forwarded.into_iter().fold(request, |request, forwarded| request.header("X-Forwarded-For", forwarded))
}

fn ran(answer: &Answer) -> Ran {
    assert_eq!(answer.status, 200, "{answer:?}");
    let (mut wire, mut out, mut err) = (answer.body.as_slice(), String::new(), String::new());
    loop {
        match next(&mut wire).expect("a frame") {
            OutputItem::Text(text) => out += &text,
            OutputItem::Error(text) => err += &text,
            OutputItem::Code(code) => return Ran { out, err, code },
            other => panic!("{other:?}"),
        }
    }
}

struct Office {
    installation: Installation,
    server: Server,
    ann: Caller,
    bob: Caller,
}

/// An installation that accepts calls by two admins.
fn office() -> Office {
    let installation = Installation::sqlite();
    let (ann, bob) = Runtime::new().expect("a runtime").block_on(async {
        let app = installation.app();
        let (_, ann) = add_operator(&app, None, "ann", Role::Admin).await.expect("ann");
        let signed = sign_in(&app, "ann", ann.text()).await.expect("signed in");
        let by = Staff::new(signed, "a test").expect("a reason");
        let (_, bob) = add_operator(&app, Some(by), "Böb", Role::Admin).await.expect("bob");
        (ann, bob)
    });
    let address = free_address();
    let server = installation.start_with(&[("PLACARD_STAFF_BIND", address.to_string())]);
    let caller = |name: &str, key: &str| Caller {
        address,
        name: name.to_owned(),
        key: SigningKey::from_shown(key).expect("a key"),
    };
    Office { installation, server, ann: caller("ann", ann.text()), bob: caller("Böb", bob.text()) }
}

/// Every refusal looks the same.
fn turned_away(answer: &Answer) {
    assert_eq!(answer, &Answer { status: 401, body: Vec::new() });
}

#[test]
fn a_command_is_run_once_for_whoever_signed_it() {
    let mut office = office();
    let (ann, bob, address) = (&office.ann, &office.bob, office.ann.address);
    assert!(ann.run("operator list").out.contains("Böb"));
    assert!(bob.run("account list").err.is_empty());
    let sent = ann.sent("code issue --count 1 --reason fair");
    assert_eq!(ran(&send(address, &sent)).code, 0);
    let issued = ann.json("audit list --action code.issue").as_array().expect("a list").len();

    // Sent again, here and to a restarted server.
    turned_away(&send(address, &sent));
    office.server.terminate();
    assert!(office.server.wait(Duration::from_secs(10)).expect("it ends").success());
    office.server = office.installation.start_with(&[("PLACARD_STAFF_BIND", address.to_string())]);
    turned_away(&send(address, &sent));

    let fresh = || ann.sent("code issue --count 1 --reason fair");
    let changed = Sent { body: body("code issue --count 9 --reason fair"), ..fresh() };
    turned_away(&send(address, &changed));
    let redigested = Sent { digest: hex::encode(&Sha256::digest(&changed.body)), ..changed };
    turned_away(&send(address, &redigested));
    for seconds in [-301, 303] {
        turned_away(&send(address, &ann.sent_at(seconds, body("code issue --count 1 --reason fair"))));
    }
    for sent in [
        Sent { operator: hex::encode("Böb".as_bytes()), ..fresh() },
        Sent { operator: hex::encode(b"nobody"), ..fresh() },
        Sent { operator: "zz".to_owned(), ..fresh() },
        Sent { nonce: "00".repeat(16), ..fresh() },
        Sent { nonce: String::new(), ..fresh() },
        Sent { timestamp: "soon".to_owned(), ..fresh() },
        Sent { signature: "00".repeat(64), ..fresh() },
        Sent { signature: String::new(), ..fresh() },
    ] {
        turned_away(&send(address, &sent));
    }
    assert_eq!(
        ann.json("audit list --action code.issue").as_array().expect("a list").len(),
        issued,
        "nothing else was done"
    );
    drop(office.server);
}

#[test]
fn who_is_revoked_is_nobody() {
    let office = office();
    assert_eq!(office.bob.run("operator list").code, 0);
    assert_eq!(office.ann.json("operator list").as_array().expect("a list").len(), 2);
    Runtime::new().expect("a runtime").block_on(async {
        let app = office.installation.app();
        let operators = app.db.read(store::staff::operators::all).await.expect("operators");
        let ann = operators.into_iter().find(|one| one.name == "ann").expect("ann");
        revoke_operator(&app, &Staff::new(ann, "left").expect("a reason"), "Böb").await.expect("revoked");
    });
    turned_away(&send(office.bob.address, &office.bob.sent("operator list")));
}

#[test]
fn guessing_is_counted_by_address_and_by_name_and_keeps_nobody_out() {
    let office = office();
    let wrong = || Sent { signature: "00".repeat(64), ..office.ann.sent("operator list") };
    for _ in 0..25 {
        turned_away(&send(office.ann.address, &wrong()));
    }
    assert_eq!(send(office.ann.address, &wrong()).status, 429);
    let from_elsewhere = |sent| Sent { forwarded: Some("203.0.113.9"), ..sent };
    assert_eq!(send(office.ann.address, &from_elsewhere(wrong())).status, 429, "by the name");
    let as_bob = || Sent { signature: "00".repeat(64), ..office.bob.sent("operator list") };
    assert_eq!(send(office.bob.address, &as_bob()).status, 429, "by the address");
    turned_away(&send(office.bob.address, &from_elsewhere(as_bob())));
    // A signature cannot be guessed, so whoever guesses locks nobody out.
    assert_eq!(ran(&send(office.ann.address, &office.ann.sent("operator list"))).code, 0);
    assert_eq!(ran(&send(office.bob.address, &office.bob.sent("operator list"))).code, 0);
}

#[test]
fn a_deed_tells_who_called_and_which_machine_did_it() {
    let office = office();
    let by_proxy = Sent {
        forwarded: Some("198.51.100.1, 203.0.113.9"),
        ..office.ann.sent("account note nobody called --because x")
    };
    assert_eq!(ran(&send(office.ann.address, &by_proxy)).code, 2, "no such argument");
    let by_proxy =
        Sent { forwarded: Some("198.51.100.1, 203.0.113.9"), ..office.ann.sent("code issue --count 1 --reason fair") };
    assert_eq!(ran(&send(office.ann.address, &by_proxy)).code, 0);
    let last = &office.ann.json("audit list --action code.issue --limit 1")[0]["id"];
    let record = office.ann.json(&format!("audit show {}", last.as_str().map_or(last.to_string(), str::to_owned)));
    let place = &record["details"]["made_at"];
    assert_eq!(place["address"], "203.0.113.9", "{record}");
    let host = std::process::Command::new("uname").arg("-n").output().expect("a name").stdout;
    assert_eq!(place["host"], String::from_utf8(host).expect("text").trim(), "{record}");
}

#[test]
fn whom_staff_bar_reads_nothing_more() {
    let office = office();
    let issued = office.ann.json("code issue --count 1 --reason fair");
    let client = office.server.client();
    let registered = client.register("mia", issued["codes"][0].as_str().expect("a code"));
    let token = registered["data"]["token"].as_str().expect("a token");
    let code = || client.get_as(token, "/api/user/info").expect("an answer").json()["code"].clone();
    for (line, expected) in [
        ("operator list", 200),
        ("account disable mia --reason r", 403),
        ("account activate mia --reason r", 200),
        ("account sessions mia --end --reason r", 503),
    ] {
        assert_eq!(office.ann.run(line).code, 0, "{line}");
        assert_eq!(code(), expected, "{line}");
    }
}

#[test]
fn nothing_of_the_servers_machine_is_reached() {
    let office = office();
    let secrets = office.installation.path("secrets.toml").display().to_string();
    for line in [
        "product add /etc/passwd --reason r".to_owned(),
        "content check /etc/passwd".to_owned(),
        format!("content apply {secrets} --reason r"),
        format!("bank import {secrets} --account A --reason r"),
        format!("ledger verify --heads {secrets}"),
        "notify --category activity --file /etc/passwd --reason r".to_owned(),
    ] {
        let ran = office.ann.run(&line);
        assert_eq!(ran.code, 2, "{line}: {ran:?}");
        assert!(ran.err.contains("it was not sent") && ran.out.is_empty(), "{line}: {ran:?}");
    }
    let left = office.installation.path("left").display().to_string();
    for line in [
        "migrate",
        "doctor",
        "demo seed",
        "log new-key",
        "traffic run --rate 1 --seconds 1",
        "restore x",
        "config show",
        "man",
        "commands",
        &format!("backup {left}"),
        &format!("man --dir {left}"),
    ] {
        let ran = office.ann.run(line);
        assert_eq!((ran.code, ran.err.as_str()), (2, "placard: a server does not run this command\n"), "{line}");
    }
    // What a command writes is returned to its caller.
    let answer = send(office.ann.address, &office.ann.sent(&format!("ledger heads {left}")));
    let Ok(OutputItem::Files(files)) = next(&mut answer.body.as_slice()) else { panic!("{answer:?}") };
    assert_eq!(files.files.first().map(|(path, _)| path.clone()), Some(PathBuf::from(&left)));
    assert!(!PathBuf::from(&left).exists(), "the server wrote it itself");
}

#[test]
fn what_comes_in_and_goes_out_is_bounded() {
    let office = office();
    let large = office.ann.sent_at(0, vec![b' '; staff::remote::MOST_ASKED + 1]);
    // It may hang up before everything was sent.
    let asked = request(office.ann.address, &large).send();
    assert!(asked.is_err() || asked.is_ok_and(|answer| answer.status() == 413));
    let odd = office.ann.sent_at(0, b"no command".to_vec());
    assert_eq!(send(office.ann.address, &odd).status, 400);
    let ran = office.ann.run("account list --limit 10001");
    assert_eq!((ran.code, ran.err.as_str()), (2, "placard: --limit: a server lists 10000 at most\n"));
    let ran = office.ann.run("account list --limit 0");
    assert!(ran.code == 2 && ran.err.contains("--limit"), "{ran:?}");
}

#[test]
fn staff_have_a_door_only_where_one_was_asked_for_and_figures_tell_of_it() {
    let installation = Installation::sqlite();
    let (staff, metrics) = (free_address(), free_address());
    let server = installation.start_with(&[("PLACARD_METRICS_BIND", metrics.to_string())]);
    assert!(crate::client::Client::new(staff).get(PATH).is_err(), "nobody listens");
    assert_eq!(server.client().post_as("", PATH, None, &Value::Null).expect("an answer").status, 404);
    drop(server);
    let places = [("PLACARD_STAFF_BIND", staff.to_string()), ("PLACARD_METRICS_BIND", metrics.to_string())];
    let mut server = installation.start_with(&places);
    let stranger =
        Caller { address: staff, name: "eve".to_owned(), key: SigningKey::from_shown(&"0".repeat(64)).expect("a key") };
    turned_away(&send(staff, &stranger.sent("operator list")));
    let figures = crate::client::Client::new(metrics).get("/metrics").expect("figures").body;
    assert!(figures.contains("\nplacard_staff_refused_total 1\n"), "{figures}");
    assert!(figures.contains("placard_staff_commands_total 0\n"), "{figures}");
    server.terminate();
    assert!(server.wait(Duration::from_secs(10)).expect("it ends").success());
}
