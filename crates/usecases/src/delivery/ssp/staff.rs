//! Adding, showing and closing ad exchanges, for staff. A key lets an exchange spend
//! budgets, so one operator requests it and another approves it.

use std::collections::BTreeMap;

use auth::{Permission, hex};
use base::{Money, PublisherId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::delivery::publisher::{self as publishers, NewPublisher};
use store::delivery::slot::{self, NewSlot};
use store::delivery::slot_figures::DAY_MILLIS;
use store::delivery::ssp::{self as rows, SspRow};
use store::staff::requests::Subject;
use store::{Conn, Tx};
use supply::{Profile, PublisherKind};
use wallet::RequestKind;

use super::outcomes;
use crate::delivery::publishers::{ListedPublisher, check_is_new, listed};
use crate::staff::requests::{CheckedRequest, Proposal, RequestView, file};
use crate::staff::{Changes, Staff};
use crate::{App, Error, Fields, Refusal, random};

const LONGEST_SEAT: usize = 64;
/// How many days of figures are shown.
const DAYS: i64 = 30;

/// An exchange in a TOML or JSON file by staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SspFile {
    pub name: String,
    pub domain: String,
    /// The address that it is written to.
    pub contact: String,
    /// On whose behalf the platform bids, where the exchange knows seats.
    #[serde(default)]
    pub seat: Option<String>,
    /// Whether it says which offers have won, as it must unless this was agreed.
    #[serde(default = "yes")]
    pub notifies: bool,
}

const fn yes() -> bool {
    true
}

impl SspFile {
    /// # Errors
    /// The fields `name`, `domain`, `contact` and `seat`.
    fn check(&self) -> Result<Profile, Error> {
        let profile = Profile { name: self.name.clone(), domain: self.domain.clone(), contact: self.contact.clone() };
        let mut wrong: Fields = profile.problems().into_iter().map(|wrong| (wrong.field, wrong.problem)).collect();
        if self.seat.as_deref().is_some_and(|seat| !is_seat(seat)) {
            wrong.insert("seat", "invalid");
        }
        if wrong.is_empty() { Ok(profile) } else { Err(Error::Fields(wrong)) }
    }
}

fn is_seat(text: &str) -> bool {
    (1..=LONGEST_SEAT).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic())
}

#[derive(Clone, Debug, Serialize)]
pub struct SspView {
    #[serde(flatten)]
    pub publisher: ListedPublisher,
    /// Whether it has a key that two people agreed on.
    pub has_key: bool,
    pub seat: Option<String>,
    /// Whether it says which offers have won. What others are offered is reserved for longer.
    pub notifies: bool,
}

/// An exchange, with how its requests ended lately.
#[derive(Clone, Debug, Serialize)]
pub struct SspReport {
    #[serde(flatten)]
    pub ssp: SspView,
    /// By UTC day, newest first: requests, bids and losses, and why there was no bid.
    pub days: Vec<SspDay>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SspDay {
    pub day: String,
    pub outcomes: BTreeMap<&'static str, i64>,
}

/// A new exchange or a new key, and the request for it.
#[derive(Clone, Debug, Serialize)]
pub struct RequestedKey {
    #[serde(flatten)]
    pub request: RequestView,
    pub ssp: SspView,
    /// Shown once; valid when the request is approved.
    pub key: String,
}

/// As requested, approved and recorded.
#[derive(Debug, Serialize, Deserialize)]
struct SspTerms {
    /// The digest of its key.
    key_digest: String,
    #[serde(default)]
    seat: Option<String>,
    /// Nothing where it does, as before anything else could be agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notifies: Option<bool>,
}

fn said(notifies: bool) -> Option<bool> {
    (!notifies).then_some(false)
}

impl SspTerms {
    /// Nothing for an exchange without a key.
    fn of(row: &SspRow) -> Result<Value, Error> {
        let Some(digest) = &row.key_hash else { return Ok(Value::Null) };
        let terms = Self { key_digest: hex::encode(digest), seat: row.seat.clone(), notifies: said(!row.silent) };
        serde_json::to_value(terms).map_err(|e| Error::Internal(e.to_string()))
    }
}

/// Adds an exchange, and requests its key. It gets no answers until another operator has
/// approved that.
///
/// # Errors
/// The fields `name`, `domain`, `contact` and `seat`; `not_permitted`.
pub async fn add(app: &App, by: &Staff, file: SspFile) -> Result<RequestedKey, Error> {
    by.may(Permission::Catalogue)?;
    let (by, profile, wanted) = (by.clone(), file.check()?, (file.seat, file.notifies));
    app.db
        .write(move |tx| {
            store::installation::content::lock(tx)?;
            check_is_new(tx, &profile)?;
            let new = NewPublisher { kind: PublisherKind::Ssp, ..NewPublisher::from(&profile) };
            let publisher = publishers::insert(tx, &new)?;
            let slot = slot::insert(tx, &counting_slot(publisher.id, tx.now()))?;
            let row = rows::insert(tx, publisher.id(), slot.id())?;
            let ssp = view(tx, &row)?;
            by.record(tx, "ssp.add", format!("publisher:{}", publisher.id), &Changes::made(&ssp).details())?;
            request_key(tx, &by, &row, ssp, wanted.clone())
        })
        .await
}

/// Requests a new key, or another seat with it, or that it does or does not say what has won.
///
/// # Errors
/// The field `seat`; `not_permitted`, `not_found`.
pub async fn replace_key(
    app: &App,
    by: &Staff,
    id: PublisherId,
    (seat, notifies): (Option<String>, Option<bool>),
) -> Result<RequestedKey, Error> {
    by.may(Permission::Catalogue)?;
    if seat.as_deref().is_some_and(|seat| !is_seat(seat)) {
        return Err(Error::field("seat", "invalid"));
    }
    let by = by.clone();
    app.db
        .write(move |tx| {
            publishers::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            let row = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            let ssp = view(tx, &row)?;
            let wanted = (seat.clone().or_else(|| row.seat.clone()), notifies.unwrap_or(!row.silent));
            request_key(tx, &by, &row, ssp, wanted)
        })
        .await
}

/// Nobody can ask for it: what its exchange delivers is only counted in it.
fn counting_slot(publisher: i64, now: Timestamp) -> NewSlot {
    NewSlot {
        key: format!("ssp-{publisher}"),
        content_types: "[]".to_owned(),
        audience: "{}".to_owned(),
        active: false,
        created_at: now.millis(),
        publisher_id: publisher,
    }
}

fn request_key(
    tx: &mut Tx<'_>,
    by: &Staff,
    row: &SspRow,
    ssp: SspView,
    (seat, notifies): (Option<String>, bool),
) -> Result<RequestedKey, Error> {
    let key = auth::session::Token::new(&random()?);
    let wanted = SspTerms { key_digest: hex::encode(&key.digest()), seat, notifies: said(notifies) };
    let asked = CheckedRequest {
        kind: RequestKind::SspKey,
        subject: Subject::Publisher(PublisherId(row.publisher_id)),
        amount: Money::ZERO,
        reference: None,
        proposal: Proposal::between(&SspTerms::of(row)?, &wanted),
    };
    let request = file(tx, by, asked)?;
    Ok(RequestedKey { request, ssp, key: key.text().to_owned() })
}

/// Writes the approved key; the one before it is invalid from now on.
///
/// # Errors
/// `not_found`; `proposal_stale` if another key was approved since the request.
pub(crate) fn agree(tx: &mut Tx<'_>, id: PublisherId, proposal: &Proposal) -> Result<(), Error> {
    let row = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
    let terms: SspTerms = proposal.apply(&SspTerms::of(&row)?)?;
    let digest: Option<[u8; 32]> = hex::decode(&terms.key_digest);
    let digest = digest.ok_or_else(|| Error::Internal(format!("the key of SSP {id} cannot be read")))?;
    Ok(rows::set_terms(tx, id, &digest, (terms.seat.as_deref(), terms.notifies == Some(false)))?)
}

pub async fn list(app: &App) -> Result<Vec<SspView>, Error> {
    app.db
        .snapshot(|conn| {
            let all = rows::all(conn)?;
            views(conn, &all)
        })
        .await
}

/// # Errors
/// `not_found`.
pub async fn show(app: &App, id: PublisherId) -> Result<SspReport, Error> {
    let today = app.now().millis().div_euclid(DAY_MILLIS);
    app.db
        .snapshot(move |conn| {
            let row = rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
            let ssp = view(conn, &row)?;
            let mut days = BTreeMap::<i64, BTreeMap<&'static str, i64>>::new();
            for (day, code, number) in rows::outcomes(conn, id, today - DAYS + 1)? {
                if let Some(name) = outcomes::name(code) {
                    days.entry(day).or_default().insert(name, number);
                }
            }
            let day = |(day, outcomes): (i64, _)| SspDay {
                day: Timestamp::from_millis(day * DAY_MILLIS).to_string().chars().take(10).collect(),
                outcomes,
            };
            Ok(SspReport { ssp, days: days.into_iter().rev().map(day).collect() })
        })
        .await
}

/// The exchange with this key, if there is one, whether it is answered or not.
pub async fn with_key(app: &App, key: &str) -> Result<Option<SspReport>, Error> {
    let Some(digest) = auth::session::digest_shown(key) else { return Ok(None) };
    let all = app.db.read(rows::all).await?;
    match all.into_iter().find(|row| row.key_hash.as_deref() == Some(&digest)) {
        Some(row) => Ok(Some(show(app, PublisherId(row.publisher_id)).await?)),
        None => Ok(None),
    }
}

fn view(conn: &mut Conn, row: &SspRow) -> Result<SspView, Error> {
    views(conn, std::slice::from_ref(row))?.pop().ok_or_else(|| Refusal::NotFound.into())
}

fn views(conn: &mut Conn, all: &[SspRow]) -> Result<Vec<SspView>, Error> {
    let ids: Vec<i64> = all.iter().map(|row| row.publisher_id).collect();
    let owners = publishers::by_ids(conn, &ids)?;
    let owners: BTreeMap<String, ListedPublisher> =
        listed(conn, &owners)?.into_iter().map(|owner| (owner.publisher.id.clone(), owner)).collect();
    let view = |row: &SspRow| {
        let publisher = owners.get(&row.publisher_id.to_string())?.clone();
        let (has_key, notifies) = (row.key_hash.is_some(), !row.silent);
        Some(SspView { publisher, has_key, seat: row.seat.clone(), notifies })
    };
    Ok(all.iter().filter_map(view).collect())
}
