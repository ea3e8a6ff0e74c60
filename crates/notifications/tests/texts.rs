//! Every kind of notice has texts in every language, with exactly its figures, and no
//! text is left over.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use notifications::NoticeKind;
use serde_json::Value;

fn languages() -> Vec<(PathBuf, Value)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../locales");
    let paths = fs::read_dir(folder).expect("locales").map(|entry| entry.expect("an entry").path());
    let files = paths.filter(|path| path.extension().is_some_and(|end| end == "json"));
    let read = |path: PathBuf| {
        let texts: Value = serde_json::from_str(&fs::read_to_string(&path).expect("a text")).expect("JSON");
        (path, texts["server"]["notices"].clone())
    };
    files.map(read).collect()
}

/// The names in `{{name}}`.
fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}").map(|(name, _)| name)).collect()
}

#[test]
fn every_kind_has_texts_in_every_language_with_exactly_its_figures() {
    let languages = languages();
    assert!(languages.len() >= 12, "texts of {} languages", languages.len());
    for (file, texts) in languages {
        for kind in NoticeKind::ALL {
            let part = |part: &str| {
                let text = texts[kind.key][part].as_str().unwrap_or_default();
                assert!(!text.is_empty(), "{}: {}.{part}", file.display(), kind.key);
                text.to_owned()
            };
            let whole = part("title") + &part("body");
            let figures: BTreeSet<_> = kind.figures.iter().map(|(name, _)| *name).collect();
            assert_eq!(placeholders(&whole), figures, "{}: {}", file.display(), kind.key);
        }
        let written: BTreeSet<_> = texts.as_object().expect("notices").keys().map(String::as_str).collect();
        let told: BTreeSet<_> = NoticeKind::ALL.iter().map(|kind| kind.key).collect();
        assert_eq!(written, told, "{}: texts that nothing is told with", file.display());
    }
}
