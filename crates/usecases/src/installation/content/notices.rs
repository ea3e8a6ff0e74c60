//! Notifications from files. Each is sent once, however often its file is applied.

use std::collections::BTreeMap;

use i18n::Lang;
use serde_json::{Value as Json, json};
use store::installation::content as rows;

use super::catalogue::{kept, keys};
use super::import::{ContentImport, field_changes, tidy};
use super::item::{Item, is_key};
use super::schema::{Mistake, unknown};
use crate::notifications::written::{Text, TextsByLanguage};
use crate::notifications::{Category, tell, tell_all};
use crate::{Error, Refusal};

pub fn check(item: &Item) -> Vec<Mistake> {
    let mut wrong = Vec::new();
    if !is_key(&item.key) {
        wrong.push(item.mistake("key", "must be letters, digits, dashes and underscores, at most 64"));
    }
    if category(item).is_none() {
        wrong.push(item.mistake("category", "must be system_announcement, system_maintenance or activity"));
    }
    if let Some(code) = item.text("lang").filter(|_| lang(item).is_none()) {
        wrong.push(item.mistake("lang", unknown(code, Lang::ALL.iter().map(|lang| lang.code()))));
    }
    if item.text("starts").is_some() && item.moment("starts").is_none() {
        wrong.push(item.mistake("starts", "must be a moment such as 2027-01-01T00:00:00Z"));
    }
    for field in ["lang", "starts"].into_iter().filter(|f| item.fields.contains_key("user") && item.text(f).is_some()) {
        wrong.push(item.mistake(field, "is for what everybody is told; one user is told at once"));
    }
    let (titles, bodies) = texts(item);
    for (field, has, lacks) in [("body", &titles, &bodies), ("title", &bodies, &titles)] {
        for lang in has.keys().filter(|lang| !lacks.contains_key(*lang)) {
            wrong.push(item.mistake(field, format!("has no text in {lang}, which the other has")));
        }
    }
    if wrong.is_empty()
        && let Err(Error::Fields(fields)) = words(item).checked()
    {
        wrong.extend(item.mistakes(&fields));
    }
    wrong
}

fn category(item: &Item) -> Option<Category> {
    item.text("category").and_then(Category::from_name)
}

fn lang(item: &Item) -> Option<Lang> {
    item.text("lang").and_then(|code| Lang::ALL.into_iter().find(|lang| lang.code() == code))
}

type Texts = BTreeMap<String, String>;

fn texts(item: &Item) -> (Texts, Texts) {
    (item.languages("title").unwrap_or_default(), item.languages("body").unwrap_or_default())
}

fn words(item: &Item) -> TextsByLanguage {
    let (titles, mut bodies) = texts(item);
    let text = |(lang, title): (String, String)| {
        let body = bodies.remove(&lang).unwrap_or_default();
        (lang, Text { title, body })
    };
    TextsByLanguage::new(None, titles.into_iter().map(text).collect())
}

pub fn apply(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let sent: BTreeMap<String, String> = rows::sent_notices(work.tx, &keys(items))?.into_iter().collect();
    for item in items {
        let form = tidy(Json::Object(item.fields.clone()));
        match sent.get(&item.key) {
            Some(before) => compare(work, item, &kept(before)?, &form),
            None => send(work, item, &form)?,
        }
    }
    Ok(())
}

/// A notice that was sent cannot be changed.
fn compare(work: &mut ContentImport<'_, '_>, item: &Item, before: &Json, form: &Json) {
    let differing = field_changes(before, form);
    if differing.is_empty() {
        return work.unchanged(item);
    }
    for field in differing.keys() {
        work.wrong(item, field, "was sent otherwise under this key; send it anew under another");
    }
}

fn send(work: &mut ContentImport<'_, '_>, item: &Item, form: &Json) -> Result<(), Error> {
    let starts = item.moment("starts");
    if starts.is_some_and(|starts| starts < work.tx.now()) {
        work.wrong(item, "starts", "must not lie in the past");
        return Ok(());
    }
    let Some(category) = category(item) else { return Ok(()) };
    let words = words(item).checked()?.to_json();
    match item.text("user") {
        Some(name) => {
            if let Err(error) = tell(work.tx, name, category, words) {
                return match error {
                    Error::Refused(refusal) => {
                        let several = matches!(refusal, Refusal::Ambiguous { .. });
                        let problem = if several { "several users go by that" } else { "there is no such user" };
                        work.wrong(item, "user", problem);
                        Ok(())
                    }
                    other => Err(other),
                };
            }
        }
        None => {
            tell_all(work.tx, lang(item), category, words, starts)?;
        }
    }
    rows::keep_notice(work.tx, &item.key, &json!(form).to_string())?;
    work.added(item, ("notify", "notifications".to_owned()), form, None);
    Ok(())
}
