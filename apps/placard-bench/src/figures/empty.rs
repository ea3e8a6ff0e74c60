//! A request that needs nothing: the upper bound of all others.

use crate::load::{Load, Requests, drive, median};
use crate::table::{Table, rate};
use crate::test_bed::TestBed;
use crate::wire::get;

pub async fn measure(place: &TestBed, table: &mut Table) {
    let requests: Requests = [get("/healthz", &[])].into_iter().collect();
    let load = Load::again(64, &requests, place.scale.run);
    let run = async || drive(place.server.address, &load, |_, answer| answer.status == 200).await;
    table.add(place.plain("empty", 64), rate(&median(place.scale.runs, run).await));
}
