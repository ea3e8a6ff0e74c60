//! Slots answered with a creative whose price is reserved.

use std::time::Duration;

use crate::figures::CONNECTIONS;
use crate::load::{Load, Requests, drive, median};
use crate::market::SLOT;
use crate::table::{Table, rate};
use crate::test_bed::TestBed;
use crate::wire::get;

/// For a server that has just started.
const FIRST_MARK: f64 = 8_000.0;
/// A server that has just started gets through all plans in this time.
const ONCE_ROUND: Duration = Duration::from_secs(20);

pub fn request() -> Vec<u8> {
    get(&format!("/ads/slot/{SLOT}?format=json"), &[])
}

pub async fn measure(place: &TestBed, table: &mut Table) {
    let requests: Requests = [request()].into_iter().collect();
    first(place, &requests, table).await;
    for connections in CONNECTIONS {
        let load = Load::again(connections, &requests, place.scale.run);
        let run = async || drive(place.server.address, &load, |_, answer| answer.status == 200).await;
        let figure = median(place.scale.runs, run).await;
        let empty = place.plain("empty", 64);
        let bound = table.value(&empty).filter(|_| connections == 64);
        table.add(place.plain("slots", connections), rate(&figure).against(&empty, bound));
    }
}

/// A server that has just started: creatives take turns, and for the first one of each
/// plan it asks the database for a part of the budget. This can only be run once.
async fn first(place: &TestBed, requests: &Requests, table: &mut Table) {
    let plans = place.clicked.len() + place.clicked_hot.len();
    let load = Load { at_most: plans, lasting: ONCE_ROUND, ..Load::again(64, requests, place.scale.run) };
    let figure = drive(place.server.address, &load, |_, answer| answer.status == 200).await;
    table.add(place.plain("slots_first", 64), rate(&figure).against("8,000", Some(FIRST_MARK)));
}
