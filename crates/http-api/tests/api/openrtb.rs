//! The calls of ad exchanges.

use std::io::Write;

use actix_web::body::to_bytes;
use actix_web::http::{Method, StatusCode};
use actix_web::test;
use auth::Role;
use campaigns::catalogue::counterparty_keys::LOCAL;
use campaigns::delivery::ssp::staff::{SspFile, add};
use desk::installation::simulated::take_key;
use flate2::Compression;
use flate2::write::GzEncoder;
use foundation::staff::Staff;
use http_api::Shell;
use rtblint_core::{OpenRtbVersion, validate_bid_response_for_version};
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::market::open_market;
use crate::support::{Client, PASSWORD, Served, answered, data, funded};

const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";

struct Answer {
    status: StatusCode,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

async fn call(shell: &Shell, method: Method, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
    let mut request = test::TestRequest::with_uri(path).method(method).insert_header(("Host", "ads.example"));
    for header in headers {
        request = request.insert_header(*header);
    }
    let response = answered(shell, request.set_payload(body)).await;
    let status = response.status();
    let body = to_bytes(response.into_body()).await.map(|bytes| bytes.to_vec()).unwrap_or_default();
    Answer { status, body }
}

async fn get(shell: &Shell, path: &str) -> Answer {
    call(shell, Method::GET, path, &[], Vec::new()).await
}

async fn post(shell: &Shell, path: &str, body: &Value) -> Answer {
    call(shell, Method::POST, path, &[], body.to_string().into_bytes()).await
}

/// A running plan and an exchange: the client and the path that the exchange calls.
async fn trading(test: &TestDb) -> (Client, String) {
    trading_with(test, "1000.00", &["100.00"]).await
}

/// The same with other budgets, which the client has the money for.
async fn trading_with(test: &TestDb, funds: &str, budgets: &[&str]) -> (Client, String) {
    let client = funded(test, funds).await;
    open_market(test, &client.shell).await;
    for amount in budgets {
        let body = json!({ "product_id": "1", "amount": amount, "content": "landing_page", "password": PASSWORD });
        data(client.post("/api/plan/order/put", body).await);
    }
    // Until exchanges may spend half of the budget: their spending follows the plan's days.
    for _ in budgets {
        assert_eq!(get(&client.shell, "/ads/slot/news-top").await.status, StatusCode::OK);
    }
    test.clock.advance_seconds(3 * 86_400);
    let staff = |name, role| async move { Staff::new(test.operator(name, role).await, "a test").expect("a reason") };
    let (first, second) = (staff("trade", Role::Admin).await, staff("trade-2", Role::Admin).await);
    let file = SspFile {
        name: "North Exchange".into(),
        domain: "north.example".into(),
        contact: "demand@north.example".into(),
        seat: None,
        unconfirmed_share: None,
        unconfirmed_views: None,
        notifies: true,
    };
    let asked = add(&client.shell.app, &first, file, LOCAL).await.expect("added").request;
    let key = take_key(&client.shell.app, &second, asked.id, asked.claim_url.as_deref()).await.expect("approved");
    (client, format!("/openrtb2/bid/{key}"))
}

fn banner() -> Value {
    json!({ "id": "r1", "site": { "domain": "news.example" },
        "imp": [{ "id": "1", "banner": { "format": [{ "w": 300, "h": 250 }] } }] })
}

/// The path of an address in a bid, with its macros replaced.
fn path(bid: &Value, name: &str) -> String {
    let url =
        bid[name].as_str().expect("an address").replace("${AUCTION_PRICE}", "2000").replace("${AUCTION_LOSS}", "102");
    url.strip_prefix("http://ads.example").expect("an address of ours").to_owned()
}

/// What the standard says of a bid response, as far as we use it (OpenRTB 2.6, section 4.2).
fn schema() -> Value {
    let text = json!({ "type": "string", "minLength": 1 });
    let texts = json!({ "type": "array", "items": text });
    let url = json!({ "type": "string", "pattern": "^https?://" });
    let whole = json!({ "type": "integer", "minimum": 1 });
    let bid = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["id", "impid", "price", "adm", "adomain", "iurl", "cid", "crid", "mtype", "exp",
            "nurl", "burl", "lurl"],
        "properties": {
            "id": text, "impid": text, "price": { "type": "number", "exclusiveMinimum": 0 },
            "nurl": url, "burl": url, "lurl": url, "adm": text, "adomain": texts, "bundle": text, "iurl": url,
            "cid": text, "crid": text,
            "cat": texts, "cattax": whole, "attr": { "type": "array", "items": { "type": "integer" } },
            "protocol": whole, "language": { "type": "string", "pattern": "^[a-z]{2}$" }, "dealid": text,
            "w": whole, "h": whole, "exp": whole, "dur": whole, "mtype": { "enum": [1, 2, 3, 4] },
        },
    });
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["id", "seatbid"],
        "properties": {
            "id": text, "bidid": text, "cur": { "type": "string", "pattern": "^[A-Z]{3}$" }, "nbr": { "type": "integer" },
            "seatbid": { "type": "array", "minItems": 1, "items": {
                "type": "object", "additionalProperties": false, "required": ["bid"],
                "properties": { "seat": text, "bid": { "type": "array", "minItems": 1, "items": bid } },
            } },
        },
    })
}

fn is_valid(response: &Value) -> bool {
    jsonschema::is_valid(&schema(), response) && passes(response)
}

/// Another reading of the standard than ours.
pub fn passes(response: &Value) -> bool {
    let judged = validate_bid_response_for_version(OpenRtbVersion::V2_6_202505, &response.to_string());
    assert!(judged.issues.is_empty(), "{:#?} {response}", judged.issues);
    judged.valid
}

on_both!(a_bid_is_valid_and_its_notices_are_taken, |test| {
    let (client, bids) = trading(&test).await;
    let shell = &client.shell;
    let answer = post(shell, &bids, &banner()).await;
    assert_eq!(answer.status, StatusCode::OK);
    let response = answer.json();
    assert!(is_valid(&response), "{response}");
    let bid = response["seatbid"][0]["bid"][0].clone();
    assert_eq!((&response["id"], &response["cur"], &bid["price"]), (&json!("r1"), &json!("USD"), &json!(3500.0)));
    let adm = bid["adm"].as_str().expect("markup");
    assert!(adm.contains("&lt;b&gt;Coffee") && adm.contains("src=\"http://ads.example/frame.js\""), "{adm}");
    for notice in ["nurl", "burl", "burl", "lurl"] {
        assert_eq!(get(shell, &path(&bid, notice)).await.status, StatusCode::NO_CONTENT, "{notice}");
        let unknown = format!("/openrtb2/{notice}/nonsense");
        let stranger = get(shell, &unknown).await;
        assert_eq!((stranger.status, &stranger.json()["data"]["error"]), (StatusCode::NOT_FOUND, &json!("not_found")));
    }
    // Beacons of pages send them by POST, with whatever body.
    for (address, status) in [
        (path(&bid, "nurl"), StatusCode::NO_CONTENT),
        (path(&bid, "burl"), StatusCode::NO_CONTENT),
        (path(&bid, "burl").replace("=2000", "=much"), StatusCode::BAD_REQUEST),
        (path(&bid, "lurl").replace('?', "/?"), StatusCode::NO_CONTENT),
        ("/openrtb2/burl/nonsense?price=1".to_owned(), StatusCode::NOT_FOUND),
    ] {
        assert_eq!(post(shell, &address, &json!({})).await.status, status, "{address}");
    }
    let token = path(&bid, "nurl").replace("/openrtb2/nurl/", "");
    for (followed, status) in [
        (format!("nurl/{token}&win=1"), StatusCode::NO_CONTENT),
        (format!("nurl/{token}/?win=1"), StatusCode::NO_CONTENT),
        (format!("lurl/{token}&loss=102"), StatusCode::NO_CONTENT),
        (format!("lurl/{token}/"), StatusCode::NO_CONTENT),
        (format!("burl/{token}/?price=38.5"), StatusCode::NO_CONTENT),
        (format!("burl/{token}/?price=much"), StatusCode::BAD_REQUEST),
        (format!("burl/{token}&price=38.5"), StatusCode::NOT_FOUND),
        (format!("other/{token}/"), StatusCode::NOT_FOUND),
    ] {
        let answer = get(shell, &format!("/openrtb2/{followed}")).await;
        assert_eq!(answer.status, status, "what others put behind it is ignored, but for a price: {followed}");
    }
    let wrong = path(&bid, "burl").replace("=2000", "=much");
    let wrong = get(shell, &wrong).await;
    assert_eq!((wrong.status, &wrong.json()["data"]["fields"]["price"]), (StatusCode::BAD_REQUEST, &json!("invalid")));
    for (price, status) in [
        ("%24%7BAUCTION_PRICE%7D", StatusCode::NO_CONTENT),
        ("38%2C5", StatusCode::BAD_REQUEST),
        ("38.5&price=2", StatusCode::BAD_REQUEST),
    ] {
        let address = path(&bid, "burl").replace("=2000", &format!("={price}"));
        assert_eq!(get(shell, &address).await.status, status, "{price}");
    }
    let mut without = response.clone();
    without["seatbid"][0]["bid"][0].as_object_mut().expect("a bid").remove("crid");
    assert!(!is_valid(&without), "the schema finds what is missing");
});

on_both!(who_asks_by_an_older_version_is_answered_by_it, |test| {
    let (client, bids) = trading(&test).await;
    let body = banner().to_string().into_bytes();
    let older = call(&client.shell, Method::POST, &bids, &[("x-openrtb-version", "2.5")], body).await.json();
    let judged = validate_bid_response_for_version(OpenRtbVersion::V2_5, &older.to_string());
    assert!(judged.issues.is_empty() && older["seatbid"][0]["bid"][0].get("mtype").is_none(), "{judged:#?} {older}");
    assert_eq!(post(&client.shell, &bids, &banner()).await.json()["seatbid"][0]["bid"][0]["mtype"], json!(1));
});

on_both!(nothing_to_offer_is_an_empty_answer_and_nonsense_names_its_field, |test| {
    let (client, bids) = trading(&test).await;
    let shell = &client.shell;
    let mut dear = banner();
    dear["imp"][0]["bidfloor"] = json!(4000);
    let none = post(shell, &bids, &dear).await;
    assert_eq!((none.status, none.body.len()), (StatusCode::NO_CONTENT, 0));
    let wide = json!({ "id": "1", "imp": [{ "id": "1", "banner": { "w": "wide", "h": 250 } }] });
    let unread = post(shell, &bids, &wide).await;
    assert_eq!(unread.status, StatusCode::NO_CONTENT, "it costs the impression alone");
    let loose = json!({ "id": 1, "tmax": 933.25, "user": [], "ext": "own", "imp": [wide["imp"][0],
        { "id": 2, "secure": false, "bidfloor": "0.5", "banner": { "w": 300.0, "h": "250" }, "native": 5, "ext": { "bidder": "north" } }] });
    let answer = post(shell, &bids, &loose).await;
    assert_eq!((answer.status, &answer.json()["seatbid"][0]["bid"][0]["impid"]), (StatusCode::OK, &json!("2")));
    for (body, path) in [
        (json!({ "id": "1", "imp": [] }), "imp"),
        (json!({ "imp": [{ "id": "1" }] }), "id"),
        (json!({ "id": "1" }), "imp"),
        (json!([]), "."),
    ] {
        let answer = post(shell, &bids, &body).await;
        assert_eq!((answer.status, &answer.json()["path"]), (StatusCode::BAD_REQUEST, &json!(path)), "{body}");
        let told = answer.json();
        assert!(told["error"].as_str().is_some_and(|error| !error.is_empty()), "{told}");
        assert_eq!(told["problem"], told["error"]);
    }
    for body in [&b""[..], b"{", b"\xff\xfe", b"null", b"\"text\""] {
        let answer = call(shell, Method::POST, &bids, &[], body.to_vec()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body:?}");
    }
    let stranger = post(shell, &format!("/openrtb2/bid/{}", "0".repeat(64)), &banner()).await;
    assert_eq!((stranger.status, &stranger.json()["data"]["error"]), (StatusCode::NOT_FOUND, &json!("not_found")));
    let wrong_method = get(shell, &bids).await;
    assert_eq!(wrong_method.status, StatusCode::METHOD_NOT_ALLOWED);
});

/// Whether the slot's own tag shows this reader something, which they look at.
async fn is_shown(shell: &Shell, reader: u8) -> bool {
    let get = async |path: &str| {
        let request = test::TestRequest::with_uri(path).insert_header(("Host", "ads.example"));
        let request = request.insert_header(("User-Agent", BROWSER));
        let response = answered(shell, request.peer_addr(([10, 0, reader, 7], 443).into())).await;
        let status = response.status();
        (status, to_bytes(response.into_body()).await.map(|bytes| bytes.to_vec()).unwrap_or_default())
    };
    let (status, body) = get("/ads/slot/news-top?format=json").await;
    if status == StatusCode::NO_CONTENT {
        return false;
    }
    let creative: Value = serde_json::from_slice(&body).expect("a creative");
    assert_eq!(get(&path(&creative, "impression_url")).await.0, StatusCode::OK);
    true
}

on_both!(a_publishers_own_tag_is_answered_beside_a_stream_of_bid_requests, |test| {
    let (client, bids) = trading_with(&test, "4000.00", &["500.00"; 6]).await;
    let shell = &client.shell;
    let (mut shown, mut offered) = (0, 0);
    for reader in 0..100 {
        for number in 0..8 {
            let answer = post(shell, &bids, &banner()).await;
            if answer.status == StatusCode::NO_CONTENT {
                continue;
            }
            offered += 1;
            let bid = answer.json()["seatbid"][0]["bid"][0].clone();
            // Some win, some lose, and of most nothing is heard again.
            let notices: &[&str] = match number {
                0 => &["nurl", "burl"],
                1 => &["lurl"],
                _ => &[],
            };
            for notice in notices {
                assert_eq!(get(shell, &path(&bid, notice)).await.status, StatusCode::NO_CONTENT, "{notice}");
            }
        }
        shown += u32::from(is_shown(shell, reader).await);
        test.clock.advance_seconds(1);
        campaigns::work::round(&shell.app).await.expect("works");
    }
    assert!(shown >= 95, "the tag is answered {shown} of 100 times");
    assert!(offered >= 100, "the exchange is offered {offered} of 800");
});

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("zipped")
}

on_both!(an_ad_is_in_the_readers_language_however_that_is_named, |test| {
    let (client, bids) = trading(&test).await;
    for (device, says) in [
        (json!({ "language": "de" }), "Anzeige · "),
        (json!({ "language": "DE" }), "Anzeige · "),
        (json!({ "langb": "de-AT", "language": "en" }), "Anzeige · "),
        (json!({ "langb": "", "language": "de_CH" }), "Anzeige · "),
        (json!({ "langb": "sw", "language": "de" }), "Anzeige · "),
        (json!({ "langb": "sw" }), "Ad · "),
    ] {
        let mut request = banner();
        request["device"] = device.clone();
        let bid = post(&client.shell, &bids, &request).await.json()["seatbid"][0]["bid"][0].clone();
        assert!(bid["adm"].as_str().is_some_and(|adm| adm.contains(says)), "{device}: {bid}");
        // What was offered before has lapsed.
        test.clock.advance_seconds(10);
    }
});

on_both!(a_compressed_request_is_read_and_a_bomb_is_not, |test| {
    let (client, bids) = trading(&test).await;
    let shell = &client.shell;
    let gzip = [("Content-Encoding", "gzip")];
    let body = zipped(banner().to_string().as_bytes());
    assert_eq!(call(shell, Method::POST, &bids, &gzip, body.clone()).await.status, StatusCode::OK);
    let bomb = zipped(&vec![b' '; 10_000_000]);
    assert!(bomb.len() < 16_384);
    let refused = call(shell, Method::POST, &bids, &gzip, bomb.clone()).await;
    assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!(413)));
    // What is beyond the limits by a byte, packed or not.
    let mut spaces = banner().to_string().into_bytes();
    spaces.resize(256 * 1024, b' ');
    assert_eq!(call(shell, Method::POST, &bids, &gzip, zipped(&spaces)).await.status, StatusCode::OK);
    // What was offered before has lapsed.
    test.clock.advance_seconds(10);
    assert_eq!(call(shell, Method::POST, &bids, &[], spaces.clone()).await.status, StatusCode::OK);
    spaces.push(b' ');
    for (compressed, body) in [(true, zipped(&spaces)), (false, spaces), (true, vec![0; 64 * 1024 + 1])] {
        let headers = if compressed { &gzip[..] } else { &[] };
        assert_eq!(call(shell, Method::POST, &bids, headers, body).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    }
    test.clock.advance_seconds(10);
    let older = [("Content-Encoding", "x-gzip")];
    assert_eq!(call(shell, Method::POST, &bids, &older, body.clone()).await.status, StatusCode::OK, "its older name");
    // Nobody's body is looked at.
    let nobody = format!("/openrtb2/bid/{}", "0".repeat(64));
    for body in [bomb, b"no gzip".to_vec(), vec![0; 300 * 1024]] {
        assert_eq!(call(shell, Method::POST, &nobody, &gzip, body).await.status, StatusCode::NOT_FOUND);
    }
    let nonsense = call(shell, Method::POST, &bids, &gzip, b"no gzip".to_vec()).await;
    assert_eq!((nonsense.status, &nonsense.json()["path"]), (StatusCode::BAD_REQUEST, &json!(".")));
    for coding in ["br", "gzip, gzip", "deflate"] {
        let refused = call(shell, Method::POST, &bids, &[("Content-Encoding", coding)], body.clone()).await;
        assert!(refused.status.is_client_error(), "{coding}: {}", refused.status);
    }
    let elsewhere = call(shell, Method::POST, "/t/postback", &gzip, body).await;
    assert!(elsewhere.status.is_client_error());
});

/// Every request that has one thing less, or one thing of another kind, than a good one.
fn wrong_in_one_thing(good: &Value) -> Vec<Value> {
    let others =
        [json!(null), json!(-1), json!(1e308), json!("x"), json!(""), json!([]), json!([[]]), json!({}), json!(true)];
    let mut found = Vec::new();
    for pointer in pointers(good, "") {
        for other in &others {
            let mut wrong = good.clone();
            *wrong.pointer_mut(&pointer).expect("it is there") = other.clone();
            found.push(wrong);
        }
        let (parent, name) = pointer.rsplit_once('/').expect("a parent");
        let mut less = good.clone();
        if let Some(parent) = less.pointer_mut(parent).and_then(Value::as_object_mut) {
            parent.remove(name);
            found.push(less);
        }
    }
    found
}

/// Where each value is, by RFC 6901.
fn pointers(value: &Value, at: &str) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(number, value)| (number.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    let below = inner.into_iter().flat_map(|(name, value)| {
        let at = format!("{at}/{name}");
        let mut all = pointers(value, &at);
        all.push(at);
        all
    });
    below.collect()
}

/// A request with something in all of the fields that are read.
fn full() -> Value {
    let native = json!({ "ver": "1.2", "assets": [{ "id": 1, "required": 1, "title": { "len": 90 } },
        { "id": 2, "img": { "type": 3, "wmin": 10, "hmin": 10, "mimes": ["image/png"] } }, { "id": 3, "data": { "type": 1 } }],
        "eventtrackers": [{ "event": 1, "methods": [1] }] });
    json!({
        "id": "r1", "at": 1, "tmax": 900, "test": 0, "cur": ["USD"], "wseat": [], "bseat": ["s"], "wlang": [],
        "acat": [], "bcat": [], "cattax": 1, "badv": ["bad.example"],
        "site": { "domain": "news.example", "page": "https://news.example/a", "cat": ["IAB12"], "publisher": { "id": "p" } },
        "device": { "ua": "Mozilla/5.0", "ip": "203.0.113.9", "geo": { "country": "DEU", "region": "BE" }, "language": "de",
            "devicetype": 4, "dnt": 0, "lmt": 0, "ifa": "4d5e" },
        "user": { "id": "u", "buyeruid": "b", "consent": "CPXx", "geo": { "country": "DEU" }, "ext": { "consent": "CPXx" } },
        "regs": { "coppa": 0, "gdpr": 0, "us_privacy": "1YNN", "gpp": "DBAA", "gpp_sid": [7], "ext": { "gpc": "0" } },
        "imp": [{ "id": "1", "bidfloor": 0.5, "bidfloorcur": "USD", "secure": 0, "exp": 30, "tagid": "t",
            "banner": { "w": 300, "h": 250, "format": [{ "w": 300, "h": 250 }], "btype": [1], "battr": [9] },
            "video": { "mimes": ["video/mp4"], "protocols": [11], "minduration": 1, "maxduration": 60, "linearity": 1,
                "rqddurs": [15], "durfloors": [{ "mindur": 1, "maxdur": 60, "bidfloor": 1.0 }] },
            "native": { "request": native.to_string(), "ver": "1.2", "battr": [9] },
            "pmp": { "private_auction": 0, "deals": [{ "id": "d", "bidfloor": 1.5, "bidfloorcur": "USD", "at": 3, "wseat": ["s"] }] },
            "ext": { "prebid": { "bidder": { "placard": { "slot": "news-top" } }, "storedrequest": { "id": "news-top" } } },
        }],
    })
}

#[actix_web::test]
async fn whatever_is_wrong_in_a_request_it_is_answered_and_never_with_a_failure() {
    let test = store::testing::sqlite();
    let (client, bids) = trading(&test).await;
    let shell = &client.shell;
    assert_eq!(post(shell, &bids, &full()).await.status, StatusCode::OK, "the good one is bid on");
    let served = Served::default();
    let (mut bid_on, mut refused) = (0, 0);
    for wrong in wrong_in_one_thing(&full()) {
        // What was promised for the one before has lapsed.
        test.clock.advance_seconds(91);
        campaigns::work::round(&shell.app).await.expect("works");
        for path in [bids.as_str(), "/openrtb2/auction"] {
            let request = test::TestRequest::post().uri(path).insert_header(("Host", "ads.example"));
            let response = served.by(shell, request.set_payload(wrong.to_string())).await.expect("an answer");
            let status = response.status();
            assert!(matches!(status.as_u16(), 200 | 204 | 400), "{status} for {wrong}");
            let body = to_bytes(response.into_body()).await.unwrap_or_default();
            if status == StatusCode::OK && path == bids {
                let answer: Value = serde_json::from_slice(&body).expect("JSON");
                assert!(is_valid(&answer), "{answer} for {wrong}");
                bid_on += 1;
            }
            refused += u32::from(status == StatusCode::BAD_REQUEST);
        }
    }
    assert!(bid_on > 100 && refused > 10, "{bid_on} bid on, {refused} refused");
}
