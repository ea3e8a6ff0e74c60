//! Feedback, following, exporting one's data, closing the account, and the provider's own
//! server.

mod push;

use std::future::poll_fn;
use std::pin::Pin;

use actix_web::body::MessageBody;
use actix_web::http::Method;
use actix_web::test;
use auth::signature::{SignedRequest, sign};
use auth::{Entry, Role};
use campaigns::AdServer;
use campaigns::plans::operated;
use desk::requests;
use desk::requests::approve;
use foundation::notifications::{conversation_staff, feedback};
use foundation::people::pay_password::Proof;
use foundation::staff::Staff;
use foundation::{ProviderKey, Settings};
use payee::testing::{masked, tron_address};
use serde_json::{Value, json};
use store::{PageRequest, on_both};

use http_api::{Shell, TrustedProxies};

use crate::support::{Client, PASSWORD, answered, client, data, described_limit, funded, guest, server, sign_in, why};

pub const KEY: &str = "a key of thirty-two characters!!";

on_both!(feedback_is_taken_and_answered, |test| {
    let client = sign_in(&server(&test), test.user("demo").await).await;
    let send = async |body: Value| client.post("/api/feedback", body).await;
    let sent = data(send(json!({ "topic": " Idea ", "content": "A line.\nAnother." })).await);
    assert!(sent["id"].is_string(), "{sent}");
    assert_eq!(why(&send(json!({})).await), "400 params content=required topic=required");
    assert_eq!(why(&send(json!({ "topic": " ", "content": "x" })).await), "400 params topic=required");
    let most = |field, limit| described_limit("FeedbackRequest", field, limit);
    let [topic, content] = ["topic", "content"].map(|field| "x".repeat(most(field, "maxLength")));
    let long = json!({ "topic": format!("{topic}x"), "content": format!("{content}x") });
    assert_eq!(why(&send(long).await), "400 params content=too_long topic=too_long");
    let foreign = json!({ "topic": "x", "content": "x", "images": ["0".repeat(32)] });
    assert_eq!(why(&send(foreign).await), "400 params images=invalid");
    let many: Vec<String> = (0..=most("images", "maxItems")).map(|n| format!("{n:032x}")).collect();
    assert_eq!(why(&send(json!({ "topic": "x", "content": "x", "images": many })).await), "400 params images=too_many");
    data(send(json!({ "topic": topic, "content": content })).await);
    for _ in 2..10 {
        data(send(json!({ "topic": "x", "content": "x" })).await);
    }
    assert_eq!(why(&send(json!({ "topic": "x", "content": "x" })).await), "429 too_many_requests");
    test.clock.advance_seconds(3_600);
    data(send(json!({ "topic": "x", "content": "x" })).await);

    let app = &client.shell.app;
    let listed =
        feedback::list(app, feedback::FeedbackFilter::default(), PageRequest::default()).await.expect("listed").items;
    let first = listed.last().expect("the first one");
    assert_eq!((first.topic.as_str(), first.username.as_str()), ("Idea", "demo"));
    let ann = Staff::new(test.operator("ann", Role::Support).await, "a test").expect("a reason");
    let id = first.id;
    feedback::close(app, ann.clone(), id, Some("Thank you".into())).await.expect("closed");
    let again = feedback::close(app, ann, id, Some("Thank you".into())).await;
    assert_eq!(again.expect_err("refused").key(), "already_decided");
    let told = data(client.post("/api/user/notifications", json!({})).await);
    assert_eq!(told["items"][0]["body"], "Idea: Thank you");
    assert_eq!(told["items"].as_array().map(Vec::len), Some(1));
});

async fn operated(client: &Client, test: &store::testing::TestDb) {
    let ann = Staff::new(test.operator("ann", Role::Support).await, "a test").expect("a reason");
    let ben = Staff::new(test.operator("ben", Role::Finance).await, "a test").expect("a reason");
    let app = &client.shell.app;
    for username in ["lina", "marco"] {
        test.user(username).await;
    }
    for (username, id, name) in
        [("lina", "OP-1001", "Studio"), ("marco", "OP-1002", "Studio"), ("demo", "OP-2000", "Myself")]
    {
        let asked = operated::add(app, ann.clone(), username, id, name).await.expect("requested");
        approve(app, &ben, asked.id.into()).await.expect("approved");
    }
}

on_both!(one_operated_id_is_followed_at_a_time, |test| {
    let client = sign_in(&server(&test), test.user("demo").await).await;
    operated(&client, &test).await;
    let follow = async |id: &str| client.post("/api/assistance/follow", json!({ "operated_id": id })).await;
    let list = async || data(client.get("/api/assistance/list").await);
    let own = json!({ "operated_id": "OP-2000", "name": "Myself", "followers": 0 });
    assert_eq!(list().await, json!({ "current": null, "own": own, "items": [], "next_cursor": null }));
    assert_eq!(
        data(client.get("/api/user/info").await)["operated_id"],
        Value::Null,
        "one's own is not what one follows"
    );
    let check = async |id: &str| client.get(&format!("/api/assistance/check?operated_id={id}")).await;
    for wrong in ["OP-9999", "OP%201001", "OP-2000", "x"] {
        assert_eq!(why(&check(wrong).await), "405 follow_id_invalid", "{wrong}");
    }
    assert_eq!(why(&check("").await), "400 params operated_id=required");
    assert_eq!(why(&client.get("/api/assistance/check").await), "400 params operated_id=required");
    assert_eq!(data(check("op-1001").await), json!({ "operated_id": "OP-1001", "name": "Studio" }));
    assert_eq!(list().await["current"], Value::Null, "nothing is followed yet");
    for wrong in ["OP-9999", "OP 1001", "OP-2000", "x"] {
        assert_eq!(why(&follow(wrong).await), "405 follow_id_invalid", "{wrong}");
    }
    assert_eq!(why(&follow("").await), "400 params operated_id=required");
    assert_eq!(data(follow("op-1001").await)["current"]["operated_id"], "OP-1001");
    assert_eq!(why(&follow("OP-1001").await), "405 follow_id_invalid", "the current one");
    assert_eq!(why(&check("OP-1001").await), "405 follow_id_invalid", "the current one");
    assert_eq!(data(client.get("/api/user/info").await)["operated_id"], "OP-1001");
    test.clock.advance_seconds(60);
    data(follow("OP-1002").await);
    let after = list().await;
    assert_eq!((&after["current"]["operated_id"], &after["current"]["name"]), (&json!("OP-1002"), &json!("Studio")));
    assert_eq!(after["items"][0]["ended_at"], Value::Null);
    assert_eq!(after["items"][1]["ended_at"], after["items"][0]["followed_at"]);
    assert_eq!(after["items"].as_array().map(Vec::len), Some(2));
});

on_both!(a_leader_sees_their_own_id_and_how_many_follow_it, |test| {
    let shell = server(&test);
    let follower = sign_in(&shell, test.user("demo").await).await;
    operated(&follower, &test).await;
    let lina =
        shell.app.db.read(|conn| store::people::users::find_by_key(conn, "lina")).await.expect("read").expect("a user");
    let leader = sign_in(&shell, lina.id).await;
    let own = async |client: &Client| data(client.get("/api/assistance/list").await)["own"].clone();
    let followed = |followers: i64| json!({ "operated_id": "OP-1001", "name": "Studio", "followers": followers });
    assert_eq!(own(&leader).await, followed(0));
    data(follower.post("/api/assistance/follow", json!({ "operated_id": "OP-1001" })).await);
    assert_eq!(own(&leader).await, followed(1));
    // A leader's user info shows whom the leader follows: nobody. The follower's shows
    // the leader.
    assert_eq!(data(leader.get("/api/user/info").await)["operated_id"], Value::Null);
    assert_eq!(data(follower.get("/api/user/info").await)["operated_id"], "OP-1001");
    data(follower.post("/api/assistance/follow", json!({ "operated_id": "OP-1002" })).await);
    assert_eq!(own(&leader).await, followed(0));
    // A user without an operated id sees none.
    let nobody = sign_in(&shell, test.user("nobody").await).await;
    assert_eq!(own(&nobody).await, Value::Null);
});

on_both!(the_data_is_taken_along_without_secrets, |test| {
    let client = funded(&test, "100.00").await;
    data(client.post("/api/feedback", json!({ "topic": "Idea", "content": "x" })).await);
    let edit = json!({ "email": "demo@example.org", "password": PASSWORD });
    data(client.post("/api/user/info/edit", edit).await);
    let file = client.call(Method::GET, "/api/user/export", &[], None).await;
    assert_eq!((&file["profile"]["username"], &file["wallet"]["available"]), (&json!("demo"), &json!("100.00")));
    assert_eq!(file["transactions"][0]["amount"], "100.00");
    assert_eq!(
        (&file["feedback"][0]["topic"], &file["bank_card"]["address"]),
        (&json!("Idea"), &json!(masked(&tron_address("user"))))
    );
    for list in ["sessions", "withdrawals", "plans", "follows", "notifications", "staff_actions"] {
        assert!(file[list].is_array(), "{list}");
    }
    // What the user may see elsewhere, or staff see of the user, is there too.
    assert!(file["push_devices"].is_array() && file["credit_history"].is_array(), "{file}");
    assert_eq!(file["recharges"][0]["amount"], "100.00");
    let change = &file["contact_changes"][0];
    assert_eq!((&change["what"], &change["to"]), (&json!("email"), &json!("demo@example.org")));
    let text = file.to_string();
    for secret in ["password_hash", "token", "argon2", client.token()] {
        assert!(!text.contains(secret), "{secret}");
    }
    let guest = guest(&client.shell);
    assert_eq!(why(&guest.call(Method::GET, "/api/user/export", &[], None).await), "401 no_auth");
});

on_both!(more_than_a_page_is_taken_along, |test| {
    let client = client(&test).await;
    let user = client.user;
    let told = client.shell.app.db.write(move |tx| {
        let one = store::notifications::Notice::of(user, &foundation::notices::NoticeKind::PasswordChanged {});
        foundation::notices::notify_all(tx, &vec![one; 250])
    });
    told.await.expect("told");
    let file = client.call(Method::GET, "/api/user/export", &[], None).await;
    assert_eq!(file["notifications"].as_array().map(Vec::len), Some(251));
});

on_both!(a_download_ends_with_its_session, |test| {
    let client = client(&test).await;
    let request = test::TestRequest::with_uri("/api/user/export").insert_header(("X-CT", client.token()));
    let mut body = answered(&client.shell, request).await.into_body();
    let mut next = async || poll_fn(|context| Pin::new(&mut body).poll_next(context)).await;
    for _ in 0..2 {
        next().await.expect("there is more").expect("a piece");
    }
    data(client.post("/api/user/sessions/end", json!({ "all": true })).await);
    assert!(next().await.expect("there is more").is_err(), "it was read on after the session's end");
});

on_both!(an_account_is_closed_by_its_user, |test| {
    let shell = server(&test);
    let registration = json!({
        "username": "ada", "password": "a-good-password", "confirm_password": "a-good-password",
        "email": "ada@example.com", "phone": "+49 170 1234567",
        "license_key": test.code("AAAA-BBBB-CCCC").await,
    });
    let answer = data(guest(&shell).post("/api/auth/register", registration).await);
    let mut client = guest(&shell);
    client.forge(answer["token"].as_str().expect("a token"));
    let close = async |password: &str| client.post("/api/user/close", json!({ "password": password })).await;
    assert_eq!(why(&close("").await), "400 params password=required");
    assert_eq!(why(&close("another-password").await), "405 wrong_credentials");

    let user = answer["user"]["id"].as_str().expect("an id").parse().expect("an id");
    let ann = Staff::new(test.operator("ann", Role::Finance).await, "a test").expect("a reason");
    let bob = Staff::new(test.operator("bob", Role::Finance).await, "a test").expect("a reason");
    let asked = requests::request(&shell.app, &ann, requests::MoneyRequestDraft::startup_loan(user, "5.00"))
        .await
        .expect("requested");
    requests::approve(&shell.app, &bob, asked.id.into()).await.expect("approved");
    // Other reasons for refusing: desk/tests/delivery/closing.rs.
    assert_eq!(why(&close("a-good-password").await), "405 funds_remaining");
    assert_eq!(why(&close("another-password").await), "405 wrong_credentials", "whether or not it could be closed");
    assert_eq!(data(client.get("/api/user/info").await)["email"], "ada@example.com", "nothing has changed");
    let back = money::wallet::startup_loan::RepayStartupLoan { amount: None, key: None };
    money::wallet::startup_loan::repay_startup_loan(&shell.app, Proof::assumed(user), back).await.expect("returned");

    data(client.post("/api/customer/messages", json!({ "text": "I live in Lisbon" })).await);
    data(close("a-good-password").await);
    assert_eq!(why(&client.get("/api/user/info").await), "503 token_expired");
    let left = conversation_staff::show(&shell.app, ann.clone(), "ada", 20).await.expect("shown");
    let (text, status) = (left.messages[0].text.as_str(), left.status);
    assert_eq!((text, status, left.waiting), ("", conversation_staff::Status::Closed, false), "erased");
    let answered = conversation_staff::answer(&shell.app, ann, "ada", "Hello").await;
    assert_eq!(answered.expect_err("refused").key(), "account_not_active");
    let login = json!({ "username": "ada", "password": "a-good-password" });
    assert_eq!(why(&guest(&shell).post("/api/auth/login", login).await), "404 account_cancelled");
    let row =
        shell.app.db.read(move |conn| store::people::users::find(conn, user)).await.expect("read").expect("the row");
    assert_eq!((row.email.as_str(), row.phone.as_str(), row.nickname.as_str(), row.avatar), ("", "", "", None));
});

pub fn provided(test: &store::testing::TestDb) -> Shell {
    let secrets = auth::Secrets::new([1; 32], [2; 32], [3; 32]);
    let settings = Settings { provider_key: ProviderKey::parse(KEY), ..Settings::default() };
    Shell::new(AdServer::new(foundation::App::new(test.db.clone(), secrets, settings)), TrustedProxies::default())
}

pub async fn ask(shell: &Shell, key: &str, timestamp: i64, body: &str) -> Value {
    let timestamp = timestamp.to_string();
    let signed =
        SignedRequest { timestamp: &timestamp, method: "POST", path: "/api/auth/ticket", body: body.as_bytes() };
    let signature = sign(key, &signed);
    let headers = [("X-Provider-Timestamp", timestamp.as_str()), ("X-Provider-Signature", signature.as_str())];
    guest(shell).call(Method::POST, "/api/auth/ticket", &headers, Some(body.to_owned())).await
}

on_both!(the_providers_server_gets_a_ticket_for_each_call, |test| {
    let shell = provided(&test);
    let (now, body) = (shell.app.now().seconds(), r#"{"username":"mia"}"#);
    let given = data(ask(&shell, KEY, now, body).await);
    let ticket = given["ticket"].as_str().expect("a ticket");
    assert!(given["url"].as_str().is_some_and(|url| url.ends_with(&format!("/#/entry?ticket={ticket}"))), "{given}");
    let entered = data(guest(&shell).post("/api/auth/entry", json!({ "ticket": ticket })).await);
    assert_eq!((&entered["user"]["username"], &entered["user"]["entry"]), (&json!("mia"), &json!(Entry::App.name())));
    assert_eq!(why(&ask(&shell, KEY, now, body).await), "405 ticket_invalid", "the same call again");
    data(ask(&shell, KEY, now + 1, body).await);
    assert_eq!(why(&ask(&shell, "another key of 32 characters!!!!", now, body).await), "401 no_auth");
    assert_eq!(why(&ask(&shell, KEY, now - 301, body).await), "401 no_auth");
    assert_eq!(why(&ask(&server(&test), KEY, now + 2, body).await), "401 no_auth", "no key was set");
    assert_eq!(why(&ask(&shell, KEY, now + 3, "{}").await), "400 params username=required");
    assert_eq!(why(&guest(&shell).post("/api/auth/ticket", json!({ "username": "mia" })).await), "401 no_auth");
});
