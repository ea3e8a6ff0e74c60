//! Simulated visitors, against a stand-in for the server.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::support::Placard;

/// Answers every request by its path and remembers its head.
struct Stub {
    base: String,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Stub {
    fn new(slot: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let heads = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&heads);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = Arc::clone(&seen);
                thread::spawn(move || serve(stream, slot, &seen));
            }
        });
        Self { base, heads }
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("heads").clone()
    }
}

fn serve(stream: TcpStream, slot: &str, seen: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    let mut stream = stream;
    loop {
        let mut head = String::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if line == "\r\n" {
                break;
            }
            head.push_str(&line);
        }
        let answer = answer(&head, slot);
        seen.lock().expect("heads").push(head);
        if stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn answer(head: &str, slot: &str) -> String {
    if head.starts_with("GET /ads/slot/") {
        return match slot {
            EMPTY => "HTTP/1.1 204 No Content\r\n\r\n".to_owned(),
            creative => format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{creative}", creative.len()),
        };
    }
    if head.starts_with("GET /t/c/") {
        return "HTTP/1.1 302 Found\r\nLocation: https://shop.example/?click_id=abc\r\nContent-Length: 0\r\n\r\n"
            .to_owned();
    }
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_owned()
}

/// The server may report another address; only its paths are used.
const CREATIVE: &str = r#"{"impression_url":"https://ads.example/t/i/tok.gif","viewable_url":"https://ads.example/t/v/tok.gif","click_url":"https://ads.example/t/c/tok"}"#;
const EMPTY: &str = "";

#[test]
fn visitors_look_and_click_like_strangers() {
    let placard = Placard::on_sqlite();
    placard.demonstration();
    let stub = Stub::new(CREATIVE);
    let ran = placard.run(&["traffic", "run", "--rate", "100", "--seconds", "6", "--base", &stub.base]);
    let summary = ran.done();
    let count = |name: &str| summary[name].as_u64().unwrap_or_else(|| panic!("{name} in {summary}"));
    assert!((300..=601).contains(&count("requests")), "{summary}");
    assert!(count("impressions") + 20 >= count("requests"), "{summary}");
    assert!(count("clicks") > 0 && count("clicks") < count("impressions") / 5, "{summary}");
    assert_eq!((count("conversions"), count("errors")), (0, 0), "a click that nobody knows is nobody's: {summary}");
    let heads = stub.heads();
    let viewable = heads.iter().filter(|head| head.starts_with("GET /t/v/tok.gif")).count();
    assert!((150..450).contains(&viewable), "{viewable} of {summary}");
    let header = |head: &str, name: &str| {
        let found = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: ")));
        found.unwrap_or_else(|| panic!("no {name} in {head}")).to_owned()
    };
    assert!(heads.iter().all(|head| header(head, "x-forwarded-for").contains(": 198.1")));
    assert!(heads.iter().all(|head| header(head, "user-agent").contains("Mozilla/5.0")));
    let networks: std::collections::BTreeSet<String> =
        heads.iter().map(|head| header(head, "x-forwarded-for")).collect();
    assert!(networks.len() > 200, "visitors come from many places");
}

#[test]
fn nothing_to_see_is_asked_for_rarely() {
    let placard = Placard::on_sqlite();
    placard.demonstration();
    let stub = Stub::new(EMPTY);
    let summary = placard.run(&["traffic", "run", "--rate", "1000", "--seconds", "3", "--base", &stub.base]).done();
    assert_eq!((&summary["impressions"], &summary["errors"]), (&0.into(), &0.into()));
    assert!(summary["requests"].as_u64().is_some_and(|n| n < 300), "{summary}");
}

#[test]
fn a_server_that_is_not_there_is_an_error_and_no_end() {
    let placard = Placard::on_sqlite();
    placard.demonstration();
    let summary =
        placard.run(&["traffic", "run", "--rate", "20", "--seconds", "1", "--base", "http://127.0.0.1:9"]).done();
    assert!(summary["errors"].as_u64().is_some_and(|n| n > 0), "{summary}");
}

#[test]
fn only_this_machine_is_visited() {
    let placard = Placard::on_sqlite();
    placard.demonstration();
    for elsewhere in ["http://198.51.100.1:80", "https://127.0.0.1:1"] {
        placard.run(&["traffic", "run", "--rate", "1", "--seconds", "1", "--base", elsewhere]).misused(elsewhere);
    }
    placard.run(&["traffic", "run", "--rate", "0", "--seconds", "1"]).misused("--rate");
}

#[test]
fn a_signal_ends_it_with_a_summary() {
    let placard = Placard::on_sqlite();
    placard.demonstration();
    let stub = Stub::new(CREATIVE);
    let mut command = placard.command(&["traffic", "run", "--rate", "10", "--seconds", "0", "--base", &stub.base]);
    let child = command.stdout(std::process::Stdio::piped()).spawn().expect("starts");
    while stub.heads().len() < 5 {
        thread::sleep(std::time::Duration::from_millis(50));
    }
    let killed = std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let output = child.wait_with_output().expect("ends");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("impressions"));
}
