//! Which areas of the store and of the use cases may import which. A folder is
//! an area; it is called the same at every level.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each area of a crate may import from the others.
type Arrows = [(&'static str, &'static [&'static str])];

const STORE: &Arrows = &[
    ("delivery", &["plans"]),
    // It opens the database, and keeps the audit that rows are compared with.
    ("installation", &["delivery", "offers", "people", "staff", "wallet"]),
    ("notifications", &[]),
    ("offers", &["installation"]),
    ("people", &["notifications"]),
    ("plans", &[]),
    ("staff", &["installation"]),
    ("wallet", &["delivery", "installation"]),
];

const FOUNDATION: &Arrows = &[
    ("accounts", &["notices"]),
    ("notices", &[]),
    // A notice to all is requested by one person and approved by another.
    ("notifications", &["accounts", "notices", "people", "staff"]),
    // What users do to their accounts is in staff's audit.
    ("people", &["accounts", "notices", "staff"]),
    ("staff", &["accounts", "notices"]),
];

const MONEY: &Arrows = &[
    ("offers", &[]),
    // Money back for start-up funds changes the credit score.
    ("wallet", &["offers"]),
];

const CAMPAIGNS: &Arrows = &[
    ("catalogue", &[]),
    // Counting events checks the rules of their plans.
    ("delivery", &["catalogue", "rules"]),
    ("plans", &["catalogue", "delivery", "rules"]),
    ("rules", &[]),
];

#[test]
fn areas_of_the_store_import_only_what_is_listed() {
    check("store", STORE, &["testing"]);
}

#[test]
fn areas_of_the_use_cases_import_only_what_is_listed() {
    check("foundation", FOUNDATION, &[]);
    check("money", MONEY, &[]);
    check("campaigns", CAMPAIGNS, &[]);
}

fn check(name: &str, arrows: &Arrows, apart: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
    let listed: BTreeSet<&str> = arrows.iter().map(|(area, _)| *area).chain(apart.iter().copied()).collect();
    assert_eq!(listed, folders(&source).iter().map(String::as_str).collect(), "the areas of {name}");
    let found = imports(&source);
    for (area, may) in arrows {
        let does = found.get(*area).cloned().unwrap_or_default();
        let does: BTreeSet<&str> = does.iter().map(String::as_str).filter(|other| listed.contains(other)).collect();
        // An unused arrow must be removed from the list.
        assert_eq!(does, may.iter().copied().collect(), "what {area} of {name} imports");
    }
}

fn folders(source: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(source).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.is_dir()).filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

/// The other modules of its crate that each area names.
fn imports(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    for area in folders(source) {
        let mut files = vec![source.join(format!("{area}.rs"))];
        collect(&source.join(&area), &mut files);
        let text: String = files.iter().map(|file| fs::read_to_string(file).expect("a text")).collect();
        let code: String =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let mut named: BTreeSet<String> = code.split("crate::").skip(1).flat_map(named_first).collect();
        named.remove(&area);
        found.insert(area, named);
    }
    found
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

/// The first modules of a path: one, or those of a list in braces.
fn named_first(path: &str) -> Vec<String> {
    let Some(list) = path.strip_prefix('{') else { return vec![word(path)] };
    let mut depth = 0;
    let mut items = vec![String::new()];
    for letter in list.chars() {
        match letter {
            '}' if depth == 0 => break,
            ',' if depth == 0 => items.push(String::new()),
            _ => {
                depth += i32::from(letter == '{') - i32::from(letter == '}');
                items.last_mut().expect("one").push(letter);
            }
        }
    }
    items.iter().map(|item| word(item.trim_start())).collect()
}

fn word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}
