//! The texts themselves, flattened to `section.key`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

use crate::Lang;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

type Texts = BTreeMap<String, String>;

static ALL: LazyLock<BTreeMap<Lang, Texts>> = LazyLock::new(|| {
    let known = FILES.iter().filter_map(|(code, text)| Lang::parse(code).map(|lang| (lang, *text)));
    known.map(|(lang, text)| (lang, read(text))).collect()
});

/// The languages there are texts for.
pub fn available() -> impl Iterator<Item = Lang> {
    ALL.keys().copied()
}

/// Every key of a language.
pub fn keys(lang: Lang) -> impl Iterator<Item = &'static str> {
    ALL.get(&lang).into_iter().flat_map(|texts| texts.keys().map(String::as_str))
}

/// The text of `key`, with `{{name}}` replaced as i18next does in the app.
pub fn text(lang: Lang, key: &str, params: &[(&str, &str)]) -> String {
    let found = find(lang, key).or_else(|| find(Lang::En, key)).unwrap_or(key);
    params.iter().fold(found.to_owned(), |text, (name, value)| filled(&text, &format!("{{{{{name}}}}}"), value))
}

/// The stop of “31 дек. 2026 г.” or “Tea & Co.” ends the sentence too.
fn filled(text: &str, gap: &str, value: &str) -> String {
    let last = format!("{gap}.");
    if value.ends_with('.') { text.replace(&last, value).replace(gap, value) } else { text.replace(gap, value) }
}

fn find(lang: Lang, key: &str) -> Option<&'static str> {
    ALL.get(&lang)?.get(key).map(String::as_str)
}

/// A file that is not JSON has no texts; a test prevents that.
fn read(file: &str) -> Texts {
    let mut texts = Texts::new();
    if let Ok(value) = serde_json::from_str::<Value>(file) {
        flatten("", value, &mut texts);
    }
    texts
}

fn flatten(path: &str, value: Value, texts: &mut Texts) {
    match value {
        Value::String(text) => {
            texts.insert(path.to_owned(), text);
        }
        Value::Object(children) => {
            for (key, child) in children {
                let below = if path.is_empty() { key } else { format!("{path}.{key}") };
                flatten(&below, child, texts);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Languages have plural forms of their own: `plans_few` is `plans`.
    fn without_plural(key: &str) -> &str {
        let forms = ["_zero", "_one", "_two", "_few", "_many", "_other"];
        forms.iter().find_map(|form| key.strip_suffix(form)).unwrap_or(key)
    }

    #[test]
    fn every_file_is_a_language_of_ours_and_every_language_has_texts() {
        for (code, file) in FILES {
            assert!(Lang::parse(code).is_some(), "{code}.json is no language of ours");
            assert!(!read(file).is_empty(), "{code}.json cannot be read");
        }
        assert!(available().eq(Lang::ALL));
    }

    #[test]
    fn every_language_has_the_keys_of_english() {
        let english: BTreeSet<_> = keys(Lang::En).map(without_plural).collect();
        for lang in available() {
            let own: BTreeSet<_> = keys(lang).map(without_plural).collect();
            let odd: Vec<_> = english.symmetric_difference(&own).collect();
            assert!(odd.is_empty(), "{} differs from en in {odd:?}", lang.code());
        }
    }

    #[test]
    fn parameters_are_filled_in() {
        let filled = text(Lang::En, "errors.wrong_pay_password", &[("attempts_left", "3")]);
        assert!(filled.contains('3') && !filled.contains("{{"), "{filled}");
    }

    #[test]
    fn a_value_that_ends_in_a_stop_ends_the_sentence() {
        let until = |date| text(Lang::En, "server.activities.newcomer.until", &[("date", date)]);
        assert_eq!(until("9 p.m."), "It is valid until 9 p.m.");
        assert_eq!(until("May 5"), "It is valid until May 5.");
        // Within the sentence the stop stays.
        let paid = text(Lang::En, "server.notices.vip_subscribed.body", &[("amount", "5 USD"), ("date", "5 Jan.")]);
        assert_eq!(paid, "You paid 5 USD. VIP runs until 5 Jan. and does not renew by itself.");
    }

    #[test]
    fn what_is_missing_is_answered_in_english_and_then_by_its_key() {
        assert_eq!(text(Lang::De, "server.no_such_key", &[]), "server.no_such_key");
        assert!(!text(Lang::Th, "errors.not_found", &[]).is_empty());
    }
}
