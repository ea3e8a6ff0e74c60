//! Notifications from files. Each is sent once, however often its file is applied.

use std::collections::BTreeMap;

use content::{Item, Mistake, check_notification, field_changes, tidy};
use serde_json::{Value as Json, json};
use store::installation::content as rows;

use super::catalogue::{kept, keys};
use super::import::ContentImport;
use crate::notifications::written::{Text, TextsByLanguage};
use crate::notifications::{Category, tell, tell_all};
use crate::{Error, Refusal};

pub fn check(item: &Item) -> Vec<Mistake> {
    let mut wrong = check_notification(item, category(item).is_some());
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

fn words(item: &Item) -> TextsByLanguage {
    let of = |field| item.languages(field).unwrap_or_default();
    let (titles, mut bodies) = (of("title"), of("body"));
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
            tell_all(work.tx, item.lang(), category, words, starts)?;
        }
    }
    rows::keep_notice(work.tx, &item.key, &json!(form).to_string())?;
    work.added(item, ("notify", "notifications".to_owned()), form, None);
    Ok(())
}
