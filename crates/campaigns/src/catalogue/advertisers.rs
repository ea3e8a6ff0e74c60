//! Adding and listing advertisers, for staff. Their payments and keys are requests.

use auth::{KeyOrigin, Looks, Permission};
use base::{AdvertiserId, Field, Money, RequestId, refuse_if};
use foundation::staff::requests::{CheckedRequest, Proposal, RequestView, file};
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Refusal};
use serde::{Deserialize, Serialize};
use store::plans::advertiser::AdvertiserRow;
use store::staff::requests::{MoneyRequest, Subject, find_agreed_since};
use store::wallet::books::Books;
use store::{Conn, Tx};
use wallet::{BAND_DAYS, RequestKind, RequestStatus};

use crate::catalogue::counterparty_keys::{BesideKey, KeyOffer, KeyOwner, ask};

const LONGEST_NAME: usize = 100;
/// The most that conversions may claim from a new advertiser in a day, until two people agree on more: 1,000.00.
/// Whoever steals its key can claim no more than that before somebody notices.
pub const FIRST_DAILY_CAP: Money = Money::from_minor(100_000);

#[derive(Clone, Debug, Serialize)]
pub struct Advertiser {
    pub id: AdvertiserId,
    pub name: String,
    /// What conversions may still claim.
    pub funds: Money,
    /// The most that conversions may claim in a day; without one, only its funds limit
    /// them.
    pub daily_cap: Option<Money>,
    /// How it came by the key that its postbacks are checked with: `staff` for one that was
    /// printed to somebody on the staff, `claimed`, `brought`, or `awaited` if none counts.
    pub key_origin: KeyOrigin,
    /// The request for its first key, in the answer to adding it.
    #[serde(flatten)]
    pub asked: Option<AskedKey>,
}

/// A new advertiser's key, which waits for a second person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AskedKey {
    pub request_id: RequestId,
    /// The status of the request.
    pub status: RequestStatus,
    /// The address where the advertiser claims the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim_url: Option<String>,
    /// The fingerprint of a key that the advertiser brought.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

impl From<RequestView> for AskedKey {
    fn from(view: RequestView) -> Self {
        let RequestView { id, status, claim_url, fingerprint, .. } = view;
        Self { request_id: id, status, claim_url, fingerprint }
    }
}

impl Advertiser {
    fn view(row: &AdvertiserRow) -> Result<Self, Error> {
        Ok(Self {
            id: row.id,
            name: row.name.clone(),
            funds: row.claims,
            daily_cap: row.daily_cap,
            key_origin: row.key_origin,
            asked: None,
        })
    }
}

/// Adds an advertiser, and requests its key.
///
/// # Errors
/// The field `name`, also for one that looks like another's; `not_permitted`.
pub async fn add(app: &App, by: &Staff, name: &str, offer: KeyOffer) -> Result<Advertiser, Error> {
    by.may(Permission::Catalogue)?;
    let name = name.trim().to_owned();
    Error::field_if(!is_name(&name), Field::Name, "invalid")?;
    let (by, secrets) = (by.clone(), app.secrets.clone());
    app.db
        .write(move |tx| {
            // Of two at once that look alike, the second sees the first.
            store::installation::content::lock(tx)?;
            Error::field_if(store::plans::advertiser::find_by_name(tx, &name)?.is_some(), Field::Name, "taken")?;
            Error::field_if(looks(tx)?.find(&name).is_some(), Field::Name, "looks_like_another")?;
            let row = insert(tx, &name)?;
            let added = Advertiser::view(&row)?;
            let made = Changes::made(&added).details();
            by.record(tx, "advertiser.add", format!("advertiser:{}", row.id), &made)?;
            let asked = ask(tx, (&by, &secrets), KeyOwner::Advertiser(row.id), &offer, BesideKey::default())?;
            Ok(Advertiser { asked: Some(asked.into()), ..added })
        })
        .await
}

/// How the names of all advertisers look, to compare new ones with. Whoever approves a payment or a key sees only a
/// name. With a name that looks alike, a member of staff could have an honest advertiser's payment credited to an
/// accomplice.
pub fn looks(conn: &mut Conn) -> Result<Looks, Error> {
    Ok(store::plans::advertiser::names(conn)?.into_iter().collect())
}

/// The number of the advertiser with this name.
///
/// # Errors
/// The field `advertiser` if there is none.
pub async fn number_of(app: &App, name: &str) -> Result<AdvertiserId, Error> {
    let names = vec![name.trim().to_owned()];
    let found = app.db.read(move |conn| store::plans::advertiser::find_named(conn, &names)).await?;
    found.first().map(|row| row.id).ok_or_else(|| Error::field(Field::Advertiser, "not_found"))
}

/// Inserts an advertiser, which has no key yet.
pub fn insert(tx: &mut Tx<'_>, name: &str) -> Result<AdvertiserRow, Error> {
    Ok(store::plans::advertiser::insert(tx, name, FIRST_DAILY_CAP)?)
}

/// Locks an advertiser and returns its current state.
///
/// # Errors
/// `not_found`.
pub fn lock(tx: &mut Tx<'_>, id: AdvertiserId) -> Result<AdvertiserRow, Error> {
    store::plans::advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?;
    Books::lock_advertiser_alone(tx, id)?;
    Ok(store::plans::advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?)
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
    daily_cap: Option<Money>,
}

/// Caps what conversions may claim from an advertiser in a day (UTC). One person may set or lower a cap; raising or
/// removing it needs another. Such a request counts towards limits with what can then be claimed in a day beyond the
/// lowest cap of the last month.
///
/// # Errors
/// The field `daily`; `not_permitted`, `not_found`, `limit_exceeded`.
pub async fn cap(app: &App, by: &Staff, id: AdvertiserId, daily: Option<&str>) -> Result<CapOutcome, Error> {
    by.may(Permission::Catalogue)?;
    let read = |text: &str| text.parse::<Money>().ok().filter(|cap| !cap.is_negative());
    let to = daily.map(|text| read(text).ok_or_else(|| Error::field(Field::Daily, "invalid_amount"))).transpose()?;
    let by = by.clone();
    app.db
        .write(move |tx| {
            let row = lock(tx, id)?;
            let (from, wanted) = (Cap { daily_cap: row.daily_cap }, Cap { daily_cap: to });
            let tighter = match (row.daily_cap, to) {
                (_, None) => false,
                (None, Some(_)) => true,
                (Some(from), Some(to)) => to <= from,
            };
            let proposal = Proposal::between(&from, &wanted);
            if proposal.is_some() && !tighter {
                let (kind, subject) = (RequestKind::AdvertiserCap, Subject::Advertiser(id));
                let amount = raise_cap(tx, &row, to)?;
                let asked = file(tx, &by, CheckedRequest { kind, subject, amount, reference: None, proposal })?;
                return Ok(CapOutcome::Asked(Box::new(asked)));
            }
            store::plans::advertiser::set_cap(tx, id, to)?;
            let details = Changes::between(&from, &wanted).details();
            by.record(tx, "advertiser.cap", format!("advertiser:{id}"), &details)?;
            let after = store::plans::advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?;
            Ok(CapOutcome::Set(Advertiser::view(&after)?))
        })
        .await
}

/// How much more can be claimed in a day than at the lowest cap of the last month. Without a cap, that is everything
/// that the advertiser has paid in.
fn raise_cap(tx: &mut Tx<'_>, row: &AdvertiserRow, to: Option<Money>) -> Result<Money, Error> {
    let since = tx.now().plus_days(-BAND_DAYS);
    let agreed = find_agreed_since(tx, RequestKind::AdvertiserCap, Subject::Advertiser(row.id), since)?;
    let mut lowest = row.daily_cap;
    for request in &agreed {
        let known = Proposal::of(request)?.values("daily_cap");
        let caps = known.into_iter().flatten().filter_map(|cap| cap.parse::<Money>().ok());
        lowest = caps.chain(lowest).min();
    }
    let more = to.unwrap_or(row.claims).minus(lowest.unwrap_or(Money::ZERO))?;
    Ok(more.max(Money::ZERO))
}

/// Sets the approved cap.
///
/// # Errors
/// `not_found`; `proposal_stale` if the cap has changed since the request, or it would count with more by now;
/// `admin_needed` if none is left and neither of the two is an admin.
pub fn agree_cap(tx: &mut Tx<'_>, by: &Staff, id: AdvertiserId, found: &MoneyRequest) -> Result<(), Error> {
    let row = store::plans::advertiser::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let wanted: Cap = Proposal::of(found)?.apply(&Cap { daily_cap: row.daily_cap })?;
    // Without a cap, it counts with what was paid in, which may have increased since the limits were checked.
    refuse_if(raise_cap(tx, &row, wanted.daily_cap)? > found.amount, Refusal::ProposalStale)?;
    // What is paid in afterwards can be claimed in a day as well, and is counted in nobody's limits as such.
    if wanted.daily_cap.is_none() {
        by.admin_with(tx, found.review.requested_by)?;
    }
    Ok(store::plans::advertiser::set_cap(tx, id, wanted.daily_cap)?)
}

pub fn is_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.chars().count())
}

/// All advertisers, for staff; there are few.
pub async fn list(app: &App) -> Result<Vec<Advertiser>, Error> {
    let rows = app.db.read(store::plans::advertiser::all).await?;
    rows.iter().map(Advertiser::view).collect()
}
