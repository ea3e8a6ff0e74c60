//! Requests that no handler accepts, and what every answer has in common.

use actix_web::body::to_bytes;
use actix_web::http::{Method, StatusCode};
use actix_web::test;
use http_api::Shell;
use serde_json::{Value, json};
use store::on_both;

use crate::support::{Served, answered, client, server, why};

async fn ask(
    shell: &Shell,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: String,
) -> (StatusCode, Vec<(String, String)>, Value) {
    let mut request = test::TestRequest::with_uri(path).method(method).set_payload(body);
    for header in headers {
        request = request.insert_header(*header);
    }
    let response = answered(shell, request).await;
    let headers =
        response.headers().iter().map(|(n, v)| (n.to_string(), v.to_str().unwrap_or_default().to_owned())).collect();
    let status = response.status();
    let bytes = to_bytes(response.into_body()).await.unwrap_or_default();
    (status, headers, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

on_both!(what_is_not_there_says_so_in_the_readers_language, |test| {
    let shell = server(&test);
    let (status, headers, body) =
        ask(&shell, Method::GET, "/api/nothing", &[("Accept-Language", "zh-CN,zh;q=0.9")], String::new()).await;
    assert_eq!(
        (status, body["code"].as_i64(), body["data"]["lang"].as_str()),
        (StatusCode::NOT_FOUND, Some(404), Some("zh"))
    );
    assert!(headers.iter().any(|(name, value)| name == "x-request-id" && value.len() == 16), "{headers:?}");
    let (status, headers, body) = ask(&shell, Method::GET, "/api/plan/order/put", &[], String::new()).await;
    assert_eq!((status, body["data"]["error"].as_str()), (StatusCode::METHOD_NOT_ALLOWED, Some("method_not_allowed")));
    assert!(headers.contains(&("allow".to_owned(), "POST".to_owned())), "{headers:?}");
    for path in ["/", "/healthz", "/readyz"] {
        let (status, headers, _) = ask(&shell, Method::POST, path, &[], String::new()).await;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert!(headers.contains(&("allow".to_owned(), "GET, HEAD".to_owned())), "{path} {headers:?}");
    }
    let (status, _, _) = ask(&shell, Method::GET, "/api/plan/order/p%75t", &[], String::new()).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
    let (status, _, body) = ask(&shell, Method::GET, "/assets/gone-123.js", &[], String::new()).await;
    assert_eq!((status, body["code"].as_i64()), (StatusCode::NOT_FOUND, Some(404)));
});

on_both!(a_text_that_one_database_cannot_keep_is_refused_on_both, |test| {
    let c = client(&test).await;
    for (path, field) in [
        ("/api/plan/placement/exclude", "site"),
        ("/api/plan/placement/include", "slot"),
        ("/api/auth/v2/login", "username"),
        ("/api/auth/reset", "username"),
    ] {
        let password = "a-good-password";
        let mut body = json!({ "username": "a", "password": password, "confirm_password": password, "code": "1" });
        body[field] = json!("a\u{0}b");
        assert_eq!(why(&c.post(path, body).await), format!("400 params {field}=invalid"), "{path}");
    }
    assert_eq!(why(&c.get("/api/plan/order/list?site=a%00b").await), "400 params query=invalid");
});

on_both!(an_address_without_its_hash_leads_to_the_page, |test| {
    let shell = server(&test);
    for (path, leads) in [
        ("/wallet", "/#/wallet"),
        ("/plan/detail?id=7", "/#/plan/detail?id=7"),
        ("/ad-center/", "/#/ad-center"),
        ("/entry?ticket=a%2Fb", "/#/entry?ticket=a%2Fb"),
        ("/claim?link=a.b", "/#/claim?link=a.b"),
    ] {
        let (status, headers, _) = ask(&shell, Method::GET, path, &[], String::new()).await;
        let location = headers.iter().find(|(name, _)| name == "location").map(|(_, value)| value.as_str());
        assert_eq!((status, location), (StatusCode::FOUND, Some(leads)), "{path}");
    }
    for path in ["/walletx", "/plans", "/wallet.html"] {
        let (status, _, _) = ask(&shell, Method::GET, path, &[], String::new()).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
});

/// The pages of the app, as its own list of them names them.
const PAGES: &str = include_str!("../../../../frontend/src/app/routes.ts");

#[actix_web::test]
async fn every_page_of_the_app_is_found_without_its_hash() {
    let shell = server(&store::testing::sqlite());
    let pages: Vec<&str> =
        PAGES.lines().filter_map(|line| line.strip_prefix("  '")?.split_once("': {").map(|(path, _)| path)).collect();
    assert!(pages.len() > 30, "{pages:?}");
    for path in pages {
        let (status, headers, _) = ask(&shell, Method::GET, path, &[], String::new()).await;
        let location = headers.iter().find(|(name, _)| name == "location").map(|(_, value)| value.as_str());
        assert_eq!((status, location), (StatusCode::FOUND, Some(format!("/#{path}").as_str())), "{path}");
    }
}

on_both!(too_much_and_too_deep_is_refused, |test| {
    let c = client(&test).await;
    let large = format!("{{\"id\":\"{}\"}}", "x".repeat(200_000));
    let (status, _, body) = ask(&c.shell, Method::POST, "/api/plan/order/detail", &[("X-CT", c.token())], large).await;
    assert_eq!((status, body["data"]["error"].as_str()), (StatusCode::PAYLOAD_TOO_LARGE, Some("body_too_large")));
    let deep = "[".repeat(20_000);
    let (status, _, body) = ask(&c.shell, Method::POST, "/api/plan/order/detail", &[("X-CT", c.token())], deep).await;
    assert_eq!((status, body["code"].as_i64()), (StatusCode::OK, Some(400)));
});

on_both!(every_answer_carries_the_security_headers, |test| {
    let shell = server(&test);
    for path in ["/api/products", "/api/nothing", "/healthz", "/t/c/x", "/api/openapi.json"] {
        let (_, headers, _) = ask(&shell, Method::GET, path, &[], String::new()).await;
        let header = |name: &str| headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()).unwrap_or_default();
        assert!(header("content-security-policy").contains("default-src 'none'"), "{path}");
        assert!(header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin", "{path}");
        assert_eq!(header("set-cookie"), "", "{path}");
    }
});

on_both!(who_accepts_no_form_of_an_answer_gets_it_as_it_is, |test| {
    let shell = server(&test);
    for accepted in ["identity;q=0", "*;q=0", "br, *;q=0"] {
        let (status, headers, body) =
            ask(&shell, Method::GET, "/api/products", &[("Accept-Encoding", accepted)], String::new()).await;
        assert_eq!((status, body["data"]["error"].as_str()), (StatusCode::OK, Some("no_auth")), "{accepted}");
        assert!(headers.iter().any(|(name, _)| name == "x-request-id"), "{headers:?}");
        assert!(!headers.iter().any(|(name, _)| name == "content-encoding"), "{headers:?}");
    }
});

on_both!(how_a_letter_is_written_changes_no_policy, |test| {
    let shell = server(&test);
    for (plain, other) in [
        ("/ads/frame/nowhere", "/%61ds/frame/nowhere"),
        ("/files/0123456789abcdef0123456789abcdef", "/%66iles/0123456789abcdef0123456789abcdef"),
        ("/log/checkpoint", "/%6Cog/checkpoint"),
        ("/l/x", "/%6c/x"),
    ] {
        let (_, headers, _) = ask(&shell, Method::GET, plain, &[], String::new()).await;
        let (_, others, _) = ask(&shell, Method::GET, other, &[], String::new()).await;
        let policy = |headers: &[(String, String)]| {
            headers.iter().find(|(name, _)| name == "content-security-policy").map(|(_, policy)| policy.clone())
        };
        assert_eq!(policy(&others), policy(&headers), "{other}");
    }
});

on_both!(a_page_of_another_site_fails_at_nothing_in_its_readers_names, |test| {
    let shell = server(&test);
    let login = r#"{"username":"ada","password":"not-the-password"}"#;
    let ask = async |path: &str, site: &'static str| {
        let headers = [("Sec-Fetch-Site", site), ("Content-Type", "text/plain")];
        ask(&shell, Method::POST, path, &headers, login.to_owned()).await.2
    };
    for path in ["/api/auth/login", "/api/auth/v2/login", "/%61pi/auth/login"].repeat(10) {
        assert_eq!(why(&ask(path, "cross-site").await), "400 params request=cross_site", "{path}");
    }
    for site in ["same-origin", "same-site", "none"] {
        let told = why(&ask("/api/auth/login", site).await);
        assert_eq!(told, "405 wrong_credentials", "{site}: nothing was counted");
    }
    // What publishers' pages send comes from elsewhere.
    assert_eq!(ask("/cookie_sync", "cross-site").await["status"], "no_cookie");
});

on_both!(a_server_that_stops_takes_nothing_new, |test| {
    let shell = server(&test);
    assert_eq!(ask(&shell, Method::GET, "/readyz", &[], String::new()).await.0, StatusCode::OK);
    assert_eq!(ask(&shell, Method::HEAD, "/readyz", &[], String::new()).await.0, StatusCode::OK);
    shell.drain();
    let (status, headers, body) = ask(&shell, Method::GET, "/api/products", &[], String::new()).await;
    assert_eq!((status, body["code"].as_i64()), (StatusCode::SERVICE_UNAVAILABLE, Some(500)));
    assert!(headers.iter().any(|(name, _)| name == "retry-after"));
    for method in [Method::GET, Method::HEAD] {
        let status = async |path| ask(&shell, method.clone(), path, &[], String::new()).await.0;
        assert_eq!(status("/readyz").await, StatusCode::SERVICE_UNAVAILABLE, "{method}");
        assert_eq!(status("/healthz").await, StatusCode::OK, "{method}");
    }
});

on_both!(a_query_that_cannot_be_read_is_told_in_an_envelope, |test| {
    let c = client(&test).await;
    let path = "/api/withdrawals?limit=1&limit=2";
    let (status, _, body) = ask(&c.shell, Method::GET, path, &[("X-CT", c.token())], String::new()).await;
    assert_eq!((status, body["data"]["fields"]["query"].as_str()), (StatusCode::OK, Some("invalid")));
});

on_both!(only_an_encrypted_connection_is_promised_to_stay_so, |test| {
    let (shell, served) = (server(&test), Served::default());
    // Each proxy adds its own; what the client had written is to the left of them.
    let (one, two) = ("203.0.113.7", "203.0.113.7, 127.0.0.1");
    for (peer, through, proto, promised) in [
        ("127.0.0.1:1", one, "https", true),
        ("127.0.0.1:1", one, "HTTPS", true),
        ("127.0.0.1:1", one, "http", false),
        ("192.0.2.1:1", one, "https", false),
        ("127.0.0.1:1", two, "https, http", true),
        ("127.0.0.1:1", two, "https", true),
        ("127.0.0.1:1", two, "http, https", false),
        ("127.0.0.1:1", one, "https, http", false),
        ("127.0.0.1:1", two, "https, http, http", false),
        ("127.0.0.1:1", one, "", false),
    ] {
        let request = test::TestRequest::with_uri("/healthz").peer_addr(peer.parse().expect("an address"));
        let request = request.insert_header(("X-Forwarded-For", through));
        let request = request.insert_header(("X-Forwarded-Proto", proto));
        let response = served.by(&shell, request).await.expect("an answer");
        let has = response.headers().contains_key("strict-transport-security");
        assert_eq!(has, promised, "{peer} {through}: {proto}");
    }
});

on_both!(what_is_plain_text_says_in_which_characters, |test| {
    let shell = server(&test);
    for path in ["/healthz", "/readyz"] {
        let (_, headers, _) = ask(&shell, Method::GET, path, &[], String::new()).await;
        let kind = headers.iter().find(|(name, _)| name == "content-type").map(|(_, kind)| kind.as_str());
        assert_eq!(kind, Some("text/plain; charset=utf-8"), "{path}");
    }
});

/// Without what no two answers have in common, in order.
fn alike(mut headers: Vec<(String, String)>) -> Vec<(String, String)> {
    headers.retain(|(name, _)| name != "x-request-id");
    headers.sort();
    headers
}

on_both!(a_head_is_answered_like_a_get_wherever_that_only_reads, |test| {
    let c = client(&test).await;
    let headers = [("X-CT", c.token()), ("Accept-Encoding", "gzip"), ("Accept", "text/html")];
    for path in [
        "/api/user/info",
        "/api/conversation",
        "/api/nothing",
        "/api/openapi.json",
        "/files/ffffffffffffffffffffffffffffffff",
        "/healthz",
        "/l/AAAA",
        "/log/",
        "/log/PROOF.md",
        "/log/checkpoint",
        "/log/state",
        "/login",
        "/readyz",
        "/sellers.json",
        "/status",
    ] {
        let (status, told, _) = ask(&c.shell, Method::GET, path, &headers, String::new()).await;
        let (alone, head, _) = ask(&c.shell, Method::HEAD, path, &headers, String::new()).await;
        assert_eq!((alone, alike(head)), (status, alike(told)), "{path}");
        assert_ne!(alone, StatusCode::METHOD_NOT_ALLOWED, "{path}");
    }
    for (path, allowed) in [
        ("/ads/slot/AAAA", "GET"),
        ("/ads/frame/AAAA", "GET"),
        ("/ads/vast/AAAA", "GET"),
        ("/api/user/withdraw", "POST"),
        ("/openrtb2/burl/AAAA", "GET"),
        ("/t/p/AAAA/start.gif", "GET"),
        ("/t/v/AAAA.gif", "GET"),
    ] {
        let (status, told, _) = ask(&c.shell, Method::HEAD, path, &headers, String::new()).await;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{path}: it has an effect");
        assert!(told.contains(&("allow".to_owned(), allowed.to_owned())), "{path} {told:?}");
    }
    let (_, told, _) = ask(&c.shell, Method::POST, "/api/user/info", &headers, String::new()).await;
    assert!(told.contains(&("allow".to_owned(), "GET, HEAD".to_owned())), "{told:?}");
});

on_both!(only_browsers_ask_before_they_ask, |test| {
    let shell = server(&test);
    for (path, allowed) in [
        ("/ads/vast/news-top", "GET"),
        ("/cookie_sync", "POST"),
        ("/openrtb2/auction", "POST"),
        ("/api/products", "GET, HEAD"),
    ] {
        for asked in [&[][..], &[("Access-Control-Request-Method", "no method")]] {
            let headers = [&[("Origin", "https://daily.example")][..], asked].concat();
            let (status, told, _) = ask(&shell, Method::OPTIONS, path, &headers, String::new()).await;
            assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
            assert!(told.contains(&("allow".to_owned(), allowed.to_owned())), "{path} {told:?}");
        }
    }
    let (status, _, _) = ask(&shell, Method::OPTIONS, "/nothing", &[], String::new()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
});
