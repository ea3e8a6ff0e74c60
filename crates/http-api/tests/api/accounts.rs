//! The signed-in user's own account, and the calls that need no session.

use actix_web::http::Method;
use auth::PayPassword;
use base::UserId;
use serde_json::{Value, json};
use store::notifications::{Category, Notice, insert};
use store::on_both;

use crate::support::{Client, Crowd, PASSWORD, client, data, guest, server, sign_in, why};

fn digits(digits: &str) -> String {
    PayPassword::from_digits(digits).on_wire().to_owned()
}

async fn set(client: &Client, password: &str, again: &str, old: Option<&str>) -> Value {
    let body = json!({ "password": password, "confirm_password": again, "old_password": old });
    client.post("/api/set/password", body).await
}

async fn check(client: &Client, password: &str) -> Value {
    client.post("/api/check/password", json!({ "password": password })).await
}

on_both!(the_user_changes_what_is_theirs, |test| {
    let client = client(&test).await;
    let path = "/api/user/info/edit";
    let edited = data(
        client
            .post(path, json!({ "nickname": " Ada ", "email": "ada@example.org", "lang": "zh", "password": PASSWORD }))
            .await,
    );
    assert_eq!(
        (&edited["nickname"], &edited["email"], &edited["lang"]),
        (&json!("Ada"), &json!("ada@example.org"), &json!("zh"))
    );
    assert_eq!(edited["username"], "demo");
    let odd = json!({ "nickname": " ", "email": "x", "phone": "y", "lang": "xx" });
    let refused = client.post(path, odd).await;
    assert_eq!(
        why(&refused),
        "400 params email=invalid_email lang=unknown_language nickname=required phone=invalid_phone"
    );
    assert_eq!(refused["data"]["lang"], "zh");
    let meant =
        json!({ "status": "active", "entry": "app", "store_opened": false, "deposit": "9", "level": 9, "id": "7" });
    assert_eq!(data(client.post(path, meant).await), edited);
    assert_eq!(data(client.get("/api/user/info").await), edited);
});

on_both!(a_transaction_password_is_set_and_changed, |test| {
    let client = sign_in(&server(&test), test.user("demo").await).await;
    let (one, two) = (digits("839201"), digits("730184"));
    assert_eq!(why(&check(&client, &one).await), "405 pay_password_not_set");
    assert_eq!(why(&set(&client, "", "", None).await), "400 params confirm_password=required password=required");
    assert_eq!(
        why(&set(&client, "839201", &one, None).await),
        "400 params confirm_password=mismatch password=invalid_md5"
    );
    data(set(&client, &one, &one, None).await);
    assert_eq!(data(client.get("/api/user/property").await)["pay_password_set"], true);
    assert_eq!(data(check(&client, &one).await), json!({}));
    assert_eq!(why(&check(&client, "ABC").await), "400 params password=invalid_md5");

    assert_eq!(why(&set(&client, &two, &two, None).await), "400 params old_password=required");
    assert_eq!(why(&set(&client, &two, &two, Some(&two)).await), "405 wrong_pay_password");
    assert_eq!(why(&set(&client, &one, &one, Some(&one)).await), "405 password_unchanged");
    data(set(&client, &two, &two, Some(&one)).await);
    assert_eq!(why(&check(&client, &one).await), "405 wrong_pay_password");
    data(check(&client, &two).await);
});

on_both!(five_wrong_lock_for_an_hour, |test| {
    let client = client(&test).await;
    for left in [4, 3, 2, 1, 0] {
        let refused = check(&client, &digits("000001")).await;
        assert_eq!(
            (why(&refused), refused["data"]["attempts_left"].as_i64()),
            ("405 wrong_pay_password".into(), Some(left))
        );
    }
    let locked = check(&client, PASSWORD).await;
    assert_eq!((why(&locked), locked["data"]["retry_after"].as_i64()), ("405 pay_password_locked".into(), Some(3_600)));
    test.clock.advance_seconds(3_599);
    assert_eq!(why(&check(&client, PASSWORD).await), "405 pay_password_locked");
    test.clock.advance_seconds(1);
    data(check(&client, PASSWORD).await);
    assert_eq!(check(&client, &digits("000001")).await["data"]["attempts_left"], 4);
});

on_both!(fifteen_wrong_disable_until_somebody_checks, |test| {
    let mut client = client(&test).await;
    for _ in 0..3 {
        for _ in 0..5 {
            assert_eq!(why(&check(&client, &digits("000001")).await), "405 wrong_pay_password");
        }
        test.clock.advance_seconds(86_400);
        client = sign_in(&client.shell, client.user).await;
    }
    let disabled = check(&client, PASSWORD).await;
    assert_eq!((why(&disabled), &disabled["data"]["retry_after"]), ("405 pay_password_locked".into(), &Value::Null));
    assert!(disabled["msg"].as_str().is_some_and(|msg| msg.contains("customer service")), "{disabled}");
});

on_both!(two_hundred_guesses_at_once_evaluate_five, |test| {
    let client = client(&test).await;
    let (wrong, before) = (digits("000001"), client.shell.app.hashing().begun);
    let crowd = Crowd::ask(200, |_| check(&client, &wrong)).await;
    assert!(client.shell.app.hashing().begun - before <= 5);
    five_were_evaluated(&crowd);
});

/// The others found the password locked, or a machine that was too slow to say so in time.
fn five_were_evaluated(crowd: &Crowd) {
    let answers: Vec<String> = crowd.told.iter().map(why).collect();
    let told = |what: &str| answers.iter().filter(|key| *key == what).count();
    let (evaluated, late) = (told("405 wrong_pay_password"), told("500 timed_out"));
    assert!(evaluated <= 5, "{evaluated} were told that they are wrong");
    assert!(evaluated + crowd.again + late >= 5, "only {evaluated} were told that they are wrong");
    for key in answers.iter().filter(|key| *key != "405 wrong_pay_password") {
        assert!(["405 pay_password_locked", "500 timed_out"].contains(&key.as_str()), "{key}");
    }
}

on_both!(guesses_after_a_right_one_are_no_more, |test| {
    let client = client(&test).await;
    data(check(&client, PASSWORD).await);
    let (wrong, before) = (digits("000001"), client.shell.app.hashing().begun);
    let crowd = Crowd::ask(200, |_| check(&client, &wrong)).await;
    five_were_evaluated(&crowd);
    assert_eq!(client.shell.app.hashing().begun - before, 5);
    assert_eq!(why(&check(&client, PASSWORD).await), "405 pay_password_locked");
});

fn notice(user: UserId, category: Category, template: &str, params: &str) -> Notice {
    Notice { user, category, template: template.into(), params: params.into(), pushed: None }
}

on_both!(notices_are_listed_and_read, |test| {
    let client = sign_in(&server(&test), test.user("demo").await).await;
    let (user, other) = (client.user, test.user("other").await);
    let params = r#"{"":{"title":"Hello","body":"There is news."}}"#;
    let told = client.shell.app.db.write(move |tx| {
        let notice = |user, category| notice(user, category, "written", params);
        insert(
            tx,
            &[
                notice(user, Category::SystemAnnouncement),
                notice(user, Category::Activity),
                notice(user, Category::Activity),
                notice(other, Category::Activity),
            ],
        )
    });
    told.await.expect("told");
    let list = async |body: Value| data(client.post("/api/user/notifications", body).await);
    let all = list(json!({ "limit": 2 })).await;
    let newest = &all["items"][0];
    assert_eq!((&newest["title"], &newest["body"]), (&json!("Hello"), &json!("There is news.")));
    assert_eq!((&newest["category"], &newest["read"]), (&json!("activity"), &json!(false)));
    let rest = list(json!({ "cursor": all["next_cursor"] })).await;
    assert_eq!((rest["items"].as_array().map(Vec::len), &rest["next_cursor"]), (Some(1), &Value::Null));
    assert_eq!(
        data(client.post("/api/user/notifications/unread_count", json!({})).await),
        json!({ "unread_total": 3 })
    );

    let read = "/api/user/notifications/read";
    assert_eq!(data(client.post(read, json!({ "id": newest["id"] })).await), json!({ "unread_total": 2 }));
    assert_eq!(data(client.post(read, json!({ "id": newest["id"] })).await), json!({ "unread_total": 2 }));
    assert_eq!(
        list(json!({ "state": "read", "category": "activity" })).await["items"].as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(
        data(client.post(read, json!({ "all": true, "category": "activity" })).await),
        json!({ "unread_total": 1 })
    );
    assert_eq!(data(client.post(read, json!({ "all": true })).await), json!({ "unread_total": 0 }));
    assert_eq!(list(json!({ "state": "unread" })).await["items"], json!([]));
    for none in [json!({}), json!({ "id": "" })] {
        assert_eq!(why(&client.post(read, none.clone()).await), "400 params id=required", "{none}");
    }
    // Another user's looks as if it did not exist.
    let foreign = sign_in(&client.shell, other).await;
    let theirs = data(foreign.post("/api/user/notifications", json!({})).await)["items"][0]["id"].clone();
    assert_eq!(why(&client.post(read, json!({ "id": theirs })).await), "405 not_found");
    for body in [json!({ "category": "x" }), json!({ "state": "x" }), json!({ "limit": 101 }), json!({ "cursor": "x" })]
    {
        assert!(why(&client.post("/api/user/notifications", body).await).starts_with("400 params"));
    }
});

on_both!(anybody_may_ask_for_the_configuration, |test| {
    let guest = guest(&server(&test));
    let config = data(guest.get("/api/basic_config?lang=zh").await);
    assert_eq!((&config["data_source"], &config["currency"]["code"]), (&json!("simulated"), &json!("USD")));
    assert_eq!(config["vip"]["days"], 30);
    for list in ["client_language_map", "withdraw_method_config", "faq_config"] {
        assert!(config[list].as_array().is_some_and(|all| !all.is_empty()), "{list}");
    }
    assert!(config["customer_service_url"].is_array() && config["recharge_customer_service_url"].is_array());
    let english = data(guest.get("/api/basic_config").await);
    assert_ne!(english["faq_config"], config["faq_config"]);
    let languages = data(guest.get("/api/auth/v2/lang").await);
    assert!(languages["languages"].as_array().is_some_and(|all| all.iter().any(|l| l["lang"] == "zh")));
    assert_eq!(languages["client_language_map"], config["client_language_map"]);
});

/// Calls without a session, and those that are signed instead.
const OPEN: [&str; 14] = [
    "GET /api/auth/v2/lang",
    "GET /api/basic_config",
    "GET /api/openapi.json",
    "POST /api/auth/entry",
    "POST /api/auth/entry/account",
    "POST /api/auth/login",
    "POST /api/auth/logout",
    "POST /api/auth/register",
    "POST /api/auth/reset",
    "POST /api/auth/ticket",
    "POST /api/auth/v2/login",
    "POST /api/auth/v2/register",
    "POST /api/claim/look",
    "POST /api/claim/open",
];

on_both!(every_call_but_these_needs_a_session, |test| {
    let stranger = guest(&server(&test));
    let forgers = ["x", &"0".repeat(64)].map(|token| {
        let mut forger = guest(&stranger.shell);
        forger.forge(token);
        forger
    });
    let document: Value = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    let (mut open, mut closed) = (Vec::new(), 0);
    for (path, item) in document["paths"].as_object().expect("paths") {
        if !path.starts_with("/api/") {
            continue;
        }
        for (method, said) in item.as_object().expect("methods") {
            let method: Method = method.to_uppercase().parse().expect("a method");
            let call = format!("{method} {path}");
            // Signing out ends a session if there is one.
            let told = !OPEN.contains(&call.as_str()) || path == "/api/auth/logout";
            assert_eq!(said["security"].is_array(), told, "{call}");
            let asked = path.replace(['{', '}'], "");
            let body = (method == Method::POST).then(|| "{}".to_owned());
            let answer = stranger.call(method.clone(), &asked, &[], body.clone()).await;
            if OPEN.contains(&call.as_str()) {
                open.push(call);
                continue;
            }
            assert_eq!(why(&answer), "401 no_auth", "{call}");
            // A publisher has a key instead, and a session is nothing to it.
            let expected = if path.starts_with("/api/publisher/") { "401 no_auth" } else { "503 token_expired" };
            for forger in &forgers {
                let forged = forger.call(method.clone(), &asked, &[], body.clone()).await;
                assert_eq!(why(&forged), expected, "{call}");
            }
            closed += 1;
        }
    }
    open.sort();
    assert_eq!(open, OPEN, "listed, and not there");
    assert!(closed > 45, "only {closed} calls were tried");
});

on_both!(calls_that_take_an_idempotency_key_say_so, |test| {
    let client = client(&test).await;
    let document: Value = serde_json::from_str(&http_api::openapi::text()).expect("JSON");
    let mut taking = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        // Signing out would end the session that asks.
        if item["post"].is_null() || !path.starts_with("/api/") || path.starts_with("/api/auth/") {
            continue;
        }
        let answer = client.call(Method::POST, path, &[("Idempotency-Key", "a b")], Some("{}".to_owned())).await;
        let taken = answer["data"]["fields"]["idempotency_key"] == "invalid";
        let mut named = item["post"]["parameters"].as_array().into_iter().flatten();
        assert_eq!(named.any(|of| of["name"] == "Idempotency-Key"), taken, "{path}: {answer}");
        taking += usize::from(taken);
    }
    assert!(taking > 10, "{taking}");
});
