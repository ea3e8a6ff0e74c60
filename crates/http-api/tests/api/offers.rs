//! Coupons, activities, quotes, level and VIP.

use actix_web::http::Method;
use auth::Role;
use desk::requests::approve;
use foundation::staff::Staff;
use money::offers::coupon_grants::grant_coupon;
use money::offers::coupon_staff::define_coupon;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::market::open_market;
use crate::support::{Client, PASSWORD, client, data, funded, sign_in, why};

/// A market, and two coupons, one of them the user's.
async fn market(test: &TestDb) -> Client {
    let client = funded(test, "1000.00").await;
    open_market(test, &client.shell).await;
    let admin = Staff::new(test.operator("carol", Role::Admin).await, "a test").expect("a reason");
    let second = Staff::new(test.operator("dora", Role::Finance).await, "a test").expect("a reason");
    let app = &client.shell.app;
    let agree = async |asked: &str| approve(app, &second, asked.parse().expect("an id")).await.expect("approved");
    for text in [
        json!({ "name": "Welcome", "kind": "fixed_amount", "value": "5.00", "days": 30, "activity": "newcomer",
            "quantity": 10 }),
        json!({ "name": "Tenth", "kind": "custom", "effect": "discount", "value": "0.1", "min_amount": "50.00",
            "max_value": "8.00", "days": 10, "quantity": 10 }),
    ] {
        let file = serde_json::from_value(text).expect("a coupon");
        agree(&define_coupon(app, &admin, &file).await.expect("asked for").request.id.to_string()).await;
    }
    agree(&grant_coupon(app, &admin, "demo", "Tenth", None).await.expect("asked for").id.to_string()).await;
    client
}

fn put_body(amount: &str, coupon: &Value) -> Value {
    json!({ "product_id": "1", "amount": amount, "content": "landing_page", "coupon_id": coupon, "password": PASSWORD })
}

on_both!(coupons_are_listed_by_their_state, |test| {
    let c = market(&test).await;
    let listed = data(c.get("/api/user_coupon/list?status=unused").await);
    let expected = json!([{
        "id": "1", "name": "Tenth", "kind": "custom", "effect": "discount", "value": "0.10", "max_value": "8.00",
        "min_amount": "50.00", "operated_id": null, "received_at": "2026-01-05T12:00:00.000Z",
        "expires_at": "2026-01-15T12:00:00.000Z", "used_at": null, "plan_id": null, "status": "unused",
    }]);
    assert_eq!((&listed["items"], &listed["next_cursor"]), (&expected, &Value::Null));
    for state in ["used", "expired"] {
        assert_eq!(data(c.get(&format!("/api/user_coupon/list?status={state}")).await)["items"], json!([]));
    }
    assert_eq!(data(c.get("/api/user_coupon/list").await)["items"], expected);
    assert_eq!(why(&c.get("/api/user_coupon/list?status=lost").await), "400 params status=invalid");
    assert_eq!(why(&c.get("/api/user_coupon/list?limit=0").await), "400 params limit=invalid");
});

on_both!(the_newcomer_coupon_is_received_once, |test| {
    let c = market(&test).await;
    let activity = data(c.get("/api/activities").await)[0].clone();
    assert_eq!((&activity["key"], &activity["received"]), (&json!("newcomer"), &json!(false)));
    assert_eq!((&activity["title"], &activity["coupon"]["value"]), (&json!("Newcomer coupon"), &json!("5.00")));
    let receive = async |activity: Value| c.post("/api/user_coupon/receive", json!({ "activity": activity })).await;
    let coupon = data(receive(json!("newcomer")).await);
    assert_eq!((&coupon["name"], &coupon["status"]), (&json!("Welcome"), &json!("unused")));
    assert_eq!(why(&receive(json!("newcomer")).await), "405 coupon_already_received");
    assert_eq!(why(&receive(json!("lottery")).await), "400 params activity=invalid");
    assert_eq!(why(&receive(json!("")).await), "400 params activity=required");
    assert_eq!(why(&receive(json!(7)).await), "400 params activity=invalid_type");
    let activity = data(c.get("/api/activities").await)[0].clone();
    assert_eq!((&activity["received"], &activity["coupon"]), (&json!(true), &coupon));
});

on_both!(a_put_takes_what_was_quoted, |test| {
    let c = market(&test).await;
    let quote = data(c.post("/api/plan/order/quote", json!({ "product_id": "1", "amount": "100.00" })).await);
    let best = quote["best"].clone();
    assert_eq!((&quote["available_pays"], &quote["promotional_pays"]), (&json!("100.00"), &json!("0.00")));
    assert_eq!((&quote["fee_rate"], &best), (&json!("0.1"), &json!("1")));
    assert_eq!((&quote["coupons"][0]["pays"], &quote["coupons"][0]["applicable"]), (&json!("92.00"), &json!(true)));
    let plan = data(c.post("/api/plan/order/put", put_body("100.00", &best)).await);
    assert_eq!((&plan["put_amount"], &plan["paid_amount"]), (&json!("100.00"), &json!("92.00")));
    assert_eq!((&plan["coupon"]["id"], &plan["coupon"]["status"]), (&best, &json!("used")));
    let mut listed = plan.clone();
    listed["trend"] = json!(["0.00"]);
    listed["conversions"] = json!(0);
    assert_eq!(data(c.get("/api/plan/order/list").await)["items"], json!([listed]));
    assert_eq!(data(c.get("/api/user/property").await)["available"], "908.00");
    assert_eq!(why(&c.post("/api/plan/order/put", put_body("100.00", &best)).await), "405 coupon_used");
});

on_both!(what_cannot_be_used_is_refused, |test| {
    let c = market(&test).await;
    let put = async |amount, coupon: Value| why(&c.post("/api/plan/order/put", put_body(amount, &coupon)).await);
    assert_eq!(put("49.99", json!("1")).await, "405 coupon_not_applicable");
    assert_eq!(put("100.00", json!("99")).await, "405 not_found");
    assert_eq!(put("100.00", json!("x")).await, "405 not_found");
    assert_eq!(put("100.00", json!(1)).await, "400 params coupon_id=invalid_type");
    let short = data(c.post("/api/plan/order/quote", json!({ "product_id": "1", "amount": "49.99" })).await);
    assert_eq!((&short["best"], &short["coupons"][0]["reason"]), (&Value::Null, &json!("coupon_not_applicable")));
    let quote = async |body: Value| why(&c.post("/api/plan/order/quote", body).await);
    assert_eq!(quote(json!({ "amount": "50.00" })).await, "400 params product_id=required");
    assert_eq!(quote(json!({ "product_id": "1" })).await, "400 params amount=required");
    assert_eq!(quote(json!({ "product_id": "1", "amount": "1e9" })).await, "400 params amount=invalid_amount");
    assert_eq!(quote(json!({ "product_id": "1", "amount": "0.01" })).await, "405 amount_out_of_range");
    assert_eq!(quote(json!({ "id": "9", "amount": "50.00" })).await, "405 not_found");
    assert_eq!(data(c.get("/api/user/property").await)["available"], "1000.00");
});

on_both!(the_level_shows_what_it_is_made_of, |test| {
    let c = client(&test).await;
    let level = data(c.get("/api/level").await);
    assert_eq!((&level["level"], &level["name"], &level["credit_score"]), (&json!(1), &json!("New shop"), &json!(100)));
    assert_eq!(level["progress"], json!({ "spent": "0.00", "next_at": "500.00" }));
    assert_eq!((&level["credit_history"], &level["benefits"]), (&json!([]), &json!([])));
    assert_eq!(level["levels"].as_array().map(Vec::len), Some(5));
    assert_eq!(level["credit_formula"]["rules"][4]["change"], -20);
    assert_eq!(data(c.get("/api/level/credit").await), json!({ "items": [], "next_cursor": null }));
    assert_eq!(why(&c.get("/api/level/credit?cursor=x").await), "400 params cursor=invalid");
});

on_both!(vip_is_bought_with_the_transaction_password, |test| {
    let c = funded(&test, "150.00").await;
    let buy = async |password: &str, key: &str| {
        let body = json!({ "password": password }).to_string();
        c.call(Method::POST, "/api/vip/subscribe", &[("Idempotency-Key", key)], Some(body)).await
    };
    assert_eq!(why(&buy(&"0".repeat(32), "a").await), "405 wrong_pay_password");
    assert_eq!(why(&buy("123456", "a").await), "400 params password=invalid_md5");
    assert_eq!(why(&buy("", "a").await), "400 params password=required");
    let until = json!({ "until": "2026-02-04T12:00:00.000Z" });
    assert_eq!(data(buy(PASSWORD, "a").await), until);
    assert_eq!(data(buy(PASSWORD, "a").await), until);
    assert_eq!(why(&buy(PASSWORD, "b").await), "405 insufficient_balance");
    assert_eq!(data(c.get("/api/user/info").await)["vip_until"], until["until"]);
    assert_eq!(data(c.get("/api/user/property").await)["available"], "51.00");
    let vip = data(c.get("/api/basic_config?lang=de").await)["vip"].clone();
    assert_eq!((&vip["price"], &vip["days"], &vip["fee_percent_off"]), (&json!("99.00"), &json!(30), &json!(20)));
    assert!(vip["benefits"][0].as_str().is_some_and(|text| text.contains("8\u{a0}% statt 10\u{a0}%")), "{vip}");
    let closed = sign_in(&c.shell, test.user_with_store("guest", false).await).await;
    assert_eq!(why(&closed.post("/api/vip/subscribe", json!({ "password": PASSWORD })).await), "405 store_not_opened");
});
