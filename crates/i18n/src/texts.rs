//! The texts themselves, by `section.key`, as the build laid them out.

use std::borrow::Cow;

use crate::Lang;

// The sorted keys, and each language's texts in the same order. A text is empty where the language has none.
include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The languages there are texts for.
pub fn available() -> impl Iterator<Item = Lang> {
    Lang::ALL.into_iter().filter(|lang| texts(*lang).is_some())
}

/// Every key of a language.
pub fn keys(lang: Lang) -> impl Iterator<Item = &'static str> {
    let texts = texts(lang).into_iter().flatten();
    KEYS.iter().zip(texts).filter(|(_, text)| !text.is_empty()).map(|(key, _)| *key)
}

/// The text of `key`. `{{name}}` is replaced as i18next does in the app. Soft hyphens are removed: they say where a
/// long word may break on a narrow screen, and in a file they would keep searches from finding the word.
pub fn text(lang: Lang, key: &str, params: &[(&str, &str)]) -> String {
    let found = find(lang, key).or_else(|| find(Lang::En, key)).unwrap_or(key);
    let plain = found.replace('\u{ad}', "");
    params.iter().fold(plain, |text, (name, value)| filled(&text, &format!("{{{{{name}}}}}"), value))
}

/// If the value ends in a full stop, as “31 дек. 2026 г.” or “Tea & Co.” do, that stop ends the sentence too.
fn filled(text: &str, gap: &str, value: &str) -> String {
    let shown = isolated(value);
    let last = format!("{gap}.");
    if value.ends_with('.') { text.replace(&last, &shown).replace(gap, &shown) } else { text.replace(gap, &shown) }
}

/// Isolates a name in Arabic or Hebrew from the sentence around it (Unicode's bidirectional isolates), so that its
/// punctuation stays with it and the sentence keeps its order. The app does the same.
fn isolated(value: &str) -> Cow<'_, str> {
    if value.chars().any(is_right_to_left) {
        Cow::Owned(format!("\u{2068}{value}\u{2069}"))
    } else {
        Cow::Borrowed(value)
    }
}

/// The scripts that are written from right to left are in these blocks of Unicode.
const fn is_right_to_left(c: char) -> bool {
    matches!(c,
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

fn find(lang: Lang, key: &str) -> Option<&'static str> {
    texts(lang)?.get(KEYS.binary_search(&key).ok()?).copied().filter(|text| !text.is_empty())
}

fn texts(lang: Lang) -> Option<&'static [&'static str]> {
    FILES.iter().find(|(code, _)| *code == lang.code()).map(|(_, texts)| *texts)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use serde_json::Value;

    use super::*;

    /// Languages have plural forms of their own: `plans_few` is `plans`.
    fn without_plural(key: &str) -> &str {
        let forms = ["_zero", "_one", "_two", "_few", "_many", "_other"];
        forms.iter().find_map(|form| key.strip_suffix(form)).unwrap_or(key)
    }

    #[test]
    fn every_file_is_a_language_of_ours_and_every_language_has_texts() {
        for (code, _) in FILES {
            assert!(Lang::parse(code).is_some(), "{code}.json is no language of ours");
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

    /// The texts must be those that another JSON parser finds in the files.
    #[test]
    fn every_text_of_the_files_is_there() {
        for lang in Lang::ALL {
            let file = format!("{}/../../locales/{}.json", env!("CARGO_MANIFEST_DIR"), lang.code());
            let file: Value = serde_json::from_str(&fs::read_to_string(file).expect("a file")).expect("JSON");
            for key in KEYS {
                let said = file.pointer(&format!("/{}", key.replace('.', "/"))).and_then(Value::as_str);
                assert_eq!(said, find(lang, key), "{key} in {}", lang.code());
            }
            assert_eq!(keys(lang).count(), count(&file), "{}", lang.code());
        }
    }

    fn count(file: &Value) -> usize {
        file.as_object().map_or(1, |children| children.values().map(count).sum())
    }

    #[test]
    fn no_word_is_written_with_soft_hyphens() {
        let is_hyphenated = |key: &&str| find(Lang::De, key).is_some_and(|text| text.contains('\u{ad}'));
        assert!(KEYS.iter().any(is_hyphenated), "some are for the app");
        for lang in Lang::ALL {
            let odd: Vec<_> = keys(lang).filter(|key| text(lang, key, &[]).contains('\u{ad}')).collect();
            assert!(odd.is_empty(), "{} has them in {odd:?}", lang.code());
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
    fn a_name_written_from_the_right_stands_apart_from_its_sentence() {
        let paid = |name| text(Lang::En, "server.activities.newcomer.worth", &[("name", name)]);
        assert_eq!(paid("שלום!"), "You receive the coupon “\u{2068}שלום!\u{2069}”.");
        assert_eq!(paid("Crème 茶"), "You receive the coupon “Crème 茶”.");
    }

    #[test]
    fn what_is_missing_is_answered_in_english_and_then_by_its_key() {
        assert_eq!(text(Lang::De, "server.no_such_key", &[]), "server.no_such_key");
        assert!(!text(Lang::Th, "errors.not_found", &[]).is_empty());
    }
}
