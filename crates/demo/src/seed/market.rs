//! The demonstration's advertisers with their products, its slots, and the plans offered
//! to its user.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry::Vacant;

use auth::KeyOrigin;
use base::{AdvertiserId, ProductId, UserId};
use campaigns::catalogue::advertiser_keys::rotate_key;
use campaigns::catalogue::advertisers::{self, Advertiser, CapOutcome, FIRST_DAILY_CAP};
use campaigns::catalogue::counterparty_keys::KeyOffer;
use campaigns::catalogue::products::{ProductFile, StaffProduct, add_product, all_products};
use campaigns::delivery::publishers::{self, PublisherFile};
use campaigns::delivery::slots::{self, SlotFile};
use campaigns::plans::plan_control::offer;
use campaigns::plans::plan_views;
use desk::installation::simulated::{shared_key, take_key};
use desk::requests::{MoneyRequestDraft, approve, requests};
use foundation::staff::Staff;
use foundation::staff::requests::RequestFilter;
use foundation::{App, Error};
use serde::{Deserialize, Serialize};
use store::PageRequest;
use toml::Value;
use wallet::{RequestDocument, RequestStatus};

use super::every;
use super::people::{Pair, book};
use crate::Failure;

const PRODUCTS: &str = include_str!("../../content/products.toml");
const PUBLISHERS: &str = include_str!("../../content/publishers.toml");
const SLOTS: &str = include_str!("../../content/slots.toml");
/// One product for each kind of pricing; their plans settle as soon as they finish.
const OFFERED: [&str; 2] = ["Aurora Coffee", "Lumen Lamp"];

#[derive(Debug, Deserialize)]
struct ProductEntries {
    product: Vec<Entry>,
}

/// A product, its advertiser, and what the advertiser has paid in.
#[derive(Debug, Deserialize)]
struct Entry {
    advertiser: String,
    funds: String,
    #[serde(flatten)]
    product: toml::Table,
}

#[derive(Debug, Deserialize)]
struct PublisherEntries {
    publisher: Vec<PublisherFile>,
}

#[derive(Debug, Deserialize)]
struct SlotEntries {
    slot: Vec<SlotFile>,
}

pub async fn plant(app: &App, staff: &Pair, user: UserId) -> Result<(), Failure> {
    let known = catalogue(app, staff).await?;
    offer_plans(app, &staff.first, user, &known).await
}

/// Advertisers, products, publishers and slots.
pub async fn catalogue(app: &App, staff: &Pair) -> Result<BTreeMap<String, StaffProduct>, Failure> {
    let by = &staff.first;
    let mut known: BTreeMap<String, StaffProduct> = every_product(app).await?;
    for entry in read::<ProductEntries>(PRODUCTS)?.product {
        let advertiser = fund_advertiser(app, staff, &entry).await?;
        let file = product_file(entry, advertiser)?;
        if let Vacant(place) = known.entry(file.name.clone()) {
            place.insert(add_product(app, by, &file).await?.product);
        }
    }
    approve_drafts(app, staff, &known).await?;
    plant_publishers(app, by).await?;
    plant_slots(app, by).await?;
    Ok(known)
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|e| Error::Internal(format!("the demonstration's file: {e}")))
}

/// The second person approves what the first has requested, now or in an interrupted run.
async fn approve_drafts(app: &App, staff: &Pair, known: &BTreeMap<String, StaffProduct>) -> Result<(), Failure> {
    let drafts: Vec<ProductId> = known.values().filter(|one| one.status == "draft").map(|one| one.product.id).collect();
    let open = RequestFilter {
        document: Some(RequestDocument::ProductTerms),
        status: Some(RequestStatus::Requested),
        ..RequestFilter::default()
    };
    let waiting = requests(app, open, PageRequest { before: None, limit: PageRequest::MAX_LIMIT }).await?;
    for asked in waiting.items {
        if asked.product_id.is_some_and(|id| drafts.contains(&id)) {
            approve(app, &staff.second, asked.id.into()).await?;
        }
    }
    Ok(())
}

pub async fn every_product(app: &App) -> Result<BTreeMap<String, StaffProduct>, Failure> {
    let all = every(|page| all_products(app, page)).await?;
    Ok(all.into_iter().map(|one| (one.product.name.clone(), one)).collect())
}

async fn fund_advertiser(app: &App, staff: &Pair, entry: &Entry) -> Result<AdvertiserId, Failure> {
    let known = advertisers::list(app).await?.into_iter().find(|a| a.name == entry.advertiser);
    let advertiser = match known {
        Some(known) => known,
        None => advertisers::add(app, &staff.first, &entry.advertiser, KeyOffer::default()).await?,
    };
    let id = advertiser.id;
    take_its_key(app, staff, id, &advertiser).await?;
    lift_cap(app, staff, id, &advertiser).await?;
    let reference = format!("DEMO-FUNDS-{id}");
    book(app, staff, MoneyRequestDraft::fund(id, &entry.funds, &reference), &reference).await?;
    Ok(id)
}

/// The advertiser claims its key, and the second person approves it, now or after an interrupted run.
async fn take_its_key(app: &App, staff: &Pair, id: AdvertiserId, known: &Advertiser) -> Result<(), Failure> {
    if known.key_origin != KeyOrigin::Awaited {
        return Ok(());
    }
    let asked = match known.asked.clone() {
        Some(asked) => asked,
        None => rotate_key(app, &staff.first, id, KeyOffer::default()).await?.into(),
    };
    take_key(app, &staff.second, asked.request_id, asked.claim_url.as_deref()).await?;
    Ok(())
}

/// Simulated visitors buy as much as they like.
async fn lift_cap(app: &App, staff: &Pair, id: AdvertiserId, known: &Advertiser) -> Result<(), Failure> {
    if known.daily_cap == Some(FIRST_DAILY_CAP)
        && let CapOutcome::Asked(asked) = advertisers::cap(app, &staff.first, id, None).await?
    {
        approve(app, &staff.second, asked.id.into()).await?;
    }
    Ok(())
}

/// An advertiser of the demonstration.
#[derive(Debug, Serialize)]
pub struct DemoAdvertiser {
    id: AdvertiserId,
    name: String,
    /// Only if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// The demonstration's advertisers, with the keys of those that were not there before.
pub async fn advertisers_of(app: &App, before: &[Advertiser]) -> Result<Vec<DemoAdvertiser>, Failure> {
    let named: Vec<String> = read::<ProductEntries>(PRODUCTS)?.product.into_iter().map(|of| of.advertiser).collect();
    let mut shown = Vec::new();
    for one in advertisers::list(app).await?.into_iter().rev().filter(|one| named.contains(&one.name)) {
        let is_new = before.iter().all(|known| known.id != one.id);
        let key = if is_new { shared_key(app, one.id).await? } else { None };
        shown.push(DemoAdvertiser { id: one.id, name: one.name, key });
    }
    Ok(shown)
}

fn product_file(entry: Entry, advertiser: AdvertiserId) -> Result<ProductFile, Error> {
    let mut table = entry.product;
    table.insert("advertiser".to_owned(), Value::Integer(advertiser.0));
    table.try_into().map_err(|e: toml::de::Error| Error::Internal(format!("the demonstration's products: {e}")))
}

async fn plant_publishers(app: &App, by: &Staff) -> Result<(), Failure> {
    let known: Vec<String> = publishers::list(app).await?.into_iter().map(|of| of.publisher.name).collect();
    for publisher in read::<PublisherEntries>(PUBLISHERS)?.publisher {
        if !known.contains(&publisher.name) {
            publishers::add(app, by, publisher).await?;
        }
    }
    Ok(())
}

async fn plant_slots(app: &App, by: &Staff) -> Result<(), Failure> {
    let known: Vec<String> = slots::list(app).await?.into_iter().map(|slot| slot.key).collect();
    for slot in read::<SlotEntries>(SLOTS)?.slot {
        if !known.contains(&slot.key) {
            slots::add(app, by, slot).await?;
        }
    }
    Ok(())
}

/// A product that was offered to the user is not offered again, whatever became of the
/// plan.
async fn offer_plans(
    app: &App,
    by: &Staff,
    user: UserId,
    known: &BTreeMap<String, StaffProduct>,
) -> Result<(), Failure> {
    let offered = official_plans(app, user).await?;
    for StaffProduct { product, .. } in OFFERED.iter().filter_map(|name| known.get(*name)) {
        if !offered.contains(&product.name) {
            offer(app, by, user, product.id).await?;
        }
    }
    Ok(())
}

async fn official_plans(app: &App, user: UserId) -> Result<Vec<String>, Failure> {
    let plans = every(|page| plan_views::list(app, user, None, page)).await?;
    Ok(plans.into_iter().filter(|plan| plan.official).map(|plan| plan.product.name).collect())
}

#[cfg(test)]
mod tests {
    use i18n::Lang;

    use super::*;

    fn files() -> Vec<ProductFile> {
        let entries: ProductEntries = read(PRODUCTS).expect("products");
        entries.product.into_iter().map(|entry| product_file(entry, AdvertiserId(1)).expect("a product")).collect()
    }

    #[test]
    fn six_sound_products_in_two_kinds_of_pricing() {
        let files = files();
        assert_eq!(files.len(), 6);
        for file in &files {
            assert!(file.check().is_ok(), "{}: {:?}", file.name, file.check());
        }
        for pricing in ["cpm", "cpc"] {
            let of_kind = || files.iter().filter(|file| file.put_rule.pricing == pricing);
            assert!(of_kind().any(|file| file.attribution_days == 0), "{pricing} settles at once");
            assert!(of_kind().any(|file| file.attribution_days > 0), "{pricing} waits");
        }
        assert!(OFFERED.iter().all(|name| files.iter().any(|file| file.name == *name)));
    }

    #[test]
    fn every_product_is_told_in_every_language() {
        for file in files() {
            let content = &file.content;
            for lang in Lang::ALL.into_iter().filter(|lang| *lang != Lang::En) {
                let told = content.translations.get(lang.code());
                let told = told.unwrap_or_else(|| panic!("{} in {}", file.name, lang.code()));
                assert!(told.summary.as_ref().is_some_and(|summary| *summary != file.summary), "{}", file.name);
                for (creative, words) in [
                    (&content.video, &told.video),
                    (&content.landing_page, &told.landing_page),
                    (&content.game_description, &told.game_description),
                ] {
                    assert_eq!(creative.is_some(), words.is_some(), "{} in {}", file.name, lang.code());
                }
            }
        }
    }

    #[test]
    fn every_product_fits_two_slots_at_the_least() {
        let entries: SlotEntries = read(SLOTS).expect("slots");
        let shares = |wanted: &[String], reached: &[String]| {
            wanted.is_empty() || reached.is_empty() || wanted.iter().any(|w| reached.contains(w))
        };
        for file in files() {
            let fitting = entries.slot.iter().filter(|slot| {
                shares(&file.targeting.interests, &slot.audience.interests)
                    && shares(&file.targeting.devices, &slot.audience.devices)
            });
            assert!(fitting.count() >= 2, "{}", file.name);
        }
    }
}
