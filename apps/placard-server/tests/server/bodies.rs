//! What is sent to auctions takes little memory, whatever it unpacks to and however slowly it comes.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::runtime::Runtime;

use crate::installation::{Installation, Server};
use crate::market::open_market;

/// Requests at once.
const AT_ONCE: usize = 64;
const KIB: usize = 1024;
const MOST_GROWTH: u64 = 32 * 1024 * 1024;
const PAGE: &str = "/openrtb2/auction";
const PAGE_GZIP: &str = "/openrtb2/auction?gzip=1";

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("zipped");
    encoder.finish().expect("zipped")
}

/// 62 KB that unpack to 62 MB.
fn bomb() -> Vec<u8> {
    zipped(&vec![b' '; 62 * KIB * KIB])
}

/// A request of 255 KiB, which is `from` once and then `one` again and again.
fn many(from: &str, one: &str, to: &str) -> Vec<u8> {
    let mut text = from.to_owned();
    let mut number = 0;
    while text.len() + one.len() + to.len() + 8 < 255 * KIB {
        write!(text, "{}{}", if number == 0 { "" } else { "," }, one.replace('#', &number.to_string())).expect("text");
        number += 1;
    }
    text.push_str(to);
    text.into_bytes()
}

/// Texts that would be much if they were parsed.
fn texts() -> Vec<Vec<u8>> {
    const IMP: &str = r#""imp":[{"id":"1","banner":{"w":300,"h":250}}]"#;
    vec![
        many(r#"{"id":"1","imp":[{"id":"1","banner":{"w":300,"battr":["#, "0", "]}}]}"),
        many(&format!(r#"{{"id":"1",{IMP},"regs":{{"ext":{{"gpc":["#), "0", "]}}}"),
        many(&format!(r#"{{"id":"1",{IMP},"regs":{{"ext":{{"gpc":["#), "[]", "]}}}"),
        many(r#"{"id":"1","imp":["#, r##"{"id":"#"}"##, "]}"),
        many(r#"{"id":"1","imp":[{"id":"1","pmp":{"deals":["#, r##"{"id":"#"}"##, "]}}]}"),
        many(&format!(r#"{{"id":"1",{IMP},"badv":["#), r#""x""#, "]}"),
        many("[", "0", "]"),
    ]
}

/// A figure of the process, in bytes.
fn figure(server: &Server, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a figure");
    line.split_whitespace().next().expect("a number").parse::<u64>().expect("a number") * 1024
}

/// By how much the process was larger at its peak meanwhile than before.
fn growth(server: &Server, meanwhile: impl FnOnce()) -> u64 {
    // The peak begins anew (proc(5)).
    fs::write(format!("/proc/{}/clear_refs", server.id()), "5").expect("the server is ours");
    let before = figure(server, "VmRSS:");
    meanwhile();
    figure(server, "VmHWM:").saturating_sub(before)
}

fn connect(server: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(server).expect("connected");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("set");
    stream
}

fn head(path: &str, gzip: bool, length: usize) -> String {
    let encoding = if gzip { "Content-Encoding: gzip\r\n" } else { "" };
    format!("POST {path} HTTP/1.1\r\nHost: localhost\r\n{encoding}Content-Length: {length}\r\n\r\n")
}

/// The answer's status; `None` if the connection ended without one.
fn status(stream: &mut TcpStream) -> Option<u16> {
    let mut start = [0; 12];
    stream.read_exact(&mut start).ok()?;
    std::str::from_utf8(&start).ok()?.strip_prefix("HTTP/1.1 ")?.parse().ok()
}

/// Sends as many at once, and returns what was answered.
fn at_once(server: SocketAddr, path: &str, gzip: bool, body: &[u8]) -> Vec<u16> {
    let ready = Barrier::new(AT_ONCE);
    let mut told = thread::scope(|scope| {
        let asked: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                scope.spawn(|| {
                    let mut stream = connect(server);
                    ready.wait();
                    // The answer may come, and the connection end, before everything is sent.
                    let _ = stream.write_all(head(path, gzip, body.len()).as_bytes());
                    let _ = stream.write_all(body);
                    status(&mut stream)
                })
            })
            .collect();
        asked.into_iter().filter_map(|one| one.join().expect("asked")).collect::<Vec<_>>()
    });
    told.sort_unstable();
    told.dedup();
    told
}

/// A server, an exchange's path and that of nobody.
fn trading() -> (Installation, Server, String, String) {
    let installation = Installation::sqlite();
    let runtime = Runtime::new().expect("a runtime");
    let app = installation.app();
    let key = runtime.block_on(async { open_market(&app).await.ssp(&app, "north").await });
    let server = installation.start();
    let nobody = format!("/openrtb2/bid/{}", "0".repeat(key.len()));
    (installation, server, format!("/openrtb2/bid/{key}"), nobody)
}

/// So that what the server keeps for every request is there before it is measured.
fn warm_up(server: &Server, exchange: &str, nobody: &str) {
    let body = br#"{"id":"1","imp":[{"id":"1","banner":{"w":300,"h":250}}]}"#;
    for path in [PAGE, exchange, nobody] {
        at_once(server.address, path, false, body);
    }
}

#[test]
fn bodies_that_unpack_to_more_take_little() {
    let (_installation, server, exchange, nobody) = trading();
    warm_up(&server, &exchange, &nobody);
    let bomb = bomb();
    assert!((60_000..65_536).contains(&bomb.len()), "{}", bomb.len());
    let grown = growth(&server, || {
        assert_eq!(at_once(server.address, &nobody, true, &bomb), [404], "the key comes first");
        for (path, gzip) in [(exchange.as_str(), true), (PAGE_GZIP, false)] {
            let told = at_once(server.address, path, gzip, &bomb);
            assert!(told.iter().all(|status| [204, 413, 503].contains(status)) && told.contains(&413), "{told:?}");
        }
    });
    assert!(grown < MOST_GROWTH, "grown by {} KiB", grown / 1024);
}

#[test]
fn texts_that_are_much_when_parsed_take_little() {
    let (_installation, server, exchange, nobody) = trading();
    warm_up(&server, &exchange, &nobody);
    let grown = growth(&server, || {
        for text in texts() {
            let packed = zipped(&text);
            assert!(packed.len() < 64 * KIB, "{} of {:.60}", packed.len(), String::from_utf8_lossy(&text));
            for (path, gzip, body) in [
                (nobody.as_str(), true, &packed),
                (nobody.as_str(), false, &text),
                (exchange.as_str(), true, &packed),
                (exchange.as_str(), false, &text),
                (PAGE_GZIP, false, &packed),
                (PAGE, false, &text),
            ] {
                let told = at_once(server.address, path, gzip, body);
                assert!(told.iter().all(|status| [200, 204, 400, 404, 503].contains(status)), "{path}: {told:?}");
            }
        }
    });
    assert!(grown < MOST_GROWTH, "grown by {} KiB", grown / 1024);
}

#[test]
fn bodies_that_never_end_take_little_and_leave_room_for_exchanges() {
    let (_installation, server, exchange, nobody) = trading();
    warm_up(&server, &exchange, &nobody);
    let text = many("[", "0", "]");
    let body = br#"{"id":"1","imp":[]}"#;
    let grown = growth(&server, || {
        let held: Vec<TcpStream> = (0..AT_ONCE)
            .map(|_| {
                let mut stream = connect(server.address);
                let length = text.len();
                stream.write_all(head(PAGE, false, length).as_bytes()).expect("sent");
                // Almost everything, as far as anybody reads it.
                stream.set_write_timeout(Some(Duration::from_millis(100))).expect("set");
                let _ = stream.write_all(&text[..length - 1]);
                stream
            })
            .collect();
        // Others' bodies leave those of exchanges their room.
        assert_eq!(at_once(server.address, &exchange, false, body), [400]);
        drop(held);
    });
    assert!(grown < MOST_GROWTH, "grown by {} KiB", grown / 1024);
}
