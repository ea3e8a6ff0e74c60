//! What an advertiser has sold elsewhere, reported to the server from a table.

use std::net::IpAddr;

use campaigns::delivery::track::{EventRequest, click};
use campaigns::plans::plan_views::detail;
use serde_json::{Value, json};

use crate::plans::auctions::{Server, plans};
use crate::support::{Placard, Ran, text};

/// An advertiser's number, and the file with its key.
fn advertiser(placard: &Placard, of: &Value) -> (String, String) {
    let id = text(&of["id"]);
    let key = placard.file(&format!("key-{id}.txt"), &text(&of["key"]));
    (id, key)
}

/// A click on the first of the demonstration user's plans.
async fn clicked(placard: &Placard) -> String {
    let app = placard.app();
    let (user, plans) = plans(&app).await;
    let shown = detail(&app, user, plans[0], "http://ads.example").await.expect("a plan");
    let address: IpAddr = "203.0.113.7".parse().expect("an address");
    let user_agent = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0".to_owned();
    let reader = EventRequest { address, user_agent, prefetched: false, opted_out: false };
    let link = shown.tracking.click_url.rsplit('/').next().expect("a token").to_owned();
    click(&app, &link, &reader).await.expect("kept").click_id
}

fn printed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_advertiser_reports_what_it_has_sold_elsewhere() {
    let placard = Placard::on_sqlite();
    let planted = placard.run(&["demo", "seed"]).done();
    let click = clicked(&placard).await;
    let server = Server::start(placard.app());
    let advertisers: Vec<_> = planted["advertisers"].as_array().expect("a list").iter().collect();
    let report = |(id, key): &(String, String), file: &str, more: &[&str]| {
        let typed = ["advertiser", "report", file, "--advertiser", id, "--key", key, "--base", &server.base];
        placard.run(&[&typed[..], more].concat())
    };
    let table = format!("\u{feff}event_id;click_id;reverse\r\norder-1;{click};\r\n;;\r\norder-2;unknown;no\r\n");
    let sales = placard.file("sales.csv", &table);
    // The click is of one of them.
    let mut own = None;
    for of in advertisers {
        let of = advertiser(&placard, of);
        let planned = report(&of, &sales, &["--dry-run"]).done();
        assert_eq!(planned, json!({ "dry_run": true, "conversions": 2, "reversals": 0 }));
        let ran = report(&of, &sales, &[]);
        assert_eq!(ran.code, Some(1), "one was not taken: {ran:?}");
        let told = printed(&ran);
        let unknown = json!({ "line": 4, "event_id": "order-2", "reason": "unknown_click" });
        if told["accepted"] == 1 {
            assert_eq!(told["first"], json!([unknown]));
            assert!(own.replace(of).is_none(), "a click is of one advertiser");
        } else {
            let foreign = json!({ "line": 2, "event_id": "order-1", "reason": "wrong_advertiser" });
            assert_eq!(told["first"], json!([foreign, unknown]));
        }
    }
    let own = own.expect("the click's advertiser");
    let more = placard.file("more.csv", &format!("event_id,click_id,reverse\norder-1,{click},\norder-1,,yes\n"));
    let told = report(&own, &more, &[]).done();
    let counts = ["accepted", "duplicates", "refused"].map(|name| told[name].as_u64().expect("a number"));
    assert_eq!(counts, [2, 1, 0], "reported before, and taken back now: {told}");

    let wrong = placard.file("wrong.csv", &format!("event_id,click_id\norder-3,{click}\norder 4,{click}\n"));
    report(&own, &wrong, &[]).refused("params");
    report(&(own.0.clone(), placard.file("foreign.txt", "somebody-elses-key")), &sales, &[]).refused("server_error");
    report(&(own.0.clone(), placard.file("empty.txt", "")), &sales, &[]).misused("empty.txt");
    let afar =
        ["advertiser", "report", &sales, "--advertiser", &own.0, "--key", &own.1, "--base", "http://ads.example"];
    placard.run(&afar).misused("--base");
}
