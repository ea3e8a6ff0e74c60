//! Adding and listing advertisers, for staff. Their payments are requests.

use auth::{Permission, Secrets};
use base::{AdvertiserId, Money};
use serde::{Deserialize, Serialize};
use store::Tx;
use store::plans::advertiser::AdvertiserRow;
use store::staff::requests::{MoneyRequest, Subject, agreed_since};
use store::wallet::books::Books;
use wallet::{BAND_DAYS, RequestKind};

use crate::plans::advertiser_keys;
use crate::staff::requests::{CheckedRequest, Proposal, RequestView, file};
use crate::staff::{Changes, Staff};
use crate::{App, Error, Refusal};

const LONGEST_NAME: usize = 100;

#[derive(Clone, Debug, Serialize)]
pub struct Advertiser {
    pub id: String,
    pub name: String,
    /// What conversions may still claim.
    pub funds: String,
    /// The most that conversions may claim in a day; without one, only its funds limit
    /// them.
    pub daily_cap: Option<String>,
    /// The key that signs its postbacks; shown only when it is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl Advertiser {
    fn view(row: &AdvertiserRow, key: Option<String>) -> Self {
        Self {
            id: row.id.to_string(),
            name: row.name.clone(),
            funds: row.claims().to_string(),
            daily_cap: shown(row.daily_cap()),
            key,
        }
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
    let (by, secrets) = (by.clone(), app.secrets.clone());
    app.db
        .write(move |tx| {
            if store::plans::advertiser::find_by_name(tx, &name)?.is_some() {
                return Err(Error::field("name", "taken"));
            }
            let (row, key) = insert(tx, &secrets, &name)?;
            let made = Changes::made(&Advertiser::view(&row, None));
            by.record(tx, "advertiser.add", format!("advertiser:{}", row.id), &made.details())?;
            Ok(Advertiser::view(&row, Some(key)))
        })
        .await
}

/// Inserts an advertiser with its key, which is shown only once.
pub(crate) fn insert(tx: &mut Tx<'_>, secrets: &Secrets, name: &str) -> Result<(AdvertiserRow, String), Error> {
    let row = store::plans::advertiser::insert(tx, name)?;
    let key = advertiser_keys::make(tx, secrets, row.id(), row.key_version)?;
    Ok((row, key))
}

/// Locks an advertiser and returns its current state.
///
/// # Errors
/// `not_found`.
pub(crate) fn lock(tx: &mut Tx<'_>, id: AdvertiserId) -> Result<AdvertiserRow, Error> {
    store::plans::advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?;
    Books::lock_advertiser_alone(tx, id)?;
    Ok(store::plans::advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?)
}

fn shown(cap: Option<Money>) -> Option<String> {
    cap.map(|cap| cap.to_string())
}

/// The outcome: the cap was set, or waits for a second person.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum CapOutcome {
    Set(Advertiser),
    Asked(Box<RequestView>),
}

/// The cap as requested and recorded.
#[derive(Debug, Serialize, Deserialize)]
struct Cap {
    #[serde(default)]
    daily_cap: Option<String>,
}

/// Caps what conversions may claim from an advertiser in a day (UTC). One person may set
/// or lower a cap; raising or removing it needs another. That counts with what can be claimed
/// in a day beyond the lowest cap of the last month.
///
/// # Errors
/// The field `daily`; `not_permitted`, `not_found`, `limit_exceeded`.
pub async fn cap(app: &App, by: &Staff, id: AdvertiserId, daily: Option<&str>) -> Result<CapOutcome, Error> {
    by.may(Permission::Catalogue)?;
    let read = |text: &str| text.parse::<Money>().ok().filter(|cap| !cap.is_negative());
    let to = daily.map(|text| read(text).ok_or_else(|| Error::field("daily", "invalid_amount"))).transpose()?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let row = lock(tx, id)?;
            let (from, wanted) = (Cap { daily_cap: shown(row.daily_cap()) }, Cap { daily_cap: shown(to) });
            let tighter = match (row.daily_cap(), to) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(from), Some(to)) => to <= from,
            };
            let proposal = Proposal::between(&from, &wanted);
            if proposal.is_some() && !tighter {
                let (kind, subject) = (RequestKind::AdvertiserCap, Subject::Advertiser(id));
                let amount = raised(tx, &row, to)?;
                let asked = file(tx, &by, CheckedRequest { kind, subject, amount, reference: None, proposal })?;
                return Ok(CapOutcome::Asked(Box::new(asked)));
            }
            store::plans::advertiser::set_cap(tx, id, to)?;
            let details = Changes::between(&from, &wanted).details();
            by.record(tx, "advertiser.cap", format!("advertiser:{id}"), &details)?;
            Ok(CapOutcome::Set(Advertiser::view(&AdvertiserRow { daily_cap: to.map(Money::minor), ..row }, None)))
        })
        .await
}

/// How much more can be claimed in a day than at the lowest cap of the last month; without a
/// cap, all that the advertiser has paid in.
fn raised(tx: &mut Tx<'_>, row: &AdvertiserRow, to: Option<Money>) -> Result<Money, Error> {
    let since = tx.now().plus_days(-BAND_DAYS);
    let agreed = agreed_since(tx, RequestKind::AdvertiserCap, Subject::Advertiser(row.id()), since)?;
    let mut lowest = row.daily_cap();
    for request in &agreed {
        let known = Proposal::of(request)?.values("daily_cap");
        let caps = known.into_iter().flatten().filter_map(|cap| cap.parse::<Money>().ok());
        lowest = caps.chain(lowest).min();
    }
    let more = to.unwrap_or_else(|| row.claims()).minus(lowest.unwrap_or(Money::ZERO))?;
    Ok(more.max(Money::ZERO))
}

/// Sets the approved cap.
///
/// # Errors
/// `not_found`; `proposal_stale` if the cap has changed since the request.
pub(crate) fn agree_cap(tx: &mut Tx<'_>, id: AdvertiserId, found: &MoneyRequest) -> Result<(), Error> {
    let row = store::plans::advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let wanted: Cap = Proposal::of(found)?.apply(&Cap { daily_cap: shown(row.daily_cap()) })?;
    let cap = wanted.daily_cap.map(|text| text.parse::<Money>()).transpose();
    Ok(store::plans::advertiser::set_cap(tx, id, cap.map_err(|e| Error::Internal(e.to_string()))?)?)
}

pub(crate) fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.chars().count())
}

/// An advertiser's signing key, for acting in its place in a simulated installation.
pub async fn key(app: &App, id: AdvertiserId) -> Result<String, Error> {
    let row = app.db.read(move |conn| store::plans::advertiser::find(conn, id)).await?.ok_or(Refusal::NotFound)?;
    advertiser_keys::of(&app.secrets, &row)
}

/// All of them, for staff; there are few.
pub async fn list(app: &App) -> Result<Vec<Advertiser>, Error> {
    let rows = app.db.read(store::plans::advertiser::all).await?;
    Ok(rows.iter().map(|row| Advertiser::view(row, None)).collect())
}
