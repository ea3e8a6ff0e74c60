//! The conversation with customer service, and recharges that wait, as the app calls them.

use actix_web::http::header::HeaderMap;
use actix_web::http::{Method, StatusCode};
use actix_web::test;
use auth::{AccountStatus, Role};
use desk::requests;
use desk::requests::MoneyRequestDraft;
use foundation::notifications::conversation_staff::{answer, show};
use foundation::people::staff_accounts;
use foundation::staff::Staff;
use http_api::{Shell, TrustedProxies};
use image::{DynamicImage, ImageFormat, RgbImage};
use objects::{ObjectLocation, Objects};
use serde_json::{Value, json};
use store::on_both;

use crate::support::{Client, answered, client, data, described_limit, guest, server, sign_in, why};

const MESSAGES: &str = "/api/customer/messages";

on_both!(a_user_writes_and_reads_what_staff_answer, |test| {
    let client = sign_in(&server(&test), test.user("demo").await).await;
    let list = async || data(client.get(MESSAGES).await);
    assert_eq!(list().await, json!({ "items": [], "next_cursor": null, "status": null, "unread": 0 }));
    let body = json!({ "text": "Where is it?" });
    let send = async |key: &str, body: &Value| {
        client.call(Method::POST, MESSAGES, &[("Idempotency-Key", key)], Some(body.to_string())).await
    };
    let sent = data(send("one", &body).await);
    assert_eq!(
        (&sent["author"], &sent["text"], &sent["read"]),
        (&json!("user"), &json!("Where is it?"), &json!(false))
    );
    assert_eq!(data(send("one", &body).await)["id"], sent["id"]);
    assert_eq!(why(&send("one", &json!({ "text": "Another" })).await), "405 idempotency_key_reused");
    assert_eq!(why(&client.post(MESSAGES, json!({})).await), "400 params text=required");
    assert_eq!(why(&client.get("/api/customer/messages?limit=0").await), "400 params limit=invalid");
    let most = |field, limit| described_limit("MessageRequest", field, limit);
    let long = "x".repeat(most("text", "maxLength") + 1);
    assert_eq!(why(&client.post(MESSAGES, json!({ "text": long })).await), "400 params text=too_long");
    let many: Vec<String> = (0..=most("pictures", "maxItems")).map(|n| format!("{n:032x}")).collect();
    assert_eq!(why(&client.post(MESSAGES, json!({ "pictures": many })).await), "400 params pictures=too_many");

    let app = &client.shell.app;
    let ann = Staff::new(test.operator("ann", Role::Support).await, "a test").expect("a reason");
    show(app, ann.clone(), "demo", 20).await.expect("shown");
    answer(app, ann, "demo", "On its way.").await.expect("answered");
    let now = list().await;
    assert_eq!((&now["unread"], &now["status"], &now["items"][1]["read"]), (&json!(1), &json!("open"), &json!(true)));
    let told = data(client.post("/api/user/notifications", json!({})).await);
    assert_eq!(told["items"][0]["kind"], "service_answered");
    let read = "/api/customer/messages/read";
    assert_eq!(why(&client.post(read, json!({})).await), "400 params until=required");
    assert_eq!(why(&client.post(read, json!({ "until": "x" })).await), "400 params until=invalid");
    assert_eq!(data(client.post(read, json!({ "until": now["items"][0]["id"] })).await), json!({ "unread": 0 }));

    let other = sign_in(&client.shell, test.user("other").await).await;
    assert_eq!(data(other.get(MESSAGES).await)["items"], json!([]), "nobody else's");
    let nobody = guest(&client.shell);
    assert_eq!(why(&nobody.get(MESSAGES).await), "401 no_auth");
    assert_eq!(why(&nobody.post(MESSAGES, body).await), "401 no_auth");
});

on_both!(a_conversation_has_two_addresses, |test| {
    let client = sign_in(&server(&test), test.user("demo").await).await;
    let body = json!({ "text": "Where is it?" });
    let send = async |path: &str| {
        data(client.call(Method::POST, path, &[("Idempotency-Key", "one")], Some(body.to_string())).await)
    };
    let sent = send("/api/conversation").await;
    assert_eq!(send(MESSAGES).await["id"], sent["id"], "it is sent once");
    let shown = data(client.get("/api/conversation?limit=1").await);
    assert_eq!((&shown["items"][0]["text"], &shown["status"]), (&body["text"], &json!("open")));
    assert_eq!(data(client.get(MESSAGES).await), shown);
    assert_eq!(why(&client.get("/api/conversation?limit=0").await), "400 params limit=invalid");
    assert_eq!(why(&client.post("/api/conversation", json!({})).await), "400 params text=required");
    let other = sign_in(&client.shell, test.user("other").await).await;
    assert_eq!(data(other.get("/api/conversation").await)["items"], json!([]), "nobody else's");
    for refused in [
        guest(&client.shell).get("/api/conversation").await,
        guest(&client.shell).post("/api/conversation", body).await,
    ] {
        assert_eq!(why(&refused), "401 no_auth");
    }
});

on_both!(who_is_sent_to_customer_service_may_write_there, |test| {
    let client = sign_in(&server(&test), test.user("demo").await).await;
    let ann = Staff::new(test.operator("ann", Role::Support).await, "a test").expect("a reason");
    let set =
        async |to| staff_accounts::change_status(&client.shell.app, ann.clone(), "demo", to).await.expect("changed");
    set(AccountStatus::Disabled).await;
    assert_eq!(why(&client.get("/api/user/info").await), "403 account_disabled");
    data(client.post(MESSAGES, json!({ "text": "Why?" })).await);
    assert_eq!(data(client.get(MESSAGES).await)["items"][0]["text"], "Why?");
    set(AccountStatus::Cancelled).await;
    assert_eq!(why(&client.get(MESSAGES).await), "404 account_cancelled");
    assert_eq!(why(&client.post(MESSAGES, json!({ "text": "Why?" })).await), "404 account_cancelled");
});

async fn ask(client: &Client, method: Method, path: &str, body: Vec<u8>) -> (StatusCode, HeaderMap, Vec<u8>) {
    let kind = "multipart/form-data; boundary=----placard";
    let request = test::TestRequest::with_uri(path)
        .method(method)
        .insert_header(("X-CT", client.token()))
        .insert_header(("Content-Type", kind));
    let response = answered(&client.shell, request.set_payload(body)).await;
    let (status, headers) = (response.status(), response.headers().clone());
    (status, headers, test::read_body(response).await.to_vec())
}

on_both!(a_picture_is_sent_and_nobody_else_is_shown_it, |test| {
    let folder = tempfile::tempdir().expect("a folder");
    let objects = Objects::open(&ObjectLocation::Folder(folder.path().to_owned())).expect("opens");
    let shell = Shell::new(server(&test).app.with_objects(objects), TrustedProxies::default());
    let client = sign_in(&shell, test.user("demo").await).await;
    let mut picture = std::io::Cursor::new(Vec::new());
    DynamicImage::from(RgbImage::new(40, 30)).write_to(&mut picture, ImageFormat::Jpeg).expect("written");
    let head = "------placard\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\n";
    let form = |bytes: &[u8]| [head.as_bytes(), bytes, b"\r\n------placard--\r\n"].concat();
    let (_, _, kept) = ask(&client, Method::POST, "/api/customer/pictures", form(picture.get_ref())).await;
    let file = data(serde_json::from_slice(&kept).expect("an envelope"));
    let id = file["id"].as_str().expect("an id");
    let path = format!("/api/customer/pictures/{id}");
    assert_eq!(file["url"], path);
    let sent = data(client.post(MESSAGES, json!({ "pictures": [id] })).await);
    assert_eq!((&sent["text"], &sent["pictures"]), (&json!(""), &json!([id])));

    let (status, headers, bytes) = ask(&client, Method::GET, &path, Vec::new()).await;
    let kind = headers.get("content-type").and_then(|kind| kind.to_str().ok());
    assert_eq!((status, kind), (StatusCode::OK, Some("image/jpeg")));
    assert!(!bytes.is_empty());
    // Whoever uses the browser next does not find it there.
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    assert_eq!((header("cache-control"), header("etag")), (Some("no-store"), None));
    let other = sign_in(&shell, test.user("other").await).await;
    assert_eq!(ask(&other, Method::GET, &path, Vec::new()).await.0, StatusCode::NOT_FOUND);
    assert_eq!(ask(&client, Method::GET, &format!("/files/{id}"), Vec::new()).await.0, StatusCode::NOT_FOUND);
    assert_eq!(why(&client.post("/api/user/info/edit", json!({ "avatar": id })).await), "400 params avatar=invalid");
    let feedback = json!({ "topic": "x", "content": "x", "images": [id] });
    assert_eq!(why(&client.post("/api/feedback", feedback).await), "400 params images=invalid");
    let (_, _, refused) = ask(&client, Method::POST, "/api/customer/pictures", form(b"no picture")).await;
    assert_eq!(why(&serde_json::from_slice(&refused).expect("an envelope")), "405 not_an_image");
    let (_, _, refused) = ask(&guest(&shell), Method::GET, &path, Vec::new()).await;
    assert_eq!(why(&serde_json::from_slice(&refused).expect("an envelope")), "401 no_auth");
});

on_both!(a_recharge_waits_and_is_credited_where_its_user_sees_it, |test| {
    let client = client(&test).await;
    let app = &client.shell.app;
    let other = sign_in(&client.shell, test.user("other").await).await;
    let ann = Staff::new(test.operator("ann", Role::Finance).await, "what staff think").expect("a reason");
    let bob = Staff::new(test.operator("bob", Role::Finance).await, "seen").expect("a reason");
    let list = async |query: &str| data(client.get(&format!("/api/user/recharges{query}")).await)["items"].clone();
    let before = list("").await.as_array().map_or(0, Vec::len);
    let ask = async |amount: &str, reference: &str| {
        let draft = MoneyRequestDraft::recharge(client.user, amount, reference);
        requests::request(app, &ann, draft).await.expect("requested").id
    };
    let id = ask("250.00", "BANK-9").await;
    let waiting = list("?status=requested").await;
    let first = &waiting[0];
    assert_eq!(
        (&first["id"], &first["amount"], &first["status"], &first["reference"], &first["decided_at"]),
        (&json!(id), &json!("250.00"), &json!("requested"), &json!("BANK-9"), &Value::Null)
    );
    let text = waiting.to_string();
    assert!(!text.contains("ann") && !text.contains("staff think"), "{text}");
    assert_eq!(data(other.get("/api/user/recharges").await)["items"], json!([]));
    requests::approve(app, &bob, id.into()).await.expect("approved");
    assert_eq!(list("?status=requested").await, json!([]));
    assert_eq!(list("").await[0]["status"], "approved");
    let second = ask("1.00", "BANK-10").await;
    requests::reject(app, &bob, second.into()).await.expect("rejected");
    assert_eq!(list("").await[0]["status"], "rejected");
    ask("2.00", "BANK-11").await;
    test.clock.advance_seconds(8 * 86_400);
    let fresh = sign_in(&client.shell, client.user).await;
    let late = data(fresh.get("/api/user/recharges?status=expired").await);
    assert_eq!(late["items"][0]["reference"], "BANK-11");
    let all = data(fresh.get("/api/user/recharges").await);
    assert_eq!(all["items"].as_array().map(Vec::len), Some(before + 3));
    assert_eq!(why(&fresh.get("/api/user/recharges?status=x").await), "400 params status=invalid");
    assert_eq!(why(&guest(&client.shell).get("/api/user/recharges").await), "401 no_auth");
});
