//! Publishers in files.

use std::collections::BTreeMap;

use campaigns::delivery::publishers::PublisherLooks;
use content::{Item, Mistake, field_changes, tidy};
use foundation::Error;
use serde_json::{Value as Json, json};
use store::Conn;
use store::delivery::publisher::{self as rows, NewPublisher, PublisherRow};
use supply::{PublisherStatus, name_key};

use super::catalogue::keys;
use super::files;
use super::import::ContentImport;

pub fn check(item: &Item) -> Result<Vec<Mistake>, Error> {
    match files::publisher(item)?.check() {
        Err(Error::Fields(wrong)) => Ok(item.mistakes(&wrong)),
        checked => checked.map(|_| Vec::new()),
    }
}

/// Known publishers by what no two of them have in common.
struct Known {
    by_name: BTreeMap<String, PublisherRow>,
    name_on: BTreeMap<String, String>,
    looks: PublisherLooks,
}

impl Known {
    fn load(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<Self, Error> {
        let mut domains = Vec::with_capacity(items.len());
        for item in items {
            domains.extend(NewPublisher::from(&files::publisher(item)?.check()?).domain);
        }
        let mut found = rows::find_named(work.tx, &keys(items))?;
        found.extend(rows::on_domains(work.tx, &domains)?);
        let looks = PublisherLooks::default();
        let mut known = Self { by_name: BTreeMap::new(), name_on: BTreeMap::new(), looks };
        found.into_iter().for_each(|row| known.remember(row));
        Ok(known)
    }

    fn remember(&mut self, row: PublisherRow) {
        let name = name_key(&row.name);
        self.name_on.extend(row.domain.clone().map(|domain| (domain, name.clone())));
        self.by_name.insert(name, row);
    }
}

pub fn apply(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let mut known = Known::load(work, items)?;
    for item in items {
        let wanted = NewPublisher::from(&files::publisher(item)?.check()?);
        let name = name_key(&item.key);
        let other = wanted.domain.as_ref().and_then(|domain| known.name_on.get(domain));
        if other.is_some_and(|other| *other != name) {
            work.note_mistake(item, "domain", "is another publisher's");
            continue;
        }
        let row = match known.by_name.get(&name).cloned() {
            Some(row) if !row.is_direct() => {
                work.note_mistake(item, "name", "is an ad exchange's");
                continue;
            }
            None => {
                if let Some(other) = known.looks.find_or_add(work.tx, &wanted.name)? {
                    work.note_mistake(item, "name", format!("looks like {other}, which is another publisher"));
                    continue;
                }
                Some(add(work, item, &wanted)?)
            }
            Some(row) => change(work, item, row, &wanted)?,
        };
        row.into_iter().for_each(|row| known.remember(row));
    }
    Ok(())
}

fn add(work: &mut ContentImport<'_, '_>, item: &Item, wanted: &NewPublisher) -> Result<PublisherRow, Error> {
    let mut row = rows::insert(work.tx, wanted)?;
    if item.active() == Some(false) {
        row.status = PublisherStatus::Paused;
        rows::set_status(work.tx, row.id, PublisherStatus::Paused)?;
    }
    work.note_added(item, ("publisher.add", subject(&row)), &form(&row), None);
    Ok(row)
}

/// `None` if it is closed.
fn change(
    work: &mut ContentImport<'_, '_>,
    item: &Item,
    row: PublisherRow,
    wanted: &NewPublisher,
) -> Result<Option<PublisherRow>, Error> {
    let status = match item.active() {
        Some(true) => PublisherStatus::Active,
        Some(false) => PublisherStatus::Paused,
        None => row.status,
    };
    let after = PublisherRow { domain: wanted.domain.clone(), contact: wanted.contact.clone(), status, ..row.clone() };
    let fields = field_changes(&form(&row), &form(&after));
    if fields.is_empty() {
        work.note_unchanged(item);
        return Ok(Some(row));
    }
    if row.status == PublisherStatus::Closed {
        work.note_mistake(item, "name", "is closed, which is for good");
        return Ok(None);
    }
    rows::change(work.tx, row.id, wanted)?;
    if status != row.status {
        rows::set_status(work.tx, row.id, after.publisher()?.status)?;
    }
    work.note_changed(item, ("publisher.change", subject(&row)), fields, None);
    Ok(Some(after))
}

fn subject(row: &PublisherRow) -> String {
    format!("publisher:{}", row.id)
}

fn form(row: &PublisherRow) -> Json {
    tidy(json!({
        "name": row.name,
        "domain": row.domain,
        "contact": row.contact,
        "active": row.status == PublisherStatus::Active,
    }))
}

/// The publishers that can be applied again. Of the others nothing but the name is known, which
/// is in their slots' files, or they are closed. Ad exchanges are not content: their keys
/// take two people.
pub fn forms(conn: &mut Conn) -> Result<Vec<Json>, Error> {
    let closed = PublisherStatus::Closed;
    let all = rows::all(conn)?;
    let direct = all.iter().rev().filter(|row| row.is_direct());
    let whole = direct.filter(|row| row.domain.is_some() && row.contact.is_some() && row.status != closed);
    Ok(whole.map(form).collect())
}
