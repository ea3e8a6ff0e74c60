//! A reader's browser and an advertiser's server.

use std::net::SocketAddr;
use std::time::Duration;

use auth::signature::{SignedRequest, sign};
use base::Clock;
use reqwest::blocking::{Client as Http, RequestBuilder};
use reqwest::redirect::Policy;
use serde_json::{Value, json};

pub const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";
pub const POSTBACK: &str = "/t/postback";
const POSTBACKS: &str = "/t/postbacks";
const REGISTER: &str = "/api/auth/v2/register";

#[derive(Clone)]
pub struct Client {
    http: Http,
    base: String,
    /// The client's address, as told by a proxy.
    address: Option<String>,
}

pub struct Answer {
    pub status: u16,
    pub location: String,
    /// Whether it says when to come again.
    pub retry_after: bool,
    pub body: String,
}

/// There was no complete answer.
#[derive(Debug)]
pub struct NoAnswer;

impl Client {
    pub fn new(server: SocketAddr) -> Self {
        Self { http: http(), base: format!("http://{server}"), address: None }
    }

    /// The same client behind a proxy.
    pub fn from(&self, address: String) -> Self {
        Self { address: Some(address), ..self.clone() }
    }

    pub fn get(&self, path: &str) -> Result<Answer, NoAnswer> {
        let request = self.http.get(format!("{}{path}", self.base)).header("User-Agent", BROWSER);
        let request = self.address.iter().fold(request, |r, address| r.header("X-Forwarded-For", address));
        whole(request)
    }

    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Result<Answer, NoAnswer> {
        let request = self.http.get(format!("{}{path}", self.base));
        whole(headers.iter().fold(request, |r, (name, value)| r.header(*name, *value)))
    }

    /// As a signed-in user.
    pub fn get_as(&self, token: &str, path: &str) -> Result<Answer, NoAnswer> {
        whole(self.http.get(format!("{}{path}", self.base)).header("X-CT", token))
    }

    pub fn post_as(&self, token: &str, path: &str, key: Option<&str>, body: &Value) -> Result<Answer, NoAnswer> {
        let request = self.http.post(format!("{}{path}", self.base)).header("X-CT", token);
        let request = key.into_iter().fold(request, |r, key| r.header("Idempotency-Key", key));
        whole(json_of(request, body))
    }

    /// A session's token.
    pub fn sign_in(&self, username: &str, password: &str) -> String {
        let body = json!({ "username": username, "password": password });
        let answer = self.post_as("", "/api/auth/v2/login", None, &body).expect("an answer").json();
        answer["data"]["token"].as_str().unwrap_or_else(|| panic!("no token: {answer}")).to_owned()
    }

    /// The complete answer, granted or not.
    pub fn register(&self, username: &str, code: &str) -> Value {
        self.post_as("", REGISTER, None, &registration(username, code)).expect("an answer").json()
    }

    /// The same from an address told by a proxy.
    pub fn register_from(&self, address: &str, username: &str, code: &str) -> Result<Answer, NoAnswer> {
        self.post_from(address, REGISTER, &registration(username, code))
    }

    /// As a stranger with an address told by a proxy.
    pub fn post_from(&self, address: &str, path: &str, body: &Value) -> Result<Answer, NoAnswer> {
        whole(json_of(self.http.post(format!("{}{path}", self.base)).header("X-Forwarded-For", address), body))
    }

    /// Reports a conversion, signed.
    pub fn report(&self, advertiser: &Advertiser, event: &str, click: &str) -> Result<Answer, NoAnswer> {
        self.signed(advertiser, POSTBACK, postback(event, click))
    }

    /// Reports conversions in one list, signed.
    pub fn report_all(&self, advertiser: &Advertiser, postbacks: &[String]) -> Result<Answer, NoAnswer> {
        self.signed(advertiser, POSTBACKS, format!("[{}]", postbacks.join(",")))
    }

    fn signed(&self, advertiser: &Advertiser, path: &str, body: String) -> Result<Answer, NoAnswer> {
        let request = self.http.post(format!("{}{path}", self.base));
        let headers = signature(advertiser, path, &body);
        let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
        whole(request.body(body))
    }
}

fn registration(username: &str, code: &str) -> Value {
    json!({
        "username": username,
        "password": "seven green bottles",
        "confirm_password": "seven green bottles",
        "email": format!("{username}@example.com"),
        "phone": "+491701234567",
        "license_key": code,
    })
}

/// To servers on this machine: nothing is encrypted, and nothing followed.
pub fn http() -> Http {
    // If it fails, the same provider was installed before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Http::builder().redirect(Policy::none()).no_proxy().tls_certs_only([]).build().expect("a client")
}

fn json_of(request: RequestBuilder, body: &Value) -> RequestBuilder {
    request.header("Content-Type", "application/json").body(body.to_string())
}

fn whole(request: RequestBuilder) -> Result<Answer, NoAnswer> {
    let response = request.timeout(Duration::from_secs(10)).send().map_err(no_answer)?;
    let location = response.headers().get("Location").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let retry_after = response.headers().contains_key("Retry-After");
    let (status, location) = (response.status().as_u16(), location.to_owned());
    // A picture is not text.
    let body = response.bytes().map_err(no_answer)?;
    Ok(Answer { status, location, retry_after, body: String::from_utf8_lossy(&body).into_owned() })
}

/// Says why in the output of a test that fails.
fn no_answer(error: reqwest::Error) -> NoAnswer {
    println!("no answer: {error:?}");
    NoAnswer
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// The click's id at the end of its destination.
    pub fn click_id(&self) -> &str {
        self.location.split_once("click_id=").expect("a click id").1
    }
}

pub struct Advertiser {
    pub id: String,
    pub key: String,
}

pub fn postback(event: &str, click: &str) -> String {
    json!({ "event_id": event, "click_id": click }).to_string()
}

/// The headers of a conversion reported now.
pub fn signature(advertiser: &Advertiser, path: &str, body: &str) -> [(&'static str, String); 4] {
    let timestamp = Clock::system().now().seconds().to_string();
    let signed = SignedRequest { timestamp: &timestamp, method: "POST", path, body: body.as_bytes() };
    let signature = sign(&advertiser.key, &signed);
    [
        ("Content-Type", "application/json".to_owned()),
        ("X-Advertiser", advertiser.id.clone()),
        ("X-Timestamp", timestamp),
        ("X-Signature", signature),
    ]
}

/// The path of a URL, whatever its host.
pub fn path_of(url: &Value) -> String {
    let (_, rest) = url.as_str().expect("an address").split_once("://").expect("an address");
    rest[rest.find('/').expect("a path")..].to_owned()
}
