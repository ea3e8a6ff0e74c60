//! The user's statement for reading: what was billed to a plan on a day is one row. The
//! rows can be filtered and searched.

use std::collections::{BTreeSet, HashMap};

use base::{Field, Money, Period, PlanId, Timestamp, UserId};
use calendar::{Month, Zone};
use foundation::{App, Error, Refusal};
use plans::Pricing;
use serde::Serialize;
use store::plans::plan::{self, PlanName, PlanRow, product_names, products_named};
use store::wallet::corrections;
pub use store::wallet::flows::Direction;
use store::wallet::flows::by_day::{self, DayBill, DayRow, DayRowsQuery, Position, Search};
use store::wallet::flows::{self, Filter};
use store::{Conn, people::users};
use utoipa::ToSchema;
use wallet::{DocumentKind, FlowKind};

use crate::wallet::flow_list::{
    FlowMonth, FlowSum, FlowView, is_bounded, months_of, read_kind, read_month, read_stretch, turnovers,
};
use crate::wallet::flow_search::read_search;

/// The filter of the rows, as sent by the client.
#[derive(Clone, Debug, Default)]
pub struct DaysQuery {
    /// `2026-01`, in `zone`.
    pub month: Option<String>,
    /// Instead of a month: from this time up to the other, which is excluded.
    pub from: Option<String>,
    pub until: Option<String>,
    /// A name of [`FlowKind`].
    pub kind: Option<String>,
    /// Instead of a kind: a name of [`Direction`].
    pub direction: Option<String>,
    /// One of the user's plans.
    pub plan: Option<PlanId>,
    pub search: Option<String>,
    pub zone: Zone,
    pub cursor: Option<String>,
    pub limit: usize,
}

/// A row: either a line of the statement, or what was billed to a plan on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowRow {
    /// Stays the same while further bills of the day arrive.
    pub id: String,
    /// When its last line was recorded.
    pub time: Timestamp,
    /// The plan that the row is about, if it is about one.
    pub plan: Option<FlowPlan>,
    pub line: Option<FlowView>,
    pub billing: Option<DayBilling>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowPlan {
    pub id: PlanId,
    pub number: String,
    /// The product's name.
    pub product: String,
    /// What the plan is billed for: `cpm` for impressions, `cpc` for clicks.
    pub pricing: Pricing,
}

/// The sum of a plan's bills on one day, or on the part of it that was asked for. Signed decimals in
/// the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DayBilling {
    pub amount: Money,
    /// The user's own money in it; the rest is promotional credit and coupons.
    pub own: Money,
    pub promotional: Money,
    pub coupon: Money,
    /// The number of its lines. The list of lines returns them for the kind `ad_billing`, the plan, `from` and `until`.
    pub lines: i64,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// What there is to filter by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowChoices {
    /// The month in which the account was opened, such as `2026-01`, or that of the first line if that
    /// is earlier. There are no lines before it.
    pub first_month: String,
    /// The kinds of which there are lines.
    pub kinds: Vec<FlowKind>,
    /// The latest months of the account, at most six, newest first, for all kinds.
    pub latest_months: Vec<FlowMonth>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DaysPage {
    /// May be fewer than `limit` although another page follows.
    pub items: Vec<FlowRow>,
    pub next_cursor: Option<String>,
    /// The totals of every month on this page, newest first, for all kinds.
    pub months: Vec<FlowMonth>,
    /// The totals of all lines that match the filter. They are only on the first page, and only for one plan, for
    /// `from` and `until` at most 31 days apart, or for a kind or direction in a month. Null otherwise, for a search,
    /// and for more than 200,000 lines.
    pub sum: Option<FlowSum>,
    /// Only on the first page; null on all others.
    pub choices: Option<FlowChoices>,
}

/// # Errors
/// The wrong field; `not_found` for an unknown plan or somebody else's.
pub async fn flow_days(app: &App, user: UserId, query: DaysQuery) -> Result<DaysPage, Error> {
    let asked = ParsedQuery::read(query, &app.settings.currency.code)?;
    let now = app.now();
    app.db.snapshot(move |conn| asked.answer(conn, user, now)).await
}

const MONTHS_SHOWN: usize = 6;

/// The query, parsed.
struct ParsedQuery {
    month: Option<Month>,
    stretch: Option<Period>,
    kind: Option<FlowKind>,
    direction: Option<Direction>,
    plan: Option<PlanId>,
    search: Option<Search>,
    zone: Zone,
    cursor: Option<Cursor>,
    limit: usize,
}

impl ParsedQuery {
    fn read(query: DaysQuery, currency: &str) -> Result<Self, Error> {
        let month = query.month.as_deref().map(read_month).transpose()?;
        let kind = query.kind.as_deref().map(read_kind).transpose()?;
        let direction = query.direction.as_deref().map(read_direction).transpose()?;
        Error::field_if(kind.is_some() && direction.is_some(), Field::Direction, "invalid")?;
        Ok(Self {
            month,
            stretch: read_stretch(query.from.as_deref(), query.until.as_deref(), month.is_some())?,
            kind,
            direction,
            plan: query.plan,
            search: read_search(query.search.as_deref().unwrap_or_default(), currency)?,
            zone: query.zone,
            cursor: query.cursor.as_deref().map(read_cursor).transpose()?,
            limit: query.limit,
        })
    }

    fn filter(&self) -> Filter {
        let period = self.stretch.or(self.month.map(|month| self.zone.month_period(month)));
        Filter { period, kind: self.kind, direction: self.direction, plan: self.plan }
    }

    fn answer(&self, conn: &mut Conn, user: UserId, now: Timestamp) -> Result<DaysPage, Error> {
        let plan = match self.plan {
            Some(id) => Some(plan::find(conn, user, id)?.ok_or(Refusal::NotFound)?.0),
            None => None,
        };
        let until = match self.cursor {
            Some(cursor) => cursor.until,
            None => flows::newest(conn, user)?,
        };
        let search = self.search(conn)?;
        let query = DayRowsQuery {
            user,
            filter: self.filter(),
            search: search.as_ref(),
            until,
            billable: plan.as_ref().map(billable),
            below: self.cursor.map(|cursor| cursor.below),
            limit: self.limit,
            days: &|at, count| self.zone.days_before(at, count),
        };
        let found = by_day::rows(conn, &query)?;
        let months = match self.month {
            Some(month) => vec![month],
            None => months_of(found.rows.iter().map(|row| row.position().at), self.zone),
        };
        let first = self.cursor.is_none();
        let narrowed = self.kind.is_some() || self.direction.is_some();
        let bounded = is_bounded(self.stretch, self.plan) || self.month.is_some() && narrowed;
        let summed = first && bounded && self.search.is_none();
        Ok(DaysPage {
            next_cursor: found.next.map(|below| Cursor { until, below }.to_string()),
            months: turnovers(conn, user, self.zone, &months)?,
            sum: if summed { flows::sum(conn, user, query.filter)?.map(FlowSum::from) } else { None },
            choices: if first { Some(self.choices(conn, user, now)?) } else { None },
            items: views(conn, user, found.rows, self.zone)?,
        })
    }

    /// The search, with the ids of the products whose names match.
    fn search(&self, conn: &mut Conn) -> Result<Option<Search>, Error> {
        let Some(search) = self.search.clone() else { return Ok(None) };
        let products = products_named(&search.plain, &product_names(conn)?);
        Ok(Some(Search { products, ..search }))
    }

    fn choices(&self, conn: &mut Conn, user: UserId, now: Timestamp) -> Result<FlowChoices, Error> {
        let opened = users::find(conn, user)?.ok_or(Refusal::NotFound)?.created_at;
        let first = self.zone.month(flows::first(conn, user)?.map_or(opened, |first| first.min(opened)));
        let latest: Vec<Month> = self.zone.month(now).back_to(first).take(MONTHS_SHOWN).collect();
        Ok(FlowChoices {
            first_month: first.to_string(),
            kinds: flows::kinds(conn, user)?,
            latest_months: turnovers(conn, user, self.zone, &latest)?,
        })
    }
}

/// The period in which a plan can be billed: from its put to its settlement.
fn billable(plan: &PlanRow) -> Period {
    let (none, ever) = (Timestamp::EPOCH, Timestamp::LATEST);
    match plan.put_at.filter(|_| plan.figures.billed.is_positive()) {
        Some(from) => Period { from, until: plan.settled_at.map_or(ever, |at| at.plus_millis(1)) },
        None => Period { from: none, until: none },
    }
}

fn views(conn: &mut Conn, user: UserId, rows: Vec<DayRow>, zone: Zone) -> Result<Vec<FlowRow>, Error> {
    let refunds: Vec<i64> = rows.iter().filter_map(refund_of).collect();
    let refunded = corrections::plans_of(conn, &refunds)?;
    let plan_of = |row: &DayRow| plan_of(row).or_else(|| refunded.get(&refund_of(row)?).copied());
    let ids: BTreeSet<PlanId> = rows.iter().filter_map(plan_of).map(PlanId).collect();
    let names = plan::names(conn, user, &ids.into_iter().collect::<Vec<_>>())?;
    let names: HashMap<PlanId, PlanName> = names.into_iter().map(|name| (name.id, name)).collect();
    let view = |row: DayRow| {
        let plan = plan_of(&row).and_then(|id| names.get(&PlanId(id)));
        FlowRow::of(row, plan, zone)
    };
    rows.into_iter().map(view).collect()
}

fn refund_of(row: &DayRow) -> Option<i64> {
    match row {
        DayRow::Line(line) => (line.ref_type == DocumentKind::DeliveryRefund).then_some(line.ref_id),
        DayRow::Bill(_) => None,
    }
}

fn plan_of(row: &DayRow) -> Option<i64> {
    match row {
        DayRow::Bill(bill) => Some(bill.plan.0),
        DayRow::Line(line) => (line.ref_type == DocumentKind::Plan).then_some(line.ref_id),
    }
}

impl FlowRow {
    fn of(row: DayRow, plan: Option<&PlanName>, zone: Zone) -> Result<Self, Error> {
        let plan = plan.map(FlowPlan::of);
        let time = row.position().at;
        Ok(match row {
            DayRow::Line(line) => {
                Self { id: line.id.to_string(), time, plan, billing: None, line: Some(FlowView::of(line)?) }
            }
            DayRow::Bill(bill) => {
                let id = format!("{}-{}", zone.day(bill.day.from), bill.plan);
                Self { id, time, plan, line: None, billing: Some(DayBilling::of(&bill)?) }
            }
        })
    }
}

impl FlowPlan {
    fn of(name: &PlanName) -> Self {
        Self { id: name.id, number: name.plan_no.clone(), product: name.product.clone(), pricing: name.pricing }
    }
}

impl DayBilling {
    fn of(bill: &DayBill) -> Result<Self, Error> {
        let DayBill { day, own, promotional, coupon, lines, .. } = *bill;
        let amount = Money::sum([own, promotional, coupon])?;
        Ok(Self { amount, own, promotional, coupon, lines, from: day.from, until: day.until })
    }
}

/// Where a page ended, and which line was the newest when reading began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cursor {
    until: i64,
    below: Position,
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}-{}", self.until, self.below.at.millis(), self.below.id)
    }
}

fn read_cursor(text: &str) -> Result<Cursor, Error> {
    let invalid = || Error::field(Field::Cursor, "invalid");
    let mut parts = text.split('-').map(str::parse::<i64>);
    let [Some(Ok(until)), Some(Ok(at)), Some(Ok(id)), None] = std::array::from_fn(|_| parts.next()) else {
        return Err(invalid());
    };
    // RFC 3339 cannot write a later time than this.
    if until < 0 || id < 0 || !(0..=253_402_300_799_999).contains(&at) {
        return Err(invalid());
    }
    Ok(Cursor { until, below: Position { at: Timestamp::from_millis(at), id } })
}

fn read_direction(text: &str) -> Result<Direction, Error> {
    Direction::from_name(text).ok_or_else(|| Error::field(Field::Direction, "invalid"))
}
