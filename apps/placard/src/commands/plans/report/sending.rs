//! Sending lists to the server, signed.

use std::collections::BTreeMap;
use std::time::Duration;

use auth::KeyPair;
use auth::signature::{SignedRequest, sign};
use base::{AdvertiserId, Clock};
use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;
use serde::Deserialize;
use serde_json::Value;

use super::sales::Sale;
use crate::failure::Failure;
use crate::remote::{cause, server_address};

const PATH: &str = "/t/postbacks";
const CONNECT: Duration = Duration::from_secs(10);
/// A server books a few lists at a time, and the others wait.
const SILENCE: Duration = Duration::from_secs(60);
/// How often a list is sent while the server is busy, and the pause before the second time, which grows.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// A key that was made here, or one that was claimed.
pub enum SigningKey {
    Pair(Box<KeyPair>),
    Shared(String),
}

impl SigningKey {
    /// A private key in PEM, or the text of a claimed key.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?.trim();
        if !text.starts_with("-----BEGIN") {
            let is_key = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
            return is_key.then(|| Self::Shared(text.to_owned()));
        }
        let der = PrivatePkcs8KeyDer::from_pem_slice(text.as_bytes()).ok()?;
        let seed = der.secret_pkcs8_der().last_chunk::<32>()?;
        let pair = KeyPair::from_seed(*seed)?;
        // The DER of another kind of key, or of one with more data after it, differs.
        let same = PrivatePkcs8KeyDer::from_pem_slice(pair.private_pem().as_bytes()).ok()? == der;
        same.then(|| Self::Pair(Box::new(pair)))
    }

    fn header(&self, signed: &SignedRequest<'_>) -> (&'static str, String) {
        match self {
            Self::Pair(pair) => ("X-Signature-Ed25519", pair.sign(signed)),
            Self::Shared(key) => ("X-Signature", sign(key, signed)),
        }
    }
}

/// How the server answered one of a list.
#[derive(Debug, Deserialize)]
pub struct Answer {
    pub accepted: bool,
    pub duplicate: bool,
    reason: Option<String>,
    #[serde(default)]
    fields: BTreeMap<String, String>,
}

impl Answer {
    /// Why it was not taken.
    pub fn reason(self) -> String {
        let fields = || self.fields.iter().map(|(field, problem)| format!("{field} {problem}")).collect::<Vec<_>>();
        self.reason.clone().unwrap_or_else(|| fields().join(", "))
    }
}

pub struct Sender {
    client: Client,
    url: String,
    advertiser: AdvertiserId,
    key: SigningKey,
}

impl Sender {
    /// # Errors
    /// An address that is not https://, unless it is this machine's.
    pub fn new(base: &str, advertiser: AdvertiserId, key: SigningKey) -> Result<Self, Failure> {
        let (scheme, authority) = server_address("--base", base)?;
        // If it fails, the same provider was installed before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().redirect(Policy::none()).connect_timeout(CONNECT).timeout(SILENCE);
        // On this machine nothing is encrypted, so the system's certificate authorities are not loaded.
        let client = if scheme == "http" { client.no_proxy().tls_certs_only([]) } else { client };
        let client = client.build().map_err(|error| Failure::Usage(format!("{base}: {}", cause(&error))))?;
        Ok(Self { client, url: format!("{scheme}://{authority}{PATH}"), advertiser, key })
    }

    /// The answers to a list, in order.
    pub async fn send(&self, list: &[Sale]) -> Result<Vec<Answer>, Failure> {
        let lines = list.iter().map(|sale| serde_json::to_string(&sale.postback).map(|line| line + "\n"));
        let body = lines.collect::<Result<String, _>>().map_err(|error| Failure::Usage(error.to_string()))?;
        let mut tried = 1;
        loop {
            match self.ask(&body).await {
                Ok(answers) if answers.len() == list.len() => return Ok(answers),
                Ok(_) => return Err(told(list, "the server has not answered each of them")),
                Err(Unsent { again: true, .. }) if tried < TRIES => tokio::time::sleep(PAUSE * tried).await,
                Err(Unsent { why, .. }) => return Err(told(list, &why)),
            }
            tried += 1;
        }
    }

    async fn ask(&self, body: &str) -> Result<Vec<Answer>, Unsent> {
        let timestamp = Clock::system().now().seconds().to_string();
        let signed = SignedRequest { timestamp: &timestamp, method: "POST", path: PATH, body: body.as_bytes() };
        let (header, signature) = self.key.header(&signed);
        let request = self.client.post(&self.url).header("Content-Type", "application/x-ndjson");
        let request = request.header("X-Advertiser", self.advertiser.to_string()).header("X-Timestamp", &timestamp);
        let away = |error: reqwest::Error| Unsent { again: true, why: format!("{}: {}", self.url, cause(&error)) };
        let response = request.header(header, signature).body(body.to_owned()).send().await.map_err(away)?;
        let status = response.status().as_u16();
        let text = response.bytes().await.map_err(away)?;
        if status != 200 {
            let told = serde_json::from_slice::<Value>(&text).unwrap_or_default();
            let key = told.pointer("/data/error").and_then(Value::as_str).unwrap_or_default();
            return Err(Unsent { again: status >= 500, why: format!("{} answered {status} {key}", self.url) });
        }
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let answers = lines.map(serde_json::from_slice).collect::<Result<_, _>>();
        answers.map_err(|error| Unsent { again: false, why: format!("{}: {error}", self.url) })
    }
}

/// Why there are no answers, and whether there may be later.
struct Unsent {
    again: bool,
    why: String,
}

fn told(list: &[Sale], why: &str) -> Failure {
    let line = |sale: Option<&Sale>| sale.map_or(0, |sale| sale.line);
    let (first, last) = (line(list.first()), line(list.last()));
    Failure::Server(format!(
        "{why}; nothing from line {first} on is known to be taken (this list ends with line {last}): send the file again, \
         and what was taken is a duplicate"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_keys_are_read() {
        let pair = KeyPair::from_seed([7; 32]).expect("a pair");
        let signed = SignedRequest { timestamp: "1", method: "POST", path: PATH, body: b"" };
        let read = SigningKey::read(pair.private_pem().as_bytes()).expect("a key");
        assert_eq!(read.header(&signed), ("X-Signature-Ed25519", pair.sign(&signed)));
        let read = SigningKey::read(b" a-claimed-key\n").expect("a key");
        assert_eq!(read.header(&signed), ("X-Signature", sign("a-claimed-key", &signed)));
        for wrong in ["", "two words", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            assert!(SigningKey::read(wrong.as_bytes()).is_none(), "{wrong}");
        }
        assert!(SigningKey::read(pair.public_pem().as_bytes()).is_none(), "the public half signs nothing");
    }
}
