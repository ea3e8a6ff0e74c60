//! Advertisers as staff add them and book what they paid in.

use base::{AdvertiserId, Money};
use serde::Serialize;
use store::advertiser::AdvertiserRow;
use store::books::{Books, Note};

use crate::{App, Error, Refusal};

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

pub async fn add(app: &App, name: &str) -> Result<Advertiser, Error> {
    let name = name.trim().to_owned();
    if name.is_empty() || name.chars().count() > 100 {
        return Err(Error::field("name", "invalid"));
    }
    let row = app
        .db
        .write(move |tx| match store::advertiser::find_by_name(tx, &name)? {
            Some(_) => Err(Error::field("name", "taken")),
            None => Ok(store::advertiser::insert(tx, &name)?),
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
pub async fn fund(app: &App, id: AdvertiserId, amount: Money, reference: &str, actor: &str) -> Result<Advertiser, Error> {
    let (reference, actor) = (reference.to_owned(), actor.to_owned());
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
                actor: actor.clone(),
                reason: reference.clone(),
                idempotency_key: Some(reference.clone()),
            };
            books.post(tx, &postings, &note)?;
            Ok::<_, Error>(store::advertiser::find(tx, id)?)
        })
        .await?;
    Ok(Advertiser::view(&row.ok_or(Refusal::NotFound)?, None))
}
