//! All of the server's texts are used, and all texts it uses exist.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use i18n::Lang;

/// Sections of the app that the server shows as well.
const BORROWED: [&str; 3] = ["app.", "me.", "wallet."];

/// The sources of every crate and program, without their tests.
fn sources() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = String::new();
    for group in ["crates", "apps"] {
        for member in fs::read_dir(root.join(group)).expect("a folder") {
            collect(&member.expect("a member").path().join("src"), &mut all);
        }
    }
    all
}

fn collect(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, all);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let source = fs::read_to_string(&path).expect("a source");
            all.push_str(source.split("#[cfg(test)]").next().unwrap_or_default());
        }
    }
}

/// The texts between double quotes that contain no blanks.
fn literals(sources: &str) -> BTreeSet<&str> {
    sources.split('"').filter(|part| !part.is_empty() && !part.contains(char::is_whitespace)).collect()
}

/// The text keys named in the sources, such as `server.credit.{}`.
fn named<'a>(literals: &BTreeSet<&'a str>, section: &str) -> Vec<&'a str> {
    let is_key = |text: &&&str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._{}".contains(&b));
    literals.iter().filter(|text| text.starts_with(section)).filter(is_key).copied().collect()
}

/// `days_one` and `days_other` are used as `days`.
fn without_plural(key: &str) -> &str {
    ["_one", "_other"].iter().find_map(|form| key.strip_suffix(form)).unwrap_or(key)
}

/// The parts of `key` in the gaps of `pattern`, if it matches.
fn fits<'k>(pattern: &str, key: &'k str) -> Option<Vec<&'k str>> {
    let (before, rest) = pattern.split_once('{').unwrap_or((pattern, ""));
    let below = key.strip_prefix(before)?;
    if !pattern.contains('{') {
        return below.is_empty().then(Vec::new);
    }
    let after = rest.split_once('}').map_or("", |(_, after)| after);
    let next = after.split('{').next().unwrap_or_default();
    // A gap may contain several parts; the text after it decides where it ends.
    let ends = below.char_indices().map(|(at, _)| at).chain([below.len()]).filter(|at| *at > 0);
    ends.filter(|at| below[*at..].starts_with(next)).find_map(|at| {
        let mut gaps = vec![&below[..at]];
        gaps.extend(fits(after, &below[at..])?);
        Some(gaps)
    })
}

/// Whether the sources contain what fills a gap, in one word or in parts. Keys that are
/// numbers are counted, not named.
fn is_said(literals: &BTreeSet<&str>, gap: &str) -> bool {
    let said = |word: &str| literals.contains(word) || word.bytes().all(|b| b.is_ascii_digit());
    said(gap) || gap.split('.').all(said)
}

#[test]
fn every_text_of_the_server_is_used() {
    let sources = sources();
    let literals = literals(&sources);
    let patterns = [named(&literals, "server."), named(&literals, "errors.")].concat();
    let keys: BTreeSet<&str> =
        i18n::keys(Lang::En).filter(|key| key.starts_with("server.")).map(without_plural).collect();
    assert!(keys.len() > 100, "{}", keys.len());
    let is_used = |key: &&str| {
        let mut filled = patterns.iter().filter_map(|pattern| fits(pattern, key));
        filled.any(|gaps| gaps.iter().all(|gap| is_said(&literals, gap)))
    };
    let unused: Vec<&str> = keys.into_iter().filter(|key| !is_used(key)).collect();
    assert!(unused.is_empty(), "nothing shows {unused:#?}");
}

#[test]
fn every_text_the_server_shows_is_there() {
    let sources = sources();
    let literals = literals(&sources);
    let keys: Vec<&str> = i18n::keys(Lang::En).map(without_plural).collect();
    let sections = ["server.", "errors."].into_iter().chain(BORROWED);
    let all: Vec<&str> = sections.flat_map(|section| named(&literals, section)).collect();
    assert!(all.len() > 15, "{all:?}");
    let lacks = |pattern: &&str| !keys.iter().any(|key| fits(pattern, key).is_some());
    let lacking: Vec<&str> = all.into_iter().filter(lacks).collect();
    assert!(lacking.is_empty(), "no text for {lacking:#?}");
}

#[test]
fn gaps_are_found() {
    assert_eq!(fits("server.vip.fee", "server.vip.fee"), Some(vec![]));
    assert_eq!(fits("server.faq.{id}.{part}", "server.faq.audience.answer"), Some(vec!["audience", "answer"]));
    assert_eq!(fits("server.statement.{key}", "server.statement.account.held"), Some(vec!["account.held"]));
    assert_eq!(fits("server.credit.{}", "server.levels.names.1"), None);
    assert_eq!(fits("server.vip", "server.vip.fee"), None);
}
