//! Advertisers, products and slots.

use std::collections::{BTreeMap, BTreeSet};

use base::{AdvertiserId, PublisherId};
use campaigns::catalogue::advertisers;
use campaigns::catalogue::product_pictures::{ShownFile, find_added, not_added, shown_files};
use campaigns::catalogue::product_terms::changed_by_one_person;
use campaigns::catalogue::products::{content_of, put_rule};
use campaigns::delivery::publishers::{NamedPublishers, PublisherKey, SlotOwner};
use campaigns::delivery::slots;
use content::{Item, ItemDifference, Mistake, field_changes, tidy};
use foundation::Error;
use serde_json::{Value as Json, json};
use store::delivery::publisher;
use store::delivery::slot::{self, NewSlot, SlotRow};
use store::plans::advertiser::{self, AdvertiserRow};
use store::plans::product::{self, NewProduct, ProductRow};

use super::files;
use super::import::{ContentImport, PendingTerms};

pub fn check_advertiser(item: &Item) -> Vec<Mistake> {
    if advertisers::is_name(&item.key) { Vec::new() } else { vec![item.mistake("name", "must be 1 to 100 characters")] }
}

/// Adds advertisers; known ones are not changed, because an advertiser is just a name, its money and its key, which are
/// not content.
pub fn apply_advertisers(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let known = advertiser::find_named(work.tx, &keys(items))?;
    let mut looks = advertisers::looks(work.tx)?;
    for item in items {
        if known.iter().any(|row| row.name == item.key) {
            work.note_unchanged(item);
            continue;
        }
        if let Some(other) = looks.find(&item.key) {
            work.note_mistake(item, "name", format!("looks like {other}, which is another advertiser"));
            continue;
        }
        looks.add(&item.key);
        let row = advertisers::insert(work.tx, &item.key)?;
        work.note_added(item, ("advertiser.add", format!("advertiser:{}", row.id)), &advertiser_form(&row), None);
    }
    Ok(())
}

pub fn advertiser_form(row: &AdvertiserRow) -> Json {
    json!({ "name": row.name })
}

pub fn keys(items: &[&Item]) -> Vec<String> {
    items.iter().map(|item| item.key.clone()).collect()
}

pub fn check_product(item: &Item) -> Result<Vec<Mistake>, Error> {
    match files::product(item)?.check() {
        Err(Error::Fields(wrong)) => Ok(item.mistakes(&wrong)),
        checked => checked.map(|_| Vec::new()),
    }
}

pub fn apply_products(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let named: Vec<String> = items.iter().filter_map(|item| item.text("advertiser")).map(str::to_owned).collect();
    let number = |item: &Item| item.fields.get("advertiser").and_then(Json::as_i64).map(AdvertiserId);
    let numbered: Vec<AdvertiserId> = items.iter().filter_map(|item| number(item)).collect();
    let known = product::lock_named(work.tx, &keys(items))?;
    let mut owners = advertiser::find_named(work.tx, &named)?;
    owners.extend(advertiser::by_ids(work.tx, &numbered)?);
    let others: Vec<AdvertiserId> = known.iter().map(|row| row.advertiser_id).collect();
    owners.extend(advertiser::by_ids(work.tx, &others)?);
    let pictures = pictures_of(work, items, &known)?;
    for item in items {
        let named = item.text("advertiser").map(str::trim);
        let number = number(item);
        let Some(owner) = owners.iter().find(|row| Some(row.name.as_str()) == named || Some(row.id) == number) else {
            work.note_mistake(item, "advertiser", "there is no such advertiser");
            continue;
        };
        let file = files::product(item)?;
        let missing = not_added(&shown_files(&file.image, &file.content), &pictures);
        if !missing.is_empty() {
            let wrong = missing.into_iter().map(|field| (field, "not_added")).collect();
            work.mistakes.extend(item.mistakes(&wrong));
            continue;
        }
        let known = known.iter().find(|row| row.name == item.key);
        let before = known.and_then(|row| Some((row, owners.iter().find(|owner| owner.id == row.advertiser_id)?)));
        apply_product(work, item, owner, before)?;
    }
    Ok(())
}

/// The pictures that staff have added, and those that products show already.
fn pictures_of(
    work: &mut ContentImport<'_, '_>,
    items: &[&Item],
    known: &[ProductRow],
) -> Result<BTreeSet<String>, Error> {
    let wanted = items.iter().map(|item| files::product(item)).collect::<Result<Vec<_>, _>>()?;
    let wanted: Vec<ShownFile<'_>> = wanted.iter().flat_map(|file| shown_files(&file.image, &file.content)).collect();
    let mut pictures = find_added(work.tx, &wanted)?;
    for row in known {
        let content = content_of(row)?;
        pictures.extend(shown_files(&row.image, &content).iter().map(|file| file.address.to_owned()));
    }
    Ok(pictures)
}

fn apply_product(
    work: &mut ContentImport<'_, '_>,
    item: &Item,
    owner: &AdvertiserRow,
    before: Option<(&ProductRow, &AdvertiserRow)>,
) -> Result<(), Error> {
    let active = item.active().unwrap_or_else(|| before.is_none_or(|(row, _)| row.active));
    let wanted = NewProduct { advertiser_id: owner.id, active, ..files::product(item)?.check()? };
    let after = product_form(&wanted, &owner.name)?;
    let Some((row, was)) = before else {
        let row = product::insert(work.tx, &wanted)?;
        work.note_added(item, ("product.add", format!("product:{}", row.id)), &after, None);
        work.ask(PendingTerms::Product(row.id, Box::new((wanted.clone(), wanted))));
        return Ok(());
    };
    let present = row.as_new();
    // One person's changes are written now; the terms, and what is shown, wait for another.
    let now = changed_by_one_person(&present, wanted.clone())?;
    let form = product_form(&now, &owner.name)?;
    let differs = ItemDifference {
        now: field_changes(&product_form(&present, &was.name)?, &form),
        later: field_changes(&form, &after),
        draft: row.draft,
    };
    if was.id != owner.id {
        let problem = format!("{} pays for this product's plans; a product of another's needs another name", was.name);
        work.note_mistake(item, "advertiser", problem);
        return Ok(());
    }
    if !differs.now.is_empty() {
        product::change(work.tx, row.id, &now)?;
    }
    let deed = ("product.change", format!("product:{}", row.id));
    work.differs(item, deed, differs, PendingTerms::Product(row.id, Box::new((now, wanted))));
    Ok(())
}

pub fn product_form(product: &NewProduct, advertiser: &str) -> Result<Json, Error> {
    Ok(tidy(json!({
        "advertiser": advertiser,
        "name": product.name,
        "summary": product.summary,
        "image": product.image,
        "min_put": product.min_put.to_string(),
        "max_put": product.max_put.to_string(),
        "put_rule": put_rule(product.pricing, product.price, product.days),
        "payout": product.payout.to_string(),
        "attribution_days": product.attribution_days,
        "fee_rate": product.fee_rate,
        "content": tidy(parse_kept(&product.content)?),
        "targeting": tidy(parse_kept(&product.targeting)?),
        "landing_url": product.landing_url,
        "conversions_per_click": product.conversions_per_click,
        "openrtb": product.openrtb.as_deref().map(parse_kept).transpose()?,
        "active": product.active,
    })))
}

/// Parses stored JSON.
pub fn parse_kept(text: &str) -> Result<Json, Error> {
    serde_json::from_str(text).map_err(|e| Error::Internal(format!("kept content: {e}")))
}

pub fn check_slot(item: &Item) -> Result<Vec<Mistake>, Error> {
    match slots::check(&files::slot(item)?) {
        Err(Error::Fields(wrong)) => Ok(item.mistakes(&wrong)),
        checked => checked.map(|()| Vec::new()),
    }
}

pub fn apply_slots(work: &mut ContentImport<'_, '_>, items: &[&Item]) -> Result<(), Error> {
    let known: BTreeMap<String, SlotRow> =
        slot::find_by_keys(work.tx, &keys(items))?.into_iter().map(|row| (row.key.clone(), row)).collect();
    let named: Vec<PublisherKey> =
        items.iter().map(|item| Ok(files::slot(item)?.publisher)).collect::<Result<_, Error>>()?;
    let mut publishers = NamedPublishers::load(work.tx, named.iter())?;
    let owners: Vec<PublisherId> = known.values().map(|row| row.publisher_id).collect();
    let owners: BTreeMap<PublisherId, String> =
        publisher::by_ids(work.tx, &owners)?.into_iter().map(|row| (row.id, row.name)).collect();
    for item in items {
        let before = known.get(&item.key);
        let active = item.active().unwrap_or_else(|| before.is_none_or(|row| row.active));
        let file = files::slot(item)?;
        let (publisher, new) = match publishers.find_or_add(work.tx, &file.publisher)? {
            SlotOwner::Known(publisher) => (publisher, false),
            SlotOwner::Added(publisher) => (publisher, true),
            SlotOwner::Unknown => {
                work.note_mistake(item, "publisher", "there is no such publisher");
                continue;
            }
            SlotOwner::LooksLike(other) => {
                work.note_mistake(item, "publisher", format!("looks like {other}, which is another publisher"));
                continue;
            }
        };
        // One person alone applies files, but the owner of a slot is paid for it, so the owner must not change here.
        if let Some(owner) = before.filter(|row| row.publisher_id != publisher.id) {
            let owner = owners.get(&owner.publisher_id).map_or("another's", String::as_str);
            work.note_mistake(item, "publisher", format!("is {owner}, which is for good: add another slot"));
            continue;
        }
        if new {
            work.record_also(
                "publisher.add",
                format!("publisher:{}", publisher.id),
                &json!({ "name": publisher.name }),
            );
        }
        let wanted = NewSlot { active, ..slots::as_new(&file, publisher.id)? };
        let after = slot_form(&wanted, &publisher.name)?;
        let Some(row) = before else {
            let row = slot::insert(work.tx, &wanted)?;
            work.note_added(item, ("slot.add", format!("slot:{}", row.id)), &after, None);
            continue;
        };
        let owner = owners.get(&row.publisher_id).map_or("", String::as_str);
        let fields = field_changes(&slot_form(&as_new_slot(row), owner)?, &after);
        if fields.is_empty() {
            work.note_unchanged(item);
        } else {
            slot::change(work.tx, row.id, &wanted)?;
            work.note_changed(item, ("slot.change", format!("slot:{}", row.id)), fields, None);
        }
    }
    Ok(())
}

pub fn as_new_slot(row: &SlotRow) -> NewSlot {
    NewSlot {
        key: row.key.clone(),
        content_types: row.content_types.clone(),
        audience: row.audience.clone(),
        active: row.active,
        publisher_id: row.publisher_id,
    }
}

pub fn slot_form(slot: &NewSlot, publisher: &str) -> Result<Json, Error> {
    Ok(tidy(json!({
        "key": slot.key,
        "publisher": publisher,
        "content_types": parse_kept(&slot.content_types)?,
        "audience": tidy(parse_kept(&slot.audience)?),
        "active": slot.active,
    })))
}
