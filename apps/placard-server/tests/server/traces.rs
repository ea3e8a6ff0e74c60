//! Traces of requests by OTLP, and the ids that connect them with the log and with what users see.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::installation::Installation;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
/// Spans are sent every five seconds.
const SENT_WITHIN: Duration = Duration::from_secs(20);

/// A collector that takes everything, and hands on what it got.
fn collector() -> (SocketAddr, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let (got, all) = channel();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            stream.set_read_timeout(Some(Duration::from_millis(500))).expect("set");
            let (mut bytes, mut some) = (Vec::new(), [0; 4096]);
            while let Ok(read @ 1..) = stream.read(&mut some) {
                bytes.extend_from_slice(&some[..read]);
            }
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            if got.send(bytes).is_err() {
                return;
            }
        }
    });
    (address, all)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|some| some == part)
}

fn bytes_of(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")).collect()
}

#[test]
fn a_request_is_part_of_its_caller_s_trace() {
    let (address, sent) = collector();
    let installation = Installation::sqlite();
    let server = installation.start_with(&[("PLACARD_TRACES_URL", format!("http://{address}/v1/traces"))]);
    let answer = server.client().get_with("/api/products", &[("traceparent", PARENT)]).expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.body);
    let mut all = Vec::new();
    while !contains(&all, &bytes_of(TRACE)) {
        all.extend(sent.recv_timeout(SENT_WITHIN).expect("it is sent"));
    }
    for part in ["POST /v1/traces", "placard-server", "GET /api/products", "http.response.status_code", "read"] {
        assert!(contains(&all, part.as_bytes()), "{part}");
    }
    assert!(contains(&all, &bytes_of("b7ad6b7169203331")), "its caller's span is the parent");
}

#[test]
fn a_collector_that_is_away_disturbs_nobody() {
    let installation = Installation::sqlite();
    let nobody = crate::installation::free_address();
    let mut server = installation.start_with(&[("PLACARD_TRACES_URL", format!("http://{nobody}/v1/traces"))]);
    assert_eq!(server.client().get("/api/products").expect("an answer").status, 200);
    server.terminate();
    assert!(server.wait(Duration::from_secs(10)).is_some_and(|status| status.success()));
}
