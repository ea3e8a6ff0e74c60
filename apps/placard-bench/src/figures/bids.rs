//! Bid requests of an ad exchange, answered with a bid whose price is promised.

use crate::load::{Load, Requests, drive, median};
use crate::table::{Table, rate};
use crate::test_bed::TestBed;
use crate::wire::post;

const MARK: f64 = 10_000.0;
const CONNECTIONS: usize = 64;

/// A banner on a site, with what exchanges usually say of reader and page.
const REQUEST: &str = r#"{"id":"80ce30c53c16e6ede735f123ef6e32361bfc7b22","at":1,"cur":["USD"],"tmax":500,
"imp":[{"id":"1","bidfloor":0.03,"secure":0,"banner":{"h":250,"w":300,"pos":0,"format":[{"w":300,"h":250},{"w":320,"h":100}]}}],
"site":{"id":"102855","cat":["IAB3-1"],"domain":"www.daily.example","page":"https://www.daily.example/1234.html",
"publisher":{"id":"8953","name":"daily.example","cat":["IAB3-1"],"domain":"daily.example"}},
"device":{"ua":"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
"ip":"203.0.113.9","geo":{"country":"USA","region":"CA"},"language":"en"},"user":{"id":"55816b39711f9b5acf3b90e313ed29e51665623f"},
"bcat":[],"badv":["rival.example"],"regs":{"coppa":0,"gdpr":0}}"#;

pub async fn measure(place: &TestBed, table: &mut Table) {
    let path = format!("/openrtb2/bid/{}", place.market.ssp);
    let request = post(&path, &[("Content-Type", "application/json")], REQUEST);
    let requests: Requests = [request].into_iter().collect();
    let load = Load::again(CONNECTIONS, &requests, place.scale.run);
    let run = async || drive(place.server.address, &load, |_, answer| answer.status == 200).await;
    let figure = median(place.scale.runs, run).await;
    table.add(place.plain("bids", CONNECTIONS), rate(&figure).against("10,000", Some(MARK)));
}
