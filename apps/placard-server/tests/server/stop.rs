//! When asked to stop, the server answers running requests and ends.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

use foundation::people::refused_movements;
use serde_json::json;
use tokio::runtime::Runtime;

use crate::away::prepare_wallet;
use crate::client::{POSTBACK, path_of, postback, signature};
use crate::installation::{Installation, Server};
use crate::market::{Market, PASSWORD, SLOT, TRANSACTION_PASSWORD, USER, open_market};

const WITHIN: Duration = Duration::from_secs(10);
const MOMENT: Duration = Duration::from_millis(200);
/// A client that is still sending has longer than this to finish.
const WORTH_WAITING: Duration = Duration::from_secs(3);

#[test]
fn a_sqlite_has_one_server_with_staff_beside_it() {
    let installation = Installation::sqlite();
    let first = installation.start();
    let said = installation.refuses();
    assert!(said.starts_with("placard-server: PLACARD_DATABASE_URL: "), "{said}");
    assert!(said.contains("another server uses it"), "{said}");
    assert_eq!(first.client().get("/readyz").expect("an answer").status, 200);
    drop(installation.app());
    // However the first one ended.
    first.kill();
    drop(installation.start());
}

#[test]
fn a_request_under_way_is_answered_and_kept() {
    let installation = Installation::sqlite();
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(async { open_market(&installation.app()).await });
    let mut server = installation.start();
    let click = click(&server);
    let before = runtime.block_on(async { conversions(&market, &installation).await });
    assert_eq!(before, 0);

    let (head, body) = conversion(&market, &click);
    let (first, rest) = body.split_at(body.len() / 2);
    let mut stream = connect(server.address);
    stream.write_all(head.as_bytes()).expect("sent");
    stream.write_all(first.as_bytes()).expect("sent");
    sleep(MOMENT);
    let asked = Instant::now();
    server.terminate();
    refuses_others(&server);
    stream.write_all(rest.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");

    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.contains(r#""accepted":true"#), "{answer}");
    ends_well(&mut server, asked);
    let after = runtime.block_on(async { conversions(&market, &installation).await });
    assert_eq!(after, 1, "what was answered is kept");
}

#[test]
fn what_is_refused_while_it_stops_is_kept_for_customer_service() {
    let installation = Installation::sqlite();
    let runtime = Runtime::new().expect("a runtime");
    let market = runtime.block_on(async { open_market(&installation.app()).await });
    let mut server = installation.start();
    let client = server.client();
    let token = client.sign_in(USER, PASSWORD);
    prepare_wallet(&client, &token);
    let refused = || {
        let (app, user) = (installation.app(), market.user);
        let now = app.now();
        let of_user = app.db.read(move |conn| refused_movements::of(conn, user, now));
        runtime.block_on(of_user).expect("read").into_iter().map(|of| of.reason).collect::<Vec<_>>()
    };

    let body = json!({ "amount": "900.00", "password": TRANSACTION_PASSWORD }).to_string();
    let (first, rest) = body.split_at(body.len() / 2);
    let mut stream = connect(server.address);
    stream.write_all(withdrawal(&token, body.len()).as_bytes()).expect("sent");
    stream.write_all(first.as_bytes()).expect("sent");
    sleep(MOMENT);
    let asked = Instant::now();
    server.terminate();
    refuses_others(&server);
    stream.write_all(rest.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");

    assert!(answer.contains("insufficient_balance"), "{answer}");
    ends_well(&mut server, asked);
    assert_eq!(refused(), ["insufficient_balance"]);
}

#[test]
fn a_level_of_the_log_that_is_none_is_told_and_an_empty_one_silences_nothing() {
    let installation = Installation::sqlite();
    for (level, is_told) in [("", false), ("placard=loud", true)] {
        let server = installation.start_with(&[("RUST_LOG", level.to_owned())]);
        let said = installation.said(&server);
        assert!(said.contains("placard-server answers"), "{level}: {said}");
        assert_eq!(said.contains("RUST_LOG is not followed"), is_told, "{said}");
    }
}

#[test]
fn a_terminal_that_closes_ends_nothing() {
    let installation = Installation::sqlite();
    let mut server = installation.start();
    server.hang_up();
    assert!(server.wait(MOMENT * 3).is_none(), "it has ended");
    assert_eq!(server.client().get("/readyz").expect("an answer").status, 200);
    assert!(installation.said(&server).contains("SIGHUP reloads nothing"), "{}", installation.said(&server));
    let asked = Instant::now();
    server.terminate();
    ends_well(&mut server, asked);
}

#[test]
fn a_connection_that_says_nothing_delays_nobody() {
    let installation = Installation::sqlite();
    let mut server = installation.start();
    let mut idle = connect(server.address);
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut answer = [0; 12];
    idle.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");
    let asked = Instant::now();
    server.terminate();
    ends_well(&mut server, asked);
}

#[test]
fn a_request_that_never_ends_is_given_up() {
    let installation = Installation::sqlite();
    let mut server = installation.start();
    // A valid call that waits for its complete body.
    let body = r#"{"username":"nobody","password":"not-the-password"}"#;
    let mut whole = connect(server.address);
    whole.write_all(login(body.len(), "close").as_bytes()).expect("sent");
    whole.write_all(body.as_bytes()).expect("sent");
    let mut answer = String::new();
    whole.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("wrong_credentials"), "{answer}");

    let mut endless = connect(server.address);
    endless.write_all(login(1_000, "keep-alive").as_bytes()).expect("sent");
    endless.write_all(b"{").expect("sent");
    sleep(MOMENT);
    let asked = Instant::now();
    server.terminate();
    ends_well(&mut server, asked);
    assert!(asked.elapsed() > WORTH_WAITING, "it was given up after {:?}", asked.elapsed());
    let mut rest = Vec::new();
    // Nothing, or that the connection was cut.
    let _ = endless.read_to_end(&mut rest);
    let said = String::from_utf8_lossy(&rest);
    assert!(!said.starts_with("HTTP/1.1 200 "), "{said}");
}

/// The head of a sign-in with this many bytes to come.
fn login(length: usize, connection: &str) -> String {
    format!(
        "POST /api/auth/v2/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Connection: {connection}\r\nContent-Length: {length}\r\n\r\n"
    )
}

/// The head of a withdrawal with this many bytes to come.
fn withdrawal(token: &str, length: usize) -> String {
    format!(
        "POST /api/user/withdraw HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Connection: close\r\nX-CT: {token}\r\nContent-Length: {length}\r\n\r\n"
    )
}

fn click(server: &Server) -> String {
    let client = server.client();
    // The plan that was put first is served first.
    let served = client.get(SLOT).expect("an answer").json();
    assert_eq!(client.get(&path_of(&served["impression_url"])).expect("an answer").status, 200);
    sleep(MOMENT);
    client.get(&path_of(&served["click_url"])).expect("an answer").click_id().to_owned()
}

/// The head and the body of a conversion's report.
fn conversion(market: &Market, click: &str) -> (String, String) {
    let body = postback("order-1", click);
    let headers: String = signature(&market.advertiser, POSTBACK, &body)
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let length = body.len();
    let head = format!(
        "POST /t/postback HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n"
    );
    (head, body)
}

fn connect(server: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(server).expect("connected");
    stream.set_read_timeout(Some(WITHIN)).expect("set");
    stream.set_nodelay(true).expect("set");
    stream
}

/// Nobody new is served.
fn refuses_others(server: &Server) {
    let refused = (0..50).any(|_| {
        sleep(Duration::from_millis(20));
        server.client().get("/readyz").map_or(true, |answer| answer.status == 503)
    });
    assert!(refused, "the server was asked to stop and is still ready");
}

fn ends_well(server: &mut Server, asked: Instant) {
    let status = server.wait(WITHIN.saturating_sub(asked.elapsed())).expect("the server ends within ten seconds");
    assert_eq!(status.code(), Some(0), "{status}");
}

async fn conversions(market: &Market, installation: &Installation) -> i64 {
    market.figures(&installation.app()).await.iter().map(|found| found.valid.conversions).sum()
}
