//! Movements of money: an advertiser's server reports a conversion, which is judged,
//! stored and booked, and durable before the answer.

use auth::signature::{SignedRequest, sign};
use base::Clock;

use crate::figures::CONNECTIONS;
use crate::load::{Figure, Load, Requests, drive, median};
use crate::market::Advertiser;
use crate::table::{Row, Table, rate};
use crate::test_bed::{Clicked, TestBed};
use crate::wire::{Answer, post};

const PATH: &str = "/t/postback";
const LISTS: &str = "/t/postbacks";
const ACCEPTED: &str = r#""accepted":true,"duplicate":false"#;
/// More than any run reports over 1, 8 and 64 connections.
const REPORTS: [usize; 3] = [15_000, 40_000, 80_000];
/// Conversions in a list, and more lists than any run sends.
const LISTED: usize = 1_000;
const MOST_LISTS: usize = 400;

/// With 64 connections, compared with an existing row.
pub async fn measure(place: &TestBed, table: &mut Table, reference: &str) {
    let database = place.installation.kind.name();
    for (connections, reports) in CONNECTIONS.into_iter().zip(REPORTS) {
        let figure = median(place.scale.runs, async || run(place, &place.clicked, connections, reports).await).await;
        let value = table.value(reference).filter(|_| connections == 64);
        table.add(format!("movements_{database}_c{connections}"), rate(&figure).against(reference, value));
    }
}

/// All reports come from one advertiser.
pub async fn measure_hot(place: &TestBed, table: &mut Table) {
    let database = place.installation.kind.name();
    let figure = median(place.scale.runs, async || run(place, &place.clicked_hot, 64, 80_000).await).await;
    let spread = format!("movements_{database}_c64");
    let row = rate(&figure).against(&spread, table.value(&spread));
    table.add(format!("movements_{database}_hot_c64"), row);
}

/// Reports in lists of a thousand, each list from one advertiser, until all conversions are reported.
pub async fn measure_lists(place: &TestBed, table: &mut Table) {
    let database = place.installation.kind.name();
    let figure = median(place.scale.runs, async || run_lists(place).await).await;
    let singly = format!("movements_{database}_c64");
    let row = Row { value: figure.per_second * LISTED as f64, ..rate(&figure) };
    table.add(format!("postbacks_{database}_c8"), row.against(&singly, table.value(&singly)));
}

async fn run_lists(place: &TestBed) -> Figure {
    let at = Clock::system().now().seconds().to_string();
    let lists: Requests = (0..MOST_LISTS.min(place.scale.requests)).map(|_| list(place, &at)).collect();
    let load = Load::once(8, &lists, place.scale.run);
    let all_new = |answer: &Answer<'_>| {
        answer.has(ACCEPTED) && !answer.has(r#""accepted":false"#) && !answer.has(r#""duplicate":true"#)
    };
    let figure = drive(place.server.address, &load, |_, answer| all_new(answer)).await;
    place.answered.borrow_mut().conversions += figure.right * LISTED;
    figure
}

/// Conversions of a pseudo-random advertiser's plans.
fn list(place: &TestBed, at: &str) -> Vec<u8> {
    let advertiser = place.clicked[spread(place.fresh()) % place.clicked.len()].advertiser;
    let own: Vec<&Clicked> = place.clicked.iter().filter(|click| click.advertiser == advertiser).collect();
    let one = |_| {
        let number = place.fresh();
        format!(r#"{{"event_id":"e{number}","click_id":"{}"}}"#, own[spread(number) % own.len()].id)
    };
    let body = format!("[{}]", (0..LISTED).map(one).collect::<Vec<_>>().join(","));
    signed(&place.market.advertisers[advertiser], LISTS, at, &body)
}

/// On the slow disk, on which the raw loop reaches `raw`.
pub async fn measure_slow(place: &TestBed, table: &mut Table, raw: &str) {
    let figure = median(place.scale.runs, async || run(place, &place.clicked, 64, 80_000).await).await;
    table.add("movements_sqlite_slow_disk_c64", rate(&figure).against(raw, table.value(raw)));
}

async fn run(place: &TestBed, clicked: &[Clicked], connections: usize, reports: usize) -> Figure {
    let at = Clock::system().now().seconds().to_string();
    let requests: Requests = (0..reports.min(place.scale.requests)).map(|_| report(place, clicked, &at)).collect();
    let load = Load::once(connections, &requests, place.scale.run);
    let figure = drive(place.server.address, &load, |_, answer| answer.has(ACCEPTED)).await;
    place.answered.borrow_mut().conversions += figure.right;
    figure
}

/// A conversion of a pseudo-random plan.
fn report(place: &TestBed, clicked: &[Clicked], at: &str) -> Vec<u8> {
    let number = place.fresh();
    let click = &clicked[spread(number) % clicked.len()];
    let advertiser = &place.market.advertisers[click.advertiser];
    let body = format!(r#"{{"event_id":"e{number}","click_id":"{}"}}"#, click.id);
    signed(advertiser, PATH, at, &body)
}

fn signed(advertiser: &Advertiser, path: &str, at: &str, body: &str) -> Vec<u8> {
    let signature =
        sign(&advertiser.key, &SignedRequest { timestamp: at, method: "POST", path, body: body.as_bytes() });
    let id = advertiser.id.to_string();
    post(path, &[("X-Advertiser", &id), ("X-Timestamp", at), ("X-Signature", &signature)], body)
}

/// SplitMix64: neighbours end up far apart.
fn spread(number: usize) -> usize {
    let mut mixed = (number as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed ^ (mixed >> 31)) as usize
}
