//! One client against all: what strangers send costs the server little, and signed-in
//! users are not affected.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use payee::testing::tron_address;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::client::{Client, path_of};
use crate::installation::{Installation, Server};
use crate::market::{PASSWORD, SLOT, USER, open_market};
use crate::readers::plan_of;

const TRANSACTION_PASSWORD: &str = "7358799507ac63262ba5ff9926cb95a3";
const LOGIN: &str = "/api/auth/v2/login";
const MIB: u64 = 1024 * 1024;

fn connect(server: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(server).expect("connected");
    stream.set_read_timeout(Some(Duration::from_secs(15))).expect("set");
    stream.set_nodelay(true).expect("set");
    stream
}

/// 64 KB that decode to 64 MB.
fn bomb() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    (0..64).for_each(|_| encoder.write_all(&vec![b' '; 1024 * 1024]).expect("encoded"));
    encoder.finish().expect("encoded")
}

/// The server's peak memory.
fn peak(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    line.split_whitespace().next().expect("a number").parse::<u64>().expect("a number") * 1024
}

#[test]
fn an_encoded_body_is_refused_and_never_decoded() {
    let installation = Installation::sqlite();
    let server = installation.start();
    let body = bomb();
    assert!((60_000..80_000).contains(&body.len()), "{}", body.len());
    let before = peak(&server);
    thread::scope(|scope| {
        let paths = [LOGIN, "/api/files/upload", "/t/postback", "/api/auth/register"];
        let asked: Vec<_> = (0..24)
            .map(|n| {
                let (path, body, address) = (paths[n % paths.len()], &body, server.address);
                scope.spawn(move || encoded(address, path, body))
            })
            .collect();
        for answer in asked {
            let answer = answer.join().expect("asked");
            assert!(answer.starts_with("HTTP/1.1 415 "), "{answer}");
            assert!(answer.contains(r#""error":"encoded_body""#) && answer.contains(r#""code":415"#), "{answer}");
        }
    });
    // The kernel counts in parts, and may say a little less than before.
    let more = peak(&server).saturating_sub(before);
    assert!(more < 64 * MIB, "{} MiB for what is refused", more / MIB);
}

fn encoded(server: SocketAddr, path: &str, body: &[u8]) -> String {
    let mut stream = connect(server);
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: identity\r\n\
         Content-Encoding: GZip\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("sent");
    // The answer may come, and the connection end, before everything is sent.
    let _ = stream.write_all(body);
    answer(&mut stream)
}

/// Only a real server leaves out the body.
#[test]
fn a_head_is_answered_like_a_get_without_the_body() {
    let installation = Installation::sqlite();
    let server = installation.start();
    for path in ["/api/basic_config", "/api/nothing", "/log/PROOF.md", "/readyz"] {
        let [got, looked] = ["GET", "HEAD"].map(|method| {
            let mut stream = connect(server.address);
            let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).expect("sent");
            let told = answer(&mut stream);
            let (head, body) = told.split_once("\r\n\r\n").expect("an empty line");
            let kept = |line: &&str| !["date: ", "x-request-id: "].iter().any(|begin| line.starts_with(begin));
            let mut lines: Vec<String> = head.lines().filter(kept).map(str::to_owned).collect();
            lines.sort();
            (lines, body.len())
        });
        assert_eq!(looked.0, got.0, "{path}");
        assert!(looked.1 == 0 && got.1 > 0, "{path}: {} and {} bytes", looked.1, got.1);
    }
}

/// Everything received until the connection ended.
fn answer(stream: &mut TcpStream) -> String {
    let (mut all, mut part) = (Vec::new(), [0; 4096]);
    while let Ok(read @ 1..) = stream.read(&mut part) {
        all.extend_from_slice(&part[..read]);
    }
    String::from_utf8_lossy(&all).into_owned()
}

#[test]
fn a_body_that_never_ends_loses_its_connection_with_the_answer() {
    let installation = Installation::sqlite();
    let server = installation.start();
    for (path, status, within) in [("/api/nothing", "404", 5), (LOGIN, "408", 16)] {
        let begun = Instant::now();
        let told = trickle(server.address, path, Duration::from_secs(30));
        assert!(told.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {told}");
        assert!(begun.elapsed() < Duration::from_secs(within), "{path}: open for {:?}", begun.elapsed());
    }
}

/// Sends a chunked body one byte at a time, until the connection ends.
fn trickle(server: SocketAddr, path: &str, most: Duration) -> String {
    let mut stream = connect(server);
    stream.set_read_timeout(Some(Duration::from_millis(200))).expect("set");
    let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("sent");
    let (begun, mut told, mut part) = (Instant::now(), Vec::new(), [0; 4096]);
    while begun.elapsed() < most && stream.write_all(b"1\r\n \r\n").is_ok() {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => told.extend_from_slice(&part[..read]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => break,
        }
    }
    String::from_utf8_lossy(&told).into_owned()
}

#[test]
fn strangers_leave_the_queue_to_who_is_signed_in_on_sqlite() {
    strangers_leave_the_queue(&Installation::sqlite());
}

#[test]
fn strangers_leave_the_queue_to_who_is_signed_in_on_postgres() {
    strangers_leave_the_queue(&Installation::postgres());
}

/// More than fit any queue, from as many networks.
const STRANGERS: usize = 320;
/// As many as a user may have.
const SESSIONS: usize = 5;

fn strangers_leave_the_queue(installation: &Installation) {
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(open_market(&installation.app()));
    let server = installation.start();
    let client = server.client();
    let tokens: Vec<String> = (0..SESSIONS).map(|_| client.sign_in(USER, PASSWORD)).collect();
    prepare(&client, &tokens[0]);

    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        let (over, client) = (&over, &client);
        let strangers: Vec<_> = (0..STRANGERS)
            .map(|n| {
                let turns = (0..).take_while(|_| !over.load(Ordering::SeqCst));
                scope.spawn(move || turns.map(|turn| bother(client, n, turn)).sum::<usize>())
            })
            .collect();
        thread::sleep(Duration::from_millis(500));
        // Each session's first withdrawal hashes its password.
        let paid: Vec<_> = tokens.iter().map(|token| paid(client, token)).collect();
        over.store(true, Ordering::SeqCst);
        let answered: usize = strangers.into_iter().map(|stranger| stranger.join().expect("ended")).sum();
        assert!(answered > 0, "the strangers were there");
        for code in paid {
            assert_eq!(code, 200);
        }
    });
}

/// Withdraws, and sends it again with its key as long as the machine is too busy for it.
fn paid(client: &Client, token: &str) -> Value {
    let body = json!({ "amount": "1.00", "password": TRANSACTION_PASSWORD });
    let answers = (0..20).map(|_| client.post_as(token, "/api/user/withdraw", Some(&token[..32]), &body));
    let answer = answers.flatten().find(|answer| answer.status != 503);
    answer.expect("an answer").json()["code"].clone()
}

fn prepare(client: &Client, token: &str) {
    let password = json!({ "password": TRANSACTION_PASSWORD, "confirm_password": TRANSACTION_PASSWORD });
    let address = json!({ "method": "wallet_address", "network": "TRC20", "address": tron_address("user"),
        "password": TRANSACTION_PASSWORD });
    for (path, body) in [("/api/set/password", password), ("/api/bank_card/edit", address)] {
        let answer = client.post_as(token, path, None, &body).expect("an answer").json();
        assert_eq!(answer["code"], 200, "{answer}");
    }
}

/// Half of them sign in with unknown names, half register without a valid code.
fn bother(client: &Client, n: usize, turn: usize) -> usize {
    let from = format!("10.{}.{}.{}", turn % 250, n / 250, n % 250);
    let answer = if n.is_multiple_of(2) {
        client.post_from(&from, LOGIN, &json!({ "username": format!("nobody{n}"), "password": "not a password" }))
    } else {
        client.register_from(&from, &format!("stranger{n}x{turn}"), "0000-0000-0000")
    };
    usize::from(answer.is_ok())
}

#[test]
fn the_limit_of_sign_ins_holds_whatever_a_proxy_is_told() {
    let installation = Installation::sqlite();
    let server = installation.start();
    let client = server.client();
    let wrong = |n: usize| json!({ "username": format!("name{n}"), "password": "not a password" });
    let statuses: Vec<u16> = (0..30)
        .map(|n| client.post_from(&format!("203.0.113.7, 1.3.i.{n}"), LOGIN, &wrong(n)).expect("an answer").status)
        .collect();
    assert_eq!(statuses, [vec![200; 25], vec![429; 5]].concat());
    // Addresses with ports are accepted, and each is separate.
    let statuses: Vec<u16> = (0..30)
        .map(|n| client.post_from(&format!("198.51.100.1:{}", 1000 + n), LOGIN, &wrong(n)).expect("an answer").status)
        .collect();
    assert_eq!(statuses, [vec![200; 25], vec![429; 5]].concat());
}

#[test]
fn a_code_is_tried_no_more_often_than_a_password() {
    let installation = Installation::sqlite();
    let server = installation.start();
    let client = server.client();
    let statuses: Vec<u16> = (0..30)
        .map(|n| client.register_from("198.51.100.2", &format!("name{n}"), "0000-0000-0000").expect("an answer").status)
        .collect();
    assert_eq!(statuses, [vec![200; 25], vec![429; 5]].concat());
}

#[test]
fn a_name_longer_than_any_account_s_is_refused_at_once() {
    let installation = Installation::sqlite();
    let server = installation.start();
    let client = server.client();
    for n in 0..40 {
        let body = json!({ "username": format!("{n}{}", "x".repeat(60_000)), "password": "not a password" });
        let answer = client.post_from("198.51.100.3", LOGIN, &body).expect("an answer");
        // Neither counted nor stored: the fortieth gets the same answer.
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["data"]["fields"]["username"], "too_long");
    }
}

#[test]
fn what_is_sent_again_and_again_is_written_a_hundred_times_on_sqlite() {
    writes_a_hundred(&Installation::sqlite());
}

#[test]
fn what_is_sent_again_and_again_is_written_a_hundred_times_on_postgres() {
    writes_a_hundred(&Installation::postgres());
}

/// Replays of one impression from one network.
const REPLAYS: usize = 400;

fn writes_a_hundred(installation: &Installation) {
    let runtime = Runtime::new().expect("a runtime");
    let app = installation.app();
    let market = runtime.block_on(open_market(&app));
    let server = installation.start();
    let client = server.client();
    let served = client.get(SLOT).expect("an answer").json();
    let (plan, path) = (plan_of(&served), path_of(&served["impression_url"]));
    let filtered = || runtime.block_on(market.figures(&app))[plan].filtered;

    assert_eq!(client.get(&path).expect("an answer").status, 200);
    assert_eq!(filtered(), 0);
    for n in 0..REPLAYS {
        let stranger = client.from(format!("203.0.113.{}", n % 250));
        assert_eq!(stranger.get(&path).expect("an answer").status, 200, "a stranger is told nothing");
    }
    assert_eq!(filtered(), 100);
    assert_eq!(client.from("198.51.100.7".to_owned()).get(&path).expect("an answer").status, 200);
    assert_eq!(filtered(), 101, "another network has a bound of its own");
}

#[test]
fn whoever_guesses_is_in_the_log_without_what_they_typed() {
    let installation = Installation::sqlite();
    Runtime::new().expect("a runtime").block_on(async { open_market(&installation.app()).await });
    let server = installation.start();
    let client = server.client();
    let token = client.sign_in(USER, PASSWORD);
    let own = "a-password-typed-for-a-name";
    for (username, password) in [(USER, "a-planted-guess"), (own, "a-planted-guess"), (USER, "a-planted-guess")] {
        let body = json!({ "username": username, "password": password });
        let told = client.post_from("192.0.2.7", LOGIN, &body).expect("answered").json();
        assert_eq!(told["data"]["error"], "wrong_credentials", "{told}");
    }
    prepare(&client, &token);
    let body = json!({ "password": "0".repeat(32) });
    let told = client.post_as(&token, "/api/check/password", None, &body).expect("answered").json();
    assert_eq!(told["data"]["error"], "wrong_pay_password", "{told}");
    let said = installation.said(&server);
    let failed: Vec<&str> = said.lines().filter(|line| line.contains("an attempt failed")).collect();
    let of = |what: &str| failed.iter().filter(|line| line.contains(what)).collect::<Vec<_>>();
    let sign_ins = of("what=\"sign-in\"");
    assert_eq!((failed.len(), sign_ins.len(), of("what=\"transaction password\"").len()), (4, 3, 1), "{said}");
    assert!(sign_ins.iter().all(|line| line.contains("address=192.0.2.7")), "{said}");
    let name = |line: &str| line.split("name=").nth(1).and_then(|rest| rest.split(' ').next()).map(str::to_owned);
    let names: Vec<Option<String>> = sign_ins.iter().map(|line| name(line)).collect();
    assert!(names[0].is_some() && names[0] == names[2] && names[0] != names[1], "{said}");
    for typed in ["a-planted-guess", own, PASSWORD, &"0".repeat(32)] {
        assert!(!said.contains(typed), "{typed}: {said}");
    }
}

/// What no client of ours sends.
const NONSENSE: [&[u8]; 14] = [
    b"\r\n\r\n\r\n",
    b"nonsense\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    b"POST /api/auth/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /api/auth/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, gzip\r\n\r\nzz\r\n",
    b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost\x01: a\r\n\r\n",
    b"GET /%ff%fe?%ff=\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnonsense nonsense nonsense",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"OPTIONS /openrtb2/auction HTTP/1.1\r\nHost: a\r\nOrigin: \xff\r\nAccess-Control-Request-Method: \x80\r\n\r\n",
    b"POST /api/files/upload HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=\r\nContent-Length: 3\r\n\r\nabc",
];

#[test]
fn whatever_strangers_send_is_no_error_of_the_server() {
    let installation = Installation::sqlite();
    let server = installation.start();
    let long = [b"GET / HTTP/1.1\r\nX: ".as_slice(), &vec![b'x'; 200_000], b"\r\n\r\n"].concat();
    let headers = [b"GET / HTTP/1.1\r\n".as_slice(), "X: x\r\n".repeat(500).as_bytes(), b"\r\n"].concat();
    for nonsense in NONSENSE.into_iter().chain([long.as_slice(), &headers]) {
        let mut stream = connect(server.address);
        let _ = stream.write_all(nonsense);
        let _ = stream.shutdown(Shutdown::Write);
        let told = answer(&mut stream);
        let told = told.lines().next().unwrap_or_default();
        assert!(!told.starts_with("HTTP/1.1 5"), "{told} to {}", String::from_utf8_lossy(nonsense));
    }
    for body in ["{", "[0", "\u{0}", "{\"username\":1e999}"] {
        let mut stream = connect(server.address);
        let length = body.len();
        let head = format!("POST {LOGIN} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all(format!("{head}{body}").as_bytes()).expect("sent");
        assert!(answer(&mut stream).contains("\"code\":400"));
    }
    let said = installation.said(&server);
    assert!(said.contains(" INFO ") && !said.contains("ERROR") && !said.contains("WARN"), "{said}");
}
