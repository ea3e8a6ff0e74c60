//! Texts written by staff: one for everybody, with optional translations.

use std::collections::BTreeMap;

use ::notifications::links;
use base::Field;
use base::invisible::shows_something;
use i18n::Lang;
use serde::{Deserialize, Serialize};

use crate::{Error, Fields};

const LONGEST_TITLE: usize = 120;
const LONGEST_BODY: usize = 2_000;

/// A title and a body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    pub title: String,
    pub body: String,
}

/// Texts by language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextsByLanguage(BTreeMap<String, Text>);

/// The key of the text for readers of all other languages.
const GIVEN: &str = "";

impl TextsByLanguage {
    /// `by_lang` comes from a table, language by language.
    pub fn new(given: Option<Text>, mut by_lang: BTreeMap<String, Text>) -> Self {
        // The key of the general text is not a language.
        by_lang.remove(GIVEN);
        by_lang.extend(given.map(|text| (GIVEN.to_owned(), text)));
        Self(by_lang)
    }

    /// Trims and checks the texts.
    ///
    /// # Errors
    /// `title` and `body` if they are missing or too long; `lang` for an unknown
    /// language.
    pub fn checked(self) -> Result<Self, Error> {
        let trimmed = |text: Text| Text { title: text.title.trim().to_owned(), body: text.body.trim().to_owned() };
        let all = Self(self.0.into_iter().map(|(lang, text)| (lang, trimmed(text))).collect());
        let mut wrong = Fields::new();
        let known = |lang: &str| lang == GIVEN || Lang::parse(lang).is_some_and(|known| known.code() == lang);
        if !all.0.keys().all(|lang| known(lang)) {
            wrong.insert(Field::Lang, "unknown_language");
        }
        if !all.0.contains_key(GIVEN) && !all.0.contains_key(Lang::En.code()) {
            wrong.insert(Field::Title, "required");
        }
        for text in all.0.values() {
            check(Field::Title, &text.title, LONGEST_TITLE, &mut wrong);
            check(Field::Body, &text.body, LONGEST_BODY, &mut wrong);
        }
        if wrong.is_empty() { Ok(all) } else { Err(Error::Fields(wrong)) }
    }

    /// The addresses of the links in the texts, sorted, each once.
    pub fn links(&self) -> Vec<String> {
        let mut all: Vec<String> =
            self.0.values().flat_map(|text| [&text.title, &text.body]).flat_map(|text| links(text)).collect();
        all.sort();
        all.dedup();
        all
    }

    /// Refuses links: what one person alone writes to a user must not contain any, because a link needs two people.
    ///
    /// # Errors
    /// `title` or `body` with `link`.
    pub fn without_links(&self) -> Result<(), Error> {
        self.0.values().try_for_each(|text| {
            leads_nowhere(Field::Title, &text.title)?;
            leads_nowhere(Field::Body, &text.body)
        })
    }

    /// Titles and bodies by language, as a request shows them.
    pub(crate) fn parts(&self) -> [BTreeMap<&str, &str>; 2] {
        let part = |of: fn(&Text) -> &str| self.0.iter().map(|(lang, text)| (lang.as_str(), of(text))).collect();
        [part(|text| &text.title), part(|text| &text.body)]
    }

    /// The same from its parts.
    pub fn of_parts(titles: BTreeMap<String, String>, mut bodies: BTreeMap<String, String>) -> Self {
        let text = |(lang, title): (String, String)| {
            let body = bodies.remove(&lang).unwrap_or_default();
            (lang, Text { title, body })
        };
        Self(titles.into_iter().map(text).collect())
    }

    /// Title and body for a language: its own, the general text, or English.
    pub fn shown(&self, lang: Lang) -> (&str, &str) {
        let text = [lang.code(), GIVEN, Lang::En.code()].into_iter().find_map(|key| self.0.get(key));
        text.map_or(("", ""), |text| (&text.title, &text.body))
    }

    /// The languages it was written in, besides the general text.
    pub fn languages(&self) -> impl Iterator<Item = Lang> {
        self.0.keys().filter(|key| *key != GIVEN).filter_map(|code| Lang::parse(code))
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(crate) fn from_json(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }
}

/// # Errors
/// The field with `link` if the text holds a web or e-mail address.
pub(crate) fn leads_nowhere(name: Field, text: &str) -> Result<(), Error> {
    if links(text).is_empty() { Ok(()) } else { Err(Error::field(name, "link")) }
}

fn check(name: Field, text: &str, longest: usize, wrong: &mut Fields) {
    match text.chars().count() {
        _ if !shows_something(text) => wrong.insert(name, "required"),
        n if n > longest => wrong.insert(name, "too_long"),
        _ => None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(title: &str) -> Text {
        Text { title: title.into(), body: "body".into() }
    }

    fn by_lang(langs: &[&str]) -> BTreeMap<String, Text> {
        langs.iter().map(|lang| ((*lang).to_owned(), text(lang))).collect()
    }

    #[test]
    fn the_own_language_comes_first_then_what_was_given_then_english() {
        let both = TextsByLanguage::new(Some(text("given")), by_lang(&["de", "en"]));
        assert_eq!((both.shown(Lang::De).0, both.shown(Lang::Th).0), ("de", "given"));
        let english = TextsByLanguage::new(None, by_lang(&["de", "en"])).checked().expect("good");
        assert_eq!(english.shown(Lang::Th).0, "en");
    }

    #[test]
    fn a_link_in_any_language_is_found() {
        let plain = TextsByLanguage::new(Some(text("given")), by_lang(&["de"]));
        assert!(plain.links().is_empty() && plain.without_links().is_ok());
        let mut by_lang = by_lang(&["de"]);
        by_lang.insert("th".into(), Text { title: "Pay".into(), body: "at pay.example or pay.example".into() });
        let linking = TextsByLanguage::new(Some(text("given")), by_lang);
        assert_eq!(linking.links(), ["pay.example"]);
        let refused = linking.without_links();
        assert!(matches!(&refused, Err(Error::Fields(f)) if f.get("body") == Some(&"link")), "{refused:?}");
        let [titles, bodies] = linking.parts();
        let owned = |of: BTreeMap<&str, &str>| of.into_iter().map(|(l, t)| (l.to_owned(), t.to_owned())).collect();
        assert_eq!(TextsByLanguage::of_parts(owned(titles), owned(bodies)), linking);
    }

    #[test]
    fn what_was_kept_is_read_again() {
        for words in [
            TextsByLanguage::new(Some(text("given")), by_lang(&["de", "cht"])),
            TextsByLanguage::new(None, by_lang(&["en"])),
            TextsByLanguage::new(Some(text("given")), BTreeMap::new()),
        ] {
            assert_eq!(TextsByLanguage::from_json(&words.to_json()), words, "{}", words.to_json());
        }
    }

    #[test]
    fn what_is_missing_too_long_or_in_no_language_of_ours_is_named() {
        let told = |words: TextsByLanguage| match words.checked() {
            Err(Error::Fields(fields)) => fields.into_iter().map(|(name, why)| format!("{name}={why} ")).collect(),
            other => format!("{other:?}"),
        };
        assert_eq!(told(TextsByLanguage::default()), "title=required ");
        assert_eq!(told(TextsByLanguage::new(None, by_lang(&["de"]))), "title=required ");
        assert_eq!(
            told(TextsByLanguage::new(Some(text(" \u{200b}")), by_lang(&["xx"]))),
            "lang=unknown_language title=required "
        );
        assert_eq!(told(TextsByLanguage::new(Some(text(&"x".repeat(121))), BTreeMap::new())), "title=too_long ");
    }
}
