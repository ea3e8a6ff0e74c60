//! Every kind of notice is sent somewhere. Its texts are tested with the kinds
//! themselves.

use std::path::{Path, PathBuf};

use foundation::notices::NoticeKind;

const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The code of all use cases, without comments.
fn code() -> String {
    let floors = ["foundation", "money", "campaigns", "desk"];
    let mut folders: Vec<PathBuf> = floors.iter().map(|floor| Path::new(CRATES).join(floor).join("src")).collect();
    let mut found = String::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let source = std::fs::read_to_string(&path).expect("a source");
                found.extend(source.lines().flat_map(|line| [line.split("//").next().unwrap_or_default(), "\n"]));
            }
        }
    }
    found
}

#[test]
fn every_kind_is_told_somewhere() {
    let code = code();
    assert!(NoticeKind::ALL.len() >= 25);
    let silent: Vec<_> = NoticeKind::ALL.iter().map(|kind| kind.variant).collect();
    let silent: Vec<_> = silent.into_iter().filter(|kind| !code.contains(&format!("NoticeKind::{kind} {{"))).collect();
    assert!(silent.is_empty(), "nobody is ever told: {silent:?}");
}
