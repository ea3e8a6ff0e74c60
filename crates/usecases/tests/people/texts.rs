//! Every notice has words in every language, and says what it is given.

use std::collections::BTreeSet;

use i18n::Lang;

/// Templates as they are written in the use cases: `"name"` beside `notify(`,
/// `notice(`, `tell(` or in a table of them.
fn written() -> BTreeSet<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let mut found = BTreeSet::new();
    let texts: BTreeSet<&str> =
        i18n::keys(Lang::En).filter_map(|key| key.strip_prefix("server.notices.")?.strip_suffix(".title")).collect();
    let mut folders = vec![std::path::PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a source");
            found.extend(texts.iter().filter(|name| source.contains(&format!("\"{name}\""))).map(|n| (*n).to_owned()));
        }
    }
    found
}

/// The names in `{{name}}`.
fn params(text: &str) -> BTreeSet<&str> {
    text.split("{{").skip(1).filter_map(|rest| rest.split_once("}}").map(|(name, _)| name)).collect()
}

#[test]
fn each_template_has_a_use_and_words_in_every_language() {
    let texts: BTreeSet<String> = i18n::keys(Lang::En)
        .filter_map(|key| Some(key.strip_prefix("server.notices.")?.strip_suffix(".title")?.to_owned()))
        .collect();
    assert!(texts.len() >= 25, "{texts:?}");
    assert_eq!(written(), texts, "a text that nothing is told with");
    for name in &texts {
        for lang in i18n::available() {
            let shown = |lang, part: &str| i18n::text(lang, &format!("server.notices.{name}.{part}"), &[]);
            for part in ["title", "body"] {
                let (own, english) = (shown(lang, part), shown(Lang::En, part));
                assert!(!own.is_empty() && !own.starts_with("server."), "{name}.{part} in {}", lang.code());
                assert_eq!(params(&own), params(&english), "{name}.{part} in {}", lang.code());
            }
        }
    }
}
