//! What Prebid.js calls from publishers' pages.

use std::io::Write;

use actix_web::body::to_bytes;
use actix_web::http::{Method, StatusCode, header};
use actix_web::test;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_api::Shell;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::market::open_market;
use crate::support::{PASSWORD, answered, data, funded};

const ORIGIN: &str = "https://daily.example";
const SLOT: &str = "news-top";

struct Answer {
    status: StatusCode,
    headers: header::HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }
}

async fn call(shell: &Shell, method: Method, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Answer {
    let mut request = test::TestRequest::with_uri(path).method(method).insert_header(("Host", "ads.example"));
    for header in headers {
        request = request.insert_header(*header);
    }
    let response = answered(shell, request.set_payload(body)).await;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = to_bytes(response.into_body()).await.map(|bytes| bytes.to_vec()).unwrap_or_default();
    Answer { status, headers, body }
}

/// As Prebid.js does, from a page of another origin.
async fn post(shell: &Shell, path: &str, body: &str) -> Answer {
    let headers = [("Origin", ORIGIN), ("Content-Type", "text/plain")];
    call(shell, Method::POST, path, &headers, body.as_bytes().to_vec()).await
}

async fn market(test: &TestDb) -> Shell {
    let client = funded(test, "1000.00").await;
    open_market(test, &client.shell).await;
    let body = json!({ "product_id": "1", "amount": "100.00", "content": "landing_page", "password": PASSWORD });
    data(client.post("/api/plan/order/put", body).await);
    client.shell
}

fn page(slot: &str) -> Value {
    json!({
        "id": "a1", "tmax": 1000, "site": { "page": "http://daily.example/", "domain": "daily.example" },
        "imp": [{ "id": "top", "secure": 1, "banner": { "format": [{ "w": 300, "h": 250 }] },
            "ext": { "prebid": { "bidder": { "placard": { "slot": slot } } } } }],
    })
}

/// What Prebid Server's answers are, as far as we use it, besides the standard's own fields.
fn schema() -> Value {
    let text = json!({ "type": "string", "minLength": 1 });
    let whole = json!({ "type": "integer", "minimum": 0 });
    let kind = json!({ "enum": ["banner", "video", "native"] });
    let bid_ext = json!({ "type": "object", "additionalProperties": false, "required": ["prebid"], "properties": {
        "prebid": { "type": "object", "required": ["type"], "properties": { "type": kind } } } });
    let error =
        json!({ "type": "object", "required": ["code", "message"], "properties": { "code": whole, "message": text } });
    let nonbid = json!({ "type": "object", "required": ["impid", "statuscode"],
        "properties": { "impid": text, "statuscode": whole } });
    json!({
        "type": "object", "required": ["id", "cur", "ext"], "properties": {
            "id": text, "cur": text,
            "seatbid": { "type": "array", "minItems": 1, "items": {
                "type": "object", "required": ["seat", "bid"], "properties": {
                    "seat": { "const": "placard" },
                    "bid": { "type": "array", "minItems": 1, "items": {
                        "type": "object", "required": ["id", "impid", "price", "adm", "crid", "mtype", "exp", "ext"],
                        "properties": { "ext": bid_ext, "price": { "type": "number", "exclusiveMinimum": 0 } },
                    } },
                },
            } },
            "ext": { "type": "object", "required": ["responsetimemillis"], "properties": {
                "responsetimemillis": { "type": "object", "additionalProperties": whole },
                "errors": { "type": "object", "additionalProperties": { "type": "array", "items": error } },
                "seatnonbid": { "type": "array", "items": {
                    "type": "object", "required": ["seat", "nonbid"],
                    "properties": { "seat": text, "nonbid": { "type": "array", "minItems": 1, "items": nonbid } },
                } },
            } },
        },
    })
}

fn is_valid(answer: &Value) -> bool {
    jsonschema::is_valid(&schema(), answer)
}

on_both!(a_page_of_another_origin_gets_a_bid, |test| {
    let shell = market(&test).await;
    let answer = post(&shell, "/openrtb2/auction", &page(SLOT).to_string()).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("access-control-allow-origin"), ORIGIN);
    assert_eq!(answer.header("access-control-allow-credentials"), "true");
    assert!(answer.header("vary").to_ascii_lowercase().contains("origin"));
    assert_eq!((answer.header("set-cookie"), answer.header("cache-control")), ("", "no-store"));
    let response = answer.json();
    assert!(is_valid(&response), "{response}");
    let bid = &response["seatbid"][0]["bid"][0];
    assert_eq!((&bid["price"], &bid["impid"], &bid["exp"]), (&json!(3500.0), &json!("top"), &json!(10)));
    let adm = bid["adm"].as_str().expect("markup");
    assert!(adm.starts_with("<iframe sandbox=\"allow-scripts allow-popups "), "it may not reach the page: {adm}");
    assert!(!adm.contains("allow-same-origin") && !adm.contains("<script"), "{adm}");
    let inner = adm.split("srcdoc=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a document");
    let inner = inner.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    assert!(inner.contains("src=\"http://ads.example/frame.js\"") && inner.contains("/t/i/"), "{inner}");
    assert!(inner.contains("&lt;b&gt;Coffee"), "a title is text: {inner}");
    let mut without = response.clone();
    without["seatbid"][0]["bid"][0].as_object_mut().expect("a bid").remove("ext");
    assert!(!is_valid(&without), "the schema finds what is missing");
});

on_both!(a_page_may_compress_its_request_and_says_so_in_the_query, |test| {
    let shell = market(&test).await;
    let zipped = |bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).expect("written");
        encoder.finish().expect("zipped")
    };
    let body = zipped(page(SLOT).to_string().as_bytes());
    let headers = [("Origin", ORIGIN), ("Content-Type", "text/plain")];
    let post = async |path: &str, body: Vec<u8>| call(&shell, Method::POST, path, &headers, body).await;
    let answer = post("/openrtb2/auction?gzip=1", body.clone()).await;
    assert_eq!((answer.status, is_valid(&answer.json())), (StatusCode::OK, true));
    assert!(answer.json().get("seatbid").is_some());
    assert_eq!(post("/openrtb2/auction", body.clone()).await.status, StatusCode::OK, "it is seen to be");
    let bomb = zipped(&vec![b' '; 10_000_000]);
    for (path, body, status) in [
        ("/openrtb2/auction", bomb.clone(), StatusCode::PAYLOAD_TOO_LARGE),
        ("/openrtb2/auction", vec![b' '; 256 * 1024 + 1], StatusCode::PAYLOAD_TOO_LARGE),
        ("/openrtb2/auction?gzip=1", b"no gzip".to_vec(), StatusCode::BAD_REQUEST),
        ("/openrtb2/auction?gzip=1", bomb, StatusCode::PAYLOAD_TOO_LARGE),
    ] {
        let refused = post(path, body).await;
        assert_eq!(refused.status, status, "{path}");
        assert_eq!(refused.header("access-control-allow-origin"), ORIGIN);
    }
    assert!(post("/cookie_sync?gzip=1", body).await.status.is_success(), "its body is not read");
});

on_both!(a_page_that_gets_no_bid_is_told_why, |test| {
    let shell = market(&test).await;
    let mut dear = page(SLOT);
    dear["imp"][0]["bidfloor"] = json!(4000);
    let answer = post(&shell, "/openrtb2/auction", &dear.to_string()).await.json();
    assert!(is_valid(&answer) && answer.get("seatbid").is_none(), "{answer}");
    assert_eq!(answer["ext"]["seatnonbid"][0]["nonbid"], json!([{ "impid": "top", "statuscode": 519 }]));
    let unknown = post(&shell, "/openrtb2/auction", &page("nowhere").to_string()).await.json();
    assert!(is_valid(&unknown), "{unknown}");
    let message = "imp[0].ext.prebid.bidder.placard.slot: no slot has this key";
    assert_eq!(unknown["ext"]["errors"]["placard"], json!([{ "code": 1, "message": message }]));
});

on_both!(a_page_is_told_what_of_its_impressions_cannot_be_read, |test| {
    let shell = market(&test).await;
    let mut odd = page(SLOT);
    odd["imp"][0]["bidfloor"] = json!("?");
    let mut side = odd["imp"][0].clone();
    (side["id"], side["bidfloor"], side["video"]) = (json!("side"), json!(0), json!(5));
    odd["imp"].as_array_mut().expect("a list").push(side);
    let answer = post(&shell, "/openrtb2/auction", &odd.to_string()).await.json();
    assert_eq!(answer["ext"]["seatnonbid"][0]["nonbid"], json!([{ "impid": "top", "statuscode": 2 }]), "{answer}");
    assert_eq!(answer["seatbid"][0]["bid"][0]["impid"], json!("side"));
    let said: Vec<_> = answer["ext"]["errors"]["placard"].as_array().expect("errors").iter().collect();
    let about = |error: &Value, path: &str| error["message"].as_str().is_some_and(|text| text.starts_with(path));
    assert!(said.len() == 2 && about(said[0], "imp[0].bidfloor: ") && about(said[1], "imp[1].video: "), "{said:?}");
});

on_both!(nonsense_from_a_page_names_its_field_and_the_page_may_read_it, |test| {
    let shell = market(&test).await;
    let mut nobody = page(SLOT);
    nobody["id"] = json!(true);
    let bodies = [nobody.to_string(), "{".into(), "[]".into(), String::new(), " ".repeat(70_000)];
    for (body, path) in bodies.iter().zip(["id", ".", ".", ".", "."]) {
        let answer = post(&shell, "/openrtb2/auction", body).await;
        let told = answer.json();
        assert_eq!((answer.status, &told["path"]), (StatusCode::BAD_REQUEST, &json!(path)));
        assert!(told["error"].as_str().is_some_and(|error| !error.is_empty()), "{told}");
        assert_eq!(answer.header("access-control-allow-origin"), ORIGIN);
    }
});

on_both!(only_these_paths_answer_other_origins, |test| {
    let shell = market(&test).await;
    let asks = |method: &'static str| {
        [
            ("Origin", ORIGIN),
            ("Access-Control-Request-Method", method),
            ("Access-Control-Request-Headers", "content-type"),
        ]
    };
    for (path, method) in [("/openrtb2/auction", "POST"), ("/cookie_sync", "POST"), ("/ads/vast/news-top", "GET")] {
        let answer = call(&shell, Method::OPTIONS, path, &asks(method), Vec::new()).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (StatusCode::OK, ORIGIN), "{path}");
        assert_eq!(answer.header("access-control-allow-methods"), method, "{path}");
    }
    for path in ["/api/user/login", "/api/wallet/withdraw", "/openrtb2/bid/key", "/t/postback", "/ads/slot/s"] {
        let asked = call(&shell, Method::OPTIONS, path, &asks("POST"), Vec::new()).await;
        let posted = post(&shell, path, "{}").await;
        for answer in [asked, posted] {
            assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
        }
    }
});

on_both!(nobody_is_recognized_by_a_cookie, |test| {
    let shell = market(&test).await;
    let answer = post(&shell, "/cookie_sync", r#"{"uuid":"18a6","bidders":["placard"]}"#).await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (StatusCode::OK, ORIGIN));
    assert_eq!(answer.json(), json!({ "status": "no_cookie", "bidder_status": [] }));
    assert_eq!(answer.header("set-cookie"), "");
    for method in [Method::GET, Method::HEAD] {
        let up = call(&shell, method, "/status", &[], Vec::new()).await;
        assert_eq!((up.status, up.body.len()), (StatusCode::NO_CONTENT, 0));
    }
});
