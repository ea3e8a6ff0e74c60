//! Contacts, questions and acceptors.

use std::collections::BTreeMap;

use auth::{Digest, code};
use base::AcceptorId;
use content::contacts::List;
use content::{Item, ItemDifference, Mistake, explained, field_changes, tidy};
use foundation::{Error, random};
use money::wallet::acceptor_changes::AcceptorChange;
use money::wallet::acceptors::shown;
use serde_json::{Value as Json, json};
use store::installation::content::{self as rows, Contact, Question};
use store::wallet::acceptors::{self as acceptor_rows, Acceptor, NewAcceptor};
use wallet::RequestKind;

use super::catalogue::{keys, parse_kept};
use super::files;
use super::import::{ContentImport, PendingTerms};
use super::offers::in_languages;

pub fn check_acceptor(item: &Item, currency: &str) -> Result<Vec<Mistake>, Error> {
    match files::acceptor(item)?.check(currency) {
        Err(Error::Fields(wrong)) => Ok(item.mistakes(&wrong)),
        checked => checked.map(|_| Vec::new()),
    }
}

pub fn apply_acceptors(work: &mut ContentImport<'_, '_>, items: &[&Item], currency: &str) -> Result<(), Error> {
    let known = acceptor_rows::lock_named(work.tx, &keys(items))?;
    let digest = |item: &Item| Some(code::acceptance_digest(&code::normalise(item.text("code")?), work.secrets));
    let digests: Vec<Option<Digest>> = items.iter().map(|item| digest(item)).collect();
    let given: Vec<Digest> = digests.iter().flatten().copied().collect();
    let mut codes: BTreeMap<Digest, Option<AcceptorId>> =
        acceptor_rows::by_codes(work.tx, &given)?.into_iter().map(|(code, id)| (code, Some(id))).collect();
    for (item, digest) in items.iter().zip(digests) {
        let before = known.iter().find(|acceptor| acceptor.name == item.key);
        let held = digest.and_then(|digest| codes.insert(digest, before.map(|acceptor| acceptor.id)));
        if held.is_some_and(|holder| holder.is_none() || holder != before.map(|acceptor| acceptor.id)) {
            work.note_mistake(item, "code", explained(item.kind, "code", "taken"));
            continue;
        }
        let wanted = files::acceptor(item)?.check(currency)?;
        match before {
            None => add_acceptor(work, item, &wanted, digest)?,
            // Giving the current code again is not a change.
            Some(acceptor) => change_acceptor(work, item, acceptor, &wanted, digest.filter(|_| held.is_none()))?,
        }
    }
    Ok(())
}

fn add_acceptor(
    work: &mut ContentImport<'_, '_>,
    item: &Item,
    wanted: &NewAcceptor,
    digest: Option<Digest>,
) -> Result<(), Error> {
    let drawn = if digest.is_none() { Some(code::from_random(&random()?)) } else { None };
    let digest = match (&drawn, digest) {
        (Some(drawn), _) => code::acceptance_digest(drawn, work.secrets),
        (None, Some(digest)) => digest,
        (None, None) => return Err(Error::Internal("an acceptor without a code".into())),
    };
    let active = item.active().unwrap_or(true);
    let id = acceptor_rows::insert(work.tx, wanted, &digest)?;
    if !active {
        acceptor_rows::set_active(work.tx, id, false)?;
    }
    work.note_added(item, ("acceptor.add", format!("acceptor:{id}")), &acceptor_form(wanted, active), drawn);
    if let Some(made) = acceptor_rows::find(work.tx, id)? {
        work.ask(PendingTerms::Acceptor(Box::new((made, wanted.clone()))));
    }
    Ok(())
}

fn change_acceptor(
    work: &mut ContentImport<'_, '_>,
    item: &Item,
    before: &Acceptor,
    wanted: &NewAcceptor,
    code: Option<Digest>,
) -> Result<(), Error> {
    let active = item.active().unwrap_or(before.active);
    // Every change needs a second person, except taking no more orders. Nobody gets quotes from a draft, which has no
    // approved terms.
    let (present, active_now) =
        if before.draft { (wanted.clone(), active) } else { (as_new(before), before.active && active) };
    let form = acceptor_form(&present, active_now);
    let mut now = field_changes(&acceptor_form(&as_new(before), before.active), &form);
    if !now.is_empty() {
        acceptor_rows::change(work.tx, before.id, &present, active_now)?;
    }
    let mut later = field_changes(&form, &acceptor_form(wanted, active));
    if let Some(code) = code {
        // Says that it changes, but neither code.
        let other = field_changes(&json!({ "code": "before" }), &json!({ "code": "another" }));
        if before.draft {
            acceptor_rows::set_code(work.tx, before.id, &code)?;
            now.extend(other);
        } else {
            later.extend(other);
        }
    }
    let differs = ItemDifference { now, later, draft: before.draft };
    let deed = ("acceptor.change", format!("acceptor:{}", before.id));
    work.differs(item, deed, differs, PendingTerms::Acceptor(Box::new((before.clone(), wanted.clone()))));
    let now = Acceptor { active: active_now, ..before.clone() };
    let change = AcceptorChange { code, kind: wanted.kind, active };
    if !before.draft
        && let Some(change) = change.of(work.tx, &now)?
    {
        work.ask(PendingTerms::AcceptorChange(before.id, change));
    }
    Ok(())
}

pub fn as_new(acceptor: &Acceptor) -> NewAcceptor {
    NewAcceptor {
        name: acceptor.name.clone(),
        kind: acceptor.kind,
        limits: acceptor.limits,
        quote_seconds: acceptor.quote_seconds,
        rates: acceptor.rates.clone(),
    }
}

pub fn acceptor_form(acceptor: &NewAcceptor, active: bool) -> Json {
    let rates: BTreeMap<&String, String> =
        acceptor.rates.iter().map(|(currency, rate)| (currency, shown(*rate))).collect();
    tidy(json!({
        "name": acceptor.name,
        "type": acceptor.kind.name(),
        "limit": acceptor.limits.per_order.to_string(),
        "daily_limit": acceptor.limits.per_day.map(|limit| limit.to_string()),
        "quote_seconds": acceptor.quote_seconds,
        "rates": rates,
        "active": active,
    }))
}

pub fn apply_contacts(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let known = rows::contacts(work.tx)?;
    for item in items {
        let before = known.iter().find(|contact| contact.name == item.key);
        let wanted = Contact {
            name: item.key.clone(),
            list: item.text("list").and_then(List::from_name).map_or(0, List::code),
            kind: item.whole("type").unwrap_or_default().into(),
            url: item.text("url").unwrap_or_default().to_owned(),
            label: in_languages(item, "label"),
            place: item.whole("order").unwrap_or_default(),
            active: item.active().unwrap_or_else(|| before.is_none_or(|contact| contact.active)),
        };
        let retired = before.filter(|contact| contact.active && !wanted.active);
        let retired = retired.map(|contact| Contact { active: false, ..contact.clone() });
        if let Some(retired) = &retired {
            rows::keep_contact(work.tx, retired)?;
        }
        let form = |contact: Option<&Contact>| contact.map(contact_form).transpose().map(Option::unwrap_or_default);
        let forms = [form(before)?, form(retired.as_ref().or(before))?, contact_form(&wanted)?];
        work.note_published(item, ("contact.change", format!("contact:{}", item.key)), RequestKind::Contact, forms);
    }
    Ok(())
}

pub fn contact_form(contact: &Contact) -> Result<Json, Error> {
    Ok(tidy(json!({
        "id": contact.name,
        "list": List::try_from(contact.list).ok().map(List::name),
        "type": contact.kind,
        "url": contact.url,
        "label": parse_kept(&contact.label)?,
        "order": Some(contact.place).filter(|place| *place != 0),
        "active": contact.active,
    })))
}

pub fn apply_questions(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let known = rows::questions(work.tx)?;
    for item in items {
        let before = known.iter().find(|question| question.name == item.key);
        let wanted = Question {
            name: item.key.clone(),
            question: in_languages(item, "question"),
            answer: in_languages(item, "answer"),
            place: item.whole("order"),
            active: item.active().unwrap_or_else(|| before.is_none_or(|question| question.active)),
        };
        // An entry without texts hides a built-in question.
        let hides = before.is_none() && !wanted.active && item.languages("question").is_none();
        let retired = before.filter(|question| question.active && !wanted.active);
        let retired = retired.map(|question| Question { active: false, ..question.clone() });
        let now = if hides { Some(wanted.clone()) } else { retired };
        if let Some(now) = &now {
            rows::keep_question(work.tx, now)?;
        }
        let form = |question: Option<&Question>| question.map(question_form).transpose().map(Option::unwrap_or_default);
        let forms = [form(before)?, form(now.as_ref().or(before))?, question_form(&wanted)?];
        work.note_published(item, ("faq.change", format!("faq:{}", item.key)), RequestKind::Faq, forms);
    }
    Ok(())
}

pub fn question_form(question: &Question) -> Result<Json, Error> {
    Ok(tidy(json!({
        "id": question.name,
        "order": question.place,
        "question": parse_kept(&question.question)?,
        "answer": parse_kept(&question.answer)?,
        "active": question.active,
    })))
}
