//! A plan's events over HTTP.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use store::on_both;

use crate::market::open_market;
use crate::support::{Client, PASSWORD, answered, data, funded, sign_in, why};

const BROWSER: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";

async fn put(c: &Client) -> Value {
    let body = json!({ "product_id": "1", "amount": "100.00", "content": "landing_page", "password": PASSWORD });
    data(c.post("/api/plan/order/put", body).await)
}

/// A visitor's request, and the answer's body.
async fn visit(c: &Client, path: &str) -> Vec<u8> {
    let request = TestRequest::with_uri(path).method(Method::GET).insert_header(("User-Agent", BROWSER));
    actix_web::test::read_body(answered(&c.shell, request).await).await.to_vec()
}

async fn seen(c: &Client) -> String {
    let served: Value = serde_json::from_slice(&visit(c, "/ads/slot/news-top?format=json").await).expect("JSON");
    let url = served["impression_url"].as_str().expect("a link");
    let path = url.split_once("/t/").map(|(_, path)| format!("/t/{path}")).expect("a path");
    visit(c, &path).await;
    path
}

on_both!(a_plans_events_are_listed_and_opened, |test| {
    let c = funded(&test, "1000.00").await;
    open_market(&test, &c.shell).await;
    let plan = put(&c).await["id"].as_str().expect("an id").to_owned();
    let path = seen(&c).await;
    visit(&c, &path).await;
    seen(&c).await;
    let all = format!("/api/plan/order/events?plan_id={plan}&kind=impression");
    let listed = data(c.get(&all).await);
    let events = listed["items"].as_array().expect("a list");
    assert_eq!((events.len(), &listed["next_cursor"]), (3, &Value::Null));
    let event = &events[0];
    assert_eq!(event["slot"], json!({ "key": "news-top", "publisher": "The Daily" }));
    assert_eq!((&event["device"], &event["content_type"]), (&json!("mobile"), &json!("landing_page")));
    assert_eq!((&event["price"], &event["counted"], &event["reason"]), (&json!("5.00"), &json!(true), &Value::Null));
    let refused = data(c.get(&format!("{all}&counted=false")).await)["items"].clone();
    assert_eq!(refused, json!([events[1]]));
    assert_eq!(refused[0]["reason"], "duplicate");
    let page = data(c.get(&format!("{all}&limit=1")).await);
    let rest = format!("{all}&cursor={}", page["next_cursor"].as_str().expect("a cursor"));
    assert_eq!(data(c.get(&rest).await)["items"], json!(events[1..]));

    test.clock.advance_seconds(campaigns::work::COUNT_EVERY_SECONDS);
    for _ in 0..2 {
        campaigns::work::round(&c.shell.app).await.expect("works");
    }
    let number = event["id"].as_str().expect("an id");
    let one = format!("/api/plan/order/event?plan_id={plan}&kind=impression&id={number}");
    let shown = data(c.get(&one).await);
    assert_eq!((&shown["billing"], &shown["data_source"]), (&json!("billed"), &json!("simulated")));
    assert_eq!((&shown["bill"]["amount"], &shown["bill"]["events"]), (&json!("10.00"), &json!(2)));
    let line = &shown["bill"]["lines"][0];
    assert_eq!((&line["amount"], &line["paid_by"]), (&json!("-10.00"), &json!("available")));
    let flow = data(c.get(&format!("/api/transaction_flow/list?plan_id={plan}&kind=ad_billing")).await);
    assert_eq!(flow["items"][0]["id"], line["id"], "a line of the statement");
    let of_line = format!("{all}&line_id={}", line["id"].as_str().expect("an id"));
    assert_eq!(data(c.get(&of_line).await)["items"], json!(events));

    let stranger = sign_in(&c.shell, test.user("stranger").await).await;
    for path in [&all, &one, &of_line] {
        assert_eq!(why(&stranger.get(path).await), "405 not_found", "{path}");
    }
});

on_both!(wrong_questions_about_events_are_refused, |test| {
    let c = funded(&test, "1000.00").await;
    open_market(&test, &c.shell).await;
    let plan = put(&c).await["id"].as_str().expect("an id").to_owned();
    for (query, told) in [
        (String::new(), "400 params plan_id=required"),
        (format!("?plan_id={plan}"), "400 params kind=required"),
        (format!("?plan_id={plan}&kind=view"), "400 params kind=invalid"),
        (format!("?plan_id={plan}&kind=click&counted=yes"), "400 params counted=invalid"),
        (format!("?plan_id={plan}&kind=click&cursor=x"), "400 params cursor=invalid"),
        (format!("?plan_id={plan}&kind=click&line_id=x"), "405 not_found"),
        (format!("?plan_id={plan}&kind=click&line_id=1"), "405 not_found"),
        ("?plan_id=x&kind=click".into(), "405 not_found"),
        ("?plan_id=99&kind=click".into(), "405 not_found"),
    ] {
        assert_eq!(why(&c.get(&format!("/api/plan/order/events{query}")).await), told, "{query}");
    }
    for (query, told) in [
        (format!("?plan_id={plan}&kind=click"), "400 params id=required"),
        (format!("?plan_id={plan}&kind=click&id=x"), "405 not_found"),
        (format!("?plan_id={plan}&kind=click&id=1"), "405 not_found"),
        (format!("?plan_id={plan}&kind=conversion&id=1"), "405 not_found"),
    ] {
        assert_eq!(why(&c.get(&format!("/api/plan/order/event{query}")).await), told, "{query}");
    }
});

on_both!(a_plans_figures_are_cut_in_the_users_zone, |test| {
    let c = funded(&test, "1000.00").await;
    open_market(&test, &c.shell).await;
    let plan = put(&c).await["id"].as_str().expect("an id").to_owned();
    let path = format!("/api/plan/order/series?plan_id={plan}");
    assert_eq!(data(c.get(&format!("{path}&step=day")).await), json!({ "points": [] }));
    seen(&c).await;
    test.clock.advance_seconds(campaigns::work::COUNT_EVERY_SECONDS);
    for _ in 0..2 {
        campaigns::work::round(&c.shell.app).await.expect("works");
    }
    let days = data(c.get(&format!("{path}&step=day")).await)["points"].clone();
    assert_eq!((&days[0]["impressions"], &days[0]["consumed"], &days[1]), (&json!(1), &json!("5.00"), &Value::Null));
    let tokyo = [("X-TZ", "Asia/Tokyo GMT+09:00")];
    let hours = data(c.call(Method::GET, &format!("{path}&step=hour"), &tokyo, None).await)["points"].clone();
    assert_eq!(hours.as_array().expect("hours").len(), 24);
    assert!(hours[0]["at"].as_str().expect("a moment").contains("T15:00:00"), "midnight in Tokyo");
    let stranger = sign_in(&c.shell, test.user("stranger").await).await;
    assert_eq!(why(&stranger.get(&format!("{path}&step=day")).await), "405 not_found");
    for (query, told) in [
        ("", "400 params step=required"),
        ("&step=week", "400 params step=invalid"),
        ("&step=hour&within=yesterday", "400 params within=invalid"),
    ] {
        assert_eq!(why(&c.get(&format!("{path}{query}")).await), told, "{query}");
    }
    assert_eq!(why(&c.get("/api/plan/order/series?step=day").await), "400 params plan_id=required");
});
