//! Exchanging with acceptors, the deposit, and the statement as a file.

use actix_web::http::Method;
use auth::Role;
use desk::requests::approve;
use foundation::staff::Staff;
use money::wallet::acceptor_admin::{AcceptorFile, add_acceptor};
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::support::{Client, PASSWORD, data, download, funded, sign_in, why};

/// An acceptor with terms approved by two people.
struct Made {
    id: String,
    code: Option<String>,
}

async fn acceptor(test: &TestDb, c: &Client) -> Made {
    let staff = Staff::new(test.operator("zoe", Role::Admin).await, "a test").expect("a reason");
    let file = AcceptorFile {
        name: "Bright Exchange".into(),
        kind: "enterprise".into(),
        limit: "50.00".into(),
        daily_limit: None,
        quote_seconds: 600,
        code: None,
        rates: [("EUR".to_owned(), "0.9137".to_owned()), ("JPY".to_owned(), "157.46".to_owned())].into(),
    };
    let app = &c.shell.app;
    let asked = add_acceptor(app, &staff, &file).await.expect("asked for");
    let second = Staff::new(test.operator("yan", Role::Finance).await, "a test").expect("a reason");
    approve(app, &second, asked.request.id.into()).await.expect("approved");
    Made { id: asked.request.acceptor_id.expect("an id").to_string(), code: Some(asked.code) }
}

on_both!(found_by_its_code_put_listed_and_cancelled, |test| {
    let c = funded(&test, "100").await;
    let made = acceptor(&test, &c).await;
    let listed = data(c.get("/api/acceptor/list?type=enterprise").await);
    let expected = json!({
        "id": made.id, "name": "Bright Exchange", "type": "enterprise", "limit": "50.00", "daily_limit": null,
        "currencies": ["EUR", "JPY"],
    });
    assert_eq!(listed, json!([expected]));
    assert_eq!(data(c.get("/api/acceptor/list?type=personal").await), json!([]));

    let code = made.code.expect("a code");
    let detail = data(c.post("/api/acceptor/detail", json!({ "type": "enterprise", "code": code })).await);
    assert_eq!((&detail["name"], &detail["left_today"]), (&json!("Bright Exchange"), &Value::Null));
    let rate = &detail["rates"][0];
    assert_eq!((&rate["currency"], &rate["rate"]), (&json!("EUR"), &json!("0.9137")));
    assert_eq!(rate["expires_at"], "2026-01-05T12:10:00.000Z");

    let order = json!({
        "acceptor_id": made.id, "code": code, "amount": "10.01", "currency": "EUR", "password": PASSWORD,
        "quote_id": rate["quote_id"], "rate": rate["rate"],
    });
    let header = [("Idempotency-Key", "k-1")];
    let path = "/api/acceptor/order/put";
    let put = data(c.call(Method::POST, path, &header, Some(order.to_string())).await);
    let shown = json!({
        "id": "1", "acceptor": expected, "amount": "10.01", "currency": "EUR", "rate": "0.9137", "receives": "9.14",
        "status": "pending", "created_at": "2026-01-05T12:00:00.000Z", "accepted": false, "cancellable": true,
        "decided_at": null, "reason": "",
    });
    assert_eq!(put, shown);
    assert_eq!(data(c.call(Method::POST, path, &header, Some(order.to_string())).await), put);
    assert_eq!(why(&c.post(path, order.clone()).await), "405 exchange_order_open");
    let orders = data(c.get("/api/acceptor/order/list").await);
    assert_eq!(orders, json!({ "current": put, "items": [put], "next_cursor": null }));
    assert_eq!(data(c.get("/api/user/property").await)["exchanging"], "10.01");

    let other = sign_in(&c.shell, test.user("other").await).await;
    assert_eq!(why(&other.post("/api/acceptor/order/cancel", json!({ "id": "1" })).await), "405 not_found");
    assert_eq!(data(other.get("/api/acceptor/order/list").await)["items"], json!([]));
    let cancel = async |key: &str, id: &str| {
        let body = json!({ "id": id }).to_string();
        c.call(Method::POST, "/api/acceptor/order/cancel", &[("Idempotency-Key", key)], Some(body)).await
    };
    let cancelled = data(cancel("k-2", "1").await);
    assert_eq!((&cancelled["status"], &cancelled["cancellable"]), (&json!("cancelled"), &json!(false)));
    assert_eq!(data(cancel("k-2", "1").await), cancelled, "repeated, it does nothing and says the same");
    assert_eq!(data(c.get("/api/user/property").await)["available"], "100.00");
    assert_eq!(why(&cancel("k-2", "2").await), "405 idempotency_key_reused");
    assert_eq!(why(&cancel("k-3", "1").await), "405 already_decided");
    assert_eq!(data(c.get("/api/acceptor/order/list").await)["current"], Value::Null);
});

on_both!(exchanges_are_refused_precisely, |test| {
    let c = funded(&test, "100").await;
    let made = acceptor(&test, &c).await;
    let code = made.code.expect("a code");
    let detail = async |code: &str| c.post("/api/acceptor/detail", json!({ "type": "enterprise", "code": code })).await;
    let wrong = detail("WRONG").await;
    assert_eq!((why(&wrong).as_str(), &wrong["data"]["attempts_left"]), ("405 acceptance_code_wrong", &json!(4)));
    for typed in [code.clone(), code.replace('-', "").to_lowercase(), format!("\u{feff}{code}\u{200b}")] {
        data(detail(&typed).await);
    }
    assert_eq!(why(&c.post("/api/acceptor/detail", json!({})).await), "400 params code=required type=required");
    let put = async |change: Value| {
        let mut order = json!({
            "acceptor_id": made.id, "code": code, "amount": "10", "currency": "EUR", "password": PASSWORD,
        });
        for (name, value) in change.as_object().expect("fields") {
            order[name] = value.clone();
        }
        c.post("/api/acceptor/order/put", order).await
    };
    for (change, told) in [
        (json!({ "amount": "0" }), "405 amount_out_of_range"),
        (json!({ "amount": 5 }), "400 params amount=invalid_amount"),
        (json!({ "amount": "" }), "400 params amount=required"),
        (json!({ "password": "0".repeat(32) }), "405 wrong_pay_password"),
        (json!({ "password": "123456" }), "400 params password=invalid_md5"),
        (json!({ "currency": "EURO" }), "400 params currency=invalid"),
        (json!({ "acceptor_id": "99" }), "405 acceptance_code_wrong"),
        (json!({ "acceptor_id": "x" }), "405 not_found"),
        (json!({ "rate": "1" }), "405 quote_expired"),
        (json!({ "currency": " eur", "rate": "1" }), "405 quote_expired"),
        (json!({ "amount": "50.01" }), "405 acceptor_limit_exceeded"),
    ] {
        assert_eq!(why(&put(change.clone()).await), told, "{change}");
    }
    test.clock.advance_seconds(600);
    assert_eq!(why(&put(json!({})).await), "405 quote_expired");
    assert_eq!(data(c.get("/api/user/property").await)["available"], "100.00");
    for _ in 0..5 {
        detail("WRONG").await;
    }
    let locked = detail(&code).await;
    assert_eq!((why(&locked).as_str(), &locked["data"]["retry_after"]), ("405 acceptance_code_locked", &json!(900)));
});

on_both!(a_deposit_is_paid_and_returned, |test| {
    let c = funded(&test, "100").await;
    let paid = data(c.post("/api/user/deposit/pay", json!({ "amount": "40", "password": PASSWORD })).await);
    assert_eq!(paid, json!({ "deposit": "40.00", "available": "60.00" }));
    assert_eq!(data(c.get("/api/user/info").await)["deposit"], "40.00");
    let back = data(c.post("/api/user/deposit/return", json!({ "amount": "40", "password": PASSWORD })).await);
    assert_eq!(back, json!({ "deposit": "0.00", "available": "100.00" }));
    for path in ["/api/user/deposit/pay", "/api/user/deposit/return"] {
        let told = why(&c.post(path, json!({ "amount": "100.01", "password": PASSWORD })).await);
        assert_eq!(told, "405 insufficient_balance", "{path}");
        let told = why(&c.post(path, json!({ "amount": "1", "password": "0".repeat(32) })).await);
        assert_eq!(told, "405 wrong_pay_password", "{path}");
    }
});

on_both!(a_month_is_downloaded, |test| {
    let c = funded(&test, "100").await;
    let (kind, name, bytes) = download(&c, "/api/transaction_flow/export?month=2026-01&format=csv").await;
    assert_eq!(kind, "text/csv; charset=utf-8");
    assert_eq!(name, "attachment; filename=\"placard-2026-01-simulated.csv\"");
    let text = String::from_utf8(bytes).expect("UTF-8");
    assert!(text.starts_with('\u{feff}') && text.contains("System top-up,100.00,"), "{text}");
    let (kind, name, bytes) = download(&c, "/api/transaction_flow/export?month=2026-01&format=pdf").await;
    assert_eq!(kind, "application/pdf");
    assert_eq!(name, "attachment; filename=\"placard-2026-01-simulated.pdf\"");
    assert!(bytes.starts_with(b"%PDF-"));
    for (query, told) in [
        ("", "month=required"),
        ("?month=2026-01", "format=required"),
        ("?month=2026-1&format=csv", "month=invalid"),
        ("?month=2026-02&format=csv", "month=in_the_future"),
        ("?month=2026-02&format=pdf", "month=in_the_future"),
        ("?month=2026-01&format=doc", "format=invalid"),
    ] {
        let answer = c.get(&format!("/api/transaction_flow/export{query}")).await;
        assert_eq!(why(&answer), format!("400 params {told}"), "{query}");
    }
});
