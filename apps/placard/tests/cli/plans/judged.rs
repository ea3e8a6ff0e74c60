//! What the made-up exchange is offered, judged by another reading of the standard than ours: RTBlint.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::{Arc, Mutex};

use actix_web::body::{self, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_ENCODING, HeaderMap};
use actix_web::middleware::Next;
use actix_web::web::{self, Bytes, BytesMut};
use actix_web::{Error, HttpMessage};
use base::Money;
use campaigns::catalogue::products::products;
use campaigns::plans::put::{Put, PutTarget, put};
use flate2::read::GzDecoder;
use foundation::people::pay_password::Proof;
use foundation::people::staff_accounts::find_account;
use futures_util::TryStreamExt;
use plans::ContentType;
use rtblint_core::{OpenRtbVersion, validate_bid_response_against_request};
use serde_json::Value;
use store::PageRequest;

use crate::plans::auctions::{Server, plans, run, ssp};
use crate::support::{Key, Placard, text};

/// The versions of 2.6, of which a request does not say which one it means.
const VERSIONS: [OpenRtbVersion; 4] = [
    OpenRtbVersion::V2_6_202210,
    OpenRtbVersion::V2_6_202409,
    OpenRtbVersion::V2_6_202505,
    OpenRtbVersion::V2_6_202606,
];
const BIDS: &str = "/openrtb2/bid/";
/// Requests that are judged at least, and runs in which they must have come.
const LEAST: usize = 300;
const MOST_RUNS: u32 = 12;

/// A request for a bid and its answer, as they came.
#[derive(Clone)]
struct Call {
    version: String,
    request: String,
    /// `None` where nothing was bid.
    response: Option<String>,
}

/// What was said in all calls for bids.
#[derive(Clone, Default)]
pub struct Calls(Arc<Mutex<Vec<Call>>>);

impl Calls {
    fn all(&self) -> Vec<Call> {
        self.0.lock().expect("calls").clone()
    }
}

/// Keeps what is said between exchanges and the server.
pub async fn overhear(
    calls: web::Data<Calls>,
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    if !request.path().starts_with(BIDS) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let pieces = request.take_payload().try_fold(BytesMut::new(), |mut all, piece| async move {
        all.extend_from_slice(&piece);
        Ok(all)
    });
    let sent = pieces.await?.freeze();
    let version = request.headers().get("x-openrtb-version").expect("a version").to_str().expect("a text").to_owned();
    let asked = plain(request.headers(), &sent);
    request.set_payload(Payload::from(sent));
    let (request, response) = next.call(request).await?.into_parts();
    let (response, answered) = response.into_parts();
    let answered = body::to_bytes(answered).await.map_err(|_| std::io::Error::other("an answer breaks off"))?;
    let bid = (response.status() == StatusCode::OK).then(|| plain(response.headers(), &answered));
    calls.0.lock().expect("calls").push(Call { version, request: asked, response: bid });
    Ok(ServiceResponse::new(request, response.set_body(answered)).map_into_boxed_body())
}

/// A body as a text, whether it was compressed or not.
fn plain(headers: &HeaderMap, sent: &Bytes) -> String {
    let mut text = String::new();
    if headers.contains_key(CONTENT_ENCODING) {
        GzDecoder::new(sent.as_ref()).read_to_string(&mut text).expect("a compressed text");
    } else {
        sent.as_ref().read_to_string(&mut text).expect("a text");
    }
    text
}

/// The bids of a call by their `mtype`, each of which passes.
fn judge(call: &Call) -> Vec<i64> {
    let Some(response) = &call.response else { return Vec::new() };
    let versions = match call.version.as_str() {
        "2.5" => &[OpenRtbVersion::V2_5][..],
        "2.6" => &VERSIONS,
        other => panic!("nobody judges {other}"),
    };
    for version in versions {
        let issues = validate_bid_response_against_request(*version, &call.request, response).issues;
        assert!(issues.is_empty(), "{}: {issues:#?}\n{}\n{response}", version.id(), call.request);
    }
    let response: Value = serde_json::from_str(response).expect("JSON");
    let seats = response["seatbid"].as_array().expect("seats").iter();
    let bids = seats.flat_map(|seat| seat["bid"].as_array().expect("bids"));
    bids.map(|bid| bid["mtype"].as_i64().expect("a form")).collect()
}

const FILM: &str = r#"
name = "Aurora Film"
summary = "A day at the roastery"
image = "/products/aurora-coffee.svg"
min_put = "10.00"
max_put = "500.00"
payout = "30.00"
attribution_days = 0
fee_rate = "0.10"
[put_rule]
pricing = "cpm"
price = "90.00"
days = 7
[content.video]
title = "How we roast"
text = "A day at the roastery"
image = "/products/aurora-coffee.svg"
video = "/products/roastery.mp4"
[openrtb]
domain = "aurora.example"
categories = ["IAB8"]
[openrtb.video]
type = "video/mp4"
seconds = 20
width = 1280
height = 720
"#;

/// A plan on a product with a video, which the demonstration has none of.
async fn film(placard: &Placard, [first, second]: [&Key; 2]) {
    let advertisers = placard.run_as(first, &["advertiser", "list"]).done();
    let product = format!("advertiser = {}\n{FILM}", text(&advertisers[0]["id"]));
    let added = placard.change(first, &["product", "add", &placard.file("film.toml", &product)]).done();
    placard.change(second, &["request", "approve", &text(&added["id"])]).done();
    let app = placard.app();
    let offered = products(&app, PageRequest::default()).await.expect("products").items;
    let film = offered.iter().find(|product| product.name == "Aurora Film").expect("the film").id;
    let user = find_account(&app, "demo").await.expect("demo");
    let command = Put::new(PutTarget::Product(film), Money::from_minor(50_000), ContentType::Video);
    put(&app, Proof::assumed(user), command).await.expect("put");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_bid_that_the_exchange_is_offered_passes() {
    let placard = Placard::on_sqlite();
    let (anna, ben) = placard.demonstration();
    let (_, key) = ssp(&placard, [&anna, &ben]).await;
    plans(&placard.app()).await;
    film(&placard, [&anna, &ben]).await;
    let calls = Calls::default();
    let server = Server::overheard(placard.app(), calls.clone());
    let mut by_form = BTreeMap::new();
    for seed in 1..=MOST_RUNS {
        run(&placard, &server, &key, &seed.to_string());
        let heard = calls.all();
        by_form.clear();
        heard.iter().flat_map(judge).for_each(|form| *by_form.entry(form).or_insert(0) += 1);
        if heard.len() >= LEAST && by_form.len() == 3 {
            break;
        }
    }
    drop(server);
    let forms: Vec<_> = by_form.keys().copied().collect();
    assert_eq!(forms, [1, 2, 4], "banners, videos and native ads: {by_form:?}");
    assert!(calls.all().len() >= LEAST, "{} requests, {by_form:?}", calls.all().len());
}
