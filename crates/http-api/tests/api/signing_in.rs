//! Registering, signing in and out, changing the password, entering by ticket.

mod resets;

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use actix_web::test;
use auth::code::Activation;
use auth::{AccountStatus, Role};
use base::UserId;
use foundation::App;
use foundation::people::entry::issue_ticket;
use foundation::people::sessions::list_sessions;
use foundation::people::staff_accounts::change_status;
use foundation::staff::Staff;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use http_api::Shell;
use serde_json::{Value, json};
use store::{on_both, testing::TestDb};

use crate::support::{Client, Crowd, Served, data, guest, server, why};

fn registration(username: &str, license_key: &str) -> Value {
    json!({
        "username": username, "password": "a-good-password", "confirm_password": "a-good-password",
        "email": "ada@example.com", "phone": "+49 170 1234567", "license_key": license_key,
    })
}

/// A server, and a user registered there.
async fn registered(test: &TestDb) -> (Shell, Client) {
    let shell = server(test);
    let answer =
        guest(&shell).post("/api/auth/v2/register", registration("Ada", test.code("AAAA-BBBB-CCCC").await)).await;
    let token = data(answer)["token"].as_str().expect("a token").to_owned();
    let mut client = guest(&shell);
    client.forge(&token);
    (shell, client)
}

fn login(username: &str, password: &str) -> Value {
    json!({ "username": username, "password": password })
}

on_both!(a_code_opens_an_account, |test| {
    let shell = server(&test);
    // As keyboards of Chinese and Japanese write it.
    let typed = registration("Ａｄａ＿１", " aaaa-bbbb-cccc ");
    test.code("AAAA-BBBB-CCCC").await;
    let answer = data(guest(&shell).post("/api/auth/register", typed).await);
    let user = &answer["user"];
    assert_eq!(
        (&user["username"], &user["nickname"], &user["entry"]),
        (&json!("Ada_1"), &json!("Ada_1"), &json!("register"))
    );
    assert_eq!((&user["store_opened"], &user["status"], &user["lang"]), (&json!(true), &json!("active"), &json!("en")));
    assert_eq!((&user["deposit"], &user["credit_score"], &user["level"]), (&json!("0.00"), &json!(100), &json!(1)));
    let mut client = guest(&shell);
    client.forge(answer["token"].as_str().expect("a token"));
    assert_eq!(data(client.get("/api/user/info").await), *user);
    assert_eq!(data(client.get("/api/user/property").await)["available"], "0.00");
});

on_both!(what_is_missing_or_malformed_is_named_at_once, |test| {
    let guest = guest(&server(&test));
    assert_eq!(
        why(&guest.post("/api/auth/v2/register", json!({})).await),
        "400 params confirm_password=required email=required license_key=required password=required phone=required username=required"
    );
    let odd = json!({
        "username": "a b", "password": "password", "confirm_password": "other", "email": "ada", "phone": 7,
        "license_key": "x", "lang": "klingon",
    });
    assert_eq!(
        why(&guest.post("/api/auth/v2/register", odd).await),
        "400 params confirm_password=mismatch email=invalid_email lang=unknown_language password=too_common \
         phone=invalid_type username=invalid"
    );
    assert_eq!(why(&guest.post("/api/auth/login", json!({})).await), "400 params password=required username=required");
    assert_eq!(
        why(&guest.call(Method::POST, "/api/auth/login", &[], Some("{".into())).await),
        "400 params body=invalid"
    );
});

on_both!(a_name_or_a_code_is_taken_once, |test| {
    let (shell, _) = registered(&test).await;
    let guest = guest(&shell);
    let path = "/api/auth/v2/register";
    assert_eq!(why(&guest.post(path, registration("ADA", "AAAA-BBBB-CCCC")).await), "4001 user_exists");
    assert_eq!(why(&guest.post(path, registration("bob", "AAAA-BBBB-CCCC")).await), "405 authorization_code_used");
    assert_eq!(why(&guest.post(path, registration("bob", "none")).await), "405 authorization_code_not_found");
    // A refusal leaves nothing behind: the name is still free.
    let free = test.code("NEW").await;
    assert_eq!(guest.post(path, registration("bob", free)).await["code"], 200);
});

on_both!(fifty_at_once_use_a_code_once, |test| {
    let guest = guest(&server(&test));
    let one = test.code("ONE").await;
    let register = |n| guest.post("/api/auth/v2/register", registration(&format!("user{n}"), one));
    let crowd = Crowd::ask(50, register).await;
    crowd.expect(1, |answer| answer["code"] == 200);
});

on_both!(signing_in_tells_no_names, |test| {
    let (shell, _) = registered(&test).await;
    let guest = guest(&shell);
    let wrong = guest.post("/api/auth/v2/login", login("ada", "not-the-password")).await;
    let unknown = guest.post("/api/auth/v2/login", login("nobody", "not-the-password")).await;
    assert_eq!((why(&wrong), &wrong), ("405 wrong_credentials".to_owned(), &unknown));
    let answer = data(guest.post("/api/auth/login", json!({
        "username": "ADA", "password": "a-good-password", "lang": "zh", "status": "cancelled", "entry": "app",
    })).await);
    assert_eq!(
        (&answer["user"]["lang"], &answer["user"]["entry"], &answer["user"]["status"]),
        (&json!("zh"), &json!("register"), &json!("active"))
    );
});

on_both!(too_many_failures_wait, |test| {
    let (shell, _) = registered(&test).await;
    let served = Served::default();
    let ask = async |name: &str, from: &str| {
        let body = login(name, "not-the-password").to_string();
        let request = test::TestRequest::post().uri("/api/auth/v2/login").peer_addr(from.parse().expect("an address"));
        served.by(&shell, request.set_payload(body)).await.expect("an answer")
    };
    for n in 0..25 {
        assert_eq!(ask(&format!("name{n}"), "192.0.2.1:1").await.status(), StatusCode::OK);
    }
    let refused = ask("other", "192.0.2.1:1").await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key("retry-after"));
    let body: Value = test::read_body_json(refused).await;
    assert_eq!(why(&body), "429 too_many_requests");
    assert_eq!(ask("other", "192.0.2.2:1").await.status(), StatusCode::OK);
    test.clock.advance_seconds(300);
    assert_eq!(ask("other", "192.0.2.1:1").await.status(), StatusCode::OK);
});

on_both!(a_code_for_the_shop_is_tried_no_more_often_than_a_password, |test| {
    let shell = server(&test);
    let ticket = issue_ticket(&shell.app, None, "newcomer").await.expect("a ticket");
    let entered = data(guest(&shell).post("/api/auth/entry", json!({ "ticket": ticket.text() })).await);
    let served = Served::default();
    let open = async |code: &str, from: &str| {
        let body = json!({ "authorization_code": code }).to_string();
        let request = test::TestRequest::post().uri("/api/opening_store").peer_addr(from.parse().expect("an address"));
        let request = request.insert_header(("X-CT", entered["token"].as_str().expect("a token")));
        served.by(&shell, request.set_payload(body)).await.expect("an answer")
    };
    test.code("AAAA").await;
    for _ in 0..25 {
        assert_eq!(open("none", "192.0.2.1:1").await.status(), StatusCode::OK);
    }
    let refused = open("aaaa", "192.0.2.1:1").await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    // Together with sign-ins.
    let request = test::TestRequest::post().uri("/api/auth/v2/login").peer_addr("192.0.2.1:1".parse().expect("one"));
    let request = request.set_payload(login("ada", "not-the-password").to_string());
    assert_eq!(served.by(&shell, request).await.expect("an answer").status(), StatusCode::TOO_MANY_REQUESTS);
    // Elsewhere the right one opens it, and that is no failure.
    let body: Value = test::read_body_json(open("aaaa", "192.0.2.2:1").await).await;
    assert_eq!(data(body)["store_opened"], true);
    for _ in 0..25 {
        let body: Value = test::read_body_json(open("aaaa", "192.0.2.2:1").await).await;
        assert_eq!(why(&body), "405 store_already_opened");
    }
    assert_eq!(open("aaaa", "192.0.2.2:1").await.status(), StatusCode::TOO_MANY_REQUESTS);
});

on_both!(too_many_passwords_at_once_are_told_to_come_again, |test| {
    let (shell, served) = (server(&test), Served::default());
    let ask = async |n: usize| {
        let request = test::TestRequest::post().uri("/api/auth/v2/login");
        let body = login(&format!("name{n}"), "not-the-password").to_string();
        served.by(&shell, request.set_payload(body)).await.expect("an answer")
    };
    let mut answers: FuturesUnordered<_> = (0..200).map(ask).collect();
    let refused = loop {
        let answer = answers.next().await.expect("somebody is turned away");
        if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
            break answer;
        }
    };
    // Those still waiting can go: their places are then free.
    drop(answers);
    assert!(refused.headers().contains_key("retry-after"));
    let body: Value = test::read_body_json(refused).await;
    assert_eq!(why(&body), "500 overloaded");
    assert_eq!(ask(0).await.status(), StatusCode::OK);
});

on_both!(an_account_that_may_not_act_is_told_so, |test| {
    let (shell, client) = registered(&test).await;
    let staff = Staff::new(test.operator("ann", Role::Support).await, "a test").expect("a reason");
    for (status, code, key) in [
        (AccountStatus::NotActivated, 402, "account_not_activated"),
        (AccountStatus::Disabled, 403, "account_disabled"),
        (AccountStatus::Cancelled, 404, "account_cancelled"),
    ] {
        change_status(&shell.app, staff.clone(), "ada", status).await.expect("set");
        let told = format!("{code} {key}");
        assert_eq!(why(&client.get("/api/user/info").await), told);
        assert_eq!(why(&guest(&shell).post("/api/auth/login", login("ada", "a-good-password")).await), told);
        // The state of the account is told only after the right password.
        assert_eq!(why(&guest(&shell).post("/api/auth/login", login("ada", "wrong")).await), "405 wrong_credentials");
    }
});

on_both!(older_clients_register_and_sign_in_by_the_first_versions_calls, |test| {
    let shell = server(&test);
    let code = test.code("AAAA-BBBB-CCCC").await;
    let old = data(guest(&shell).post("/api/auth/register", registration("ada", code)).await);
    let (again, new) = (login("ada", "a-good-password"), login("ada", "a-good-password"));
    let old_login = data(guest(&shell).post("/api/auth/login", again).await);
    let new_login = data(guest(&shell).post("/api/auth/v2/login", new).await);
    for answer in [&old, &old_login, &new_login] {
        assert_eq!(answer["user"], old["user"]);
        let mut client = guest(&shell);
        client.forge(answer["token"].as_str().expect("a token"));
        assert_eq!(data(client.get("/api/user/info").await)["username"], "ada");
    }
    let taken = guest(&shell).post("/api/auth/register", registration("Ada", code)).await;
    assert_eq!(why(&taken), "4001 user_exists");
    assert_eq!(why(&guest(&shell).post("/api/auth/login", login("ada", "wrong")).await), "405 wrong_credentials");
    assert_eq!(
        why(&guest(&shell).post("/api/auth/login", json!({})).await),
        "400 params password=required username=required"
    );
});

on_both!(what_is_typed_elsewhere_is_kept_plain, |test| {
    let shell = server(&test);
    let code = test.code("AAAA-BBBB-CCCC").await.replace('-', "ー");
    let mut typed = registration("Ｊｏse\u{301}", &code);
    typed["email"] = json!("\u{a0}ada＠example\u{200b}．com ");
    typed["phone"] = json!("＋４９１５１１２３４５６７８");
    (typed["password"], typed["confirm_password"]) =
        (json!("mo\u{323}\u{302}t\u{a0}bi mật"), json!("mo\u{323}\u{302}t\u{a0}bi mật"));
    let user = data(guest(&shell).post("/api/auth/v2/register", typed).await)["user"].clone();
    assert_eq!(
        (&user["username"], &user["email"], &user["phone"]),
        (&json!("José"), &json!("ada@example.com"), &json!("+4915112345678"))
    );
    data(guest(&shell).post("/api/auth/v2/login", login("ｊoｓé", "một bi mật")).await);
    let answer = data(guest(&shell).post("/api/auth/v2/login", login("josé", "một bi mật")).await);
    let mut client = guest(&shell);
    client.forge(answer["token"].as_str().expect("a token"));
    let typed = json!({ "old_password": "mo\u{323}\u{302}t bi mật", "new_password": "một bi mật", "confirm_password": "một bi mật" });
    assert_eq!(why(&client.post("/api/update/password", typed).await), "405 password_unchanged");
});

on_both!(a_manual_code_opens_an_account_that_waits_for_staff, |test| {
    let shell = server(&test);
    let guest = guest(&shell);
    let code = test.code_of("WAIT-WAIT-WAIT", Activation::Manual).await;
    let answer = data(guest.post("/api/auth/v2/register", registration("ada", code)).await);
    assert_eq!(answer["user"]["status"], "not_activated");
    let mut client = guest.clone();
    client.forge(answer["token"].as_str().expect("a token"));
    let waits = "402 account_not_activated";
    for path in ["/api/user/info", "/api/products", "/api/user/property"] {
        assert_eq!(why(&client.get(path).await), waits, "{path}");
    }
    let typed = json!({ "topic": "x", "content": "x" });
    assert_eq!(why(&client.post("/api/feedback", typed).await), waits);
    for path in ["/api/auth/login", "/api/auth/v2/login"] {
        let told = guest.post(path, login("ada", "a-good-password")).await;
        assert_eq!(why(&told), waits);
        assert_eq!(told["msg"], "Account not activated, contact customer service");
        assert_eq!(told["data"]["lang"], "en");
    }
    let again = guest.post("/api/auth/v2/register", registration("ada", code)).await;
    assert_eq!(why(&again), "4001 user_exists");

    let staff = Staff::new(test.operator("ann", Role::Support).await, "looked at").expect("a reason");
    change_status(&shell.app, staff, "ada", AccountStatus::Active).await.expect("activated");
    assert_eq!(data(client.get("/api/user/info").await)["status"], "active", "the session goes on");
    data(guest.post("/api/auth/login", login("ada", "a-good-password")).await);
});

on_both!(a_manual_code_opens_the_store_of_who_came_by_a_shell_likewise, |test| {
    let shell = server(&test);
    let guest = guest(&shell);
    let code = test.code_of("WAIT-WAIT-WAIT", Activation::Manual).await;
    let enter = async || {
        let ticket = issue_ticket(&shell.app, None, "newcomer").await.expect("a ticket");
        guest.post("/api/auth/entry", json!({ "ticket": ticket.text() })).await
    };
    let mut client = guest.clone();
    client.forge(data(enter().await)["token"].as_str().expect("a token"));
    let opened = data(client.post("/api/opening_store", json!({ "authorization_code": code })).await);
    assert_eq!((&opened["store_opened"], &opened["status"]), (&json!(true), &json!("not_activated")));
    assert_eq!(why(&client.get("/api/user/info").await), "402 account_not_activated");
    assert_eq!(why(&enter().await), "402 account_not_activated");
    let staff = Staff::new(test.operator("ann", Role::Support).await, "looked at").expect("a reason");
    change_status(&shell.app, staff, "newcomer", AccountStatus::Active).await.expect("activated");
    assert_eq!(data(enter().await)["user"]["status"], "active");
});

on_both!(a_token_ends_with_its_session, |test| {
    let (shell, client) = registered(&test).await;
    assert_eq!(why(&guest(&shell).get("/api/user/info").await), "401 no_auth");
    let mut forged = guest(&shell);
    forged.forge(&"0".repeat(64));
    assert_eq!(why(&forged.get("/api/user/info").await), "503 token_expired");
    assert_eq!(data(client.post("/api/auth/logout", json!({})).await), json!({}));
    assert_eq!(why(&client.get("/api/user/info").await), "503 token_expired");
    // Signing out again, or without a token, is not a failure.
    data(client.post("/api/auth/logout", json!({})).await);
    data(guest(&shell).post("/api/auth/logout", json!({})).await);
});

on_both!(a_session_ends_when_idle, |test| {
    let (_, client) = registered(&test).await;
    test.clock.advance_seconds(24 * 3_600 - 1);
    data(client.get("/api/user/info").await);
    test.clock.advance_seconds(24 * 3_600 - 1);
    data(client.get("/api/user/info").await);
    test.clock.advance_seconds(24 * 3_600);
    assert_eq!(why(&client.get("/api/user/info").await), "503 token_expired");
});

/// Waits until the last use is stored, which a slow machine does after its answer.
async fn stored(app: &App, user: UserId) {
    while list_sessions(app, user, None).await.expect("sessions")[0].last_seen != app.now() {
        actix_web::rt::time::sleep(Duration::from_millis(5)).await;
    }
}

on_both!(a_session_ends_after_thirty_days_however_much_it_is_used, |test| {
    let (shell, client) = registered(&test).await;
    let user: i64 =
        data(client.get("/api/user/info").await)["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let half_a_day = 12 * 3_600;
    for _ in 0..59 {
        test.clock.advance_seconds(half_a_day);
        data(client.get("/api/user/info").await);
        stored(&shell.app, UserId(user)).await;
    }
    test.clock.advance_seconds(half_a_day - 1);
    data(client.get("/api/user/info").await);
    // A call that changes something checks the database.
    data(client.post("/api/user/info/edit", json!({ "nickname": "Ada" })).await);
    test.clock.advance_seconds(1);
    assert_eq!(why(&client.get("/api/user/info").await), "503 token_expired");
    assert_eq!(why(&client.post("/api/user/info/edit", json!({ "nickname": "Eve" })).await), "503 token_expired");
    data(guest(&shell).post("/api/auth/login", login("ada", "a-good-password")).await);
});

on_both!(five_sessions_and_no_more, |test| {
    let (shell, first) = registered(&test).await;
    for _ in 0..5 {
        test.clock.advance_seconds(1);
        data(guest(&shell).post("/api/auth/login", login("ada", "a-good-password")).await);
    }
    assert_eq!(why(&first.get("/api/user/info").await), "503 token_expired");
});

on_both!(sessions_are_listed_and_ended, |test| {
    let (shell, first) = registered(&test).await;
    let mut second = guest(&shell);
    let answer = data(second.post("/api/auth/login", login("ada", "a-good-password")).await);
    second.forge(answer["token"].as_str().expect("a token"));
    let listed = data(second.get("/api/user/sessions").await);
    let of = |current: bool| listed.as_array().and_then(|all| all.iter().find(|s| s["current"] == current)).cloned();
    let (own, other) = (of(true).expect("own"), of(false).expect("other"));
    assert!(own["created_at"].is_string() && own["last_seen"].is_string() && own["device"].is_string());
    let end = "/api/user/sessions/end";
    for none in [json!({}), json!({ "id": null }), json!({ "id": "", "all": false })] {
        assert_eq!(why(&second.post(end, none.clone()).await), "400 params id=required", "{none}");
    }
    assert_eq!(why(&second.post(end, json!({ "id": "999999" })).await), "405 not_found");
    data(second.post(end, json!({ "id": other["id"] })).await);
    assert_eq!(why(&first.get("/api/user/info").await), "503 token_expired");
    data(second.post(end, json!({ "all": true })).await);
    assert_eq!(why(&second.get("/api/user/info").await), "503 token_expired");
});

on_both!(a_new_password_ends_every_session, |test| {
    let (shell, client) = registered(&test).await;
    let path = "/api/update/password";
    let typed = |old: &str, new: &str, again: &str| json!({ "old_password": old, "new_password": new, "confirm_password": again });
    assert_eq!(
        why(&client.post(path, json!({})).await),
        "400 params confirm_password=required new_password=required old_password=required"
    );
    assert_eq!(
        why(&client.post(path, typed("a-good-password", "short", "shorter")).await),
        "400 params confirm_password=mismatch new_password=too_short"
    );
    assert_eq!(
        why(&client.post(path, typed("wrong", "a-new-password", "a-new-password")).await),
        "405 old_password_wrong"
    );
    let same = typed("a-good-password", "a-good-password", "a-good-password");
    assert_eq!(why(&client.post(path, same).await), "405 password_unchanged");
    data(client.post(path, typed("a-good-password", "a-new-password", "a-new-password")).await);
    assert_eq!(why(&client.get("/api/user/info").await), "503 token_expired");
    assert_eq!(
        why(&guest(&shell).post("/api/auth/login", login("ada", "a-good-password")).await),
        "405 wrong_credentials"
    );
    data(guest(&shell).post("/api/auth/login", login("ada", "a-new-password")).await);
});

on_both!(a_ticket_lets_in_once_and_soon, |test| {
    let shell = server(&test);
    let guest = guest(&shell);
    let ticket = issue_ticket(&shell.app, None, "Newcomer").await.expect("a ticket");
    let enter = async |ticket: &str| guest.post("/api/auth/entry", json!({ "ticket": ticket })).await;
    let answer = data(enter(ticket.text()).await);
    assert_eq!((&answer["user"]["entry"], &answer["user"]["store_opened"]), (&json!("app"), &json!(false)));
    assert_eq!(why(&enter(ticket.text()).await), "401 ticket_invalid");
    let late = issue_ticket(&shell.app, None, "newcomer").await.expect("a ticket");
    let account = async |ticket: &str| guest.post("/api/auth/entry/account", json!({ "ticket": ticket })).await;
    for _ in 0..2 {
        assert_eq!(data(account(late.text()).await), json!({ "username": "Newcomer" }), "asking does not use it");
    }
    let asked = issue_ticket(&shell.app, None, "newcomer").await.expect("a ticket");
    data(account(asked.text()).await);
    data(enter(asked.text()).await);
    for (unknown, told) in
        [(ticket.text(), "401 ticket_invalid"), ("x", "401 ticket_invalid"), ("", "400 params ticket=required")]
    {
        assert_eq!(why(&account(unknown).await), told);
    }
    test.clock.advance_seconds(60);
    assert_eq!(why(&enter(late.text()).await), "401 ticket_invalid");
    assert_eq!(why(&account(late.text()).await), "401 ticket_invalid");
    assert_eq!(why(&enter("nonsense").await), "401 ticket_invalid");
    assert_eq!(why(&enter("").await), "400 params ticket=required");
    assert_eq!(why(&guest.post("/api/auth/login", login("newcomer", "")).await), "400 params password=required");

    let mut client = guest.clone();
    client.forge(answer["token"].as_str().expect("a token"));
    let open = async |code: &str| client.post("/api/opening_store", json!({ "authorization_code": code })).await;
    assert_eq!(why(&open("").await), "400 params authorization_code=required");
    assert_eq!(why(&open("none").await), "405 authorization_code_not_found");
    test.code("AAAA").await;
    assert_eq!(data(open("aaaa").await)["store_opened"], true);
    assert_eq!(why(&open("aaaa").await), "405 store_already_opened");
});
