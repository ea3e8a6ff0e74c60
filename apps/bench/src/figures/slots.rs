//! Slots answered with a creative whose price is set aside.

use crate::figures::CONNECTIONS;
use crate::load::{Load, Requests, drive, median};
use crate::market::SLOT;
use crate::place::Place;
use crate::table::{Table, rate};
use crate::wire::get;

const MARK: f64 = 20_000.0;

pub fn request() -> Vec<u8> {
    get(&format!("/ads/slot/{SLOT}?format=json"), &[])
}

pub async fn measure(place: &Place, table: &mut Table) {
    let requests: Requests = [request()].into_iter().collect();
    for connections in CONNECTIONS {
        let load = Load::again(connections, &requests);
        let figure = median(async || drive(place.server.address, &load, |_, answer| answer.status == 200).await).await;
        let mark = Some(MARK).filter(|_| connections == 64);
        table.add(place.plain("slots", connections), rate(&figure).against("20,000", mark));
    }
}
