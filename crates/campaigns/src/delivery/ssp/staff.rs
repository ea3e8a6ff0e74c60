//! Adding, showing and closing ad exchanges, for staff. A key lets an exchange spend
//! budgets, so one operator requests it, the exchange claims it, and another operator
//! approves it.

use std::collections::BTreeMap;

use auth::Permission;
use base::{Field, PublisherId, Rate, Timestamp};
use delivery::UnconfirmedTerms;
use foundation::staff::requests::RequestView;
use foundation::staff::{Changes, Staff};
use foundation::{App, Error, Fields, Refusal};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};
use store::Conn;
use store::delivery::publisher::{self as publishers, NewPublisher};
use store::delivery::slot::{self, NewSlot};
use store::delivery::slot_figures::DAY_MILLIS;
use store::delivery::ssp::{self as rows, SspRow};
use supply::{Profile, PublisherKind};

use super::outcomes;
use crate::catalogue::counterparty_keys::{BesideKey, KeyOffer, KeyOwner, ask};
use crate::delivery::publishers::{ListedPublisher, check_is_new, list_rows};

const LONGEST_SEAT: usize = 64;
/// A whole, in ten-thousandths.
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
    /// The address for writing to it.
    pub contact: String,
    /// The seat on whose behalf the platform bids, if the exchange has seats.
    pub seat: Option<String>,
    /// How many unconfirmed views may be billed in a day: a share of the confirmed views, plus a number.
    pub unconfirmed_share: Option<String>,
    pub unconfirmed_views: Option<i64>,
    /// Whether it says which bids have won. It must, unless otherwise agreed.
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
            wrong.insert(Field::Seat, "invalid");
        }
        if self.share_parts().is_none() {
            wrong.insert(Field::UnconfirmedShare, "invalid");
        }
        if self.unconfirmed_views.is_some_and(|views| !(0..=MOST_UNCONFIRMED).contains(&views)) {
            wrong.insert(Field::UnconfirmedViews, "invalid");
        }
        if wrong.is_empty() { Ok(profile) } else { Err(Error::Fields(wrong)) }
    }

    /// The share in ten-thousandths; `None` if it is not between 0 and 1 or has more than four decimals.
    fn share_parts(&self) -> Option<i64> {
        let Some(written) = &self.unconfirmed_share else { return Some(UnconfirmedTerms::DEFAULT.share_parts) };
        let parts = written.parse::<Rate>().ok()?.decimal().checked_mul(WHOLE.into())?;
        parts.to_i64().filter(|whole| parts.fract().is_zero() && (0..=WHOLE).contains(whole))
    }

    fn beside(self) -> BesideKey {
        let UnconfirmedTerms { share_parts, views } = UnconfirmedTerms::DEFAULT;
        let unconfirmed = UnconfirmedTerms {
            share_parts: self.share_parts().unwrap_or(share_parts),
            views: self.unconfirmed_views.unwrap_or(views),
        };
        BesideKey { seat: self.seat, unconfirmed: Some(unconfirmed), notifies: Some(self.notifies) }
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
    /// How many unconfirmed views it may bill in a day: a share of the confirmed ones, plus a number.
    pub unconfirmed_share: String,
    pub unconfirmed_views: i64,
    /// Whether it says which bids have won. For an exchange that does not, prices are reserved for longer.
    pub notifies: bool,
}

/// An exchange, with how its recent requests ended.
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
    /// Views whose picture was loaded, before or after the notice.
    pub confirmed: i64,
    /// Views that only its notice reports, and how many of these are allowed.
    pub unconfirmed: i64,
    pub unconfirmed_allowed: i64,
}

/// The request for a key of a new or existing exchange.
#[derive(Clone, Debug, Serialize)]
pub struct RequestedKey {
    #[serde(flatten)]
    pub request: RequestView,
    pub ssp: SspView,
}

/// Adds an exchange, and requests its key, which the exchange claims through a link into the app at `base`. Its bid
/// requests are not answered until another operator has approved the key.
///
/// # Errors
/// The fields of [`SspFile`]; `not_permitted`.
pub async fn add(app: &App, by: &Staff, file: SspFile, base: &str) -> Result<RequestedKey, Error> {
    by.may(Permission::Catalogue)?;
    let (by, profile, beside) = (by.clone(), file.check()?, file.beside());
    let (secrets, offer) = (app.secrets.clone(), KeyOffer::link(base));
    app.db
        .write(move |tx| {
            store::installation::content::lock(tx)?;
            check_is_new(tx, &profile)?;
            let new = NewPublisher { kind: PublisherKind::Ssp, ..NewPublisher::from(&profile) };
            let publisher = publishers::insert(tx, &new)?;
            let slot = slot::insert(tx, &counting_slot(publisher.id))?;
            let row = rows::insert(tx, publisher.id, slot.id)?;
            let ssp = view(tx, &row)?;
            by.record(tx, "ssp.add", format!("publisher:{}", publisher.id), &Changes::made(&ssp).details())?;
            let owner = KeyOwner::Ssp(publisher.id);
            Ok(RequestedKey { request: ask(tx, (&by, &secrets), owner, &offer, beside.clone())?, ssp })
        })
        .await
}

/// Requests a new key, optionally with another seat, or with a change of whether the exchange says which bids have won.
///
/// # Errors
/// The field `seat`; `not_permitted`, `not_found`.
pub async fn replace_key(
    app: &App,
    by: &Staff,
    id: PublisherId,
    (seat, notifies): (Option<String>, Option<bool>),
    base: &str,
) -> Result<RequestedKey, Error> {
    by.may(Permission::Catalogue)?;
    Error::field_if(seat.as_deref().is_some_and(|seat| !is_seat(seat)), Field::Seat, "invalid")?;
    let (by, beside) = (by.clone(), BesideKey { seat, unconfirmed: None, notifies });
    let (secrets, offer) = (app.secrets.clone(), KeyOffer::link(base));
    app.db
        .write(move |tx| {
            publishers::lock(tx, id)?.ok_or(Refusal::NotFound)?;
            let row = rows::find(tx, id)?.ok_or(Refusal::NotFound)?;
            let ssp = view(tx, &row)?;
            Ok(RequestedKey { request: ask(tx, (&by, &secrets), KeyOwner::Ssp(id), &offer, beside.clone())?, ssp })
        })
        .await
}

/// The slot that only counts an exchange's views. Nobody can request ads for it.
fn counting_slot(publisher: PublisherId) -> NewSlot {
    NewSlot {
        key: format!("ssp-{publisher}"),
        content_types: "[]".to_owned(),
        audience: "{}".to_owned(),
        active: false,
        publisher_id: publisher,
    }
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
            let mut views = rows::views(conn, row.slot_id, today - DAYS + 1)?;
            for day in views.keys() {
                days.entry(*day).or_default();
            }
            let mut day = |(day, outcomes): (i64, _)| {
                let views = views.remove(&day).unwrap_or_default();
                SspDay {
                    day: Timestamp::start_of_day(day).to_string().chars().take(10).collect(),
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

/// # Errors
/// `not_found` for a number that is no exchange's.
pub async fn is_there(app: &App, id: PublisherId) -> Result<(), Error> {
    app.db.read(move |conn| rows::find(conn, id)).await?.map(drop).ok_or_else(|| Refusal::NotFound.into())
}

/// The exchange with this key, if there is one, even if it is paused.
pub async fn with_key(app: &App, key: &str) -> Result<Option<SspReport>, Error> {
    let Some(digest) = auth::session::digest_shown(key) else { return Ok(None) };
    let all = app.db.read(rows::all).await?;
    match all.into_iter().find(|row| row.key_hash.as_deref() == Some(&digest)) {
        Some(row) => Ok(Some(show(app, row.publisher_id).await?)),
        None => Ok(None),
    }
}

fn view(conn: &mut Conn, row: &SspRow) -> Result<SspView, Error> {
    views(conn, std::slice::from_ref(row))?.pop().ok_or_else(|| Refusal::NotFound.into())
}

fn views(conn: &mut Conn, all: &[SspRow]) -> Result<Vec<SspView>, Error> {
    let ids: Vec<PublisherId> = all.iter().map(|row| row.publisher_id).collect();
    let owners = publishers::by_ids(conn, &ids)?;
    let owners: BTreeMap<PublisherId, ListedPublisher> =
        list_rows(conn, &owners)?.into_iter().map(|owner| (owner.publisher.id, owner)).collect();
    let view = |row: &SspRow| -> Result<Option<SspView>, Error> {
        let Some(publisher) = owners.get(&row.publisher_id).cloned() else { return Ok(None) };
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
