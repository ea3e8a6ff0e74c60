//! Impressions, each of a creative sent before: judged, stored and durable before the
//! picture is sent.

use std::cell::RefCell;
use std::time::Duration;

use crate::figures::{CONNECTIONS, slots};
use crate::load::{Figure, Load, Requests, drive, median};
use crate::table::{Table, rate};
use crate::test_bed::{TestBed, visitor};
use crate::wire::get;

const MARK: f64 = 15_000.0;
/// The most creatives that a run can use over 1, 8 and 64 connections. They are requested
/// shortly before, while they are valid.
const CREATIVES: [usize; 3] = [8_000, 25_000, 50_000];
const ASKING: Duration = Duration::from_secs(5);

pub async fn measure(place: &TestBed, table: &mut Table) {
    let database = place.installation.kind.name();
    for (connections, creatives) in CONNECTIONS.into_iter().zip(CREATIVES) {
        let figure = median(place.scale.runs, async || run(place, connections, creatives).await).await;
        let name = format!("events_{database}");
        if connections == 64 {
            table.add(name, rate(&figure).against("15,000", Some(MARK)));
        } else {
            table.add(format!("{name}_c{connections}"), rate(&figure));
        }
    }
}

async fn run(place: &TestBed, connections: usize, creatives: usize) -> Figure {
    let tokens = tokens(place, creatives.min(place.scale.requests)).await;
    let see = |token: &String| get(&format!("/t/i/{token}.gif"), &[("X-Forwarded-For", &visitor(place.fresh()))]);
    let requests: Requests = tokens.iter().map(see).collect();
    let load = Load::once(connections, &requests, place.scale.run);
    let figure = drive(place.server.address, &load, |_, answer| answer.status == 200).await;
    // Every picture is the same, so whether events count is checked at the end.
    place.answered.borrow_mut().impressions += figure.right;
    figure
}

async fn tokens(place: &TestBed, creatives: usize) -> Vec<String> {
    let requests: Requests = [slots::request()].into_iter().collect();
    let load = Load { connections: 64, requests: &requests, at_most: creatives, lasting: ASKING };
    let tokens = RefCell::new(Vec::with_capacity(creatives));
    drive(place.server.address, &load, |_, answer| {
        let token = answer.between("/t/i/", ".gif");
        let found = token.is_some();
        tokens.borrow_mut().extend(token);
        found
    })
    .await;
    tokens.into_inner()
}
