//! Devices that are sent notices while the app is not open.

use actix_web::http::Method;
use auth::Secrets;
use campaigns::AdServer;
use foundation::{App, PushSettings, Settings};
use http_api::{Shell, TrustedProxies};
use push::testing::Browser;
use push::{Subject, TestService};
use serde_json::{Value, json};
use store::on_both;
use store::testing::TestDb;

use crate::support::{Client, client, data, guest, server, sign_in, why};

fn offering(test: &TestDb) -> Shell {
    let subject = Subject::parse("mailto:ops@example.com").expect("a subject");
    let test_service = TestService::parse("http://127.0.0.1:8090");
    let settings = Settings { push: Some(PushSettings { subject, test_service }), ..Settings::default() };
    let app = AdServer::new(App::new(test.db.clone(), Secrets::new([1; 32], [2; 32], [3; 32]), settings));
    Shell::new(app, TrustedProxies::default())
}

fn asking(endpoint: &str) -> Value {
    let browser = Browser::numbered(1).expect("keys");
    json!({
        "endpoint": endpoint, "p256dh": browser.p256dh(), "auth": browser.auth(),
        "money": true, "sign_in": false, "service": true,
    })
}

async fn register(client: &Client, body: Value) -> Value {
    client.post("/api/user/push", body).await
}

on_both!(a_device_is_registered_changed_listed_and_forgotten, |test| {
    let shell = offering(&test);
    let demo = sign_in(&shell, test.user("demo").await).await;
    let ada = sign_in(&shell, test.user("ada").await).await;
    let offered = data(guest(&shell).get("/api/basic_config").await);
    assert_eq!(offered["push_key"].as_str().map(str::len), Some(87));
    let listed = data(register(&demo, asking("https://push.example.net/send/1")).await);
    let device = &listed[0];
    assert_eq!((&device["device"], &device["current"]), (&json!("test"), &json!(true)));
    assert_eq!([&device["money"], &device["sign_in"], &device["service"]], [true, false, true]);
    assert_eq!(data(demo.get("/api/user/push").await), listed);
    assert_eq!(data(ada.get("/api/user/push").await), json!([]));
    // On this machine, only the service that is configured for tests.
    data(register(&demo, asking("http://127.0.0.1:8090/device/1")).await);
    for endpoint in ["http://127.0.0.1:8091/device/1", "https://10.0.0.1/", "http://push.example.net/1"] {
        assert_eq!(why(&register(&demo, asking(endpoint)).await), "400 params endpoint=invalid", "{endpoint}");
    }
    let missing = "400 params auth=required endpoint=required p256dh=required";
    assert_eq!(why(&register(&demo, json!({})).await), missing);

    let end = json!({ "id": device["id"] });
    assert_eq!(why(&ada.post("/api/user/push/end", end.clone()).await), "405 not_found");
    assert_eq!(data(demo.post("/api/user/push/end", end.clone()).await), json!([]));
    assert_eq!(why(&demo.post("/api/user/push/end", end).await), "405 not_found");
    assert_eq!(why(&demo.post("/api/user/push/end", json!({})).await), "400 params id=required");
    for (method, path) in
        [(Method::GET, "/api/user/push"), (Method::POST, "/api/user/push"), (Method::POST, "/api/user/push/end")]
    {
        let body = (method == Method::POST).then(|| "{}".to_owned());
        assert_eq!(why(&guest(&shell).call(method, path, &[], body).await), "401 no_auth", "{path}");
    }
});

on_both!(without_a_subject_nothing_is_offered, |test| {
    let client = client(&test).await;
    assert_eq!(data(guest(&server(&test)).get("/api/basic_config").await)["push_key"], Value::Null);
    assert_eq!(why(&register(&client, asking("https://push.example.net/send/1")).await), "405 not_found");
    assert_eq!(data(client.get("/api/user/push").await), json!([]));
});
