//! Who may import whom: base <- domain crates, db <- store, objects, archive, event-files <-
//! foundation <- money <- campaigns <- desk <- http, demo <- apps.
//! Of the domain crates, only delivery, wallet, market and content import others; only db and the store know diesel,
//! and the base if it is asked to.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const DOMAIN: [&str; 19] = [
    "calendar",
    "content",
    "wallet",
    "bank",
    "payee",
    "plans",
    "coupons",
    "notifications",
    "proof",
    "push",
    "standing",
    "supply",
    "openrtb",
    "delivery",
    "market",
    "auth",
    "i18n",
    "images",
    "documents",
];

/// The crates of the use cases; each stands on those before it.
const FLOORS: [&str; 4] = ["foundation", "money", "campaigns", "desk"];

/// The crates of the workspace, as Cargo describes them.
fn crates() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("cargo metadata");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    metadata["packages"].as_array().expect("a list").clone()
}

/// Each workspace crate with its dependencies, except those of tests.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let normal = |package: &Value| {
        let all = package["dependencies"].as_array().expect("a list").iter();
        all.filter(|d| d["kind"].is_null()).map(|d| text(&d["name"])).collect()
    };
    crates().iter().map(|p| (text(&p["name"]), normal(p))).collect()
}

fn allowed(name: &str) -> Vec<&'static str> {
    let below_store: Vec<&str> = ["base"].into_iter().chain(DOMAIN).collect();
    match name {
        "base" => vec![],
        // What counts, and how large a lease is, depends on a plan's terms.
        "delivery" => vec!["base", "plans"],
        // A plan is shown in hours as clocks show them.
        "plans" => vec!["base", "calendar"],
        // What is hashed of a transaction is what a proof file has of it.
        "wallet" => vec!["base", "proof"],
        // It chooses among plans for slots and for exchanges, within leases.
        "market" => vec!["base", "plans", "delivery", "openrtb", "supply"],
        // Texts in files are in the languages that i18n has.
        "content" => vec!["base", "i18n"],
        domain if DOMAIN.contains(&domain) => vec!["base"],
        "db" | "archive" => vec!["base"],
        // Names of kinds, reasons and devices.
        "event-files" => vec!["base", "delivery"],
        "store" => below_store.into_iter().chain(["db"]).collect(),
        "objects" | "forms" => vec![],
        // The floors of the use cases.
        floor if FLOORS.contains(&floor) => {
            let below = FLOORS.into_iter().take_while(|below| *below != floor);
            let beside = ["store", "objects", "archive", "event-files"];
            below_store.into_iter().chain(beside).chain(below).collect()
        }
        // Handlers answer with views of use cases, never with rows.
        "http-api" => below_store.into_iter().chain(FLOORS).chain(["forms"]).collect(),
        // What is made up goes through the use cases like everything else.
        "demo" => below_store.into_iter().chain(FLOORS).chain(["store"]).collect(),
        "placard" => below_store.into_iter().chain(FLOORS).chain(["store", "demo"]).collect(),
        // The server runs staff's commands like `placard`.
        "placard-server" => {
            let beside = ["store", "objects", "http-api", "forms", "placard"];
            below_store.into_iter().chain(FLOORS).chain(beside).collect()
        }
        // It measures a server of the demonstration.
        "placard-bench" => {
            let beside = ["store", "objects", "http-api", "forms", "demo"];
            below_store.into_iter().chain(FLOORS).chain(beside).collect()
        }
        _ => below_store.into_iter().chain(FLOORS).chain(["store", "objects", "http-api", "forms"]).collect(),
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
fn only_the_engine_and_the_store_know_the_database() {
    for (name, needs) in dependencies() {
        let knows = needs.iter().any(|need| need.starts_with("diesel"));
        // The base says how values are held in columns, for those who ask for its feature `sql`.
        assert_eq!(knows, ["base", "db", "store"].contains(&name.as_str()), "{name}");
    }
    let base = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).expect("a manifest");
    assert!(base.contains("diesel = { workspace = true, optional = true }"), "the domain is used without a database");
}

#[test]
fn domain_crates_stay_pure() {
    let banned = ["tokio", "actix-web", "tracing", "getrandom", "rand", "chrono", "reqwest"];
    for (name, needs) in dependencies() {
        if DOMAIN.contains(&name.as_str()) {
            // The calendar counts in chrono's dates; clippy.toml forbids chrono's clock to everybody.
            for need in needs.iter().filter(|need| (name.as_str(), need.as_str()) != ("calendar", "chrono")) {
                assert!(!banned.contains(&need.as_str()), "{name} may not depend on {need}");
            }
        }
    }
}

/// All source files: crates, programs, and the frontend.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(&root).output().expect("git");
    let listed = String::from_utf8(output.stdout).expect("text");
    let ours = |path: &&str| ["crates/", "apps/", "frontend/src/"].iter().any(|start| path.starts_with(start));
    listed.split('\0').filter(ours).map(|path| root.join(path)).filter(|path| path.is_file()).collect()
}

fn is_code(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["rs", "ts", "tsx"].iter().any(|code| end == *code))
}

const FILES_A_FOLDER: usize = 25;
const LINES_A_FILE: usize = 450;

#[test]
fn folders_are_short() {
    let mut folders = BTreeMap::<PathBuf, usize>::new();
    for path in sources().iter().filter(|path| is_code(path)) {
        *folders.entry(path.parent().expect("a folder").to_owned()).or_default() += 1;
    }
    assert!(folders.len() > 40, "{folders:?}");
    folders.retain(|_, files| *files > FILES_A_FOLDER);
    assert!(folders.is_empty(), "more than {FILES_A_FOLDER} files: {folders:#?}");
}

#[test]
fn files_are_short() {
    let lines = |path: &PathBuf| fs::read_to_string(path).expect("a text").lines().count();
    // Generated by programs.
    let made = |path: &PathBuf| path.ends_with("store/src/schema.rs") || path.ends_with("api/openapi.d.ts");
    let long: Vec<_> = sources()
        .into_iter()
        .filter(|path| is_code(path) && !made(path))
        .map(|path| (lines(&path), path))
        .filter(|(lines, _)| *lines > LINES_A_FILE)
        .collect();
    assert!(long.is_empty(), "more than {LINES_A_FILE} lines: {long:#?}");
}

/// The number that the database keeps for a value comes from the value, so that the compiler knows where it is used.
#[test]
fn no_text_of_sql_repeats_a_code() {
    // What ends so is one as well: `account_kind`.
    const CODED: [&str; 3] = ["status", "kind", "key_origin"];
    let of_store = |path: &&PathBuf| {
        let path = path.to_string_lossy();
        path.contains("crates/store/src/") && !path.contains("/testing/")
    };
    let mut compared = 0;
    for path in sources().iter().filter(of_store) {
        for line in fs::read_to_string(path).expect("a text").lines() {
            let ends = CODED.iter().flat_map(|name| line.match_indices(name).map(|(at, _)| at + name.len()));
            for end in ends {
                let after = line.get(end..).unwrap_or_default();
                let value = [" = ", " <> ", " IN (", " WHEN "].iter().find_map(|sign| after.strip_prefix(sign));
                compared += usize::from(value.is_some());
                let number = value.is_some_and(|value| value.starts_with(|first: char| first.is_ascii_digit()));
                assert!(!number, "{}: {line}", path.display());
            }
        }
    }
    assert!(compared > 30, "{compared}");
}

/// A file read from another crate at compile time is a dependency that Cargo.toml does
/// not show.
#[test]
fn no_crate_includes_files_of_another() {
    for path in sources().iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        let text = fs::read_to_string(path).expect("a text");
        for included in text.split("include_str!(\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let file = path.parent().expect("a folder").join(included);
            let own =
                |path: &Path| path.ancestors().find(|folder| folder.join("Cargo.toml").is_file()).map(Path::to_owned);
            let canonical = |path: PathBuf| path.canonicalize().expect("a path");
            let foreign = own(&canonical(file)) != own(&canonical(path.clone()));
            // A page of the documentation is not code.
            assert!(!foreign || !included.ends_with(".rs"), "{} includes {included}", path.display());
        }
    }
}

/// Whether comments contain an example, which is a test. A drawing is none.
fn has_example(code: &str) -> bool {
    let comments = code.lines().filter(|line| line.trim_start().starts_with("//"));
    let marks = comments.filter_map(|line| line.split_once("```"));
    // Every other one is the end of what the one before began.
    marks.step_by(2).any(|(_, kind)| kind != "text")
}

/// Cargo is told where there are no tests, and looks for none. One that is written there later would never be run.
#[test]
fn no_test_is_where_none_is_run() {
    let all: Vec<PathBuf> = sources().iter().map(|path| path.canonicalize().expect("a path")).collect();
    let mut told = 0;
    for package in crates() {
        for target in package["targets"].as_array().expect("a list") {
            let file = PathBuf::from(target["src_path"].as_str().expect("a path"));
            let library = target["kind"].as_array().expect("a list").contains(&"lib".into());
            let folder: &Path = if library { file.parent().expect("a folder") } else { &file };
            let without = |what: &str| target[what] == false;
            // Only libraries have examples.
            let (no_tests, no_examples) = (without("test"), library && without("doctest"));
            told += usize::from(no_tests) + usize::from(no_examples);
            for path in all.iter().filter(|path| is_code(path) && path.starts_with(folder)) {
                let code = fs::read_to_string(path).expect("a text");
                assert!(!no_tests || !code.contains("#[test]"), "{} is compiled without tests", path.display());
                assert!(!no_examples || !has_example(&code), "no example is run: {}", path.display());
            }
        }
    }
    assert!(told > 5, "{told}");
}

/// A handler is named by what it does: one that reads lists or shows, and no name is only
/// a noun.
#[test]
fn handlers_that_read_are_named_alike() {
    let mut read = 0;
    for path in sources().iter().filter(|path| path.to_string_lossy().contains("http-api/src/routes")) {
        let text = fs::read_to_string(path).expect("a text");
        for handler in text.split("\n#[get(").skip(1) {
            let name = handler.split("async fn ").nth(1).and_then(|rest| rest.split('(').next()).expect("a name");
            let verb = name.split('_').next().expect("a word");
            let known = ["list", "show", "export", "serve", "record"].contains(&verb);
            assert!(known, "{}: {name}", path.display());
            read += 1;
        }
    }
    assert!(read > 20, "{read}");
}
