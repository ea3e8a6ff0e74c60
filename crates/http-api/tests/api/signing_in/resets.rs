//! A forgotten login password, as the page of who forgot it sends it.

use auth::Role;
use desk::requests::{approve, show_to};
use foundation::people::login::reset_login_password;
use foundation::staff::Staff;
use foundation::staff::requests::RequestRef;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::support::{data, guest, server, why};

fn typed(username: &str, code: &str) -> Value {
    let password = "another-good-password";
    json!({ "username": username, "code": code, "password": password, "confirm_password": password })
}

async fn staff(test: &TestDb, name: &'static str) -> Staff {
    Staff::new(test.operator(name, Role::Admin).await, "a test").expect("a reason")
}

on_both!(who_forgot_the_password_sets_another_with_a_code, |test| {
    let shell = server(&test);
    let registration = json!({
        "username": "Ada", "password": "a-good-password", "confirm_password": "a-good-password",
        "email": "ada@example.com", "phone": "+49 170 1234567", "license_key": test.code("AAAA-BBBB-CCCC").await,
    });
    let token = data(guest(&shell).post("/api/auth/v2/register", registration).await)["token"].clone();
    let (ann, bob) = (staff(&test, "ann").await, staff(&test, "bob").await);
    let asked = reset_login_password(&shell.app, ann.clone(), "ada").await.expect("asked for");
    let which: RequestRef = asked.id.into();
    approve(&shell.app, &bob, which).await.expect("approved");
    let mut code = String::new();
    for by in [&bob, &ann] {
        code += &show_to(&shell.app, by, which).await.expect("shown").half.expect("a half");
    }

    let client = guest(&shell);
    let reset = async |typed| client.post("/api/auth/reset", typed).await;
    let (known, unknown) = (reset(typed("ada", "AAAA")).await, reset(typed("nobody", "AAAA")).await);
    assert_eq!((why(&known), why(&unknown)), ("405 wrong_reset_code".to_owned(), "405 wrong_reset_code".to_owned()));
    assert_eq!(known, unknown);
    let empty = reset(json!({})).await;
    let fields = &empty["data"]["fields"];
    assert_eq!((&fields["username"], &fields["code"]), (&json!("required"), &json!("required")), "{empty:?}");
    let mut mistyped = typed("ada", &code);
    mistyped["confirm_password"] = json!("something else");
    assert_eq!(reset(mistyped).await["data"]["fields"]["confirm_password"], "mismatch");

    assert_eq!(data(reset(typed("ADA", &code)).await), json!({}));
    let mut old = guest(&shell);
    old.forge(token.as_str().expect("a token"));
    assert_eq!(why(&old.get("/api/user/info").await), "503 token_expired");
    let login = |password: &str| json!({ "username": "ada", "password": password });
    assert_eq!(why(&guest(&shell).post("/api/auth/v2/login", login("a-good-password")).await), "405 wrong_credentials");
    data(guest(&shell).post("/api/auth/v2/login", login("another-good-password")).await);
    assert_eq!(why(&reset(typed("ada", &code)).await), "405 wrong_reset_code");
});
