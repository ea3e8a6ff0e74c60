//! In which language the server answers: that of the request, but where an account may not act.

use actix_web::http::Method;
use auth::{AccountStatus, Role};
use foundation::people::staff_accounts::change_status;
use foundation::staff::Staff;
use http_api::Shell;
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::people::{KEY, ask, provided};
use crate::support::{Client, data, guest, server, sign_in};

const DE: [(&str, &str); 1] = [("Accept-Language", "de")];

/// A signed-in user whose account's language is Chinese.
async fn reader(test: &TestDb) -> Client {
    let client = sign_in(&server(test), test.user("demo").await).await;
    data(client.post("/api/user/info/edit", json!({ "lang": "zh" })).await);
    client
}

fn lang(answer: &Value) -> &str {
    answer["data"]["lang"].as_str().expect("a language")
}

async fn set(shell: &Shell, test: &TestDb, status: AccountStatus) {
    let staff = Staff::new(test.operator("ann", Role::Admin).await, "a test").expect("a reason");
    change_status(&shell.app, staff, "demo", status).await.expect("set");
}

on_both!(a_refusal_is_in_the_language_of_its_request, |test| {
    let client = reader(&test).await;
    let nowhere = Some(json!({ "id": "99" }).to_string());
    let german = client.call(Method::POST, "/api/plan/order/detail", &DE, nowhere.clone()).await;
    let own = client.call(Method::POST, "/api/plan/order/detail", &[], nowhere.clone()).await;
    let odd = client.call(Method::POST, "/api/plan/order/detail", &[("Accept-Language", "xx")], nowhere).await;
    assert_eq!((lang(&german), lang(&own), lang(&odd)), ("de", "zh", "zh"));
    assert_ne!(german["msg"], own["msg"]);
});

on_both!(what_is_read_is_in_the_language_of_the_request, |test| {
    let client = reader(&test).await;
    let read = async |headers: &[(&str, &str)]| {
        data(client.call(Method::GET, "/api/level", headers, None).await)["credit_formula"].clone()
    };
    let (german, own) = (read(&DE).await, read(&[]).await);
    assert!(german != own && read(&[("Accept-Language", "zh")]).await == own, "{german} {own}");
});

on_both!(an_account_that_may_not_act_is_told_in_its_own, |test| {
    let client = reader(&test).await;
    let shell = &client.shell;
    set(shell, &test, AccountStatus::Disabled).await;
    let told = client.call(Method::GET, "/api/products", &DE, None).await;
    assert_eq!((told["code"].as_i64(), lang(&told)), (Some(403), "zh"));
    let own = client.call(Method::GET, "/api/products", &[], None).await;
    assert_eq!(told["msg"], own["msg"]);
});

on_both!(who_may_not_sign_in_is_told_in_the_accounts_language, |test| {
    let shell = server(&test);
    let code = test.code("AAAA-BBBB-CCCC").await;
    let registration = json!({
        "username": "demo", "password": "a-good-password", "confirm_password": "a-good-password",
        "email": "ada@example.com", "phone": "+49 170 1234567", "license_key": code, "lang": "zh",
    });
    data(guest(&shell).post("/api/auth/v2/register", registration).await);
    set(&shell, &test, AccountStatus::Cancelled).await;
    let typed = json!({ "username": "demo", "password": "a-good-password" }).to_string();
    let told = guest(&shell).call(Method::POST, "/api/auth/v2/login", &DE, Some(typed)).await;
    assert_eq!((told["code"].as_i64(), lang(&told)), (Some(404), "zh"));
    let wrong = json!({ "username": "demo", "password": "another" }).to_string();
    let told = guest(&shell).call(Method::POST, "/api/auth/v2/login", &DE, Some(wrong)).await;
    assert_eq!((told["code"].as_i64(), lang(&told)), (Some(405), "de"), "a stranger learns nothing of the account");
});

on_both!(a_ticket_brings_the_language, |test| {
    let shell = provided(&test);
    let now = shell.app.now().seconds();
    for (seconds, lang) in [(0, "de"), (1, "zh")] {
        let body = json!({ "username": "mia", "lang": lang }).to_string();
        let given = data(ask(&shell, KEY, now + seconds, &body).await);
        let url = given["url"].as_str().expect("an address");
        assert!(url.ends_with(&format!("&lang={lang}")), "{url}");
        let entered = guest(&shell).post("/api/auth/entry", json!({ "ticket": given["ticket"] })).await;
        assert_eq!(data(entered)["user"]["lang"], lang);
    }
    let body = json!({ "username": "mia", "lang": "xx" }).to_string();
    assert_eq!(ask(&shell, KEY, now + 2, &body).await["data"]["fields"]["lang"], "unknown_language");
    // Without one, the account's stays.
    let given = data(ask(&shell, KEY, now + 3, r#"{"username":"mia"}"#).await);
    let entered = guest(&shell).post("/api/auth/entry", json!({ "ticket": given["ticket"] })).await;
    assert_eq!(data(entered)["user"]["lang"], "zh");
});

on_both!(a_clients_own_code_names_a_language_of_ours, |test| {
    let client = reader(&test).await;
    for (code, ours) in [("de-AT", "de"), ("zh_Hant_TW", "cht"), ("ZH-cn", "zh"), ("ja", "jp")] {
        assert_eq!(data(client.post("/api/user/info/edit", json!({ "lang": code })).await)["lang"], ours, "{code}");
        let config = async |lang: &str| {
            let path = format!("/api/basic_config?lang={lang}");
            data(client.get(&path).await)["faq_config"].clone()
        };
        assert_eq!(config(code).await, config(ours).await, "{code}");
    }
});

on_both!(signing_in_elsewhere_changes_no_other_device, |test| {
    let client = reader(&test).await;
    let nowhere = || Some(json!({ "id": "99" }).to_string());
    let before = client.call(Method::POST, "/api/plan/order/detail", &DE, nowhere()).await;
    data(client.post("/api/user/info/edit", json!({ "lang": "fr" })).await);
    assert_eq!(client.call(Method::POST, "/api/plan/order/detail", &DE, nowhere()).await, before);
});
