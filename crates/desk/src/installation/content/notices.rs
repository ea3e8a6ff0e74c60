//! Notifications from files. Each is sent once, however often its file is applied.

use std::collections::BTreeMap;

use base::{Timestamp, refuse_if};
use content::{FieldChanges, Item, ItemDifference, Mistake, check_notification, field_changes, tidy};
use foundation::notices::written::TextsByLanguage;
use foundation::notifications::{AnnouncementDraft, AnnouncementSeen, Category, tell};
use foundation::staff::requests::Proposal;
use foundation::{Error, Refusal};
use serde_json::{Value as Json, json};
use store::Tx;
use store::installation::content as rows;
use store::notifications::announcements::{self, NewAnnouncement};
use wallet::RequestKind;

use super::catalogue::{keys, parse_kept};
use super::import::{ContentImport, PendingTerms};

pub fn check(item: &Item) -> Vec<Mistake> {
    let mut wrong = check_notification(item, category(item).is_some());
    let checked = || {
        let words = words(item).checked()?;
        // To everybody it takes two people, who see where it leads.
        if item.text("user").is_some() { words.without_links() } else { Ok(()) }
    };
    if wrong.is_empty()
        && let Err(Error::Fields(fields)) = checked()
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
    TextsByLanguage::of_parts(of("title"), of("body"))
}

pub fn apply(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let sent: BTreeMap<String, String> = rows::find_sent_notices(work.tx, &keys(items))?.into_iter().collect();
    for item in items {
        let form = comparable(tidy(Json::Object(item.fields.clone())));
        match sent.get(&item.key) {
            Some(before) => compare(work, item, &comparable(parse_kept(before)?), &form),
            None => send(work, item, &form)?,
        }
    }
    Ok(())
}

/// The form with its start in one notation, because files may write the same moment differently.
fn comparable(mut form: Json) -> Json {
    let starts = form.get("starts").and_then(Json::as_str).and_then(Timestamp::parse);
    if let (Some(starts), Some(fields)) = (starts, form.as_object_mut()) {
        fields.insert("starts".to_owned(), starts.to_string().into());
    }
    form
}

/// A notice that was sent cannot be changed.
fn compare(work: &mut ContentImport<'_, '_>, item: &Item, before: &Json, form: &Json) {
    let differing = field_changes(before, form);
    if differing.is_empty() {
        return work.note_unchanged(item);
    }
    for field in differing.keys() {
        work.note_mistake(item, field, "was sent otherwise under this key; send it anew under another");
    }
}

/// To one user at once; what is for everybody is requested, and sent when it is approved.
fn send(work: &mut ContentImport<'_, '_>, item: &Item, form: &Json) -> Result<(), Error> {
    let starts = item.moment("starts");
    if starts.is_some_and(|starts| starts < work.tx.now()) {
        work.note_mistake(item, "starts", "must not lie in the past");
        return Ok(());
    }
    let Some(category) = category(item) else { return Ok(()) };
    let words = words(item).checked()?;
    let deed = ("notify", "notifications".to_owned());
    let Some(name) = item.text("user") else {
        let draft = AnnouncementDraft { key: Some(item.key.clone()), category, words, lang: item.lang(), starts };
        let differs =
            ItemDifference { now: FieldChanges::new(), later: field_changes(&Json::Null, form), draft: false };
        work.differs(item, deed, differs, PendingTerms::Published(RequestKind::Announcement, draft.proposal()));
        return Ok(());
    };
    if let Err(error) = tell(work.tx, name, category, &words) {
        return match error {
            Error::Refused(refusal) => {
                let several = matches!(refusal, Refusal::Ambiguous { .. });
                let problem = if several { "several users go by that" } else { "there is no such user" };
                work.note_mistake(item, "user", problem);
                Ok(())
            }
            other => Err(other),
        };
    }
    rows::keep_notice(work.tx, &item.key, &json!(form).to_string())?;
    work.note_added(item, deed, form, None);
    Ok(())
}

/// Keeps what was sent under a key.
///
/// # Errors
/// `proposal_stale` if something was.
pub(crate) fn keep_sent(tx: &mut Tx<'_>, key: &str, form: &Json) -> Result<(), Error> {
    refuse_if(!rows::find_sent_notices(tx, &[key.to_owned()])?.is_empty(), Refusal::ProposalStale)?;
    Ok(rows::keep_notice(tx, key, &form.to_string())?)
}

/// Sends an approved announcement, from now on or from its start. All content is locked.
///
/// # Errors
/// `proposal_stale` if another notice was sent under its key.
pub(crate) fn announce(tx: &mut Tx<'_>, proposal: &Proposal) -> Result<(), Error> {
    let seen: AnnouncementSeen = proposal.target()?;
    if let Some(key) = &seen.entry {
        keep_sent(tx, key, &seen.form())?;
    }
    let category = Category::from_name(&seen.category).ok_or_else(|| Error::Internal("no such category".to_owned()))?;
    let texts = TextsByLanguage::of_parts(seen.title, seen.body).to_json();
    let starts = seen.starts.as_deref().and_then(Timestamp::parse);
    let starts_at = starts.map_or_else(|| tx.now(), |starts| starts.max(tx.now()));
    announcements::insert(tx, &NewAnnouncement { category, texts, lang: seen.lang, starts_at })?;
    Ok(())
}
