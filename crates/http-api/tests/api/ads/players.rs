//! What a publisher's video player asks for and calls.

use actix_web::body::to_bytes;
use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode};
use actix_web::test;
use http_api::Shell;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::market::{open_cinema, open_market};
use crate::support::{Client, PASSWORD, answered, data, funded};

const ORIGIN: &str = "https://daily.example";
const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// What stands in the first element that begins so.
    fn of(&self, begin: &str) -> &str {
        let begun = ['>', ' '].iter().find_map(|next| self.text.split_once(&format!("<{begin}{next}")));
        let (_, rest) = begun.unwrap_or_else(|| panic!("no {begin}: {}", self.text));
        let rest =
            if self.text.contains(&format!("<{begin}>")) { rest } else { rest.split_once('>').expect("a tag").1 };
        let name = begin.split(' ').next().unwrap_or(begin);
        let (inside, _) = rest.split_once(&format!("</{name}>")).expect("it ends");
        inside.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>")).unwrap_or(inside)
    }
}

async fn call(shell: &Shell, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = test::TestRequest::with_uri(path).method(method).insert_header(("Host", "localhost:8080"));
    for header in headers {
        request = request.insert_header(*header);
    }
    let response = answered(shell, request.insert_header(("User-Agent", BROWSER))).await;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = to_bytes(response.into_body()).await.map(|bytes| bytes.to_vec()).unwrap_or_default();
    Answer { status, headers, text: String::from_utf8(body).unwrap_or_default() }
}

/// As a player does, in a page of another origin.
async fn ask(shell: &Shell, slot: &str) -> Answer {
    call(shell, Method::GET, &format!("/ads/vast/{slot}"), &[("Origin", ORIGIN)]).await
}

async fn see(shell: &Shell, url: &str) -> Answer {
    let path = url.strip_prefix("http://localhost:8080").unwrap_or_else(|| panic!("not ours: {url}"));
    call(shell, Method::GET, path, &[]).await
}

/// A plan that shows a video in `news-film`, and its id.
async fn cinema(test: &TestDb) -> (Client, Value) {
    let client = funded(test, "1000.00").await;
    open_market(test, &client.shell).await;
    open_cinema(test, &client.shell).await;
    let body = json!({ "product_id": "2", "amount": "100.00", "content": "video", "password": PASSWORD });
    let plan = data(client.post("/api/plan/order/put", body).await);
    (client, plan["id"].clone())
}

on_both!(a_player_is_answered_with_a_video_that_is_counted_and_billed, |test| {
    let (c, id) = cinema(&test).await;
    let shell = &c.shell;
    // Players put parameters behind the address, whether it has a query or not.
    let vast = ask(shell, "news-film&correlator=17").await;
    assert_eq!((vast.status, vast.header("content-type")), (StatusCode::OK, "application/xml"), "{}", vast.text);
    assert_eq!(vast.header("cache-control"), "no-store");
    assert_eq!(vast.header("access-control-allow-origin"), ORIGIN);
    assert_eq!(vast.header("access-control-allow-credentials"), "true");
    assert!(vast.header("vary").to_ascii_lowercase().contains("origin"), "{}", vast.header("vary"));
    assert!(vast.text.contains("<VAST version=\"4.2\" xmlns=\"http://www.iab.com/VAST\"><Ad id=\"video\">"));
    assert_eq!((vast.of("AdTitle"), vast.of("Advertiser")), ("&lt;b&gt;Coffee&lt;/b&gt;", "Aurora Film"));
    assert_eq!((vast.of("Duration"), vast.of("Linear").contains("type=\"video/mp4\"")), ("00:00:15", true));
    assert_eq!(vast.of("MediaFile"), "http://localhost:8080/products/a.mp4");
    let start = format!("{}&cb=1", vast.of("Tracking event=\"start\""));
    assert_eq!(
        (see(shell, vast.of("Impression")).await.status, see(shell, &start).await.status),
        (StatusCode::OK, StatusCode::OK)
    );
    assert_eq!(see(shell, &format!("{}&cb=1", vast.of("Viewable"))).await.status, StatusCode::OK);
    test.clock.advance_seconds(2);
    let clicked = see(shell, vast.of("ClickThrough")).await;
    assert_eq!(clicked.status, StatusCode::FOUND);
    assert!(clicked.header("location").starts_with("https://aurora.example/shop?click_id="));
    campaigns::work::round(&shell.app).await.expect("counted");
    let detail = data(c.post("/api/plan/order/detail", json!({ "id": id })).await);
    let delivery = &detail["delivery"];
    assert_eq!(
        (&delivery["impressions"], &delivery["viewable"], &delivery["clicks"], &delivery["consumed"]),
        (&json!(1), &json!(1), &json!(1), &json!("5.00"))
    );
    assert_eq!((&detail["video"]["started"], &detail["video"]["completed"]), (&json!(1), &json!(0)));
});

on_both!(a_player_is_told_where_there_is_no_ad_and_where_there_is_no_slot, |test| {
    let (c, id) = cinema(&test).await;
    let page = ask(&c.shell, "news-top").await;
    assert_eq!((page.status, page.header("content-type")), (StatusCode::OK, "application/xml"));
    assert!(page.text.ends_with("<VAST version=\"4.2\" xmlns=\"http://www.iab.com/VAST\"/>"), "{}", page.text);
    assert_eq!(page.header("access-control-allow-origin"), ORIGIN);
    data(c.post("/api/plan/order/pause", json!({ "id": id })).await);
    assert_eq!(ask(&c.shell, "news-film").await.text, page.text);
    let unknown = ask(&c.shell, "nowhere").await;
    assert_eq!((unknown.status, unknown.header("content-type")), (StatusCode::NOT_FOUND, "application/json"));
    let told: Value = serde_json::from_str(&unknown.text).expect("JSON");
    assert_eq!(told["data"]["error"], "not_found");
    assert_eq!(unknown.header("access-control-allow-origin"), ORIGIN);
});
