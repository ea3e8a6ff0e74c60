//! A user's balance, read with a session.

use crate::figures::CONNECTIONS;
use crate::load::{Load, Requests, drive, median};
use crate::table::{Table, rate};
use crate::test_bed::TestBed;
use crate::wire::get;

const MARK: f64 = 40_000.0;

pub async fn measure(place: &TestBed, table: &mut Table) {
    let ask = |token: &str| get("/api/user/property", &[("X-CT", token)]);
    let requests: Requests = place.market.users.iter().map(|user| ask(&user.token)).collect();
    let name = format!("balance_{}", place.installation.kind.name());
    for connections in CONNECTIONS {
        let load = Load::again(connections, &requests, place.scale.run);
        let run = async || drive(place.server.address, &load, |_, answer| answer.has("\"code\":200")).await;
        let figure = median(place.scale.runs, run).await;
        if connections == 64 {
            table.add(name.clone(), rate(&figure).against("40,000", Some(MARK)));
        } else {
            table.add(format!("{name}_c{connections}"), rate(&figure));
        }
    }
}
