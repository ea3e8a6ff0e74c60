//! Advertisers as staff add them. What they pay in is booked by a request.

use auth::Permission;
use base::AdvertiserId;
use serde::Serialize;
use store::advertiser::AdvertiserRow;

use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal};

const LONGEST_NAME: usize = 100;

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
    if !is_name(&name) {
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

pub(crate) fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.chars().count())
}

/// The key an advertiser signs with, for who acts in its place in a
/// simulated installation.
pub async fn key(app: &App, id: AdvertiserId) -> Result<String, Error> {
    let row = app.db.read(move |conn| store::advertiser::find(conn, id)).await?.ok_or(Refusal::NotFound)?;
    Ok(app.secrets.advertiser_key(row.id, row.key_version))
}

/// All of them, for staff; there are few.
pub async fn list(app: &App) -> Result<Vec<Advertiser>, Error> {
    let rows = app.db.read(store::advertiser::all).await?;
    Ok(rows.iter().map(|row| Advertiser::view(row, None)).collect())
}
