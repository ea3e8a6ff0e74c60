//! The calls of publishers, visitors and advertisers.

mod players;

use actix_web::body::to_bytes;
use actix_web::http::header::{HeaderValue, USER_AGENT};
use actix_web::http::{Method, StatusCode};
use actix_web::test;
use auth::signature::{SignedRequest, sign};
use http_api::Shell;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::market::open_market;
use crate::support::{Client, PASSWORD, answered, data, funded};

const BROWSER: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0";
/// What browsers send where a person looks at the answer.
const PAGES: (&str, &str) = ("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");

struct Answer {
    status: StatusCode,
    location: String,
    kind: String,
    policy: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("a text")
    }
}

async fn ask(shell: &Shell, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = test::TestRequest::with_uri(path).method(method).insert_header(("User-Agent", BROWSER));
    for header in headers {
        request = request.insert_header(*header);
    }
    let response = answered(shell, request.set_payload(body.to_owned())).await;
    let header = |name: &str| response.headers().get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_owned();
    let (location, kind, policy) = (header("location"), header("content-type"), header("content-security-policy"));
    let status = response.status();
    let body = to_bytes(response.into_body()).await.map(|bytes| bytes.to_vec()).unwrap_or_default();
    Answer { status, location, kind, policy, body }
}

/// The path of an absolute address.
fn path(url: &Value) -> String {
    url.as_str().and_then(|url| url.strip_prefix("http://localhost:8080")).expect("an address of ours").to_owned()
}

async fn running(test: &TestDb) -> (Client, String) {
    let client = funded(test, "1000.00").await;
    let key = open_market(test, &client.shell).await;
    let body = json!({ "product_id": "1", "amount": "100.00", "content": "landing_page", "password": PASSWORD });
    data(client.post("/api/plan/order/put", body).await);
    (client, key)
}

async fn slot(shell: &Shell) -> Value {
    let answer = ask(shell, Method::GET, "/ads/slot/news-top?format=json", &[("Host", "localhost:8080")], "").await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

async fn postback(shell: &Shell, key: &str, body: &Value) -> Answer {
    postback_at(shell, key, &body.to_string(), shell.app.now().seconds().to_string()).await
}

async fn postback_at(shell: &Shell, key: &str, body: &str, timestamp: String) -> Answer {
    signed_at(shell, key, ("/t/postback", "application/json", body), &timestamp).await
}

/// A list of postbacks.
async fn list(shell: &Shell, key: &str, kind: &str, body: &str) -> Answer {
    signed_at(shell, key, ("/t/postbacks", kind, body), &shell.app.now().seconds().to_string()).await
}

async fn signed_at(shell: &Shell, key: &str, (path, kind, body): (&str, &str, &str), timestamp: &str) -> Answer {
    let signed = SignedRequest { timestamp, method: "POST", path, body: body.as_bytes() };
    let signature = sign(key, &signed);
    let headers = [
        ("X-Advertiser", "1"),
        ("X-Timestamp", timestamp),
        ("X-Signature", signature.as_str()),
        ("Content-Type", kind),
    ];
    ask(shell, Method::POST, path, &headers, body).await
}

on_both!(from_the_slot_to_the_conversion, |test| {
    let (c, key) = running(&test).await;
    let answer = slot(&c.shell).await;
    assert_eq!(answer["data_source"], "simulated");
    // Without a view, the click below would not count.
    let seen = ask(&c.shell, Method::GET, &format!("{}&cb=1", path(&answer["impression_url"])), &[], "").await;
    assert_eq!((seen.status, seen.kind.as_str(), &seen.body[..6]), (StatusCode::OK, "image/gif", &b"GIF89a"[..]));
    test.clock.advance_seconds(2);
    let clicked = ask(&c.shell, Method::GET, &path(&answer["click_url"]), &[], "").await;
    assert_eq!(clicked.status, StatusCode::FOUND);
    let click_id =
        clicked.location.strip_prefix("https://aurora.example/shop?click_id=").expect("the product's address");
    let call = json!({ "event_id": "order-1", "click_id": click_id, "occurred_at": null, "reverse": null });
    let reported = postback(&c.shell, &key, &call).await;
    assert_eq!(reported.json(), json!({ "accepted": true, "duplicate": false, "reason": null }));
    let again = postback(&c.shell, &key, &call).await.json();
    assert_eq!((again["accepted"].as_bool(), again["duplicate"].as_bool()), (Some(true), Some(true)));
    assert_eq!(data(c.get("/api/user/property").await)["to_be_settled"], "12.50");
    let taken =
        postback(&c.shell, &key, &json!({ "event_id": "order-1", "click_id": null, "reverse": true })).await.json();
    assert_eq!(taken["accepted"], true);
    assert_eq!(data(c.get("/api/user/property").await)["to_be_settled"], "0.00");
    let late = postback(&c.shell, &key, &call).await;
    assert_eq!(late.json(), json!({ "accepted": false, "duplicate": true, "reason": "reversed" }));
    let there = json!({ "event_id": "d", "click_id": click_id, "occurred_at": "2026-11-26T04:36:48+02:00" });
    assert_eq!(postback(&c.shell, &key, &there).await.status, StatusCode::OK);
});

on_both!(a_reader_counts_whatever_script_an_app_writes_its_name_in, |test| {
    let (c, _) = running(&test).await;
    let browser = "Mozilla/5.0 (Linux; U; Android 15; zh-cn; PJD110 Build/AP3A.240617.008) AppleWebKit/537.36 \
                   (KHTML, like Gecko) Version/4.0 Chrome/124.0.0.0 Mobile Safari/537.36";
    for app in ["小米浏览器/1.0".as_bytes(), b"MetaIAB Facebook", b"Caf\xe9/2"] {
        let agent = HeaderValue::from_bytes(&[browser.as_bytes(), b" ", app].concat()).expect("taken");
        let seen = path(&slot(&c.shell).await["impression_url"]);
        answered(&c.shell, test::TestRequest::with_uri(&seen).insert_header((USER_AGENT, agent))).await;
    }
    campaigns::work::round(&c.shell.app).await.expect("rolled up");
    let delivery = &data(c.post("/api/plan/order/detail", json!({ "id": "1" })).await)["delivery"];
    assert_eq!((&delivery["impressions"], &delivery["filtered"]), (&json!(3), &json!(0)));
});

on_both!(a_frame_shows_the_creative_escaped, |test| {
    let (c, _) = running(&test).await;
    let page = ask(&c.shell, Method::GET, "/ads/slot/news-top&cb=1", &[], "").await;
    assert!(page.kind.starts_with("text/html"), "{}", page.kind);
    assert!(page.text().contains("&lt;b&gt;Coffee") && !page.text().contains("<b>Coffee"));
    assert!(page.text().contains("Simulated") && page.text().contains("Ad · Aurora Coffee"), "{}", page.text());
    assert!(page.policy.ends_with("form-action 'none'"), "every page may frame it: {}", page.policy);
});

on_both!(a_frame_for_the_tag_has_an_origin_of_its_own, |test| {
    let (c, _) = running(&test).await;
    let page = ask(&c.shell, Method::GET, "/ads/frame/news-top?fit=content", &[], "").await;
    let (text, policy) = (page.text(), &page.policy);
    assert_eq!(page.status, StatusCode::OK);
    assert!(policy.contains("form-action 'none'; sandbox allow-scripts allow-popups"), "{policy}");
    assert!(!policy.contains("allow-same-origin") && !policy.contains("allow-top-navigation"), "{policy}");
    assert!(text.contains("data-fit") && text.contains("/t/v/") && text.contains("/frame.js"), "{text}");
    let fixed = ask(&c.shell, Method::GET, "/ads/frame/news-top", &[], "").await.text();
    assert!(!fixed.contains("<html lang=\"en\" data-fit"), "{fixed}");
    let twice = ask(&c.shell, Method::GET, "/ads/frame/news-top?fit=content&fit=x", &[], "").await.text();
    assert!(twice.contains("data-viewable") && !twice.contains("<html lang=\"en\" data-fit"), "{twice}");
    assert_eq!(ask(&c.shell, Method::GET, "/ads/frame/nowhere", &[], "").await.json()["data"]["error"], "not_found");
    // Readers of a page with a wrong key see nothing in the frame.
    let wrong = ask(&c.shell, Method::GET, "/ads/frame/nowhere", &[PAGES], "").await;
    assert_eq!((wrong.status, wrong.text().contains("/frame.js")), (StatusCode::NOT_FOUND, true), "{}", wrong.text());
    data(c.post("/api/plan/order/stop", json!({ "id": "1" })).await);
    let empty = ask(&c.shell, Method::GET, "/ads/frame/news-top", &[], "").await;
    assert_eq!(empty.status, StatusCode::OK, "an iframe would keep what it had at a 204");
    assert!(!empty.text().contains("data-viewable") && empty.text().contains("/frame.js"), "{}", empty.text());
});

on_both!(a_creative_reports_that_it_was_viewable, |test| {
    let (c, _) = running(&test).await;
    let answer = slot(&c.shell).await;
    // Pages that show the creative themselves may send a beacon.
    ask(&c.shell, Method::POST, &path(&answer["impression_url"]), &[], "").await;
    for method in [Method::POST, Method::GET] {
        let reported = ask(&c.shell, method, &path(&answer["viewable_url"]), &[], "").await;
        assert_eq!((reported.status, reported.kind.as_str()), (StatusCode::OK, "image/gif"));
    }
    campaigns::work::round(&c.shell.app).await.expect("rolled up");
    let detail = data(c.post("/api/plan/order/detail", json!({ "id": "1" })).await);
    assert_eq!((&detail["delivery"]["viewable"], &detail["delivery"]["filtered"]), (&json!(1), &json!(0)));
    assert_eq!(detail["ratios"]["viewable_rate"], "1.000000");
    let forged = ask(&c.shell, Method::GET, "/t/v/AAAA.gif", &[], "").await;
    assert_eq!(forged.json()["data"]["error"], "not_found");
});

on_both!(a_player_reports_how_far_a_video_was_played, |test| {
    let (c, _) = running(&test).await;
    let answer = slot(&c.shell).await;
    assert!(answer.get("played_url").is_none(), "{answer}");
    let token = path(&answer["viewable_url"]).replace("/t/v/", "").replace(".gif", "");
    ask(&c.shell, Method::GET, &path(&answer["impression_url"]), &[], "").await;
    let report =
        async |progress: &str| ask(&c.shell, Method::GET, &format!("/t/p/{token}/{progress}.gif"), &[], "").await;
    for progress in ["start", "start", "firstQuartile"] {
        let reported = report(progress).await;
        assert_eq!((reported.status, reported.kind.as_str()), (StatusCode::OK, "image/gif"));
    }
    assert_eq!(report("rewind").await.json()["data"]["error"], "not_found");
    campaigns::work::round(&c.shell.app).await.expect("counted");
    let counted = c.shell.app.db.read(|conn| store::delivery::event::playback::of_plan(conn, base::PlanId(1))).await;
    let counted = counted.expect("counted");
    assert_eq!((counted.started, counted.first_quartile, counted.midpoint), (1, 1, 0));
    let detail = data(c.post("/api/plan/order/detail", json!({ "id": "1" })).await);
    assert_eq!(detail["video"], json!(null), "this plan shows none");
});

on_both!(the_landing_page_is_hosted, |test| {
    let (c, _) = running(&test).await;
    let detail = data(c.post("/api/plan/order/detail", json!({ "id": "1" })).await);
    let landing = detail["tracking"]["landing_url"].as_str().expect("a link");
    let token = landing.rsplit('/').next().expect("a token");
    let page = ask(&c.shell, Method::GET, &format!("/l/{token}"), &[], "").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text().contains("Coffee by post") && page.text().contains("Simulated"));
    let german = ask(&c.shell, Method::GET, &format!("/l/{token}"), &[("Accept-Language", "de-AT")], "").await;
    assert!(german.text().contains("<small lang=\"de\">Simuliert"), "{}", german.text());
    // What nobody translated is in English, and says so.
    let french = ask(&c.shell, Method::GET, &format!("/l/{token}"), &[("Accept-Language", "fr")], "").await;
    for (page, lang, title, summary) in
        [(german, "de", "&lt;b&gt;Kaffee", "Kaffee per Post"), (french, "en", "&lt;b&gt;Coffee", "Coffee by post")]
    {
        let text = page.text();
        assert!(text.contains(&format!("<html lang=\"{lang}\">")) && text.contains(title), "{text}");
        assert!(text.contains(summary), "{text}");
    }
    assert_eq!(ask(&c.shell, Method::GET, "/l/forged", &[], "").await.json()["code"], 405);
    for path in ["/l/forged", "/t/c/forged", "/t/c/forged/ref=1"] {
        let page = ask(&c.shell, Method::GET, path, &[PAGES, ("Accept-Language", "de")], "").await;
        let title = "<title>Unter dieser Adresse gibt es nichts";
        assert_eq!(
            (page.status, page.text().contains(title)),
            (StatusCode::NOT_FOUND, true),
            "{path}: {}",
            page.text()
        );
    }
});

on_both!(products_are_told_in_the_language_of_the_request, |test| {
    let (c, _) = running(&test).await;
    for (wanted, title, summary) in
        [("de", "<b>Kaffee</b>", "Kaffee per Post"), ("fr", "<b>Coffee</b>", "Coffee by post")]
    {
        let said = [("Accept-Language", wanted)];
        let listed = data(c.call(Method::GET, "/api/products", &said, None).await);
        let product = Some(json!({ "product_id": "1" }).to_string());
        let product = data(c.call(Method::POST, "/api/plan/order/app/detail", &said, product).await);
        let plans = data(c.call(Method::GET, "/api/plan/order/list", &said, None).await);
        let plan = data(c.call(Method::POST, "/api/plan/order/detail", &said, Some(r#"{"id":"1"}"#.to_owned())).await);
        for shown in [&listed["items"][0], &product, &plans["items"][0]["product"], &plan["product"]] {
            assert_eq!(
                (&shown["summary"], &shown["content"]["landing_page"]["title"]),
                (&json!(summary), &json!(title))
            );
            assert_eq!(shown["content"].get("translations"), None, "{wanted}");
        }
        assert_eq!(plan["content"]["title"], title);
        for (deed, more) in [
            ("limits", json!({ "daily_cap": "50.00" })),
            ("schedule", json!({ "schedule": {} })),
            ("pause", json!({})),
            ("resume", json!({})),
            ("add_budget", json!({ "amount": "10.00", "password": PASSWORD })),
        ] {
            let mut body = json!({ "id": "1" });
            body.as_object_mut().expect("a table").extend(more.as_object().expect("a table").clone());
            let path = format!("/api/plan/order/{deed}");
            let after = data(c.call(Method::POST, &path, &said, Some(body.to_string())).await);
            assert_eq!(
                (&after["product"]["summary"], &after["content"]["title"]),
                (&json!(summary), &json!(title)),
                "{deed}"
            );
        }
        let body = json!({ "product_id": "1", "amount": "100.00", "content": "landing_page", "password": PASSWORD });
        let put = data(c.call(Method::POST, "/api/plan/order/put", &said, Some(body.to_string())).await);
        assert_eq!((&put["product"]["summary"], &put["content"]["title"]), (&json!(summary), &json!(title)));
    }
});

on_both!(nothing_fits_without_a_plan, |test| {
    let c = funded(&test, "10.00").await;
    open_market(&test, &c.shell).await;
    let answer = ask(&c.shell, Method::GET, "/ads/slot/news-top", &[], "").await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(ask(&c.shell, Method::GET, "/ads/slot/nowhere", &[], "").await.json()["data"]["error"], "not_found");
});

on_both!(a_head_request_is_kept_and_not_counted, |test| {
    let (c, _) = running(&test).await;
    let answer = slot(&c.shell).await;
    ask(&c.shell, Method::HEAD, &format!("{}/1", path(&answer["impression_url"])), &[], "").await;
    for purpose in [("Sec-Purpose", "prefetch;prerender"), ("X-Purpose", "preview"), ("Purpose", "prefetch")] {
        ask(&c.shell, Method::GET, &path(&answer["impression_url"]), &[purpose], "").await;
    }
    campaigns::work::round(&c.shell.app).await.expect("rolled up");
    let delivery = data(c.post("/api/plan/order/detail", json!({ "id": "1" })).await)["delivery"].clone();
    assert_eq!((delivery["impressions"].as_i64(), delivery["filtered"].as_i64()), (Some(0), Some(4)));
});

on_both!(a_click_leads_nowhere_but_to_the_product, |test| {
    let (c, _) = running(&test).await;
    let answer = slot(&c.shell).await;
    let hostile = format!("{}?url=https://evil.example&next=//evil.example", path(&answer["click_url"]));
    let clicked = ask(&c.shell, Method::GET, &hostile, &[], "").await;
    assert!(clicked.location.starts_with("https://aurora.example/shop?click_id="), "{}", clicked.location);
    for behind in ["&ref=1", "%26ref=1", "%0d%0aSet-Cookie:a=b", "/", "/?ref=1", "/ref/1", "%2Fref", ").", "%E9"] {
        let address = format!("{}{behind}", path(&answer["click_url"]));
        let clicked = ask(&c.shell, Method::GET, &address, &[], "").await;
        assert!(
            clicked.location.starts_with("https://aurora.example/shop?click_id="),
            "{behind}: {}",
            clicked.location
        );
    }
    let forged = ask(&c.shell, Method::GET, "/t/c/AAAA", &[], "").await;
    assert_eq!((forged.status, forged.json()["data"]["error"].as_str()), (StatusCode::OK, Some("not_found")));
});

on_both!(a_head_request_is_led_to_the_product_and_counts_for_no_click, |test| {
    let (c, key) = running(&test).await;
    let answer = slot(&c.shell).await;
    ask(&c.shell, Method::GET, &path(&answer["impression_url"]), &[], "").await;
    test.clock.advance_seconds(2);
    let asked = ask(&c.shell, Method::HEAD, &path(&answer["click_url"]), &[], "").await;
    let click_id = asked.location.strip_prefix("https://aurora.example/shop?click_id=").expect("the product's address");
    assert_eq!(asked.status, StatusCode::FOUND);
    let report = |event: &str| json!({ "event_id": event, "click_id": click_id });
    assert_eq!(postback(&c.shell, &key, &report("a")).await.json()["reason"], "unknown_click");
    let clicked = ask(&c.shell, Method::GET, &path(&answer["click_url"]), &[], "").await;
    assert_eq!(clicked.location, asked.location, "who follows it counts");
    assert_eq!(postback(&c.shell, &key, &report("b")).await.json()["accepted"], true);
});

on_both!(unsigned_reports_are_turned_away, |test| {
    let (c, key) = running(&test).await;
    let body = json!({ "event_id": "e", "click_id": "c" });
    for answer in [
        postback(&c.shell, "another key", &body).await,
        ask(&c.shell, Method::POST, "/t/postback", &[], &body.to_string()).await,
    ] {
        assert_eq!((answer.status, answer.json()["code"].as_i64()), (StatusCode::UNAUTHORIZED, Some(401)));
    }
    let unknown = postback(&c.shell, &key, &body).await.json();
    assert_eq!(unknown, json!({ "accepted": false, "duplicate": false, "reason": "unknown_click" }));
    let millis = c.shell.app.now().millis().to_string();
    for timestamp in [millis.as_str(), "soon", ""] {
        let off = postback_at(&c.shell, &key, &body.to_string(), timestamp.to_owned()).await;
        let json = off.json();
        assert_eq!((off.status, json["code"].as_i64()), (StatusCode::UNAUTHORIZED, Some(401)), "{timestamp}");
        assert_eq!(json["data"]["error"], "signature_expired", "{timestamp}");
        let foreign = postback_at(&c.shell, "another key", &body.to_string(), timestamp.to_owned()).await;
        assert_eq!(foreign.json()["data"]["error"], "no_auth", "{timestamp}");
    }
});

on_both!(what_cannot_be_read_of_a_report_is_no_success, |test| {
    let (c, key) = running(&test).await;
    for (body, field, problem) in [
        (r#"{}"#, "event_id", "invalid"),
        (r#"{"event_id":12345,"click_id":"c"}"#, "event_id", "invalid_type"),
        (r#"{"event_id":null,"click_id":"c"}"#, "event_id", "invalid_type"),
        (r#"{"event_id":"a","click_id":"c","occurred_at":1795660608}"#, "occurred_at", "invalid_type"),
        (r#"{"event_id":"b","click_id":"c","occurred_at":""}"#, "occurred_at", "invalid"),
        (r#"{"event_id":"c","click_id":" c "}"#, "click_id", "invalid"),
        (r#"{"event_id":"c","click_id":null}"#, "click_id", "invalid"),
        (r#"{"event_id":"c","click_id":"c","reverse":"yes"}"#, "reverse", "invalid_type"),
        (r#"{"event_id":"c","event_id":"d","click_id":"c"}"#, "body", "invalid"),
        (r#"["c"]"#, "body", "invalid"),
        ("", "body", "invalid"),
    ] {
        let answer = postback_at(&c.shell, &key, body, c.shell.app.now().seconds().to_string()).await;
        let json = answer.json();
        assert_eq!((answer.status, &json["code"]), (StatusCode::BAD_REQUEST, &json!(400)), "{body}");
        assert_eq!(json["data"]["fields"], json!({ field: problem }), "{body}");
    }
});

on_both!(a_list_of_reports_is_answered_in_the_form_in_which_it_came, |test| {
    let (c, key) = running(&test).await;
    let answer = slot(&c.shell).await;
    ask(&c.shell, Method::GET, &path(&answer["impression_url"]), &[], "").await;
    test.clock.advance_seconds(2);
    let clicked = ask(&c.shell, Method::GET, &path(&answer["click_url"]), &[], "").await;
    let click_id = clicked.location.rsplit('=').next().expect("a click's id");
    let good = json!({ "event_id": "order-1", "click_id": click_id }).to_string();
    let twice = format!(r#"{{"event_id":"a","event_id":"b","click_id":"{click_id}"}}"#);
    let (number, unknown) = (r#"{"event_id":7,"click_id":"c"}"#, r#"{"event_id":"x","click_id":"c"}"#);
    let lines = format!("{good}\r\n{number}\n\n{twice}\nnonsense\n{unknown}\n");
    let told = list(&c.shell, &key, "application/x-ndjson", &lines).await;
    assert_eq!((told.status, told.kind.as_str()), (StatusCode::OK, "application/x-ndjson"));
    let read = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
    let unread = |field: &str, problem: &str| json!({ "accepted": false, "duplicate": false, "reason": null, "fields": { field: problem } });
    let mut expected = [
        json!({ "accepted": true, "duplicate": false, "reason": null, "fields": {} }),
        unread("event_id", "invalid_type"),
        unread("body", "invalid"),
        unread("body", "invalid"),
        json!({ "accepted": false, "duplicate": false, "reason": "unknown_click", "fields": {} }),
    ];
    assert_eq!(told.text().lines().map(read).collect::<Vec<_>>(), expected);
    let array = format!("[{good},\n{number},{twice},\"nonsense\",{unknown}]");
    let again = list(&c.shell, &key, "application/json", &array).await;
    for place in [0, 4] {
        expected[place]["duplicate"] = json!(true);
    }
    assert_eq!((again.status, again.json()), (StatusCode::OK, json!(expected)));
    let marked = list(&c.shell, &key, "application/json", &format!("\u{feff}{array}")).await;
    assert_eq!((marked.status, marked.json()), (StatusCode::OK, json!(expected)));
    assert_eq!(data(c.get("/api/user/property").await)["to_be_settled"], "12.50");
});

on_both!(a_list_that_cannot_be_taken_says_so_to_a_program, |test| {
    let (c, key) = running(&test).await;
    let marked = list(&c.shell, &key, "application/json", "\u{feff}[{}, {}]").await;
    assert_eq!((marked.status, marked.json().as_array().map(Vec::len)), (StatusCode::OK, Some(2)));
    let many = format!("[{}]", vec!["{}"; 1_001].join(","));
    let wrapped = r#"{"postbacks":[{"event_id":"a","click_id":"b"}]}"#;
    let wrong =
        [("", "required"), ("[{}", "invalid"), ("a=b", "invalid"), (wrapped, "invalid"), (many.as_str(), "too_many")];
    for (body, problem) in wrong {
        let answer = list(&c.shell, &key, "application/json", body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{problem}");
        assert_eq!(answer.json()["data"]["fields"], json!({ "body": problem }));
    }
    let none = list(&c.shell, &key, "application/json", "[]").await;
    assert_eq!((none.status, none.json()), (StatusCode::OK, json!([])));
    let long = list(&c.shell, &key, "application/json", &" ".repeat(512 * 1024 + 1)).await;
    assert_eq!(long.status, StatusCode::PAYLOAD_TOO_LARGE);
    let foreign = list(&c.shell, "another key", "application/json", "[]").await;
    assert_eq!((foreign.status, &foreign.json()["data"]["error"]), (StatusCode::UNAUTHORIZED, &json!("no_auth")));
    let late = (c.shell.app.now().seconds() - 301).to_string();
    let late = signed_at(&c.shell, &key, ("/t/postbacks", "application/json", "[]"), &late).await;
    assert_eq!((late.status, &late.json()["data"]["error"]), (StatusCode::UNAUTHORIZED, &json!("signature_expired")));
});

on_both!(everybody_is_told_who_sells_places, |test| {
    let c = funded(&test, "10.00").await;
    open_market(&test, &c.shell).await;
    let told = ask(&c.shell, Method::GET, "/sellers.json", &[], "").await;
    assert_eq!((told.status, told.kind.as_str()), (StatusCode::OK, "application/json"));
    let named = json!({ "seller_id": "1", "seller_type": "PUBLISHER", "is_confidential": 1 });
    assert_eq!(told.json(), json!({ "version": "1.0", "sellers": [named] }));
    let looked = ask(&c.shell, Method::HEAD, "/sellers.json", &[], "").await;
    assert_eq!((looked.status, looked.kind.as_str()), (StatusCode::OK, "application/json"));
});
