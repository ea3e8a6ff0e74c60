//! Advertisers as staff add them and book what they paid in.

use auth::Permission;
use base::AdvertiserId;
use serde::Serialize;
use serde_json::json;
use store::advertiser::AdvertiserRow;
use store::books::{Books, Note};

use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal, amount};

const LONGEST_NAME: usize = 100;
const LONGEST_REFERENCE: usize = 64;

#[derive(Clone, Debug, Serialize)]
pub struct Advertiser {
    pub id: String,
    pub name: String,
    /// What conversions may still claim.
    pub funds: String,
    /// The key its postbacks are signed with; shown only when it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl Advertiser {
    fn view(row: &AdvertiserRow, key: Option<String>) -> Self {
        Self { id: row.id.to_string(), name: row.name.clone(), funds: row.claims().to_string(), key }
    }
}

/// # Errors
/// The field `name`; `not_permitted`.
pub async fn add(app: &App, by: &Staff, name: &str) -> Result<Advertiser, Error> {
    by.may(Permission::Catalogue)?;
    let name = name.trim().to_owned();
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        return Err(Error::field("name", "invalid"));
    }
    let by = by.clone();
    let row = app
        .db
        .write(move |tx| {
            if store::advertiser::find_by_name(tx, &name)?.is_some() {
                return Err(Error::field("name", "taken"));
            }
            let row = store::advertiser::insert(tx, &name)?;
            let made = Changes::made(&Advertiser::view(&row, None));
            by.record(tx, "advertiser.add", format!("advertiser:{}", row.id), &made.details())?;
            Ok(row)
        })
        .await?;
    let key = app.secrets.advertiser_key(row.id, row.key_version);
    Ok(Advertiser::view(&row, Some(key)))
}

/// The key an advertiser signs with, for who acts in its place in a
/// simulated installation.
pub async fn key(app: &App, id: AdvertiserId) -> Result<String, Error> {
    let row = app.db.read(move |conn| store::advertiser::find(conn, id)).await?.ok_or(Refusal::NotFound)?;
    Ok(app.secrets.advertiser_key(row.id, row.key_version))
}

/// Books what an advertiser paid in; the bank's reference counts once.
///
/// # Errors
/// The fields `amount` and `reference`; `not_permitted`, `not_found`,
/// `amount_out_of_range`, `reference_used`.
pub async fn fund(app: &App, by: &Staff, id: AdvertiserId, amount: &str, reference: &str) -> Result<Advertiser, Error> {
    by.may(Permission::Money)?;
    let amount = amount::positive("amount", amount)?;
    let reference = reference.trim().to_owned();
    if reference.is_empty() || reference.chars().count() > LONGEST_REFERENCE {
        return Err(Error::field("reference", if reference.is_empty() { "required" } else { "too_long" }));
    }
    let by = by.clone();
    let row = app
        .db
        .write(move |tx| {
            if store::advertiser::find(tx, id)?.is_none() {
                return Err(Refusal::NotFound.into());
            }
            let mut books = Books::lock_advertiser_alone(tx, id)?;
            let advertiser = books.advertiser(id)?;
            if store::books::reference_used(tx, "advertiser_funding", &reference)? {
                return Err(Refusal::ReferenceUsed.into());
            }
            let postings = wallet::fund_advertiser(&advertiser, amount)?;
            let note = Note {
                ref_type: "advertiser_funding",
                ref_id: id.0,
                event_at: tx.now(),
                actor: by.actor(),
                reason: reference.clone(),
                idempotency_key: Some(reference.clone()),
            };
            books.post(tx, &postings, &note)?;
            tx.changes_market();
            let details = json!({ "amount": amount.to_string(), "reference": reference });
            by.record(tx, "advertiser.fund", format!("advertiser:{id}"), &details)?;
            Ok::<_, Error>(store::advertiser::find(tx, id)?)
        })
        .await?;
    Ok(Advertiser::view(&row.ok_or(Refusal::NotFound)?, None))
}

/// All of them, for staff; there are few.
pub async fn list(app: &App) -> Result<Vec<Advertiser>, Error> {
    let rows = app.db.read(store::advertiser::all).await?;
    Ok(rows.iter().map(|row| Advertiser::view(row, None)).collect())
}
