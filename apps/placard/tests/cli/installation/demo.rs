//! The demonstration: everything once, and only in a simulated installation.

use desk::installation::only_server;

use crate::support::{Placard, Ran, text};

#[test]
fn the_demonstration_is_complete_and_planted_once() {
    let placard = Placard::on_sqlite();
    let first = placard.run(&["demo", "seed"]).done();
    let user = serde_json::json!({ "username": "demo", "password": "demo-password", "pay_password": "123456" });
    assert_eq!(first["user"], user);
    let length = |name: &str| first[name].as_array().map(Vec::len);
    assert_eq!((length("operators"), length("codes"), length("slots")), (Some(2), Some(10), Some(4)));
    assert_eq!((length("acceptors"), length("operated_ids")), (Some(2), Some(3)));
    let ann = crate::support::Key { name: "demo-anna".into(), key: text(&first["operators"][0]["key"]) };
    let all = |command: &[&str]| placard.run_as(&ann, command).done();
    let everything = || {
        let lists: [&[&str]; 11] = [
            &["account", "show", "demo"],
            &["code", "list"],
            &["recharge", "list"],
            &["advertiser", "list"],
            &["product", "list"],
            &["slot", "list"],
            &["audit", "list"],
            &["operated", "list"],
            &["feedback", "list"],
            &["contact", "list"],
            &["request", "list"],
        ];
        lists.map(all)
    };
    let before = everything();
    assert_eq!(before[0]["property"]["available"], "10000.00");
    assert_eq!(before[4].as_array().map(Vec::len), Some(6));
    assert!(before[3].as_array().expect("advertisers").iter().all(|a| a["funds"] == "50000.00"));

    let contacts = before[9].as_array().expect("contacts");
    let of = |list: &str| -> Vec<i64> {
        let listed = contacts.iter().filter(|one| one["list"] == list);
        listed.filter_map(|one| one["type"].as_i64()).collect()
    };
    assert_eq!((of("customer_service"), of("recharge"), of("priority")), (vec![1, 2], vec![1, 2], vec![1]));
    assert!(contacts.iter().all(|one| one["from"] == "content"), "{contacts:?}");

    let second = placard.run(&["demo", "seed"]).done();
    assert_eq!(everything(), before, "a second run adds nothing");
    assert_eq!(second["operators"], serde_json::json!([{ "operator": "demo-anna" }, { "operator": "demo-ben" }]));
    for name in ["user", "codes", "slots", "acceptors", "operated_ids"] {
        assert_eq!(second[name], first[name], "{name}");
    }
    let exchange = &first["exchange"];
    assert_eq!((&exchange["name"], text(&exchange["key"]).len()), (&"Example Exchange".into(), 64));
    assert_eq!(second["exchange"], serde_json::json!({ "id": exchange["id"], "name": "Example Exchange" }));
    let listed = all(&["ssp", "list"]);
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["has_key"]), (Some(1), &true.into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_user_has_coupons_in_each_state() {
    let placard = Placard::on_sqlite();
    placard.demonstration();
    placard.run(&["demo", "seed"]);
    let app = placard.app();
    let user = foundation::people::staff_accounts::find_account(&app, "demo").await.expect("demo");
    let page = store::PageRequest::default();
    let coupons = money::offers::coupon_views::coupons(&app, user, None, page).await.expect("coupons").items;
    let of = |status: &str| coupons.iter().filter(|coupon| coupon.status.name() == status).count();
    assert_eq!((of("unused"), of("used"), of("expired"), coupons.len()), (2, 1, 1, 4));
    let activities = money::offers::activities::activities(&app, user, i18n::Lang::En).await.expect("activities");
    assert_eq!((activities.len(), activities[0].received), (1, false));
    let property = money::wallet::property::property(&app, user).await.expect("figures");
    assert_eq!((&*property.available.to_string(), &*property.total_assets.to_string()), ("10000.00", "10000.00"));
    assert_eq!(placard.run(&["ledger", "verify"]).done()["ok"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn its_user_can_sign_in_and_pay() {
    let placard = Placard::on_sqlite();
    placard.demonstration();
    let app = placard.app();
    let login = foundation::people::login::Login {
        username: "demo".into(),
        password: "demo-password".into(),
        address: None,
        lang: None,
        device: "a test".into(),
    };
    foundation::people::login::log_in(&app, login).await.expect("signed in");
    let user = foundation::people::staff_accounts::find_account(&app, "demo").await.expect("demo");
    let digits = auth::PayPassword::from_digits("123456");
    foundation::people::pay_password::check(&app, user, &digits).await.expect("right");
}

#[test]
fn among_other_staff_an_admin_plants_it() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    placard.run(&["demo", "seed"]).refused("no_auth");
    placard.run_as(&bob, &["demo", "seed"]).refused("not_permitted");
    let planted = placard.run_as(&ann, &["demo", "seed"]).done();
    assert_eq!(planted["operators"][1]["operator"], "demo-ben");
    let listed = placard.run_as(&ann, &["operator", "list"]).done();
    assert_eq!(listed.as_array().map(Vec::len), Some(4));
}

#[test]
fn nothing_is_made_up_in_a_live_installation() {
    let placard = Placard::on_sqlite();
    for arguments in
        [&["demo", "seed"][..], &["demo", "seed", "--history"], &["traffic", "run", "--rate", "1", "--seconds", "1"]]
    {
        let mut command = placard.command(arguments);
        let ran: Ran = command
            .env("PLACARD_REALM", "live")
            .env("PLACARD_DATABASE_URL", "sqlite://live.db")
            .output()
            .expect("runs")
            .into();
        ran.refused("not_permitted");
    }
}

#[test]
fn no_past_is_made_while_a_server_runs() {
    let placard = Placard::on_sqlite();
    let server = only_server::take(placard.url()).expect("free").expect("a lock");
    placard.run(&["demo", "seed", "--history"]).misused("another server uses it");
    drop(server);
    placard.run(&["demo", "seed"]).done();
}

#[test]
fn staff_keep_the_contacts_that_they_have() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let retired = "[[contact]]\nid = \"service-chat\"\nlist = \"customer_service\"\ntype = 1\n\
        url = \"https://support.example.com/chat\"\nlabel = \"Chat\"\nactive = false\n";
    let file = placard.file("contact.toml", retired);
    placard.change(&ann, &["content", "apply", &file]).done();
    placard.run(&["demo", "seed"]).done();
    let listed = placard.run_as(&ann, &["contact", "list"]).done();
    assert_eq!(listed.as_array().map(Vec::len), Some(4), "what was taken away stays away: {listed}");
}
