//! Generated requests to every call that the server describes, valid and broken ones:
//! each answer has a described status, content type and schema, and none is a server
//! error.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use actix_web::body::MessageBody;
use actix_web::dev::ServiceResponse;
use actix_web::http::Method;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::test::TestRequest;
use auth::Role;
use base::PublisherId;
use foundation::people::sessions::authenticate_afresh;
use foundation::staff::Staff;
use http_api::Shell;
use jsonschema::Validator;
use payee::testing::tron_address;
use serde_json::{Value, json};
use store::on_both;

use crate::market::open_market;
use crate::publisher::publisher_key;
use crate::support::{Client, PASSWORD, Served, client, funded, sign_in};

/// Requests per call.
const EACH: u64 = 8;

/// SplitMix64: the same requests every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(end).expect("small")).expect("small")
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// Texts that break parsers.
const ODD: [&str; 16] = [
    "",
    " ",
    "\0",
    "a\0b",
    "-1",
    "9223372036854775808",
    "1e9",
    "NaN",
    "null",
    "\u{202e}x",
    "💸",
    "'; --",
    "../..",
    "%00",
    "0000-00-00",
    "2026-13",
];

/// A plausible value for a field with this name.
fn likely(name: &str, dice: &mut Dice) -> &'static str {
    match name {
        "amount" => dice.of(&["1", "10.00", "0.01", "50", "1000000000000"]),
        "password" | "confirm_password" | "old_password" => PASSWORD,
        "month" => dice.of(&["2026-11", "2023-11", "1970-01"]),
        "from" => "2026-11-01T00:00:00Z",
        "until" => "2026-11-20T00:00:00Z",
        "format" => dice.of(&["csv", "pdf", "json"]),
        "status" => dice.of(&["unused", "used", "putting", "matching", "settled"]),
        "type" => dice.of(&["1", "2", "today", "week"]),
        "kind" => dice.of(&["deposit", "exchange"]),
        "content" => dice.of(&["landing_page", "video"]),
        "limit" => dice.of(&["1", "20", "100", "101"]),
        "method" => dice.of(&["wallet_address", "bank_card"]),
        "network" => "TRC20",
        "lang" => dice.of(&["de", "zh", "xx"]),
        "email" => "ada@example.com",
        "phone" => "+491701234567",
        "topic" => "Delivery",
        "activity" => "newcomer",
        "key" | "slot" => dice.of(&["news-top", "nowhere"]),
        "occurred_at" => "2026-11-20T00:00:00Z",
        _ => dice.of(&["1", "2", "ada", "7", "video"]),
    }
}

fn text(name: &str, dice: &mut Dice) -> String {
    match dice.below(12) {
        0 => dice.of(&ODD).to_owned(),
        1 => "x".repeat(dice.below(3_000)),
        _ if name == "address" => tron_address("user"),
        _ => likely(name, dice).to_owned(),
    }
}

/// The description, and the required form of each answer.
struct Described {
    root: Value,
    /// Calls share most schemas, so each validator is built once.
    validators: RefCell<HashMap<String, Rc<Validator>>>,
}

impl Described {
    fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(to) => self.root.pointer(&to[1..]).unwrap_or_else(|| panic!("no {to}")),
            None => value,
        }
    }

    /// A plausible value for a schema.
    fn value(&self, name: &str, schema: &Value, dice: &mut Dice) -> Value {
        let schema = self.resolved(schema);
        if dice.one_in(12) {
            return [json!(null), json!(7), json!(-1.5), json!(true), json!([]), json!({}), json!("x")][dice.below(7)]
                .clone();
        }
        if let Some(properties) = schema["properties"].as_object() {
            let given = properties.iter().filter_map(|(name, schema)| {
                let given = !dice.one_in(6);
                given.then(|| (name.clone(), self.value(name, schema, dice)))
            });
            return given.collect::<serde_json::Map<_, _>>().into();
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds[0].as_str(),
            kind => kind.as_str(),
        };
        match kind {
            Some("boolean") => json!(dice.one_in(2)),
            Some("integer" | "number") => json!(dice.below(100)),
            Some("array") => (0..dice.below(4)).map(|_| self.value(name, &schema["items"], dice)).collect(),
            _ => json!(text(name, dice)),
        }
    }

    /// The fields of a request's body.
    fn fields(&self, schema: &Value) -> BTreeSet<String> {
        let schema = self.resolved(schema);
        let parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|key| schema[key].as_array()).flatten();
        let mut all: BTreeSet<String> = parts.flat_map(|part| self.fields(part)).collect();
        all.extend(schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys().cloned()));
        all
    }

    fn validator(&self, schema: &Value) -> Rc<Validator> {
        let make = || {
            let whole = json!({ "allOf": [schema], "components": self.root["components"] });
            Rc::new(jsonschema::validator_for(&whole).expect("a schema"))
        };
        self.validators.borrow_mut().entry(schema.to_string()).or_insert_with(make).clone()
    }
}

/// One call of the description.
struct Operation<'a> {
    method: Method,
    path: &'a str,
    said: &'a Value,
    responses: BTreeMap<&'a str, &'a Value>,
    validators: BTreeMap<&'a str, Rc<Validator>>,
}

impl Described {
    fn operations(&self) -> Vec<Operation<'_>> {
        let paths = self.root["paths"].as_object().expect("paths");
        let all = paths.iter().flat_map(|(path, item)| item.as_object().expect("calls").iter().map(move |c| (path, c)));
        all.map(|(path, (method, said))| {
            let responses = said["responses"].as_object().expect("answers");
            let responses: BTreeMap<&str, &Value> =
                responses.iter().map(|(status, response)| (status.as_str(), self.resolved(response))).collect();
            let schemas = responses
                .iter()
                .map(|(status, response)| (*status, &response["content"]["application/json"]["schema"]));
            let validators =
                schemas.filter(|(_, schema)| !schema.is_null()).map(|(s, schema)| (s, self.validator(schema)));
            let method = method.to_uppercase().parse().expect("a method");
            Operation { method, path, said, validators: validators.collect(), responses }
        })
        .collect()
    }

    fn path(&self, operation: &Operation<'_>, client: &Client, dice: &mut Dice) -> String {
        let (mut path, mut query) = (operation.path.to_owned(), Vec::new());
        for parameter in operation.said["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            match parameter["in"].as_str() {
                Some("path") => {
                    let value = if dice.one_in(4) { "%ff%00".to_owned() } else { escaped(&text(name, dice)) };
                    path = path.replace(&format!("{{{name}}}"), if value.is_empty() { "x" } else { &value });
                }
                Some("query") if !dice.one_in(4) => query.push(format!("{name}={}", escaped(&text(name, dice)))),
                _ => {}
            }
        }
        if dice.one_in(15) {
            query.push("limit=1&limit=2&%ff=%".to_owned());
        }
        assert!(!client.token().is_empty());
        if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
    }

    fn body(&self, operation: &Operation<'_>, dice: &mut Dice) -> Vec<u8> {
        let content = operation.said["requestBody"]["content"].as_object();
        let Some((kind, media)) = content.and_then(|content| content.iter().next()) else { return Vec::new() };
        if kind == "multipart/form-data" {
            let file = ["", "not a picture", "GIF89a\x01\0\x01\0"][dice.below(3)];
            let end = if dice.one_in(3) { "" } else { "\r\n--x--\r\n" };
            return format!("--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n{file}{end}").into_bytes();
        }
        match dice.below(12) {
            0 => b"{\"a\": \xff".to_vec(),
            1 => vec![b'['; 100_000],
            2 => Vec::new(),
            _ => self.value("", &media["schema"], dice).to_string().into_bytes(),
        }
    }
}

fn escaped(text: &str) -> String {
    text.bytes()
        .map(|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect()
}

/// A generated request: its address, headers and body.
fn made_up(
    described: &Described,
    operation: &Operation<'_>,
    client: &Client,
    publisher: &str,
    dice: &mut Dice,
) -> (String, TestRequest) {
    let path = described.path(operation, client, dice);
    let mut request = TestRequest::with_uri(&path).method(operation.method.clone());
    let form = operation.said["requestBody"]["content"]["multipart/form-data"].is_object();
    let kind = if form { "multipart/form-data; boundary=x" } else { "application/json" };
    for (name, value) in [
        ("Content-Type", if dice.one_in(12) { "text/plain" } else { kind }),
        ("X-CT", if dice.one_in(10) { "nonsense" } else { client.token() }),
        ("X-TZ", dice.of(&["Asia/Shanghai GMT+08:00", "nowhere", ""])),
        ("Authorization", if dice.one_in(10) { "Bearer 1.2.3" } else { publisher }),
        ("Idempotency-Key", dice.of(&["one", "two", "x y"])),
        ("Content-Encoding", if dice.one_in(15) { "gzip" } else { "identity" }),
    ] {
        if !dice.one_in(6) {
            request = request.insert_header((name, value));
        }
    }
    (path, request.set_payload(described.body(operation, dice)))
}

/// What is wrong with an answer, if anything.
async fn read(operation: &Operation<'_>, path: &str, response: ServiceResponse<impl MessageBody>) -> Option<String> {
    let status = response.status().as_u16().to_string();
    let kind = response.headers().get(CONTENT_TYPE).map(|value| value.to_str().expect("text").to_owned());
    let body = actix_web::body::to_bytes(response.into_body()).await.ok()?;
    let wrong = judge(operation, &status, kind.as_deref(), &body)?;
    let shown: String = String::from_utf8_lossy(&body).chars().take(300).collect();
    Some(format!("{} {path}: {status} {kind:?}: {wrong}\n    {shown}", operation.method))
}

fn judge(operation: &Operation<'_>, status: &str, kind: Option<&str>, body: &[u8]) -> Option<String> {
    let Some(response) = operation.responses.get(status) else { return Some("no such status".into()) };
    let Some(kinds) = response["content"].as_object() else {
        return (!body.is_empty()).then(|| "a body where there is none".into());
    };
    let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default();
    if !kinds.contains_key(kind) {
        return Some(format!("none of {:?}", kinds.keys().collect::<Vec<_>>()));
    }
    if kind != "application/json" {
        return None;
    }
    let Ok(answer) = serde_json::from_slice::<Value>(body) else { return Some("no JSON".into()) };
    if answer["code"] == 500 {
        return Some("a fault of ours".into());
    }
    let errors = operation.validators[status].iter_errors(&answer);
    let errors: Vec<String> = errors.map(|error| format!("{}: {error:.300}", error.instance_path())).collect();
    (!errors.is_empty()).then(|| errors.join("; "))
}

/// A user with money, a plan and a click to report.
async fn settled_in(shell: &Shell, client: &Client) {
    let put = json!({ "product_id": "1", "amount": "100.00", "content": "landing_page", "password": PASSWORD });
    assert_eq!(client.post("/api/plan/order/put", put).await["code"], 200);
    let served =
        campaigns::delivery::serve::serve(&shell.app, "news-top", None, "http://localhost", i18n::Lang::En).await;
    assert!(served.expect("served").is_some());
}

on_both!(a_field_that_is_refused_is_one_of_the_request, |test| {
    let client = client(&test).await;
    let root = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    let described = Described { root, validators: RefCell::default() };
    let mut refused = 0;
    for operation in described.operations() {
        let known = described.fields(&operation.said["requestBody"]["content"]["application/json"]["schema"]);
        for wrong in [Value::Null, json!(7), json!("")] {
            let body: serde_json::Map<String, Value> = known.iter().map(|name| (name.clone(), wrong.clone())).collect();
            if known.is_empty() || !operation.path.starts_with("/api/") {
                continue;
            }
            let answer = client.post(operation.path, body.into()).await;
            let named: Vec<&String> =
                answer["data"]["fields"].as_object().into_iter().flat_map(serde_json::Map::keys).collect();
            assert!(named.iter().all(|name| known.contains(*name)), "{}: {answer}", operation.path);
            refused += named.len();
        }
    }
    assert!(refused > 100, "{refused}");
});

on_both!(every_answer_is_one_that_is_described, |test| {
    let first = funded(&test, "1000.00").await;
    open_market(&test, &first.shell).await;
    settled_in(&first.shell, &first).await;
    let admin = Staff::new(test.operator("eve", Role::Admin).await, "a test").expect("a reason");
    let key = publisher_key(&test, &first.shell, &admin, PublisherId(1)).await;
    let publisher = format!("Bearer {key}");
    let root = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    let described = Described { root, validators: RefCell::default() };
    let (mut wrong, mut granted) = (Vec::new(), BTreeSet::new());
    let served = Served::default();
    // Some calls end the session, and one ends all sessions: then a new one is needed.
    let mut client = sign_in(&first.shell, first.user).await;
    for (number, operation) in described.operations().iter().enumerate() {
        let mut dice = Dice(u64::try_from(number).expect("few"));
        for _ in 0..EACH {
            if authenticate_afresh(&first.shell.app, client.token()).await.is_err() {
                client = sign_in(&first.shell, first.user).await;
            }
            let (path, request) = made_up(&described, operation, &client, &publisher, &mut dice);
            let response = served.by(&first.shell, request).await.expect("an answer");
            wrong.extend(read(operation, &path, response).await);
        }
        granted.insert(operation.path);
    }
    assert!(granted.len() > 60, "{granted:?}");
    assert!(wrong.is_empty(), "{} answers:\n{}", wrong.len(), wrong.join("\n"));
});
