//! Content from staff's files, as clients of a running server see it.

use std::time::{Duration, Instant};

use actix_web::test;
use auth::Role;
use content::Source;
use desk::installation::content::apply;
use desk::requests::{approve, requests};
use foundation::staff::Staff;
use foundation::staff::requests::RequestFilter;
use http_api::Shell;
use serde_json::{Value, json};
use store::testing::TestDb;
use store::{PageRequest, on_both};

use crate::support::{Client, answered, client, data, guest, server, sign_in, why};

/// Longer than a server caches content.
const SECONDS: Duration = Duration::from_secs(10);

/// Staff in another process on the same database.
struct StaffElsewhere {
    elsewhere: Shell,
    ann: Staff,
    ben: Staff,
}

impl StaffElsewhere {
    async fn new(test: &TestDb) -> Self {
        let ann = Staff::new(test.operator("ann", Role::Support).await, "a test").expect("a reason");
        let ben = Staff::new(test.operator("ben", Role::Finance).await, "a test").expect("a reason");
        Self { elsewhere: server(test), ann, ben }
    }

    /// Ben approves everything that is open.
    async fn agree(&self) {
        let app = &self.elsewhere.app;
        let all = requests(app, RequestFilter::default(), PageRequest::default()).await.expect("a list").items;
        for asked in all.into_iter().filter(|asked| asked.status.name() == "requested") {
            approve(app, &self.ben, asked.id.into()).await.expect("approved");
        }
    }

    async fn apply(&self, text: &str) {
        let source = Source { name: "a.toml".into(), text: text.into(), json: false };
        apply(&self.elsewhere.app, &self.ann, &[source]).await.expect("applied");
    }
}

/// Repeats until it is true, for some seconds at most.
async fn seen(asked: impl AsyncFn() -> bool) {
    let begun = Instant::now();
    while !asked().await {
        assert!(begun.elapsed() < SECONDS, "nobody noticed");
        actix_web::rt::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn frames(shell: &Shell) -> String {
    let response = answered(shell, test::TestRequest::with_uri("/api/basic_config")).await;
    let policy =
        response.headers().get("content-security-policy").expect("a policy").to_str().expect("text").to_owned();
    let frames = policy.split("frame-src ").nth(1).and_then(|rest| rest.split(';').next());
    frames.expect("frames").to_owned()
}

async fn urls(client: &Client, path: &str, list: &str) -> Vec<Value> {
    let answer = data(client.get(path).await);
    answer[list].as_array().expect("a list").iter().map(|contact| contact["url"].clone()).collect()
}

const CONTACTS: &str = r#"
[[contact]]
id = "mail"
list = "customer_service"
type = 2
url = "mailto:help@example.com"
label = { en = "Mail", de = "E-Mail" }
order = 2

[[contact]]
id = "chat"
list = "customer_service"
type = 1
url = "https://chat.example.com/room"
label = "Chat"
order = 1
"#;

on_both!(contacts_and_their_frames_follow_within_seconds, |test| {
    let member = client(&test).await;
    let desk = StaffElsewhere::new(&test).await;
    let config = "/api/basic_config?lang=de";
    assert_eq!(frames(&member.shell).await, "'none'");
    assert!(urls(&member, config, "customer_service_url").await.is_empty());
    desk.apply(CONTACTS).await;
    // What an attack did: a stranger's page in the app within seconds, by one of support.
    actix_web::rt::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(frames(&member.shell).await, "'none'", "one person alone shows nothing");
    assert!(urls(&member, config, "customer_service_url").await.is_empty());
    desk.agree().await;
    seen(async || urls(&member, config, "customer_service_url").await.len() == 2).await;
    let expected = [json!("https://chat.example.com/room"), json!("mailto:help@example.com")];
    assert_eq!(urls(&member, config, "customer_service_url").await, expected);
    assert_eq!(urls(&member, "/api/user/info", "customer_service_url").await, expected);
    assert_eq!(frames(&member.shell).await, "https://chat.example.com");
    assert_eq!(data(member.get(config).await)["customer_service_url"][1]["label"], "E-Mail");
    // A server that starts now shows them in its first answer.
    let other = guest(&server(&test));
    assert_eq!(urls(&other, config, "customer_service_url").await, expected);
    let retired = CONTACTS.replace("order = 1", "order = 1\nactive = false");
    desk.apply(&retired).await;
    seen(async || urls(&member, config, "customer_service_url").await.len() == 1).await;
    assert_eq!(frames(&member.shell).await, "'none'");
});

on_both!(questions_follow_within_seconds, |test| {
    let guest = guest(&server(&test));
    let desk = StaffElsewhere::new(&test).await;
    let ids = async || -> Vec<String> {
        let config = data(guest.get("/api/basic_config?lang=de").await);
        let all = config["faq_config"].as_array().expect("a list").clone();
        all.iter().map(|question| question["id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(ids().await.len(), 6);
    desk.apply(
        "[[faq]]\nid = \"audience\"\nactive = false\n[[faq]]\nid = \"new\"\norder = 1\n\
         question = { en = \"New?\", de = \"Neu?\" }\nanswer = \"Yes\"\n",
    )
    .await;
    seen(async || !ids().await.contains(&"audience".to_owned())).await;
    assert!(!ids().await.contains(&"new".to_owned()), "one person alone answers nothing");
    desk.agree().await;
    seen(async || ids().await.first().is_some_and(|id| id == "new")).await;
    assert!(!ids().await.contains(&"audience".to_owned()));
    let shown = data(guest.get("/api/basic_config?lang=de").await)["faq_config"][0].clone();
    assert_eq!(shown, json!({ "id": "new", "question": "Neu?", "answer": "Yes" }));
});

const ACTIVITY: &str = r#"
[[coupon]]
name = "Spring 5"
kind = "fixed_amount"
value = "5.00"
days = 30
quantity = 10
activity = "spring"

[[activity]]
key = "spring"
coupon = "Spring 5"
title = { en = "Spring", de = "Frühling" }
rules = "Only while the tulips last."
"#;

on_both!(activities_are_shown_and_received, |test| {
    let member = client(&test).await;
    let desk = StaffElsewhere::new(&test).await;
    let receive =
        async |client: &Client| client.post("/api/user_coupon/receive", json!({ "activity": "spring" })).await;
    assert_eq!(data(member.get("/api/activities").await), json!([]));
    assert_eq!(why(&receive(&member).await), "400 params activity=invalid");
    desk.apply(&format!("{ACTIVITY}starts = 2099-01-01T00:00:00Z\n")).await;
    assert_eq!(why(&receive(&member).await), "400 params activity=invalid", "nobody approved it");
    desk.agree().await;
    assert_eq!(data(member.get("/api/activities").await), json!([]), "it has not begun");
    assert_eq!(why(&receive(&member).await), "405 not_found");
    desk.apply(ACTIVITY).await;
    assert_eq!(data(member.get("/api/activities").await), json!([]), "one person alone opens none");
    assert_eq!(why(&receive(&member).await), "405 not_found");
    desk.agree().await;
    let shown = data(member.get("/api/activities").await);
    assert_eq!(
        (&shown[0]["key"], &shown[0]["title"], &shown[0]["received"]),
        (&json!("spring"), &json!("Spring"), &json!(false))
    );
    let rules = shown[0]["rules"].as_str().expect("rules");
    assert!(rules.contains("“Spring 5”") && rules.ends_with("\nOnly while the tulips last."), "{rules}");
    assert_eq!(data(receive(&member).await)["name"], "Spring 5");
    assert_eq!(why(&receive(&member).await), "405 coupon_already_received");
    assert_eq!(data(member.get("/api/activities").await)[0]["received"], true);
    desk.apply(&format!("{ACTIVITY}active = false\n")).await;
    let other = sign_in(&member.shell, test.user("other").await).await;
    assert_eq!(data(other.get("/api/activities").await), json!([]));
    assert_eq!(why(&receive(&other).await), "405 not_found");
});

on_both!(what_is_announced_for_later_is_seen_then, |test| {
    let member = client(&test).await;
    let desk = StaffElsewhere::new(&test).await;
    let notice = "[[notification]]\nkey = \"n\"\ncategory = \"activity\"\ntitle = \"Soon\"\nbody = \"It begins.\"\n";
    desk.apply(&format!("{notice}starts = 2026-01-05T13:00:00Z\n")).await;
    desk.apply(&format!("{notice}starts = 2026-01-05T13:00:00Z\n")).await;
    desk.agree().await;
    desk.apply(&format!("{notice}starts = 2026-01-05T13:00:00Z\n")).await;
    let titles = async || {
        let listed = data(member.post("/api/user/notifications", json!({ "category": "activity" })).await);
        let all = listed["items"].as_array().expect("items").clone();
        all.iter().filter(|notice| notice["title"] == "Soon").count()
    };
    assert_eq!(titles().await, 0);
    test.clock.advance_seconds(3_700);
    assert_eq!(titles().await, 1, "once");
});

const PAY_IN: &str = "[[pay_in]]\nid = \"bank\"\nlabel = { en = \"Bank\", de = \"Überweisung\" }\nbeneficiary = \"North Ltd\"\n\
     account = \"DE02120300000000202051\"\nbic = \"BYLADEM1001\"\n";

on_both!(users_pay_in_where_two_of_staff_agreed_and_say_so, |test| {
    let member = client(&test).await;
    let desk = StaffElsewhere::new(&test).await;
    let form = async || data(member.get("/api/user/recharge/announcements").await);
    let announce = async |amount: &str| {
        let body = json!({ "amount": amount, "account": "bank" });
        member.post("/api/user/recharge/announce", body).await
    };
    let reference = bank::creditor::reference(member.user.0);
    let nothing = json!({ "reference": reference, "accounts": [], "announcements": [], "most_open": 5 });
    assert_eq!(form().await, nothing);
    assert_eq!(why(&announce("250").await), "400 params account=invalid");
    desk.apply(PAY_IN).await;
    desk.agree().await;
    seen(async || form().await["accounts"] != json!([])).await;
    let account = json!({
        "id": "bank", "label": "Bank", "beneficiary": "North Ltd", "account": "DE02120300000000202051",
        "network": null, "bank": null, "bic": "BYLADEM1001", "note": null,
    });
    assert_eq!(form().await["accounts"], json!([account]));

    let made = data(announce("250").await);
    assert_eq!(
        (&made["amount"], &made["account"], &made["label"], &made["status"], &made["waits_for"]),
        (&json!("250.00"), &json!("bank"), &json!("Bank"), &json!("open"), &json!("bank"))
    );
    assert_eq!(form().await["announcements"], json!([made]));
    assert_eq!(why(&announce("ten").await), "400 params amount=invalid_amount");
    let nowhere = json!({ "amount": "1" });
    assert_eq!(why(&member.post("/api/user/recharge/announce", nowhere).await), "400 params account=required");
    for amount in ["1", "2", "3", "4"] {
        data(announce(amount).await);
    }
    let sixth = announce("5").await;
    assert_eq!((why(&sixth).as_str(), &sixth["data"]["most"]), ("405 announcements_open", &json!(5)));
    assert!(sixth["msg"].as_str().expect("a text").contains('5'), "{sixth}");

    let cancel = async |client: &Client, id: &Value| {
        client.post("/api/user/recharge/announce/cancel", json!({ "id": id })).await
    };
    let other = sign_in(&member.shell, test.user("other").await).await;
    assert_eq!(why(&cancel(&other, &made["id"]).await), "405 not_found");
    assert_eq!(data(other.get("/api/user/recharge/announcements").await)["announcements"], json!([]));
    assert_eq!(data(cancel(&member, &made["id"]).await)["status"], "withdrawn");
    assert_eq!(why(&cancel(&member, &made["id"]).await), "405 already_decided");
    assert_eq!(why(&guest(&member.shell).get("/api/user/recharge/announcements").await), "401 no_auth");
});
