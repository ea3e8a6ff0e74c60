//! Links by which counterparties claim their keys.

use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use actix_web::test;
use auth::signature::{SignedRequest, sign};
use auth::{KeyPair, Role};
use campaigns::catalogue::advertiser_keys::rotate_key;
use campaigns::catalogue::counterparty_keys::{KeyOffer, LOCAL};
use desk::requests::approve_key;
use foundation::staff::Staff;
use http_api::Shell;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::market::open_market;
use crate::support::{answered, data, guest, server, why};

const PATH: &str = "/t/postback";
const BODY: &str = r#"{"event_id":"e","click_id":"c"}"#;

async fn staff(test: &TestDb, name: &'static str) -> Staff {
    Staff::new(test.operator(name, Role::Admin).await, "a test").expect("a reason")
}

/// How a postback with this header is answered.
async fn postback(shell: &Shell, header: &str, made: impl Fn(&SignedRequest<'_>) -> String) -> (StatusCode, Value) {
    let timestamp = shell.app.now().seconds().to_string();
    let signed = SignedRequest { timestamp: &timestamp, method: "POST", path: PATH, body: BODY.as_bytes() };
    let request = test::TestRequest::post().uri(PATH).insert_header(("X-Advertiser", "1"));
    let request = request.insert_header(("X-Timestamp", timestamp.as_str())).insert_header((header, made(&signed)));
    let response = answered(shell, request.set_payload(BODY)).await;
    let status = response.status();
    let body = to_bytes(response.into_body()).await.expect("a body");
    (status, serde_json::from_slice(&body).expect("JSON"))
}

on_both!(a_link_is_looked_at_opened_once_and_its_key_waits, |test| {
    let shell = server(&test);
    open_market(&test, &shell).await;
    let (first, second) = (staff(&test, "claims").await, staff(&test, "claims-2").await);
    let asked = rotate_key(&shell.app, &first, base::AdvertiserId(1), KeyOffer::default()).await.expect("asked");
    let link = asked.claim_url.as_deref().and_then(|url| url.rsplit_once('=')).expect("a link").1;
    let client = guest(&shell);
    let body = json!({ "link": link });
    for _ in 0..2 {
        let seen = data(client.post("/api/claim/look", body.clone()).await);
        assert_eq!((&seen["name"], &seen["kind"]), (&json!("Aurora"), &json!("advertiser_key")));
        assert_eq!((&seen["state"], &seen["claimed_at"]), (&json!("open"), &json!(null)));
    }
    let opened = data(client.post("/api/claim/open", body.clone()).await);
    assert_eq!((&opened["advertiser_id"], &opened["kind"]), (&json!("1"), &json!("advertiser_key")));
    assert_eq!(why(&client.post("/api/claim/open", body.clone()).await), "405 claim_used");
    assert_eq!(data(client.post("/api/claim/look", body).await)["state"], "used");
    for path in ["/api/claim/look", "/api/claim/open"] {
        assert_eq!(why(&client.post(path, json!({ "link": "ab" })).await), "405 not_found");
        assert_eq!(client.post(path, json!({})).await["data"]["fields"], json!({ "link": "required" }));
    }
    let (key, print) = (opened["key"].as_str().expect("a key"), opened["fingerprint"].as_str().expect("a text"));
    let send = || postback(&shell, "X-Signature", |signed| sign(key, signed));
    let (status, told) = send().await;
    assert_eq!((status, &told["data"]["error"]), (StatusCode::UNAUTHORIZED, &json!("key_waits")));
    let request = asked.id.into();
    approve_key(&shell.app, &second, request, Some(print)).await.expect("approved");
    let (status, told) = send().await;
    assert_eq!((status, &told["reason"]), (StatusCode::OK, &json!("unknown_click")));
});

on_both!(a_pair_signs_in_a_header_of_its_own, |test| {
    let shell = server(&test);
    open_market(&test, &shell).await;
    let (first, second) = (staff(&test, "claims").await, staff(&test, "claims-2").await);
    let pair = KeyPair::from_seed([7; 32]).expect("a pair");
    let offer = KeyOffer::read(Some(&pair.public_pem()), LOCAL).expect("a public key");
    let asked = rotate_key(&shell.app, &first, base::AdvertiserId(1), offer).await.expect("asked");
    let send = || postback(&shell, "X-Signature-Ed25519", |signed| pair.sign(signed));
    let (status, told) = send().await;
    assert_eq!((status, &told["data"]["error"]), (StatusCode::UNAUTHORIZED, &json!("key_waits")));
    let request = asked.id.into();
    approve_key(&shell.app, &second, request, asked.fingerprint.as_deref()).await.expect("approved");
    assert_eq!(send().await.0, StatusCode::OK);
    let (status, told) = postback(&shell, "X-Signature", |signed| pair.sign(signed)).await;
    assert_eq!((status, &told["data"]["error"]), (StatusCode::UNAUTHORIZED, &json!("no_auth")));
});
