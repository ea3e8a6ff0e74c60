//! Traces of requests by OTLP, and the ids that connect them with the log and with what users see.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use foundation::people::files::{FileView, Visibility, begin_upload};
use objects::testing::FakeS3;

use crate::installation::{Installation, free_address};
use crate::market::open_market;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
/// A PNG of one pixel.
const PICTURE: &str = "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49\
    44415478da6364f8cf500f00038601805a347d6b0000000049454e44ae426082";
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
fn traces_take_the_proxy_of_the_environment() {
    let (proxy, sent) = collector();
    let installation = Installation::sqlite();
    let variables = [
        ("PLACARD_TRACES_URL", "http://traces.example/v1/traces".to_owned()),
        ("HTTP_PROXY", format!("http://{proxy}")),
    ];
    let server = installation.start_with(&variables);
    assert_eq!(server.client().get("/api/products").expect("an answer").status, 200);
    let first = sent.recv_timeout(SENT_WITHIN).expect("it is sent");
    assert!(first.starts_with(b"POST http://traces.example/v1/traces "), "{}", String::from_utf8_lossy(&first));
}

#[test]
fn a_collector_that_is_away_disturbs_nobody() {
    let installation = Installation::sqlite();
    let nobody = free_address();
    let mut server = installation.start_with(&[("PLACARD_TRACES_URL", format!("http://{nobody}/v1/traces"))]);
    assert_eq!(server.client().get("/api/products").expect("an answer").status, 200);
    server.terminate();
    assert!(server.wait(Duration::from_secs(10)).is_some_and(|status| status.success()));
}

/// A picture in the bucket, which everybody is shown.
async fn picture_in(fake: &FakeS3, installation: &Installation) -> FileView {
    let app = installation.app();
    let user = open_market(&app).await.user;
    let app = app.with_objects(fake.open("s3://placard"));
    let mut upload = begin_upload(&app, user, Visibility::Public).await.expect("begun");
    upload.add(&bytes_of(PICTURE));
    upload.finish().await.expect("stored")
}

#[test]
fn a_bucket_is_told_of_the_caller_s_trace() {
    let (fake, installation) = (FakeS3::start(), Installation::sqlite());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let picture = runtime.block_on(picture_in(&fake, &installation));
    let traces = format!("http://{}/v1/traces", free_address());
    let variables = [("PLACARD_TRACES_URL", traces), ("PLACARD_FILES_URL", "s3://placard".to_owned())];
    let variables: Vec<_> = variables.into_iter().chain(fake.environment()).collect();
    let server = installation.start_with(&variables);
    let answer = server.client().get_with(&picture.url, &[("traceparent", PARENT)]).expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.body);
    let asked = fake.seen().heads.last().expect("asked").to_lowercase();
    assert!(asked.starts_with("get /placard/"), "{asked}");
    assert!(asked.contains(&format!("traceparent: 00-{TRACE}-")), "{asked}");
}
