//! Requesting withdrawals.

use actix_web::http::Method;
use desk::account_detail::account_detail;
use foundation::people::refused_movements;
use serde_json::{Value, json};
use store::on_both;

use crate::support::{Client, Crowd, PASSWORD, client, data, funded, server, sign_in, why};

const PATH: &str = "/api/user/withdraw";

async fn ask(c: &Client, amount: &str) -> Value {
    c.post(PATH, json!({ "amount": amount, "password": PASSWORD })).await
}

async fn keyed(c: &Client, amount: &str, key: &str) -> Value {
    let body = json!({ "amount": amount, "password": PASSWORD }).to_string();
    c.call(Method::POST, PATH, &[("Idempotency-Key", key)], Some(body)).await
}

async fn available(c: &Client) -> String {
    data(c.get("/api/user/property").await)["available"].as_str().expect("a figure").to_owned()
}

async fn count(c: &Client) -> usize {
    data(c.get("/api/withdrawals?limit=100").await)["items"].as_array().expect("a list").len()
}

on_both!(asked_and_listed, |test| {
    let c = funded(&test, "100").await;
    let asked = data(ask(&c, "40").await);
    let expected = json!({
        "id": "1", "amount": "40.00", "fee": "0.00", "status": "pending",
        "requested_at": "2026-01-05T12:00:00.000Z", "decided_at": null, "reason": "",
    });
    assert_eq!(asked, expected);
    let listed = data(c.get("/api/withdrawals").await);
    assert_eq!(listed, json!({ "items": [asked], "next_cursor": null }));
    let other = sign_in(&c.shell, test.user("other").await).await;
    assert_eq!(count(&other).await, 0);
});

on_both!(cancelled_by_its_user_alone, |test| {
    let c = funded(&test, "100").await;
    data(ask(&c, "40").await);
    let other = sign_in(&c.shell, test.user("other").await).await;
    let cancel = "/api/user/withdraw/cancel";
    assert_eq!(why(&other.post(cancel, json!({ "id": "1" })).await), "405 not_found");
    assert_eq!(why(&c.post(cancel, json!({ "id": "x" })).await), "405 not_found");
    assert_eq!(why(&c.post(cancel, json!({})).await), "400 params id=required");
    assert_eq!(available(&c).await, "60.00");
    let keyed = async |id: &str| {
        let body = json!({ "id": id }).to_string();
        c.call(Method::POST, cancel, &[("Idempotency-Key", "c-1")], Some(body)).await
    };
    let cancelled = data(keyed("1").await);
    assert_eq!((&cancelled["status"], &cancelled["amount"]), (&json!("cancelled"), &json!("40.00")));
    assert_eq!(available(&c).await, "100.00");
    assert_eq!(data(keyed("1").await), cancelled, "repeated, it does nothing and says the same");
    assert_eq!(available(&c).await, "100.00");
    assert_eq!(why(&keyed("2").await), "405 idempotency_key_reused");
    assert_eq!(why(&c.post(cancel, json!({ "id": "1" })).await), "405 already_decided");
});

on_both!(how_long_they_take_is_told, |test| {
    let c = funded(&test, "100").await;
    let pace = data(c.get("/api/withdrawals/pace").await);
    assert_eq!(pace, json!({ "measured": 0, "half_within": null, "all_within": null }));
});

on_both!(odd_amounts_change_nothing, |test| {
    let c = funded(&test, "100").await;
    let text = |amount: &str| format!(r#"{{"amount":"{amount}","password":"{PASSWORD}"}}"#);
    let raw = |amount: &str| format!(r#"{{"amount":{amount},"password":"{PASSWORD}"}}"#);
    let malformed = "400 params amount=invalid_amount";
    let forty = "9".repeat(40);
    let mut bodies: Vec<(String, &str)> = vec![
        (raw("NaN"), "400 params body=invalid"),
        (raw("\"\""), "400 params amount=required"),
        (raw("null"), "400 params amount=required"),
        (text("0"), "405 amount_out_of_range"),
        (text("-1"), "405 amount_out_of_range"),
        (text("100.01"), "405 insufficient_balance"),
    ];
    bodies.extend(["NaN", "1e9", "0.001", forty.as_str(), "0x1", " 1", "1 "].map(|amount| (text(amount), malformed)));
    bodies.extend(["1", "1e9", "0.5", "-1", "true", "[1]", "{}"].map(|amount| (raw(amount), malformed)));
    for (body, told) in bodies {
        let answer = c.call(Method::POST, PATH, &[], Some(body.clone())).await;
        assert_eq!(why(&answer), told, "{body}");
    }
    assert_eq!((available(&c).await.as_str(), count(&c).await), ("100.00", 0));
});

on_both!(staff_are_shown_what_was_refused_and_in_which_words, |test| {
    let c = funded(&test, "100").await;
    let german = async |amount: &str| {
        let body = json!({ "amount": amount, "password": PASSWORD }).to_string();
        c.call(Method::POST, PATH, &[("Accept-Language", "de")], Some(body)).await
    };
    let told = german("100.01").await;
    assert_eq!(why(&told), "405 insufficient_balance");
    assert_eq!(why(&german("0.001").await), "400 params amount=invalid_amount");
    data(ask(&c, "1").await);
    // What moves nothing is not noted.
    assert_eq!(why(&c.post("/api/plan/order/pause", json!({ "id": "x" })).await), "405 not_found");
    refused_movements::save(&c.shell.app).await.expect("saved");
    let seen = json!(account_detail(&c.shell.app, "demo").await.expect("shown").refused);
    let noted = |at: usize, name: &str| seen[at][name].clone();
    assert_eq!(seen.as_array().map(Vec::len), Some(2));
    assert_eq!(
        (noted(0, "reason"), noted(0, "details")),
        (json!("params"), json!({ "fields": { "amount": "invalid_amount" } }))
    );
    assert_eq!(
        (noted(1, "reason"), noted(1, "endpoint")),
        (json!("insufficient_balance"), json!("POST /api/user/withdraw"))
    );
    assert_eq!((noted(1, "message"), noted(1, "lang")), (told["msg"].clone(), json!("de")));
    assert_eq!(noted(1, "at"), json!("2026-01-05T12:00:00.000Z"));
    assert!(!seen.to_string().contains(PASSWORD));
});

on_both!(the_password_guards_it, |test| {
    let c = funded(&test, "100").await;
    let with = async |password: &str| c.post(PATH, json!({ "amount": "1", "password": password })).await;
    assert_eq!(why(&with("").await), "400 params password=required");
    assert_eq!(why(&with("123456").await), "400 params password=invalid_md5");
    let wrong = with(&"0".repeat(32)).await;
    assert_eq!((why(&wrong).as_str(), &wrong["data"]["attempts_left"]), ("405 wrong_pay_password", &json!(4)));
    assert_eq!(available(&c).await, "100.00");

    let unset = sign_in(&c.shell, test.user("other").await).await;
    assert_eq!(why(&ask(&unset, "1").await), "405 pay_password_not_set");
});

on_both!(a_second_one_hashes_nothing, |test| {
    let c = funded(&test, "100").await;
    // The session that bound the payout account has given its password already.
    let c = sign_in(&c.shell, c.user).await;
    let before = c.shell.app.hashing().begun;
    data(ask(&c, "1").await);
    assert_eq!(c.shell.app.hashing().begun - before, 1);
    data(ask(&c, "2").await);
    assert_eq!(c.shell.app.hashing().begun - before, 1);
    assert_eq!((available(&c).await.as_str(), count(&c).await), ("97.00", 2));
});

on_both!(it_needs_an_opened_store_and_a_card, |test| {
    let c = client(&test).await;
    assert_eq!(why(&ask(&c, "1").await), "405 bank_card_not_bound");
    let closed = sign_in(&server(&test), test.user_with_store("closed", false).await).await;
    assert_eq!(why(&ask(&closed, "1").await), "405 store_not_opened");
});

on_both!(one_key_one_effect_one_answer, |test| {
    let c = funded(&test, "100").await;
    let first = data(keyed(&c, "60", "k-1").await);
    assert_eq!(data(keyed(&c, "60", "k-1").await), first);
    assert_eq!(why(&keyed(&c, "61", "k-1").await), "405 idempotency_key_reused");
    assert_eq!(why(&keyed(&c, "1", "not visible").await), "400 params idempotency_key=invalid");
    assert_eq!((available(&c).await.as_str(), count(&c).await), ("40.00", 1));
});

on_both!(sixty_four_at_once_pay_the_whole_balance_exactly_once, |test| {
    let c = funded(&test, "100").await;
    let crowd = Crowd::ask(64, |_| ask(&c, "100")).await;
    crowd.expect(1, |answer| answer["code"] == 200);
    assert_eq!((available(&c).await.as_str(), count(&c).await), ("0.00", 1));
});
