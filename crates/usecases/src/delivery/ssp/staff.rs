//! Adding, showing and closing ad exchanges, for staff. A key lets an exchange spend
//! budgets, so one operator requests it and another approves it.

use std::collections::BTreeMap;

use auth::{Permission, hex};
use base::{Money, PublisherId, Rate, SlotId, Timestamp};
use delivery::UnconfirmedTerms;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::delivery::publisher::{self as publishers, NewPublisher};
use store::delivery::slot::{self, NewSlot};
use store::delivery::slot_figures::DAY_MILLIS;
use store::delivery::ssp::{self as rows, SspAgreement, SspRow};
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
/// Ten-thousandths of a whole.
const WHOLE: i64 = 10_000;
const MOST_UNCONFIRMED: i64 = 1_000_000;
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
    /// Which part of a day's confirmed views may be billed beside them without a picture, and how many more.
    #[serde(default)]
    pub unconfirmed_share: Option<String>,
    #[serde(default)]
    pub unconfirmed_views: Option<i64>,
    /// Whether it says which offers have won, as it must unless this was agreed.
    #[serde(default = "yes")]
    pub notifies: bool,
}

const fn yes() -> bool {
    true
}

impl SspFile {
    /// # Errors
    /// The fields `name`, `domain`, `contact`, `seat`, `unconfirmed_share` and `unconfirmed_views`.
    fn check(&self) -> Result<Profile, Error> {
        let profile = Profile { name: self.name.clone(), domain: self.domain.clone(), contact: self.contact.clone() };
        let mut wrong: Fields = profile.problems().into_iter().map(|wrong| (wrong.field, wrong.problem)).collect();
        if self.seat.as_deref().is_some_and(|seat| !is_seat(seat)) {
            wrong.insert("seat", "invalid");
        }
        if self.share_parts().is_none() {
            wrong.insert("unconfirmed_share", "invalid");
        }
        if self.unconfirmed_views.is_some_and(|views| !(0..=MOST_UNCONFIRMED).contains(&views)) {
            wrong.insert("unconfirmed_views", "invalid");
        }
        if wrong.is_empty() { Ok(profile) } else { Err(Error::Fields(wrong)) }
    }

    /// `None` for no share between nothing and all, with at most four decimals.
    fn share_parts(&self) -> Option<i64> {
        let Some(written) = &self.unconfirmed_share else { return Some(UnconfirmedTerms::DEFAULT.share_parts) };
        let parts = written.parse::<Rate>().ok()?.decimal().checked_mul(WHOLE.into())?;
        parts.to_i64().filter(|whole| parts.fract().is_zero() && (0..=WHOLE).contains(whole))
    }

    fn agreed(self) -> Agreed {
        let UnconfirmedTerms { share_parts, views } = UnconfirmedTerms::DEFAULT;
        let unconfirmed = UnconfirmedTerms {
            share_parts: self.share_parts().unwrap_or(share_parts),
            views: self.unconfirmed_views.unwrap_or(views),
        };
        Agreed { seat: self.seat, unconfirmed, notifies: self.notifies }
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
    /// How many views it may bill without a picture on a day: this part of those with one, and so many more.
    pub unconfirmed_share: String,
    pub unconfirmed_views: i64,
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
    pub views: SspViews,
}

/// Its views of a day that count.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SspViews {
    /// Those whose picture came, before or after the notice.
    pub confirmed: i64,
    /// Those that its notice alone reports, and how many that may be.
    pub unconfirmed: i64,
    pub unconfirmed_allowed: i64,
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

/// What is agreed with an exchange beside its key.
#[derive(Clone, Debug)]
struct Agreed {
    seat: Option<String>,
    unconfirmed: UnconfirmedTerms,
    notifies: bool,
}

/// As requested, approved and recorded.
#[derive(Debug, Serialize, Deserialize)]
struct SspTerms {
    /// The digest of its key.
    key_digest: String,
    #[serde(default)]
    seat: Option<String>,
    /// In ten-thousandths; what is not there is what is agreed unless something else is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unconfirmed_share: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unconfirmed_views: Option<i64>,
    /// Nothing where it does, as before anything else could be agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notifies: Option<bool>,
}

impl SspTerms {
    fn new(key_digest: String, Agreed { seat, unconfirmed, notifies }: Agreed) -> Self {
        let other = |agreed: i64, usual: i64| Some(agreed).filter(|agreed| *agreed != usual);
        Self {
            key_digest,
            seat,
            unconfirmed_share: other(unconfirmed.share_parts, UnconfirmedTerms::DEFAULT.share_parts),
            unconfirmed_views: other(unconfirmed.views, UnconfirmedTerms::DEFAULT.views),
            notifies: (!notifies).then_some(false),
        }
    }

    fn unconfirmed(&self) -> UnconfirmedTerms {
        let UnconfirmedTerms { share_parts, views } = UnconfirmedTerms::DEFAULT;
        UnconfirmedTerms {
            share_parts: self.unconfirmed_share.unwrap_or(share_parts),
            views: self.unconfirmed_views.unwrap_or(views),
        }
    }

    /// Nothing for an exchange without a key.
    fn of(row: &SspRow) -> Result<Value, Error> {
        let Some(digest) = &row.key_hash else { return Ok(Value::Null) };
        let agreed = Agreed { seat: row.seat.clone(), unconfirmed: row.unconfirmed()?, notifies: !row.silent };
        let terms = Self::new(hex::encode(digest), agreed);
        serde_json::to_value(terms).map_err(|e| Error::Internal(e.to_string()))
    }
}

/// Adds an exchange, and requests its key. It gets no answers until another operator has
/// approved that.
///
/// # Errors
/// The fields of [`SspFile`]; `not_permitted`.
pub async fn add(app: &App, by: &Staff, file: SspFile) -> Result<RequestedKey, Error> {
    by.may(Permission::Catalogue)?;
    let (by, profile, agreed) = (by.clone(), file.check()?, file.agreed());
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
            request_key(tx, &by, &row, ssp, agreed.clone())
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
            let agreed = Agreed {
                seat: seat.clone().or_else(|| row.seat.clone()),
                unconfirmed: row.unconfirmed()?,
                notifies: notifies.unwrap_or(!row.silent),
            };
            request_key(tx, &by, &row, ssp, agreed)
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

fn request_key(tx: &mut Tx<'_>, by: &Staff, row: &SspRow, ssp: SspView, agreed: Agreed) -> Result<RequestedKey, Error> {
    let key = auth::session::Token::new(&random()?);
    let wanted = SspTerms::new(hex::encode(&key.digest()), agreed);
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
    let agreed = SspAgreement {
        key_hash: &digest,
        seat: terms.seat.as_deref(),
        unconfirmed: terms.unconfirmed(),
        silent: terms.notifies == Some(false),
    };
    Ok(rows::set_terms(tx, id, agreed)?)
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
            let unconfirmed = row.unconfirmed()?;
            let mut views = rows::views(conn, SlotId(row.slot_id), today - DAYS + 1)?;
            for day in views.keys() {
                days.entry(*day).or_default();
            }
            let mut day = |(day, outcomes): (i64, _)| {
                let views = views.remove(&day).unwrap_or_default();
                SspDay {
                    day: Timestamp::from_millis(day * DAY_MILLIS).to_string().chars().take(10).collect(),
                    outcomes,
                    views: SspViews {
                        confirmed: views.confirmed_views(),
                        unconfirmed: views.unconfirmed(),
                        unconfirmed_allowed: views.allowed(unconfirmed),
                    },
                }
            };
            Ok(SspReport { ssp, days: days.into_iter().rev().map(&mut day).collect() })
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
    let view = |row: &SspRow| -> Result<Option<SspView>, Error> {
        let Some(publisher) = owners.get(&row.publisher_id.to_string()).cloned() else { return Ok(None) };
        let UnconfirmedTerms { share_parts, views } = row.unconfirmed()?;
        Ok(Some(SspView {
            publisher,
            has_key: row.key_hash.is_some(),
            seat: row.seat.clone(),
            notifies: !row.silent,
            unconfirmed_share: Decimal::new(share_parts, 4).normalize().to_string(),
            unconfirmed_views: views,
        }))
    };
    all.iter().filter_map(|row| view(row).transpose()).collect()
}
