//! Who may import whom: base <- domain crates <- store, objects, archive <- usecases <- http <- apps.
//! Domain crates never import each other; only the store knows diesel.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

const DOMAIN: [&str; 11] = [
    "wallet",
    "bank",
    "plans",
    "coupons",
    "notifications",
    "standing",
    "delivery",
    "auth",
    "i18n",
    "images",
    "documents",
];

/// Each workspace crate with what it depends on, tests apart.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("cargo metadata");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let normal = |package: &Value| {
        let all = package["dependencies"].as_array().expect("a list").iter();
        all.filter(|d| d["kind"].is_null()).map(|d| text(&d["name"])).collect()
    };
    metadata["packages"].as_array().expect("a list").iter().map(|p| (text(&p["name"]), normal(p))).collect()
}

fn allowed(name: &str) -> Vec<&'static str> {
    let below_store: Vec<&str> = ["base"].into_iter().chain(DOMAIN).collect();
    match name {
        "base" => vec![],
        domain if DOMAIN.contains(&domain) => vec!["base"],
        "store" => below_store,
        "objects" | "archive" | "forms" => vec![],
        "usecases" => below_store.into_iter().chain(["store", "objects", "archive"]).collect(),
        "http-api" => below_store.into_iter().chain(["store", "usecases", "forms"]).collect(),
        // The server runs staff's commands as `placard` does.
        "placard-server" => {
            below_store.into_iter().chain(["store", "objects", "usecases", "http-api", "forms", "placard"]).collect()
        }
        _ => below_store.into_iter().chain(["store", "objects", "usecases", "http-api", "forms"]).collect(),
    }
}

#[test]
fn crates_import_downwards_only() {
    let crates = dependencies();
    assert!(crates.len() >= 10, "{crates:?}");
    for (name, needs) in &crates {
        for own in needs.iter().filter(|need| crates.contains_key(*need)) {
            assert!(allowed(name).contains(&own.as_str()), "{name} may not depend on {own}");
        }
    }
}

#[test]
fn only_the_store_knows_the_database() {
    for (name, needs) in dependencies() {
        let knows = needs.iter().any(|need| need.starts_with("diesel"));
        assert_eq!(knows, name == "store", "{name}");
    }
}

#[test]
fn domain_crates_stay_pure() {
    let banned = ["tokio", "actix-web", "tracing", "getrandom", "rand", "chrono", "ureq"];
    for (name, needs) in dependencies() {
        if DOMAIN.contains(&name.as_str()) {
            for need in &needs {
                assert!(!banned.contains(&need.as_str()), "{name} may not depend on {need}");
            }
        }
    }
}
