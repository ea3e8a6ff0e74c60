//! Users' own payments with the transaction password: requesting withdrawals, and putting amounts on products.

use std::time::Duration;

use auth::PayPassword;
use serde_json::{Value, json};

use crate::installation::Kind;
use crate::load::{Figure, Load, Requests, drive, median};
use crate::market::PAY_PASSWORD;
use crate::table::{Table, rate};
use crate::test_bed::TestBed;
use crate::wire::{Answer, post};

const CONNECTIONS: usize = 64;
/// More than any run makes.
const REQUESTS: usize = 40_000;
const HASHED_AT_ONCE: usize = 2;
const WITHDRAWALS_MARK: f64 = 5_000.0;
const PUTS_MARK: f64 = 3_000.0;

/// On PostgreSQL each is compared with its mark.
pub async fn measure(place: &TestBed, table: &mut Table) {
    let on_postgres = place.installation.kind == Kind::Postgres;
    let mark = |mark: f64| Some(mark).filter(|_| on_postgres);
    let withdrawals = median(place.scale.runs, async || withdrawals(place).await).await;
    let row = rate(&withdrawals).against("5,000", mark(WITHDRAWALS_MARK));
    table.add(place.plain("withdrawals", CONNECTIONS), row);
    let puts = median(place.scale.runs, async || puts(place).await).await;
    table.add(place.plain("puts", CONNECTIONS), rate(&puts).against("3,000", mark(PUTS_MARK)));
}

async fn withdrawals(place: &TestBed) -> Figure {
    let password = password();
    let ask = |_| json!({ "amount": "0.01", "password": password });
    let is_asked = |answer: &Answer<'_>| answer.has("\"code\":200") && answer.has("\"status\":\"pending\"");
    let figure = run(place, "/api/user/withdraw", ask, is_asked).await;
    place.answered.borrow_mut().withdrawals += figure.right;
    figure
}

async fn puts(place: &TestBed) -> Figure {
    let password = password();
    let ask = |n: usize| {
        let product = place.market.advertisers[n % place.scale.advertisers].product;
        json!({ "product_id": product.to_string(), "amount": "10.00", "content": "landing_page", "password": password })
    };
    let is_put = |answer: &Answer<'_>| answer.has("\"code\":200") && answer.has("\"status\":\"matching\"");
    let figure = run(place, "/api/plan/order/put", ask, is_put).await;
    place.answered.borrow_mut().puts += figure.right;
    figure
}

/// Each user in turn. Their sessions remember the transaction password, which was
/// verified before the clock starts: `logins` measures the cost of hashing.
async fn run(place: &TestBed, path: &str, ask: impl Fn(usize) -> Value, right: impl Fn(&Answer<'_>) -> bool) -> Figure {
    show_passwords(place).await;
    let users = &place.market.users[..place.market.payers];
    let requests: Requests = (0..REQUESTS.min(place.scale.requests))
        .map(|n| post(path, &[("X-CT", &users[n % users.len()].token)], &ask(place.fresh()).to_string()))
        .collect();
    let load = Load::once(CONNECTIONS, &requests, place.scale.run);
    drive(place.server.address, &load, |_, answer| right(answer)).await
}

async fn show_passwords(place: &TestBed) {
    let body = json!({ "password": password() }).to_string();
    let users = &place.market.users[..place.market.payers];
    let requests: Requests =
        users.iter().map(|user| post("/api/check/password", &[("X-CT", &user.token)], &body)).collect();
    let load = Load::once(HASHED_AT_ONCE, &requests, Duration::from_secs(60));
    let figure = drive(place.server.address, &load, |_, answer| answer.has("\"code\":200")).await;
    assert!(figure.right == users.len(), "{} of {} passwords were right", figure.right, users.len());
}

fn password() -> String {
    PayPassword::from_digits(PAY_PASSWORD).on_wire().to_owned()
}
