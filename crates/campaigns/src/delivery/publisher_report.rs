//! What a publisher reads about itself: its money, its slots with the tags for its pages, its figures by day and slot,
//! and its months. It sees nothing of users or advertisers. Every amount is compared with the ledger before it is
//! shown. Days are days of UTC, as in the ledger.

use std::collections::BTreeMap;

use base::{Field, Money, Period, PublisherId, SlotId, Timestamp, refuse_if};
use calendar::{Month, Zone};
use chrono::NaiveDate;
use foundation::app::Currency;
use foundation::{App, Error, Realm, Refusal};
use plans::{ContentType, rate};
use serde::Serialize;
use store::Conn;
use store::delivery::publisher as rows;
use store::delivery::slot::{self, SlotRow};
use store::delivery::slot_figures::DAY_MILLIS;
use store::delivery::slot_requests::{self, Requests};
use store::wallet::payouts;
use supply::{Figures, PublisherStatus, Statement};
use utoipa::ToSchema;

use crate::delivery::publisher_keys::Reader;
use crate::delivery::slots::content_types;

/// The default number of days, and the most.
const DAYS: i64 = 30;
const DAYS_AT_MOST: i64 = 93;
/// The most months in a list: ten years.
const MONTHS_AT_MOST: usize = 120;

/// Decimals in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublisherMoney {
    /// The publisher's part of all bills.
    pub earned: Money,
    /// The part of `earned` whose plans were settled at least `delay_days` ago.
    pub settled: Money,
    /// What the platform added to the earnings; negative if it took back more.
    pub corrected: Money,
    pub paid: Money,
    /// Payouts that were asked for or approved, and are not paid yet.
    pub asked: Money,
    /// What may be paid out now.
    pub payable: Money,
    /// The smallest payout.
    pub minimum: Money,
    /// How many days after its settlement a plan's money can be paid.
    pub delay_days: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublisherInfo {
    pub id: PublisherId,
    pub name: String,
    pub domain: Option<String>,
    /// `active`, `paused` or `closed`.
    #[schema(value_type = String)]
    pub status: PublisherStatus,
    /// The publisher's part of what is billed for its slots from now on, such as `0.7`.
    pub share: String,
    pub currency: Currency,
    pub money: PublisherMoney,
    /// When the link that was used for signing in expires; null if it was a key.
    pub link_until: Option<Timestamp>,
    /// `live` or `simulated`.
    pub data_source: Realm,
}

/// # Errors
/// `not_found`.
pub async fn info(app: &App, reader: Reader) -> Result<PublisherInfo, Error> {
    let (id, now, rules) = (reader.publisher, app.now(), app.settings.payouts);
    let (row, account) = app
        .db
        .snapshot(move |conn| {
            let row = rows::find(conn, id)?.ok_or(Refusal::NotFound)?;
            let account = payouts::account(conn, id, rules.settled_by(now), now)?;
            Ok::<_, Error>((row, account))
        })
        .await?;
    let publisher = row.publisher()?;
    Ok(PublisherInfo {
        id,
        name: publisher.name,
        domain: publisher.domain.map(|domain| domain.to_string()),
        status: publisher.status,
        share: publisher.share.to_string(),
        currency: app.settings.currency.clone(),
        money: PublisherMoney {
            earned: account.earned,
            settled: account.settled,
            corrected: account.corrected()?,
            paid: account.paid,
            asked: account.asked,
            payable: account.payable()?,
            minimum: rules.minimum_for(publisher.status),
            delay_days: rules.delay_days,
        },
        link_until: reader.until,
        data_source: app.realm(),
    })
}

/// A slot, with what the publisher copies into its page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublisherSlot {
    pub key: String,
    #[schema(value_type = Vec<String>)]
    pub content_types: Vec<ContentType>,
    pub active: bool,
    /// The script tag.
    pub tag: String,
    /// An iframe, for pages that run no script.
    pub frame: String,
}

/// The slots of a publisher. `base` is the address this server is reached at.
pub async fn slots(app: &App, reader: Reader, base: &str) -> Result<Vec<PublisherSlot>, Error> {
    let id = reader.publisher;
    let found = app.db.read(move |conn| slot::of_publisher(conn, id)).await?;
    found.iter().map(|row| shown(row, base)).collect()
}

fn shown(row: &SlotRow, base: &str) -> Result<PublisherSlot, Error> {
    // A key has letters, digits and dashes only, so nothing needs to be escaped.
    let key = &row.key;
    Ok(PublisherSlot {
        key: key.clone(),
        content_types: content_types(row)?,
        active: row.active,
        tag: format!("<script async src=\"{base}/tag.js\" data-slot=\"{key}\"></script>"),
        frame: format!(
            "<iframe src=\"{base}/ads/frame/{key}\" width=\"300\" height=\"250\" style=\"border:0\" loading=\"lazy\" \
             title=\"Advertisement\" sandbox=\"allow-scripts allow-popups allow-popups-to-escape-sandbox\"></iframe>"
        ),
    })
}

/// What happened in slots; the earnings are a decimal in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublisherCounts {
    /// How often a slot asked.
    pub requests: i64,
    /// How often a slot got a creative.
    pub filled: i64,
    /// The part of the requests that got a creative; null without requests.
    pub fill_rate: Option<String>,
    pub impressions: i64,
    pub viewable: i64,
    /// The part of the impressions that was viewable; null without impressions.
    pub viewable_rate: Option<String>,
    pub clicks: i64,
    /// Views and clicks that do not count.
    pub filtered: i64,
    pub earned: Money,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublisherDay {
    /// Such as `2026-01-05` (UTC).
    pub day: String,
    #[serde(flatten)]
    pub counts: PublisherCounts,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublisherSlotCounts {
    pub key: String,
    #[serde(flatten)]
    pub counts: PublisherCounts,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PublisherFigures {
    /// The first day. `until` is the last one.
    pub from: String,
    pub until: String,
    pub totals: PublisherCounts,
    /// Every day of the period, oldest first.
    pub days: Vec<PublisherDay>,
    /// Every slot in which something happened.
    pub slots: Vec<PublisherSlotCounts>,
}

/// Which figures: the first and the last day, such as `2026-01-05` (UTC), and one slot or all.
#[derive(Clone, Debug, Default)]
pub struct FiguresRequest {
    pub from: Option<String>,
    pub until: Option<String>,
    pub slot: Option<String>,
}

#[derive(Default)]
struct Counted {
    requests: Requests,
    figures: Figures,
}

impl Counted {
    fn view(&self) -> PublisherCounts {
        let Figures { impressions, viewable, clicks, earned, .. } = &self.figures;
        let Requests { requests, filled } = self.requests;
        PublisherCounts {
            requests,
            filled,
            fill_rate: rate(filled, requests),
            impressions: *impressions,
            viewable: *viewable,
            viewable_rate: rate(*viewable, *impressions),
            clicks: *clicks,
            filtered: self.figures.all_filtered(),
            earned: *earned,
        }
    }
}

fn date(name: Field, text: &str) -> Result<NaiveDate, Error> {
    let plain = text.len() == 10;
    text.parse().ok().filter(|_| plain).ok_or_else(|| Error::field(name, "invalid"))
}

/// The requested days. With only one bound, the period has thirty days.
fn period(request: &FiguresRequest, now: Timestamp) -> Result<(NaiveDate, NaiveDate, Period), Error> {
    let today = Zone::UTC.day(now);
    let read = |name, text: &Option<String>| {
        text.as_deref().filter(|text| !text.is_empty()).map(|text| date(name, text)).transpose()
    };
    let until = read(Field::Until, &request.until)?.unwrap_or(today);
    let ago = until.checked_sub_signed(chrono::TimeDelta::days(DAYS - 1)).unwrap_or(until);
    let from = read(Field::From, &request.from)?.unwrap_or(ago);
    let days = (until - from).num_days() + 1;
    Error::field_if(days < 1 || until > today, Field::Until, "invalid")?;
    Error::field_if(days > DAYS_AT_MOST, Field::From, "too_long")?;
    Ok((from, until, Zone::UTC.days_from(from, u64::try_from(days).unwrap_or(1))))
}

/// A publisher's figures for a period of at most 93 days.
///
/// # Errors
/// The fields `from` and `until`; `not_found` for a slot that is not its own.
pub async fn figures(app: &App, reader: Reader, request: FiguresRequest) -> Result<PublisherFigures, Error> {
    let (from, until, period) = period(&request, app.now())?;
    let (id, wanted) = (reader.publisher, request.slot.filter(|key| !key.is_empty()));
    let found = app.db.snapshot(move |conn| count(conn, id, &period, wanted.as_deref())).await?;
    let (by_day, by_slot) = found;
    let mut totals = Counted::default();
    let days = from.iter_days().take_while(|day| *day <= until).map(|day| {
        let number = Zone::UTC.days_from(day, 1).from.millis().div_euclid(DAY_MILLIS);
        let none = Counted::default();
        let counted = by_day.get(&number).unwrap_or(&none);
        totals.requests = totals.requests.plus(counted.requests);
        totals.figures.add(&counted.figures)?;
        Ok::<_, Error>(PublisherDay { day: day.to_string(), counts: counted.view() })
    });
    let days = days.collect::<Result<_, _>>()?;
    Ok(PublisherFigures {
        from: from.to_string(),
        until: until.to_string(),
        totals: totals.view(),
        days,
        slots: by_slot.into_iter().map(|(key, counted)| PublisherSlotCounts { key, counts: counted.view() }).collect(),
    })
}

type ByDayAndSlot = (BTreeMap<i64, Counted>, BTreeMap<String, Counted>);

/// Checks the whole period against the ledger, then keeps the wanted slot.
fn count(conn: &mut Conn, id: PublisherId, period: &Period, wanted: Option<&str>) -> Result<ByDayAndSlot, Error> {
    let keys: BTreeMap<SlotId, String> =
        slot::of_publisher(conn, id)?.into_iter().map(|row| (row.id, row.key)).collect();
    refuse_if(wanted.is_some_and(|wanted| !keys.values().any(|key| key == wanted)), Refusal::NotFound)?;
    let parts = payouts::month(conn, id, period.from, period.until)?;
    let bounds = (period.from, period.until);
    let statement = Statement::new(bounds, (parts.opening, parts.closing), parts.days, parts.movements)
        .map_err(|wrong| Error::Internal(format!("the figures of publisher {id}: {wrong}")))?;
    let days = (period.from.millis().div_euclid(DAY_MILLIS), period.until.millis().div_euclid(DAY_MILLIS));
    let requests = slot_requests::of_publisher(conn, id, days)?;
    let (mut by_day, mut by_slot) = ByDayAndSlot::default();
    let key = |slot: &SlotId| keys.get(slot).filter(|key| wanted.is_none_or(|wanted| *key == wanted));
    for row in &statement.days {
        let Some(key) = key(&row.slot) else { continue };
        let day = row.day.millis().div_euclid(DAY_MILLIS);
        by_day.entry(day).or_default().figures.add(&row.figures)?;
        by_slot.entry(key.clone()).or_default().figures.add(&row.figures)?;
    }
    for (slot, day, more) in requests {
        let Some(key) = key(&slot) else { continue };
        for counted in [by_day.entry(day).or_default(), by_slot.entry(key.clone()).or_default()] {
            counted.requests = counted.requests.plus(more);
        }
    }
    Ok((by_day, by_slot))
}

/// The months of a publisher so far, newest first, each such as `2026-01` (UTC). There is a statement for each.
///
/// # Errors
/// `not_found`.
pub async fn months(app: &App, reader: Reader) -> Result<Vec<String>, Error> {
    let id = reader.publisher;
    let row = app.db.read(move |conn| rows::find(conn, id)).await?.ok_or(Refusal::NotFound)?;
    let month = |at| Zone::UTC.month(at);
    let first: Month = month(row.created_at);
    Ok(month(app.now()).back_to(first).take(MONTHS_AT_MOST).map(|month| month.to_string()).collect())
}
