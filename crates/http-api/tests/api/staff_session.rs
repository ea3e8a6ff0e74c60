//! Sessions of staff in a user's account, which only read, and changes of the address and the number at which the user
//! is reached.

use actix_web::http::Method;
use auth::{Entry, Role};
use foundation::people::entry::issue_ticket;
use foundation::staff::Staff;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::support::{Client, PASSWORD, client, data, funded, guest, sign_in, why};

const REASON: &str = "cannot find a plan";

async fn ann(test: &TestDb) -> Staff {
    Staff::new(test.operator("ann of support", Role::Support).await, REASON).expect("a reason")
}

/// Enters an account by a ticket of staff, with this device.
async fn enter(user: &Client, by: &Staff, device: &str) -> (Client, Value) {
    let ticket = issue_ticket(&user.shell.app, Some(by.clone()), "demo").await.expect("a ticket");
    let body = json!({ "ticket": ticket.text() }).to_string();
    let entered = guest(&user.shell).call(Method::POST, "/api/auth/entry", &[("User-Agent", device)], Some(body)).await;
    let entered = data(entered);
    let mut staff = user.clone();
    staff.forge(entered["token"].as_str().expect("a token"));
    (staff, entered)
}

async fn notices(user: &Client) -> Vec<Value> {
    let page = data(user.post("/api/user/notifications", json!({})).await);
    page["items"].as_array().expect("items").clone()
}

fn kinds(notices: &[Value]) -> Vec<&str> {
    notices.iter().filter_map(|notice| notice["kind"].as_str()).collect()
}

/// What a session of staff may call: all of it reads.
pub const READS: [&str; 38] = [
    "GET /api/acceptor/list",
    "GET /api/acceptor/order/list",
    "GET /api/activities",
    "GET /api/ad/order/data_statistics/list",
    "GET /api/assistance/list",
    "GET /api/bank_card/detail",
    "GET /api/conversation",
    "GET /api/customer/messages",
    "GET /api/customer/pictures/{id}",
    "GET /api/level",
    "GET /api/level/credit",
    "GET /api/plan/compare",
    "GET /api/plan/order/event",
    "GET /api/plan/order/events",
    "GET /api/plan/order/list",
    "GET /api/plan/order/series",
    "GET /api/plan/product/results",
    "GET /api/products",
    "GET /api/report",
    "GET /api/transaction_flow/by_day",
    "GET /api/transaction_flow/export",
    "GET /api/transaction_flow/list",
    "GET /api/transaction_flow/proof",
    "GET /api/user/info",
    "GET /api/user/property",
    "GET /api/user/push",
    "GET /api/user/recharge/announcements",
    "GET /api/user/recharges",
    "GET /api/user/sessions",
    "GET /api/user_coupon/list",
    "GET /api/withdrawals",
    "GET /api/withdrawals/pace",
    "POST /api/plan/order/app/detail",
    "POST /api/plan/order/await/put/count",
    "POST /api/plan/order/detail",
    "POST /api/plan/order/quote",
    "POST /api/user/notifications",
    "POST /api/user/notifications/unread_count",
];

/// What reads as well, and is not for staff.
const NOT_FOR_STAFF: [(&str, &str); 2] = [
    ("GET /api/assistance/check", "only before following, which staff do not"),
    ("GET /api/user/export", "everything of a user in one file to keep"),
];

/// Calls without a session.
pub fn needs_session(call: &str) -> bool {
    let open = ["/api/auth/", "/api/basic_config", "/api/openapi.json", "/api/publisher/", "/api/log", "/api/claim/"];
    call.split_once(' ').is_some_and(|(_, path)| path.starts_with("/api/") && !open.iter().any(|o| path.starts_with(o)))
}

on_both!(a_session_of_staff_calls_what_is_listed_and_nothing_else, |test| {
    let user = client(&test).await;
    let (staff, _) = enter(&user, &ann(&test).await, "a desk").await;
    let document: Value = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    let (mut read, mut refused) = (Vec::new(), Vec::new());
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("methods").keys() {
            let method: Method = method.to_uppercase().parse().expect("a method");
            let call = format!("{method} {path}");
            if !needs_session(&call) {
                continue;
            }
            let body = (method == Method::POST).then(|| "{}".to_owned());
            let answer = staff.call(method.clone(), &path.replace(['{', '}'], ""), &[], body).await;
            let is_refused = answer["data"]["error"] == "read_only_session";
            if is_refused {
                assert_eq!(answer["code"], 405, "{call}");
            }
            if is_refused { refused.push(call) } else { read.push(call) }
        }
    }
    read.sort();
    assert_eq!(read, READS, "a call that changes nothing is listed here and in `extract/read_only.rs`");
    for call in &refused {
        let known = call.starts_with("POST ") || NOT_FOR_STAFF.iter().any(|(path, _)| path == call);
        assert!(known, "{call} is listed with what staff may read, or with why not");
    }
    assert!(refused.len() > 25, "{refused:?}");
});

on_both!(a_session_of_staff_marks_nothing_and_ends_nothing, |test| {
    let user = funded(&test, "100.00").await;
    let (before, sessions) = (notices(&user).await.len(), data(user.get("/api/user/sessions").await));
    let by = ann(&test).await;
    let (staff, _) = enter(&user, &by, "a desk").await;
    let own = data(user.get("/api/user/sessions").await)[0]["id"].clone();
    for (path, body) in [
        ("/api/user/notifications/read", json!({ "all": true })),
        ("/api/customer/messages/read", json!({ "until": "1" })),
        ("/api/customer/messages", json!({ "text": "pay me" })),
        ("/api/conversation", json!({ "text": "pay me" })),
        ("/api/user/sessions/end", json!({ "all": true })),
        ("/api/user/sessions/end", json!({ "id": own })),
        ("/api/set/password", json!({ "password": PASSWORD, "confirm_password": PASSWORD })),
        ("/api/check/password", json!({ "password": PASSWORD })),
        ("/api/user/info/edit", json!({ "phone": "+4915112345678", "password": PASSWORD })),
        ("/api/user/withdraw", json!({ "amount": "1", "password": PASSWORD })),
        ("/api/user_coupon/receive", json!({ "activity": "newcomer" })),
        ("/api/assistance/follow", json!({ "operated_id": "OP-1" })),
    ] {
        assert_eq!(why(&staff.post(path, body).await), "405 read_only_session", "{path}");
    }
    assert_eq!(notices(&staff).await, notices(&user).await, "they see the same");
    let unread = data(user.post("/api/user/notifications/unread_count", json!({})).await)["unread_total"].clone();
    assert_eq!(unread, before + 1, "all are unread, and one came");
    assert_eq!(data(user.get("/api/user/property").await)["available"], "100.00");

    // They start no more than a user may have, and none of them takes the place of one of the user's.
    for _ in 0..7 {
        test.clock.advance_seconds(1);
        enter(&user, &by, "a desk").await;
    }
    let now = data(user.get("/api/user/sessions").await);
    let (staffs, own): (Vec<_>, Vec<_>) =
        now.as_array().expect("a list").iter().partition(|session| session["operator"] == "ann of support");
    assert_eq!(own.len(), sessions.as_array().expect("a list").len());
    assert_eq!(staffs.len(), 5);
    assert_eq!(staffs[0]["reason"], REASON);
    // A reader signs out of their own session alone.
    data(staff.post("/api/auth/logout", json!({})).await);
    data(user.get("/api/user/info").await);
});

on_both!(the_user_is_told_who_came_and_why_even_on_the_same_device, |test| {
    let user = client(&test).await;
    let before = notices(&user).await.len();
    // The device that the user has, so nothing is new about it.
    let (staff, entered) = enter(&user, &ann(&test).await, "test").await;
    let all = notices(&user).await;
    assert_eq!((all.len(), kinds(&all)[0]), (before + 1, "staff_entered"));
    let said = format!("{} {}", all[0]["title"].as_str().expect("a title"), all[0]["body"].as_str().expect("a body"));
    assert!(said.contains("ann of support") && said.contains(REASON), "{said}");
    // The session says so itself, at once and later.
    for told in [&entered["user"]["session"], &data(staff.get("/api/user/info").await)["session"]] {
        assert_eq!((&told["read_only"], &told["operator"]), (&json!(true), &json!("ann of support")), "{told}");
        assert_eq!(told["reason"], REASON);
    }
    assert_eq!(entered["user"]["entry"], Entry::App.name());
    assert_eq!(data(user.get("/api/user/info").await)["session"], Value::Null);
    // Their device is none of the user's: whoever comes with it later is told of.
    enter(&user, &ann_again(&test).await, "a strange desk").await;
    let ticket = issue_ticket(&user.shell.app, None, "demo").await.expect("a ticket");
    let body = json!({ "ticket": ticket.text() }).to_string();
    let agent = [("User-Agent", "a strange desk")];
    data(guest(&user.shell).call(Method::POST, "/api/auth/entry", &agent, Some(body)).await);
    assert_eq!(kinds(&notices(&user).await)[0], "new_device");
});

async fn ann_again(test: &TestDb) -> Staff {
    Staff::new(test.operator("bob of support", Role::Support).await, REASON).expect("a reason")
}

on_both!(the_address_and_the_number_need_the_transaction_password, |test| {
    let user = client(&test).await;
    let edit = async |body: Value| user.post("/api/user/info/edit", body).await;
    for body in [json!({ "email": "new@example.org" }), json!({ "phone": "+4915112345678", "password": "" })] {
        assert_eq!(why(&edit(body).await), "400 params password=required");
    }
    let wrong = "0".repeat(32);
    let guessed = edit(json!({ "email": "new@example.org", "password": wrong })).await;
    assert_eq!((why(&guessed).as_str(), &guessed["data"]["attempts_left"]), ("405 wrong_pay_password", &json!(4)));
    // What cannot be saved uses no attempt.
    let odd = edit(json!({ "email": "x", "password": wrong })).await;
    assert_eq!(why(&odd), "400 params email=invalid_email");
    let still = data(user.get("/api/user/info").await);
    assert_eq!(still["email"], "someone@example.com");
    // The same again, and everything else, needs none.
    data(edit(json!({ "email": "someone@example.com", "phone": "+100000000", "nickname": "Ada" })).await);
    let before = notices(&user).await.len();
    let saved =
        data(edit(json!({ "email": "new@example.org", "phone": "+4915112345678", "password": PASSWORD })).await);
    assert_eq!((&saved["email"], &saved["phone"]), (&json!("new@example.org"), &json!("+4915112345678")));
    let all = notices(&user).await;
    let mut told = kinds(&all[..all.len() - before]);
    told.sort_unstable();
    assert_eq!(told, ["email_changed", "phone_changed"]);
    assert!(!format!("{all:?}").contains("new@example.org"), "masked");
});

on_both!(without_a_transaction_password_none_is_needed, |test| {
    let user = sign_in(&crate::support::server(&test), test.user("demo").await).await;
    data(user.post("/api/user/info/edit", json!({ "email": "new@example.org" })).await);
});

on_both!(nothing_leaves_a_live_account_for_a_day_after_its_number_changed, |test| {
    let user = funded(&test, "100.00").await;
    let test = test.turned_live();
    let live = user.at(&crate::support::server(&test));
    test.clock.advance_seconds(2 * 86_400);
    let live = sign_in(&live.shell, live.user).await;
    let withdraw = async || live.post("/api/user/withdraw", json!({ "amount": "10", "password": PASSWORD })).await;
    data(withdraw().await);
    data(live.post("/api/user/info/edit", json!({ "phone": "+4915112345678", "password": PASSWORD })).await);
    assert_eq!(why(&withdraw().await), "405 payout_on_hold");
    test.clock.advance_seconds(86_400);
    let live = sign_in(&live.shell, live.user).await;
    data(live.post("/api/user/withdraw", json!({ "amount": "10", "password": PASSWORD })).await);
});
