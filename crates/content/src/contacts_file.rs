//! The contacts in the file of `PLACARD_CONTACTS`, each with one label or one per
//! language.

use std::collections::BTreeMap;

use i18n::Lang;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::contacts::{Contact, Contacts};

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ContactsFile {
    customer_service_url: Vec<ContactEntry>,
    recharge_customer_service_url: Vec<ContactEntry>,
    priority_customer_service_url: Vec<ContactEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContactEntry {
    id: String,
    #[serde(rename = "type")]
    kind: i64,
    url: String,
    label: Label,
}

/// The label by language code; English is always there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Label(BTreeMap<String, String>);

impl ContactsFile {
    /// The contacts with labels in this language, or in English if there is none.
    pub fn in_language(&self, lang: Lang) -> Contacts {
        let list = |written: &[ContactEntry]| written.iter().map(|contact| contact.in_language(lang)).collect();
        Contacts {
            customer_service_url: list(&self.customer_service_url),
            recharge_customer_service_url: list(&self.recharge_customer_service_url),
            priority_customer_service_url: list(&self.priority_customer_service_url),
        }
    }
}

impl ContactEntry {
    fn in_language(&self, lang: Lang) -> Contact {
        let label = self.label.0.get(lang.code()).or_else(|| self.label.0.get(Lang::En.code()));
        let (id, url) = (self.id.clone(), self.url.clone());
        Contact { id, kind: self.kind, url, label: label.cloned().unwrap_or_default() }
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a text, or a table of texts by language")]
        enum Either {
            Everybody(String),
            ByLanguage(BTreeMap<String, String>),
        }
        let texts = match Either::deserialize(from)? {
            Either::Everybody(text) => return Ok(Self(BTreeMap::from([(Lang::En.code().into(), text)]))),
            Either::ByLanguage(texts) => texts,
        };
        if let Some(code) = texts.keys().find(|code| Lang::parse(code).is_none()) {
            return Err(D::Error::custom(format!("label: {code} is none of our languages")));
        }
        if !texts.contains_key(Lang::En.code()) {
            return Err(D::Error::custom("label: English (en) is missing"));
        }
        Ok(Self(texts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labelled(label: &str) -> Result<ContactsFile, toml::de::Error> {
        let text = format!("[[customer_service_url]]\nid = \"a\"\ntype = 2\nurl = \"tel:+491\"\nlabel = {label}\n");
        toml::from_str(&text)
    }

    #[test]
    fn a_label_is_read_in_the_users_language_or_in_english() {
        let shown = |label: &str, lang| labelled(label).map(|file| file.in_language(lang).customer_service_url);
        let both = r#"{ en = "Phone", de = "Telefon" }"#;
        for (label, lang, expected) in
            [(both, Lang::De, "Telefon"), (both, Lang::Th, "Phone"), (r#""Phone""#, Lang::De, "Phone")]
        {
            let labels: Vec<String> =
                shown(label, lang).expect("is read").into_iter().map(|contact| contact.label).collect();
            assert_eq!(labels, [expected]);
        }
    }

    #[test]
    fn what_is_no_label_is_named() {
        for (label, problem) in [
            (r#"{ de = "Telefon" }"#, "English (en) is missing"),
            (r#"{ en = "Phone", xx = "?" }"#, "xx is none of our languages"),
            ("3", "a text, or a table of texts by language"),
        ] {
            let said = labelled(label).expect_err(label).to_string();
            assert!(said.contains(problem), "{said}");
        }
    }
}
