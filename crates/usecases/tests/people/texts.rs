//! Every notice has words in every language, all with the same parameters.
//! That they are the ones it is given, `notice` itself makes sure of wherever
//! this is built for tests.

use std::collections::BTreeSet;

use i18n::Lang;

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

/// What stands between an opening bracket, which `rest` is behind, and its end.
fn within(rest: &str) -> &str {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in rest.char_indices() {
        match c {
            '"' if !escaped => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted && depth == 0 => return &rest[..at],
            ')' | ']' | '}' if !quoted => depth -= 1,
            ';' if !quoted && depth == 0 => return &rest[..at],
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    rest
}

/// The texts in quotes, at most `deepest` brackets down.
fn quoted(part: &str, deepest: i32) -> Vec<&str> {
    let (mut depth, mut begun, mut found) = (0, None, Vec::new());
    for (at, c) in part.char_indices() {
        match (c, begun) {
            ('"', None) => begun = Some(at + 1),
            ('"', Some(from)) => {
                found.extend((depth <= deepest).then(|| &part[from..at]).filter(|text| !text.is_empty()));
                begun = None;
            }
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth -= 1,
            _ => {}
        }
    }
    found
}

/// The templates that users are told something with: the words among what
/// these functions are given, and those that a `template` is chosen from.
fn told(source: &str) -> BTreeSet<String> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let behind =
        |what: &'static str| code.match_indices(what).map(|(at, _)| &code[at + what.len()..]).collect::<Vec<_>>();
    let mut found = BTreeSet::new();
    for call in [" notify(", " notice(", " tell(", "(notice("] {
        found.extend(behind(call).into_iter().flat_map(|rest| quoted(within(rest), 0)).map(str::to_owned));
    }
    for choice in ["let template = ", "fn template(self) -> &'static str {"] {
        found.extend(behind(choice).into_iter().flat_map(|rest| quoted(within(rest), 9)).map(str::to_owned));
    }
    found
}

fn written() -> BTreeSet<String> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![std::path::PathBuf::from(SOURCES)]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.extend(told(&std::fs::read_to_string(&path).expect("a source")));
            }
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
    assert_eq!(written(), texts, "told without a text, or a text that nothing is told with");
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

#[test]
fn templates_are_found_where_users_are_told_something() {
    let source = r#"
        // notify(tx, "commented_out")
        fn template(self) -> &'static str { match self { Self::A => "of_a", Self::B => "of_b" } }
        notify(tx, user, Category::Activity, "plain", &[("name", "no template")])?;
        tell(tx, found, "with_reason", "")
        .map(|one| { notice(user(one), Category::Activity, "in_a_list", &params) });
        let template = if was { "changed" } else { "set" };
        About { kind: "no template", id: 1 }
    "#;
    let expected = ["changed", "in_a_list", "of_a", "of_b", "plain", "set", "with_reason"];
    assert_eq!(told(source).iter().map(String::as_str).collect::<Vec<_>>(), expected);
}
