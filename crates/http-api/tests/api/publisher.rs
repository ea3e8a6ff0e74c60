//! What a publisher reads of itself.

use actix_web::body::to_bytes;
use actix_web::http::StatusCode;
use actix_web::test;
use auth::Role;
use base::PublisherId;
use campaigns::catalogue::counterparty_keys::LOCAL;
use campaigns::delivery::publisher_keys::{make_link, request_key, withdraw_key};
use campaigns::delivery::publishers::{PublisherFile, add};
use desk::installation::simulated::take_key;
use foundation::staff::Staff;
use http_api::Shell;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::market::open_market;
use crate::support::{answered, data, funded};

const DAILY: PublisherId = PublisherId(1);

struct Answer {
    status: StatusCode,
    kind: String,
    file: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    fn data(&self) -> Value {
        assert_eq!(self.json()["code"], 200, "{}", self.json());
        self.json()["data"].clone()
    }
}

async fn ask(shell: &Shell, path: &str, authorization: &str) -> Answer {
    let mut request = test::TestRequest::get().uri(path).insert_header(("Host", "ads.example"));
    if !authorization.is_empty() {
        request = request.insert_header(("Authorization", authorization));
    }
    let response = answered(shell, request).await;
    let header = |name: &str| response.headers().get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
    let (kind, file, status) = (header("content-type"), header("content-disposition"), response.status());
    let body = to_bytes(response.into_body()).await.map(|bytes| bytes.to_vec()).unwrap_or_default();
    Answer { status, kind, file, body }
}

/// A publisher's key: staff ask for it, the publisher claims it, and another approves it.
pub async fn publisher_key(test: &TestDb, shell: &Shell, staff: &Staff, of: PublisherId) -> String {
    // Each publisher's has a name of its own.
    let name = if of == DAILY { "second" } else { "third" };
    let second = Staff::new(test.operator(name, Role::Admin).await, "a test").expect("a reason");
    let asked = request_key(&shell.app, staff, of, LOCAL).await.expect("a request");
    take_key(&shell.app, &second, asked.id, asked.claim_url.as_deref()).await.expect("approved")
}

/// A publisher whose slot has shown one creative, its key, and somebody of staff.
async fn shown(test: &TestDb) -> (Shell, String, Staff) {
    let client = funded(test, "1000.00").await;
    let shell = client.shell.clone();
    open_market(test, &shell).await;
    let body = json!({ "product_id": "1", "amount": "100.00", "content": "landing_page", "password": crate::support::PASSWORD });
    data(client.post("/api/plan/order/put", body).await);
    let served = ask(&shell, "/ads/slot/news-top?format=json", "").await.json();
    let pixel = served["impression_url"].as_str().and_then(|url| url.strip_prefix("http://ads.example")).expect("ours");
    let seen = test::TestRequest::get().uri(pixel).insert_header(("User-Agent", "Mozilla/5.0 Firefox/133.0"));
    answered(&shell, seen).await;
    test.clock.advance_seconds(campaigns::work::COUNT_EVERY_SECONDS);
    campaigns::work::round(&shell.app).await.expect("rolled up");
    let staff = Staff::new(test.operator("eve", Role::Admin).await, "a test").expect("a reason");
    let key = publisher_key(test, &shell, &staff, DAILY).await;
    (shell, format!("Bearer {key}"), staff)
}

on_both!(a_publisher_and_its_money, |test| {
    let (shell, key, staff) = shown(&test).await;
    let info = ask(&shell, "/api/publisher/info", &key).await.data();
    assert_eq!((&info["id"], &info["status"], &info["link_until"]), (&json!("1"), &json!("active"), &json!(null)));
    assert_eq!((&info["money"]["earned"], &info["money"]["payable"]), (&json!("3.50"), &json!("0.00")));
    assert_eq!((&info["money"]["minimum"], &info["money"]["delay_days"]), (&json!("50.00"), &json!(30)));
    assert_eq!((&info["currency"]["code"], &info["data_source"]), (&json!("USD"), &json!("simulated")));
    // By a link, which says when it is over.
    let link = make_link(&shell.app, &staff, DAILY, "https://ads.example").await.expect("a link");
    let token = link.url.rsplit_once('=').expect("a token").1;
    let info = ask(&shell, "/api/publisher/info", &format!("bearer {token}")).await.data();
    assert_eq!(info["link_until"], json!(link.until));
    withdraw_key(&shell.app, &staff, DAILY).await.expect("withdrawn");
    let dead = format!("Bearer {token}");
    for odd in ["", "Bearer", "Bearer ", "Basic YTpi", key.as_str(), dead.as_str(), "Bearer 1.2.3"] {
        let refused = ask(&shell, "/api/publisher/info", odd).await.json();
        assert_eq!((&refused["code"], &refused["data"]["error"]), (&json!(401), &json!("no_auth")), "{odd}");
    }
});

on_both!(its_slots_with_the_tags_for_its_pages, |test| {
    let (shell, key, _) = shown(&test).await;
    let slots = ask(&shell, "/api/publisher/slots", &key).await.data();
    let slot = &slots["items"][0];
    assert_eq!((&slot["key"], &slot["active"]), (&json!("news-top"), &json!(true)));
    assert_eq!(slot["tag"], "<script async src=\"http://ads.example/tag.js\" data-slot=\"news-top\"></script>");
    assert!(slot["frame"].as_str().is_some_and(|tag| tag.contains("http://ads.example/ads/frame/news-top")), "{slot}");
});

on_both!(its_figures_by_day_and_slot, |test| {
    let (shell, key, _) = shown(&test).await;
    let figures = ask(&shell, "/api/publisher/figures?slot=news-top", &key).await.data();
    let totals = &figures["totals"];
    assert_eq!(
        (&totals["requests"], &totals["filled"], &totals["fill_rate"]),
        (&json!(1), &json!(1), &json!("1.000000"))
    );
    assert_eq!((&totals["impressions"], &totals["earned"]), (&json!(1), &json!("3.50")));
    assert_eq!((figures["days"].as_array().map(Vec::len), &figures["slots"][0]["key"]), (Some(30), &json!("news-top")));
    let wrong = ask(&shell, "/api/publisher/figures?from=yesterday", &key).await.json();
    assert_eq!(wrong["data"]["fields"], json!({ "from": "invalid" }));
});

on_both!(its_months_and_their_statements, |test| {
    let (shell, key, _) = shown(&test).await;
    let months = ask(&shell, "/api/publisher/months", &key).await.data();
    let month = months["items"][0].as_str().expect("a month").to_owned();
    let statement = ask(&shell, &format!("/api/publisher/statement?month={month}"), &key).await.data();
    assert_eq!((&statement["earned"], &statement["slots"][0]["slot"]), (&json!("3.50"), &json!("news-top")));
    assert_eq!(ask(&shell, "/api/publisher/statement", &key).await.data(), statement, "this month");
    let wrong = ask(&shell, "/api/publisher/statement?month=2026-13", &key).await.json();
    assert_eq!(wrong["data"]["fields"], json!({ "month": "invalid" }));
    for (format, kind, begins) in
        [("csv", "text/csv; charset=utf-8", "\u{feff}Day (UTC)"), ("pdf", "application/pdf", "%PDF")]
    {
        let path = format!("/api/publisher/statement/export?month={month}&format={format}");
        let file = ask(&shell, &path, &key).await;
        assert_eq!((file.status, file.kind.as_str()), (StatusCode::OK, kind));
        assert_eq!(file.file, format!("attachment; filename=\"publisher-1-{month}.{format}\""));
        assert!(file.body.starts_with(begins.as_bytes()), "{format}");
    }
    let path = format!("/api/publisher/statement/export?month={month}&format=xls");
    assert_eq!(ask(&shell, &path, &key).await.json()["data"]["fields"], json!({ "format": "invalid" }));
});

on_both!(nobody_reads_of_another_publisher, |test| {
    let (shell, _, staff) = shown(&test).await;
    let other =
        PublisherFile { name: "Other".into(), domain: "other.example".into(), contact: "a@other.example".into() };
    let other: PublisherId = add(&shell.app, &staff, other).await.expect("added").id;
    let key = format!("Bearer {}", publisher_key(&test, &shell, &staff, other).await);
    let told = ask(&shell, "/api/publisher/info", &key).await.data();
    assert_eq!((&told["name"], &told["money"]["earned"]), (&json!("Other"), &json!("0.00")));
    assert_eq!(ask(&shell, "/api/publisher/slots", &key).await.data()["items"], json!([]));
    let figures = ask(&shell, "/api/publisher/figures?slot=news-top", &key).await.json();
    assert_eq!(figures["data"]["error"], "not_found");
    let statement = ask(&shell, "/api/publisher/statement", &key).await.data();
    assert_eq!((&statement["earned"], &statement["slots"]), (&json!("0.00"), &json!([])));
    // A session of a user opens nothing here, and a publisher's key nothing of users.
    let refused = ask(&shell, "/api/user/property", &key).await.json();
    assert_eq!(refused["data"]["error"], "no_auth");
});
