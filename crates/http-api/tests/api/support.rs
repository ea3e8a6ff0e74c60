//! A server in the test's own process, and a signed-in client.

use campaigns::AdServer;
use std::time::Duration;

use actix_web::body::to_bytes;
use actix_web::http::Method;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::test;
use auth::{Entry, PayPassword, Role, Secrets, Token};
use base::UserId;
use desk::requests::{MoneyRequestDraft, approve, request};
use foundation::Settings;
use foundation::people::set_pay_password::{SetPayPassword, set_pay_password};
use foundation::staff::Staff;
use futures_util::future::join_all;
use http_api::{Shell, TrustedProxies};
use payee::testing::tron_address;
use serde_json::{Value, json};
use store::testing::TestDb;

mod served;

pub use served::{Served, answered};

/// The MD5 of the transaction password 274916, as clients send it.
pub const PASSWORD: &str = "7358799507ac63262ba5ff9926cb95a3";

/// One user's connection to the server.
#[derive(Clone)]
pub struct Client {
    pub shell: Shell,
    pub user: UserId,
    token: String,
    served: Served,
}

/// A server on this database.
pub fn server(test: &TestDb) -> Shell {
    let secrets = Secrets::new([1; 32], [2; 32], [3; 32]);
    let app = AdServer::new(foundation::App::new(test.db.clone(), secrets, Settings::default()));
    Shell::new(app, TrustedProxies::default())
}

/// Signs in an existing user.
pub async fn sign_in(shell: &Shell, user: UserId) -> Client {
    let token = Token::new(&foundation::random().expect("randomness"));
    let digest = token.digest();
    let begun =
        shell.app.db.write(move |tx| store::people::sessions::insert(tx, user, &digest, Entry::Register, "test"));
    begun.await.expect("a session");
    Client { shell: shell.clone(), user, token: token.text().to_owned(), served: Served::default() }
}

/// A client that is not signed in.
pub fn guest(shell: &Shell) -> Client {
    Client { shell: shell.clone(), user: UserId(0), token: String::new(), served: Served::default() }
}

/// A user with an opened store and the transaction password 274916.
pub async fn client(test: &TestDb) -> Client {
    let client = sign_in(&server(test), test.user("demo").await).await;
    let password = PayPassword::from_wire(PASSWORD).expect("a digest");
    let command = SetPayPassword { password, old_password: None };
    set_pay_password(&client.shell.app, client.user, command).await.expect("set");
    client
}

/// The same with `amount` available and a wallet address bound.
pub async fn funded(test: &TestDb, amount: &str) -> Client {
    let client = client(test).await;
    let staff = async |name, role| Staff::new(test.operator(name, role).await, "a test").expect("a reason");
    let (ann, bob) = (staff("ann", Role::Finance).await, staff("bob", Role::Finance).await);
    let app = &client.shell.app;
    let asked = request(app, &ann, MoneyRequestDraft::recharge(client.user, amount, "first")).await.expect("requested");
    approve(app, &bob, asked.id.into()).await.expect("approved");
    let address = json!({ "method": "wallet_address", "network": "TRC20", "address": tron_address("user"), "password": PASSWORD });
    data(client.post("/api/bank_card/edit", address).await);
    client
}

impl Client {
    pub async fn get(&self, path: &str) -> Value {
        self.call(Method::GET, path, &[], None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        self.call(Method::POST, path, &[], Some(body.to_string())).await
    }

    /// The same user with the same token on another server of the database.
    pub fn at(&self, shell: &Shell) -> Self {
        Self { shell: shell.clone(), served: Served::default(), ..self.clone() }
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Continues with another token.
    pub fn forge(&mut self, token: &str) {
        token.clone_into(&mut self.token);
    }

    /// Any call, with headers and the raw body; returns the envelope.
    pub async fn call(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Option<String>) -> Value {
        let mut request = test::TestRequest::with_uri(path).method(method).insert_header(("X-CT", self.token.as_str()));
        for header in headers {
            request = request.insert_header(*header);
        }
        if let Some(body) = body {
            request = request.insert_header(("Content-Type", "application/json")).set_payload(body);
        }
        // A busy machine may take too long, which the server tells by an error.
        let bytes = match self.served.by(&self.shell, request).await {
            Ok(response) => test::read_body(response).await,
            Err(error) => to_bytes(error.error_response().into_body()).await.expect("a body"),
        };
        serde_json::from_slice(&bytes).expect("an envelope")
    }
}

/// What many were told who asked at once. A busy machine tells some to come again: they do, until
/// they are answered. Of what they asked before, one may have been done that nobody was told of.
pub struct Crowd {
    pub told: Vec<Value>,
    /// How often somebody was told to come again.
    pub again: usize,
}

/// How often at most somebody comes again.
const TRIES: usize = 200;
const BETWEEN: Duration = Duration::from_millis(50);

impl Crowd {
    pub async fn ask<F: Future<Output = Value>>(many: usize, ask: impl Fn(usize) -> F) -> Self {
        let ask = &ask;
        let asked = (0..many).map(|number| async move {
            for again in 0..TRIES {
                let told = ask(number).await;
                if !["overloaded", "outcome_unknown"].contains(&told["data"]["error"].as_str().unwrap_or_default()) {
                    return (told, again);
                }
                actix_web::rt::time::sleep(BETWEEN).await;
            }
            panic!("number {number} is never answered");
        });
        let answered = join_all(asked).await;
        let again = answered.iter().map(|(_, again)| again).sum();
        Self { told: answered.into_iter().map(|(told, _)| told).collect(), again }
    }

    /// Asserts that the rest was told something else, and so many this; or fewer, as far as somebody was
    /// told to come again instead.
    pub fn expect(&self, number: usize, is_meant: impl Fn(&Value) -> bool) {
        let meant = self.told.iter().filter(|told| is_meant(told)).count();
        assert!(meant <= number, "{meant} and not {number}");
        assert!(meant + self.again >= number, "{meant} of {number}, and only {} came again", self.again);
    }
}

/// The payload of a granted answer.
pub fn data(envelope: Value) -> Value {
    assert_eq!(envelope["code"], 200, "{envelope}");
    envelope["data"].clone()
}

/// A limit that the API's description names: `maxLength` or `maxItems` of a request's field.
pub fn described_limit(request: &str, field: &str, limit: &str) -> usize {
    let document: Value = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    let most = document["components"]["schemas"][request]["properties"][field][limit].as_u64();
    usize::try_from(most.expect("a limit")).expect("a small one")
}

/// Code and key of a refusal, and `field=problem` for wrong fields.
pub fn why(envelope: &Value) -> String {
    assert!(envelope["msg"].as_str().is_some_and(|msg| !msg.is_empty()), "{envelope}");
    let mut told = format!("{} {}", envelope["code"], envelope["data"]["error"].as_str().expect("a key"));
    for (field, problem) in envelope["data"]["fields"].as_object().into_iter().flatten() {
        told += &format!(" {field}={}", problem.as_str().expect("a key"));
    }
    told
}

/// A download's type, name and bytes.
pub async fn download(c: &Client, path: &str) -> (String, String, Vec<u8>) {
    let request = test::TestRequest::with_uri(path).insert_header(("X-CT", c.token()));
    let response = answered(&c.shell, request).await;
    let header =
        |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (kind, name) = (header(CONTENT_TYPE), header(CONTENT_DISPOSITION));
    (kind, name, test::read_body(response).await.to_vec())
}
