//! Signing in: verifies a password and writes a session.

use serde_json::json;

use crate::load::{Load, Requests, drive, median};
use crate::market::PASSWORD;
use crate::table::{Table, rate};
use crate::test_bed::{TestBed, visitor};
use crate::wire::post;

const CONNECTIONS: usize = 8;

pub async fn measure(place: &TestBed, table: &mut Table) {
    let names = place.market.names.iter().enumerate();
    let requests: Requests = names.map(|(n, name)| request(n, name)).collect();
    let load = Load::again(CONNECTIONS, &requests, place.scale.run);
    let run = async || drive(place.server.address, &load, |_, answer| answer.has("\"code\":200")).await;
    let figure = median(place.scale.runs, run).await;
    table.add(place.plain("logins", CONNECTIONS), rate(&figure));
}

/// Each from its own address, like real users.
fn request(n: usize, name: &str) -> Vec<u8> {
    let body = json!({ "username": name, "password": PASSWORD }).to_string();
    post("/api/auth/v2/login", &[("X-Forwarded-For", &visitor(n))], &body)
}
