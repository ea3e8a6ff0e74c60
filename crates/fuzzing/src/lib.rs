//! What is done with bytes that a fuzzer makes up, for each reader of what
//! strangers write: it must neither panic nor break what it promises. The
//! targets in fuzz/ call these, and so does the test that reads their corpus.
#![allow(clippy::expect_used, clippy::panic, reason = "a broken promise is told by panicking")]

use std::cell::Cell;
use std::pin::pin;

use actix_multipart::Multipart;
use actix_web::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use actix_web::web::Bytes;
use auth::signature::{SignedRequest, sign, verify};
use base::{Money, Rate, Timestamp, keyed_hash};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use delivery::{Nonce, Postback, Token};
use futures_util::{FutureExt, stream};

const KEY: &[u8] = b"a key";

pub type Target = fn(&[u8]);

/// Every target, by the name of its file in fuzz/.
pub const TARGETS: [(&str, Target); 5] =
    [("amount", amount), ("token", token), ("postback", postback), ("camt", camt), ("multipart", multipart)];

/// An amount is what it says, and is read again as it is shown.
pub fn amount(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Ok(money) = text.parse::<Money>() {
        assert_eq!(money.to_string().parse(), Ok(money), "{text}");
        assert!(money.minor().abs() <= 100_000_000_000_000, "{text}");
    }
    if let Ok(rate) = text.parse::<Rate>() {
        assert_eq!(rate.to_string().parse::<Rate>().ok(), Some(rate), "{text}");
        // The share of any amount is known or refused.
        let _ = Money::from_minor(i64::MAX).share(rate);
    }
}

/// What nobody signed is refused; what we signed is read, and signed again it
/// says the same.
pub fn token(bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        assert!(Token::verify(text, KEY).is_err(), "forged: {text}");
        if let Some(nonce) = Nonce::parse(text) {
            assert_eq!(nonce.text(), text);
        }
    }
    let mac = keyed_hash(KEY, &[bytes]);
    let signed: Vec<u8> = bytes.iter().chain(mac.iter().take(16)).copied().collect();
    if let Ok(read) = Token::verify(&URL_SAFE_NO_PAD.encode(signed), KEY) {
        assert_eq!(Token::verify(&read.sign(KEY), KEY), Ok(read));
    }
}

/// The first line is the timestamp's header, the second the signature's, and
/// the rest is the body.
pub fn postback(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == b'\n');
    let (timestamp, signature) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let body = parts.next().unwrap_or_default();
    let now = Timestamp::from_seconds(1_700_000_000);
    if let (Ok(timestamp), Ok(signature)) = (str::from_utf8(timestamp), str::from_utf8(signature)) {
        let signed = SignedRequest { timestamp, method: "POST", path: "/t/postback", body };
        let forged = verify("another key", &signed, signature, now).is_ok();
        assert!(!forged || signature == sign("another key", &signed), "forged");
    }
    let Ok(call) = serde_json::from_slice::<Postback>(body) else { return };
    if let Ok(Some(at)) = call.check() {
        assert_eq!(Timestamp::parse(&at.to_string()), Some(at), "{:?}", call.occurred_at);
    }
}

/// A statement that is read is one that its own balances agree with.
pub fn camt(bytes: &[u8]) {
    for account in [None, Some("DE02 1203 0000 0000 2020 51")] {
        let Ok(statement) = bank::camt_053(bytes, "EUR", account) else { continue };
        if let (Some(opening), Some(closing)) = (statement.opening, statement.closing) {
            let lines = statement.lines.iter().map(|line| line.amount);
            assert_eq!(Money::sum(std::iter::once(opening).chain(lines)), Ok(closing));
        }
        assert!(statement.lines.iter().all(|line| !line.id.is_empty()));
    }
}

/// A form in pieces: the first byte tells how long they are.
pub fn multipart(bytes: &[u8]) {
    let (length, body) = bytes.split_first().map_or((1, bytes), |(first, rest)| (usize::from(*first).max(1), rest));
    let pieces: Vec<_> = body.chunks(length).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("multipart/form-data; boundary=x"));
    let taken = Cell::new(0);
    let form = Multipart::new(&headers, stream::iter(pieces));
    let mut read = pin!(forms::first_file(form, 4_096, |piece| taken.set(taken.get() + piece.len())));
    // It may ask to be called again, but all of it is there: a call or two for each byte will do.
    let calls = body.len().saturating_mul(2).saturating_add(100);
    let ended = (0..calls).find_map(|_| read.as_mut().now_or_never()).expect("it waits for what never comes");
    assert!(taken.get() <= body.len() && (ended.is_err() || taken.get() <= 4_096));
}
