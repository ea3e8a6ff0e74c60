//! Adding and listing slots, for staff.

use auth::Permission;
use base::{Field, PublisherId, SlotId};
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Fields};
use plans::ContentType;
use serde::{Deserialize, Serialize};
use store::delivery::slot::{NewSlot, SlotRow};

use crate::catalogue::products::{Targeting, targeting_of};
use crate::catalogue::targeting::OF_SLOT;
use crate::delivery::publishers::{self, NamedPublishers, PublisherKey, SlotOwner};

/// A slot in a TOML or JSON file by staff.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotFile {
    /// The key in the publisher's page; letters, digits and dashes.
    pub key: String,
    pub publisher: PublisherKey,
    /// The content types it can show.
    pub content_types: Vec<String>,
    #[serde(default)]
    pub audience: Targeting,
}

#[derive(Clone, Debug, Serialize)]
pub struct Slot {
    pub id: SlotId,
    pub key: String,
    /// The publisher's name.
    pub publisher: String,
    pub publisher_id: PublisherId,
    pub content_types: Vec<ContentType>,
    pub audience: Targeting,
    pub active: bool,
}

impl Slot {
    fn view(row: &SlotRow, publisher: &str) -> Result<Self, Error> {
        Ok(Self {
            id: row.id,
            key: row.key.clone(),
            publisher: publisher.to_owned(),
            publisher_id: row.publisher_id,
            content_types: content_types(row)?,
            audience: targeting_of(&row.audience)?,
            active: row.active,
        })
    }
}

/// The content types a slot can show, without unknown stored names.
pub(crate) fn content_types(row: &SlotRow) -> Result<Vec<ContentType>, Error> {
    let names: Vec<String> = serde_json::from_str(&row.content_types)
        .map_err(|e| Error::Internal(format!("content types of slot {}: {e}", row.id)))?;
    Ok(names.iter().filter_map(|name| ContentType::from_name(name)).collect())
}

/// # Errors
/// The fields `key`, `publisher`, `content_types` and those of `audience`; `not_permitted`.
pub async fn add(app: &App, by: &Staff, file: SlotFile) -> Result<Slot, Error> {
    by.may(Permission::Catalogue)?;
    check(&file)?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            store::installation::content::lock(tx)?;
            // An inactive slot still has its key.
            if !store::delivery::slot::find_by_keys(tx, std::slice::from_ref(&file.key))?.is_empty() {
                return Err(Error::field(Field::Key, "taken"));
            }
            let key = &file.publisher;
            let publisher = match NamedPublishers::load(tx, std::iter::once(key))?.find_or_add(tx, key)? {
                SlotOwner::Known(publisher) => publisher,
                SlotOwner::Added(publisher) => {
                    publishers::record_named(tx, &by, &publisher)?;
                    publisher
                }
                SlotOwner::Unknown => return Err(Error::field(Field::Publisher, "not_found")),
                SlotOwner::LooksLike(_) => return Err(Error::field(Field::Publisher, "looks_like_another")),
            };
            let row = store::delivery::slot::insert(tx, &as_new(&file, publisher.id)?)?;
            let slot = Slot::view(&row, &publisher.name)?;
            by.record(tx, "slot.add", format!("slot:{}", row.id), &Changes::made(&slot).details())?;
            Ok(slot)
        })
        .await
}

pub fn check(file: &SlotFile) -> Result<(), Error> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut wrong = Fields::new();
    if file.key.is_empty() || file.key.len() > 64 || !file.key.chars().all(plain) {
        wrong.insert(Field::Key, "invalid");
    }
    let known = file.content_types.iter().all(|name| ContentType::from_name(name).is_some());
    if file.content_types.is_empty() || !known {
        wrong.insert(Field::ContentTypes, "invalid");
    }
    if !file.publisher.is_key() {
        wrong.insert(Field::Publisher, "invalid");
    }
    if let Err(lists) = file.audience.coded(OF_SLOT) {
        wrong.extend(lists);
    }
    if wrong.is_empty() { Ok(()) } else { Err(Error::Fields(wrong)) }
}

/// The slot that a file describes, of a publisher that the caller has looked up.
pub fn as_new(file: &SlotFile, publisher: PublisherId) -> Result<NewSlot, Error> {
    let written = |text: Result<String, serde_json::Error>| text.map_err(|e| Error::Internal(e.to_string()));
    Ok(NewSlot {
        key: file.key.clone(),
        content_types: written(serde_json::to_string(&file.content_types))?,
        audience: written(serde_json::to_string(&file.audience.coded(OF_SLOT).map_err(Error::Fields)?))?,
        active: true,
        publisher_id: publisher,
    })
}

pub async fn list(app: &App) -> Result<Vec<Slot>, Error> {
    let (rows, names) = app.db.snapshot(store::delivery::slot::all_with_publishers).await?;
    let name = |row: &SlotRow| names.get(&row.publisher_id).map_or("", String::as_str);
    rows.iter().map(|row| Slot::view(row, name(row))).collect()
}
