//! Every refusal has a text, and every such text is used.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The files with the keys of refusals, in tables written as `… => "key",`.
const TABLES: [&str; 3] =
    ["crates/foundation/src/refusal.rs", "crates/foundation/src/error.rs", "crates/http-api/src/failure.rs"];

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).expect("a file of ours")
}

fn keys(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| line.split_once("=> \"")?.1.strip_suffix("\","))
}

#[test]
fn everything_that_is_refused_has_a_text_and_no_text_is_for_nothing() {
    let sources = TABLES.map(read);
    let used: BTreeSet<&str> = sources.iter().flat_map(|source| keys(source)).collect();
    let locale: Value = serde_json::from_str(&read("locales/en.json")).expect("JSON");
    let texts = locale.get("errors").and_then(Value::as_object).expect("the texts of refusals");
    assert!(used.len() > 40, "{used:?}");
    assert_eq!(used, texts.keys().map(String::as_str).collect());
}
