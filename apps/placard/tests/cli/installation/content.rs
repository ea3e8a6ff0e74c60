//! Content from files: completely or not at all, and every mistake with its line.

use std::thread;

use serde_json::{Value, json};
use store::on_both;

use crate::support::{Key, Placard, Ran, deeds, text};

const PAGE: &str = include_str!("../../../../../docs/CONTENT.md");

/// The file shown in the documentation.
pub fn example() -> &'static str {
    let (_, rest) = PAGE.split_once("```toml\n").expect("an example");
    rest.split_once("```").expect("its end").0
}

pub fn apply(placard: &Placard, who: &Key, files: &[&str]) -> Ran {
    placard.change(who, &[&["content", "apply"], files].concat())
}

/// Everything that content affects.
pub fn everything(placard: &Placard, who: &Key) -> Value {
    let all = [
        &["content", "export"][..],
        &["acceptor", "list"],
        &["coupon", "list"],
        &["advertiser", "list"],
        &["audit", "list"],
        &["contact", "list"],
    ];
    all.iter().map(|arguments| placard.run_as(who, arguments).done()).collect()
}

fn counts(report: &Value) -> [i64; 3] {
    ["added", "changed", "unchanged"].map(|name| report[name].as_i64().expect("a count"))
}

/// The outcome of the entry of this kind.
fn of_kind<'a>(report: &'a Value, kind: &str) -> &'a Value {
    let changes = || report["changes"].as_array().expect("changes").iter().filter(|change| change["kind"] == kind);
    changes().find(|change| change.get("request").is_some()).or_else(|| changes().next()).expect("one of the kind")
}

/// The number of the request that it waits for.
fn request(report: &Value, kind: &str) -> String {
    text(&of_kind(report, kind)["request"])
}

/// What all users see, of which every change waits.
const SEEN_BY_ALL: [&str; 5] = ["activity", "contact", "faq", "notification", "pay_in"];

/// Approves everything of a report that waits.
fn agree(placard: &Placard, who: &Key, report: &Value) {
    let changes = report["changes"].as_array().expect("changes").iter();
    for asked in changes.flat_map(|change| [&change["request"], &change["other_request"]]) {
        if asked.is_string() {
            placard.change(who, &["request", "approve", &text(asked)]).done();
        }
    }
}

/// The mistakes reported by `content apply`, one per line.
pub fn wrong(placard: &Placard, who: &Key, name: &str, content: &str) -> Vec<String> {
    let file = placard.file(name, content);
    let before = everything(placard, who);
    let ran = apply(placard, who, &[&file]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.starts_with("placard: params: ") && ran.err.lines().count() == 1, "{ran:?}");
    assert_eq!(everything(placard, who), before, "{content}");
    let told: Value = serde_json::from_str(&ran.out).expect("JSON");
    let mistake = |m: &Value| format!("{}: {}: {}", m["line"], text(&m["field"]), text(&m["problem"]));
    told["mistakes"].as_array().expect("mistakes").iter().map(mistake).collect()
}

#[test]
fn the_example_of_the_documentation_is_applied_once() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    let file = placard.file("example.toml", example());
    let checked = placard.run(&["content", "check", &file]).done();
    assert_eq!((counts(&checked), &checked["dry_run"]), ([7, 0, 0], &json!(true)));
    let warned: Vec<String> =
        checked["warnings"].as_array().expect("a list").iter().map(|w| text(&w["field"])).collect();
    assert_eq!(warned, ["faq.answer", "faq.question", "notification.body", "notification.title"]);

    let before = everything(&placard, &ann);
    let rehearsed = apply(&placard, &ann, &[&file, "--dry-run"]).done();
    assert_eq!(everything(&placard, &ann), before, "a rehearsal changes nothing");
    assert!(!rehearsed.to_string().contains("secret"), "{rehearsed}");
    let applied = apply(&placard, &ann, &[&file]).done();
    assert_eq!((counts(&applied), &applied["dry_run"]), ([7, 0, 0], &json!(false)));
    // What all users see waits for another, who sees all of it.
    let waits = |kind: &str| placard.run_as(&bob, &["request", "show", &request(&applied, kind)]).done();
    for kind in SEEN_BY_ALL {
        assert_eq!(of_kind(&applied, kind)["change"], "requested", "{kind}");
    }
    let contact = waits("contact");
    assert_eq!((&contact["name"], &contact["kind"]), (&json!("desk-chat"), &json!("contact")));
    let to = |name: &str| contact["proposal"][name]["to"].clone();
    assert_eq!(to("url"), "https://support.example.com/chat");
    assert_eq!(to("framed"), "https://support.example.com");
    assert_eq!(to("label"), json!({ "en": "Chat", "de": "Chat", "zh": "在线客服" }));
    assert_eq!(waits("notification")["proposal"]["body"]["to"]["de"], "Sie finden ihn unter Aktionen.");
    let product = waits("product");
    assert_eq!(product["proposal"]["content"]["to"]["landing_page"]["title"], "Tea picked this spring");
    assert_eq!(product["proposal"]["image"]["to"], "/products/aurora-coffee.svg");
    let secrets =
        applied["changes"].as_array().expect("changes").iter().filter(|change| change.get("secret").is_some());
    let kinds: Vec<&str> = secrets.map(|change| change["kind"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, ["acceptor"], "an advertiser claims its key");
    let done = deeds(&placard, &ann);
    for action in [
        "advertiser.add",
        "product.add",
        "slot.add",
        "coupon.define",
        "activity.request",
        "acceptor.add",
        "announcement.request",
        "contact.request",
        "pay_in.request",
        "faq.request",
        "faq.change",
    ] {
        assert!(done.iter().any(|deed| deed == action), "{action}: {done:?}");
    }
    let audited = placard.run_as(&ann, &["audit", "list"]).done().to_string();
    let code = applied["changes"].as_array().expect("changes").iter().find(|c| c["kind"] == "acceptor");
    assert!(!audited.contains(&text(&code.expect("an acceptor")["secret"])), "codes are nobody's to read");

    let again = apply(&placard, &ann, &[&file]).done();
    assert_eq!(counts(&again), [0, 0, 7], "six wait");
    assert_eq!(deeds(&placard, &ann), done, "what is the same is no deed");
    agree(&placard, &bob, &applied);
    assert_eq!(counts(&apply(&placard, &ann, &[&file]).done()), [0, 0, 13]);
    assert_eq!(placard.run(&["audit", "verify"]).done()["ok"], true);
}

#[test]
fn what_is_exported_changes_nothing() {
    let placard = Placard::on_sqlite();
    let (ann, ben) = placard.demonstration();
    let file = placard.file("example.toml", example());
    agree(&placard, &ben, &apply(&placard, &ann, &[&file]).done());
    let close = placard.run_as(&ann, &["acceptor", "list"]).done()[0]["id"].clone();
    placard.change(&ann, &["acceptor", "close", &text(&close)]).done();
    let toml = placard.file("all.toml", &placard.text(&ann, &["content", "export"]));
    let json = placard.run_as(&ann, &["content", "export"]).done();
    let json = placard.file("all.json", &json.to_string());
    for file in [&toml, &json] {
        let applied = apply(&placard, &ann, &[file]).done();
        let [added, changed, unchanged] = counts(&applied);
        assert!((added, changed) == (0, 0) && unchanged > 25, "{applied}");
    }
    let folder = placard.file("folder", "").replace("folder", "deep/content");
    let written = placard.run_as(&ann, &["content", "export", &folder]).done();
    let files: Vec<String> = written.as_array().expect("a list").iter().map(|file| text(&file["file"])).collect();
    assert_eq!(files.len(), 11);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    assert_eq!(counts(&apply(&placard, &ann, &files).done())[..2], [0, 0]);
    placard.run_as(&ann, &["content", "export", &folder]).misused("--overwrite");
    placard.run_as(&ann, &["content", "export", &folder, "--overwrite", "--kind", "faq"]).done();
    placard.run_as(&ann, &["content", "export", "--kind", "faqs"]).misused("faq");
    placard.run(&["content", "export"]).refused("no_auth");
}

#[test]
fn changes_are_told_field_by_field() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    let write = |content: &str| placard.file("example.toml", content);
    let added = apply(&placard, &ann, &[&write(example())]).done();
    let approve = |report: &Value, kind: &str| {
        placard.change(&bob, &["request", "approve", &request(report, kind)]).done();
    };
    for kind in ["product", "activity", "notification", "faq"] {
        approve(&added, kind);
    }
    for contact in added["changes"].as_array().expect("changes").iter().filter(|one| one["kind"] == "contact") {
        placard.change(&bob, &["request", "approve", &text(&contact["request"])]).done();
    }
    let other = example()
        .replace("payout = \"6.50\"", "payout = \"8.00\"\nactive = false")
        .replace(", JPY = \"157.4\"", "")
        .replace("value = \"15.00\"", "value = \"20.00\"")
        .replace("order = 25 ", "order = 5 ");
    let changed = apply(&placard, &ann, &[&write(&other)]).done();
    assert_eq!(counts(&changed), [0, 2, 8]);
    let question = of_kind(&changed, "faq");
    assert_eq!(
        (&question["change"], &question["requested"]),
        (&json!("requested"), &json!({ "order": { "from": 25, "to": 5 } }))
    );
    approve(&changed, "faq");
    let fields = |kind: &str| {
        let of = changed["changes"].as_array().expect("changes").iter();
        of.filter(|change| change["kind"] == kind && change["change"] == "changed")
            .map(|c| c["fields"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(fields("product"), [json!({ "active": { "from": true, "to": false } })]);
    // What a conversion pays waits for a second person.
    let waits = |kind: &str| of_kind(&changed, kind)["requested"].clone();
    assert_eq!(waits("product"), json!({ "payout": { "from": "6.50", "to": "8.00" } }));
    approve(&changed, "product");
    // And so does a coupon's value, even for a draft.
    assert_eq!(waits("coupon"), json!({ "value": { "from": "15.00", "to": "20.00" } }));
    assert_eq!(of_kind(&changed, "coupon")["change"], "requested");
    approve(&changed, "coupon");
    assert_eq!(fields("acceptor"), [json!({ "rates.JPY": { "from": "157.4", "to": null } })]);
    let audited = placard.run_as(&ann, &["audit", "list"]).done();
    let line = audited.as_array().expect("a list").iter().find(|line| line["action"] == "product_terms.approve");
    let line = line.expect("audited").to_string();
    assert!(line.contains("8.00") && line.contains("6.50"), "{line}");
    assert_eq!(placard.run_as(&ann, &["product", "list"]).done()[0]["status"], "closed");
    // If a file does not say whether it is active, that does not change.
    let silent = other.replace("\nactive = false\nattribution", "\nattribution");
    assert_eq!(counts(&apply(&placard, &ann, &[&write(&silent)]).done()), [0, 0, 12]);
    let shown = placard.text(&ann, &["content", "check", &write(example())]);
    assert!(shown.contains("payout: 8.00 -> 6.50") && shown.contains("nothing was changed yet"), "{shown}");
}

#[test]
fn what_waits_is_asked_for_once_and_said_to_wait() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    let write = |content: &str| placard.file("example.toml", content);
    let waiting = || placard.run_as(&ann, &["request", "list", "--status", "requested"]).done();
    let kinds = ["product", "coupon", "acceptor"];
    let added = apply(&placard, &ann, &[&write(example())]).done();
    assert_eq!((counts(&added), &added["requested"]), ([7, 0, 0], &json!(9)));
    // Waiting drafts are left alone.
    let again = apply(&placard, &bob, &[&write(example())]);
    again.refused("not_permitted");
    let again = apply(&placard, &ann, &[&write(example())]).done();
    assert_eq!((counts(&again), waiting().as_array().map(Vec::len)), ([0, 0, 7], Some(9)));
    for kind in kinds.iter().chain(&SEEN_BY_ALL) {
        assert_eq!(request(&again, kind), request(&added, kind));
    }
    agree(&placard, &bob, &added);
    assert_eq!(apply(&placard, &ann, &[&write(example())]).done()["requested"], 0);

    let other = example()
        .replace("payout = \"6.50\"", "payout = \"8.00\"")
        .replace("EUR = \"0.92\"", "EUR = \"0.93\"")
        .replace("quantity = 500", "quantity = 600");
    let first = apply(&placard, &ann, &[&write(&other)]).done();
    let second = apply(&placard, &ann, &[&write(&other)]).done();
    for report in [&first, &second] {
        assert_eq!((counts(report), &report["requested"]), ([0, 0, 10], &json!(3)), "{report}");
        for kind in kinds {
            assert_eq!(of_kind(report, kind)["change"], "requested", "{kind}");
            assert_eq!(request(report, kind), request(&first, kind), "{kind}");
        }
    }
    assert_eq!(waiting().as_array().map(Vec::len), Some(3), "asked for once");
    // A hundred more at 15.00.
    let shown = placard.run_as(&ann, &["request", "show", &request(&first, "coupon")]).done();
    assert_eq!(
        (&shown["amount"], &shown["proposal"]),
        (&json!("1500.00"), &json!({ "quantity": { "from": 500, "to": 600 } }))
    );
    for kind in kinds {
        placard.change(&bob, &["request", "approve", &request(&first, kind)]).done();
    }
    assert_eq!(counts(&apply(&placard, &ann, &[&write(&other)]).done()), [0, 0, 13]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_person_lowers_how_many_are_given() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    placard.account("mia").await;
    let write = |content: &str| placard.file("example.toml", content);
    agree(&placard, &bob, &apply(&placard, &ann, &[&write(example())]).done());
    let asked = placard.change(&ann, &["coupon", "grant", "mia", "Spring 15"]).done();
    let none = example().replace("quantity = 500", "quantity = 0");
    let lowered = apply(&placard, &ann, &[&write(&none)]).done();
    assert_eq!((counts(&lowered), &lowered["requested"]), ([0, 1, 12], &json!(0)));
    assert_eq!(of_kind(&lowered, "coupon")["fields"], json!({ "quantity": { "from": 500, "to": 0 } }));
    placard.change(&bob, &["request", "approve", &text(&asked["id"])]).refused("coupon_exhausted");
    placard.change(&ann, &["coupon", "grant", "mia", "Spring 15"]).refused("coupon_exhausted");
    assert_eq!(counts(&apply(&placard, &ann, &[&write(&none)]).done()), [0, 0, 13]);
    // With other terms at the same time: the lower quantity applies now, the rest waits.
    let fewer = example().replace("quantity = 500", "quantity = 200");
    let raised = apply(&placard, &ann, &[&write(&fewer)]).done();
    placard.change(&bob, &["request", "approve", &request(&raised, "coupon")]).done();
    let both = example().replace("quantity = 500", "quantity = 100").replace("days = 30 ", "days = 60 ");
    let part = apply(&placard, &ann, &[&write(&both)]).done();
    let coupon = of_kind(&part, "coupon");
    assert_eq!(coupon["fields"], json!({ "quantity": { "from": 200, "to": 100 } }));
    assert_eq!(coupon["requested"], json!({ "days": { "from": 30, "to": 60 } }));
    // What has changed meanwhile is not what was requested.
    let end = "ends = 2099-06-01T00:00:00Z #";
    let ends = example().replace("quantity = 500", "quantity = 100").replace("days = 30 ", end);
    let ends = apply(&placard, &ann, &[&write(&ends)]).done();
    placard.change(&bob, &["request", "approve", &request(&ends, "coupon")]).done();
    placard.change(&bob, &["request", "approve", &request(&part, "coupon")]).refused("proposal_stale");
    assert_eq!(placard.run(&["audit", "verify"]).done()["ok"], true);
}

#[test]
fn one_mistake_leaves_everything_undone() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    let third = format!("{}\n[[slot]]\nkey = \"x y\"\npublisher = \"P\"\ncontent_types = []\n", example());
    let told = wrong(&placard, &ann, "third.toml", &third);
    assert_eq!(told.len(), 2, "{told:?}");
    // A mistake that only the database reveals, in the second of two files.
    let good = placard.file("good.toml", example());
    let bad = placard.file("bad.toml", "[[activity]]\nkey = \"a\"\ncoupon = \"None\"\ntitle = \"A\"\n");
    let before = everything(&placard, &ann);
    let ran = apply(&placard, &ann, &[&good, &bad]);
    assert!(ran.code == Some(1) && ran.out.contains("there is no coupon of this name"), "{ran:?}");
    assert_eq!(everything(&placard, &ann), before);
    // Without JSON, a line has all of it.
    let mut command = placard.command(&["content", "check", &bad]);
    let ran: Ran = command.output().expect("runs").into();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("bad.toml:3: activity.coupon: there is no coupon of this name"), "{ran:?}");
    placard.change(&ann, &["content", "apply", "nowhere.toml"]).misused("nowhere.toml");
    let bob = placard.operator(Some(&ann), "cleo", "finance");
    apply(&placard, &bob, &[&good]).refused("not_permitted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_promised_stays() {
    let placard = Placard::on_sqlite();
    let (ann, bob) = placard.staff();
    placard.account("mia").await;
    let applied = apply(&placard, &ann, &[&placard.file("example.toml", example())]).done();
    agree(&placard, &bob, &applied);
    let told = wrong(&placard, &ann, "like.toml", &example().replace("name = \"Spring 15\"", "name = \"spring 15\""));
    assert!(told.len() == 1 && told[0].contains("looks like Spring 15, which is another coupon"), "{told:?}");
    let given = placard.change(&ann, &["coupon", "grant", "mia", "Spring 15"]).done();
    placard.change(&bob, &["request", "approve", &text(&given["id"])]).done();
    let told = wrong(&placard, &ann, "value.toml", &example().replace("value = \"15.00\"", "value = \"20.00\""));
    assert!(told.len() == 1 && told[0].contains("coupon.value: stays as it is: users hold this coupon"), "{told:?}");
    // How long future coupons last was promised to nobody.
    let longer = placard.file("days.toml", &example().replace("days = 30 ", "days = 60 "));
    let asked = apply(&placard, &ann, &[&longer]).done();
    assert_eq!((counts(&asked), &asked["requested"]), ([0, 0, 12], &json!(1)));
    placard.change(&bob, &["request", "approve", &request(&asked, "coupon")]).done();
    assert_eq!(counts(&apply(&placard, &ann, &[&longer]).done()), [0, 0, 13]);
    let told = wrong(&placard, &ann, "sent.toml", &example().replace("A coupon for spring", "Two coupons"));
    assert!(told[0].contains("notification.title.en: was sent otherwise under this key"), "{told:?}");
    let two = example()
        .replace("name = \"Meadow Tea House\"  ", "name = \"Other\"\n[[advertiser]]\nname = \"Meadow Tea House\"  ");
    let moved = two.replace("advertiser = \"Meadow Tea House\"", "advertiser = \"Other\"");
    let told = wrong(&placard, &ann, "moved.toml", &moved);
    assert!(told[0].contains("product.advertiser: Meadow Tea House pays for this product's plans"), "{told:?}");
    let coded = |code: &str, name: &str| {
        let acceptor = "type = \"personal\"\nlimit = \"50.00\"\nquote_seconds = 60\nrates = { EUR = \"0.9\" }\n";
        format!("[[acceptor]]\nname = \"{name}\"\ncode = \"{code}\"\n{acceptor}")
    };
    apply(&placard, &ann, &[&placard.file("code.toml", &coded("OPEN-SESAME", "One"))]).done();
    assert_eq!(
        counts(&apply(&placard, &ann, &[&placard.file("code.toml", &coded("OPEN-SESAME", "One"))]).done()),
        [0, 0, 1]
    );
    let told = wrong(&placard, &ann, "code.toml", &coded("OPEN-SESAME", "Two"));
    assert_eq!(told, ["3: acceptor.code: is another acceptor's"]);
    let renewed = apply(&placard, &ann, &[&placard.file("code.toml", &coded("CLOSE-SESAME", "One"))]).done();
    assert_eq!(counts(&renewed), [0, 1, 0]);
    assert!(!renewed.to_string().contains("SESAME"), "{renewed}");
}

on_both!(two_who_apply_at_once_do_it_one_after_the_other, |t| {
    let placard = Placard::new(t);
    let (ann, _) = placard.staff();
    let file = placard.file("example.toml", example());
    let ran: Vec<Value> = thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| apply(&placard, &ann, &[&file]).done())).collect();
        runs.into_iter().map(|run| run.join().expect("no panic")).collect()
    });
    let mut added: Vec<i64> = ran.iter().map(|report| counts(report)[0]).collect();
    added.sort_unstable();
    assert_eq!(added, [0, 0, 0, 7]);
    let asked = deeds(&placard, &ann).iter().filter(|deed| *deed == "announcement.request").count();
    assert_eq!(asked, 1, "asked for once");
});

#[test]
fn single_files_say_the_same_and_can_be_tried() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.staff();
    let slot = "key = \"front\"\npublisher = \"The Daily\"\ncontent_types = [\"poster\"]\n";
    let ran = placard.change(&ann, &["slot", "add", &placard.file("slot.toml", slot)]);
    assert!(ran.err.contains("slot.toml:3: slot.content_types: must be one or more of"), "{ran:?}");
    let good = placard.file("slot.toml", &slot.replace("poster", "video"));
    let before = everything(&placard, &ann);
    let tried = placard.change(&ann, &["slot", "add", &good, "--dry-run"]).done();
    assert_eq!((&tried["key"], everything(&placard, &ann) == before), (&json!("front"), true));
    placard.change(&ann, &["slot", "add", &good]).done();
    let ran = placard.change(&ann, &["slot", "add", &good]);
    assert!(ran.err.contains("slot.toml:1: slot.key: is taken"), "{ran:?}");
    let acceptor =
        "name = \"A\"\ntype = \"personal\"\nlimit = \"50.00\"\nquote_seconds = 60\nrates = { EUR = \"0.9\" }\n";
    let acceptor = placard.file("acceptor.toml", acceptor);
    let tried = placard.change(&ann, &["acceptor", "add", &acceptor, "--dry-run"]).done();
    assert_eq!(tried.get("code"), None, "no acceptor goes by it");
    assert_eq!(text(&placard.change(&ann, &["acceptor", "add", &acceptor]).done()["code"]).len(), 14);
}
