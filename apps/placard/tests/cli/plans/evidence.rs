//! From any figure down to its entries and events.

use serde_json::Value;

use crate::support::{Key, Placard, text};

fn plan_put(placard: &Placard, who: &Key) -> String {
    let shown = placard.run_as(who, &["account", "show", "demo"]).done();
    let plans = shown["plans"].as_array().expect("plans");
    text(&plans.iter().find(|plan| plan["put_amount"] != "0.00").expect("one that was put")["plan_no"])
}

#[test]
fn a_line_of_the_statement_leads_to_its_transaction() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let line = text(&placard.run_as(&ann, &["flow", "demo", "--limit", "1"]).done()["items"][0]["id"]);
    let found = placard.run_as(&ann, &["flow", "demo", "--line", &line]).done();
    assert_eq!((&found["intact"], &found["kind"]), (&Value::Bool(true), &Value::from("recharge")));
    assert_eq!(found["entries"].as_array().map(Vec::len), Some(2));
    let id = text(&found["id"]);
    assert_eq!(placard.run_as(&ann, &["ledger", "show", &id]).done(), found);
    let shown = placard.text(&ann, &["ledger", "show", &id]);
    assert!(shown.contains("intact") && shown.contains("recharge_clearing"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    placard.run_as(&ann, &["flow", "demo", "--line", "999999"]).refused("not_found");
    placard.run_as(&ann, &["flow", "demo", "--line", "1", "--csv"]).misused("--csv");
    placard.run_as(&ann, &["ledger", "show", "999999"]).refused("not_found");
    placard.run_as(&ann, &["ledger", "show", "x"]).refused("not_found");
    placard.run(&["ledger", "show", &id]).refused("no_auth");
}

#[test]
fn the_wallets_figures_are_taken_apart() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let figures = placard.run_as(&ann, &["account", "figures", "demo"]).done();
    let figures = figures.as_array().expect("a list");
    assert_eq!(figures.len(), 9);
    assert!(figures.iter().all(|figure| figure["adds_up"] != false), "{figures:?}");
    let one = placard.run_as(&ann, &["account", "figures", "demo", "--figure", "available", "--limit", "1"]).done();
    assert_eq!((&one[0]["amount"], one[0]["entries"].as_array().map(Vec::len)), (&"10000.00".into(), Some(1)));
    let shown = placard.text(&ann, &["account", "figures", "demo"]);
    assert!(shown.contains("total_assets  ") && shown.contains("which its parts add up to"), "{shown}");
    placard.run_as(&ann, &["account", "figures", "demo", "--figure", "luck"]).misused("--figure");
    placard.run_as(&ann, &["account", "figures", "nobody"]).refused("not_found");
    placard.run(&["account", "figures", "demo"]).refused("no_auth");
}

#[test]
fn a_plan_is_shown_with_how_its_figures_come_about() {
    let placard = Placard::on_sqlite();
    let (ann, _) = placard.demonstration();
    let plan_no = plan_put(&placard, &ann);
    let shown = placard.run_as(&ann, &["plan", "show", &plan_no]).done();
    assert_eq!((&shown["username"], &shown["plan_no"]), (&"demo".into(), &plan_no.as_str().into()));
    assert_eq!(shown["delivery"]["adds_up"], true);
    assert!(shown["timeline"].as_array().is_some_and(|steps| !steps.is_empty()));
    let screen = placard.text(&ann, &["plan", "show", &plan_no]);
    assert!(screen.contains("Steps") && screen.contains("Budget") && screen.contains("Delivery"), "{screen}");
    assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
    let entries = placard.run_as(&ann, &["plan", "entries", &plan_no]).done();
    assert!(entries[0]["account"].as_str().is_some_and(|account| account.starts_with("hold.")), "{entries}");
    for list in ["events", "conversions", "entries"] {
        placard.run_as(&ann, &["plan", list, "P0"]).refused("not_found");
        placard.run(&["plan", list, &plan_no]).refused("no_auth");
    }
    assert!(placard.run_as(&ann, &["plan", "events", &plan_no, "--filtered"]).done().is_array());
    assert!(placard.run_as(&ann, &["plan", "conversions", &plan_no]).done().is_array());
    placard.run_as(&ann, &["plan", "events", &plan_no, "--filtered", "--counted"]).misused("--counted");
    placard.run_as(&ann, &["plan", "events", &plan_no, "--kind", "wish"]).misused("--kind");
}
