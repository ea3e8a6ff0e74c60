//! The statement for reading: what was billed to a plan on a day is one row, and every
//! other line is a row of its own. There may be four bills a minute, so days are read
//! only as far as a page needs them.

use base::{Money, Period, PlanId, ProductId, Timestamp, UserId};
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use wallet::{Account, FlowKind, Source};

use super::narrowed::refunded;
use super::{Filter, Flow, LONGEST_TRANSACTION_MS, last_before};
use crate::like::containing;
use crate::{Conn, Error};
use db::{NumberedQuery, One, row};

/// The position of a row: its last line. Rows are listed from the highest position down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub at: Timestamp,
    pub id: i64,
}

/// What was billed to a plan on one day, by whose money it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayBill {
    pub plan: PlanId,
    pub day: Period,
    pub last: Position,
    pub own: Money,
    pub promotional: Money,
    pub coupon: Money,
    pub lines: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DayRow {
    Line(Flow),
    Bill(DayBill),
}

impl DayRow {
    pub fn position(&self) -> Position {
        match self {
            Self::Line(line) => Position { at: line.at, id: line.id },
            Self::Bill(bill) => bill.last,
        }
    }
}

/// What a user remembers of a movement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// A part of a reference, as typed.
    pub text: String,
    /// A part of a reference, folded, or of a plan's number.
    pub plain: String,
    /// The products with that name.
    pub products: Vec<ProductId>,
    /// The amount, without regard to its sign.
    pub amount: Option<Money>,
    /// The number of a line.
    pub line: Option<i64>,
}

#[derive(Clone, Copy)]
pub struct DayRowsQuery<'a> {
    pub user: UserId,
    pub filter: Filter,
    pub search: Option<&'a Search>,
    /// The line that was the newest when reading began, so that later bills do not move any row.
    pub until: i64,
    /// When the plan of the filter could be billed.
    pub billable: Option<Period>,
    /// Only rows below this position.
    pub below: Option<Position>,
    pub limit: usize,
    /// Returns the day of a moment and the days before it, newest first, as many as requested.
    pub days: &'a dyn Fn(Timestamp, u64) -> Vec<Period>,
}

/// A page of rows, and the position below which the next page begins.
#[derive(Debug)]
pub struct DayRows {
    pub rows: Vec<DayRow>,
    pub next: Option<Position>,
}

/// No line is recorded later.
const END_OF_TIME: i64 = i64::MAX / 2;

/// The most days that are looked at for one page, and for one page of a search, in which every day's total is compared.
const DAYS: u64 = 31;
const DAYS_SEARCHED: u64 = 92;
/// The number of days whose bills are added up first, before it is known how many rows a day has.
const DAYS_FIRST: usize = 3;

/// The rows below the position. A page may be shorter than its limit although another one follows: if nothing was
/// billed for a long time, or in a search.
pub fn rows(conn: &mut Conn, query: &DayRowsQuery<'_>) -> Result<DayRows, Error> {
    let lines = query.lines(conn)?;
    let Bills { found, horizon } = query.bills(conn)?;
    let mut rows: Vec<DayRow> =
        lines.into_iter().map(DayRow::Line).chain(found.into_iter().map(DayRow::Bill)).collect();
    rows.sort_unstable_by_key(|row| std::cmp::Reverse(row.position()));
    if let Some(horizon) = horizon {
        rows.retain(|row| row.position().at >= horizon);
    }
    let more = rows.len() > query.limit;
    rows.truncate(query.limit);
    let next = if more {
        rows.last().map(DayRow::position)
    } else {
        // Everything above the horizon was read, so it is shown.
        horizon.map(|at| Position { at, id: 0 })
    };
    Ok(DayRows { rows, next })
}

/// The totals of days. Below the horizon there may be more.
#[derive(Default)]
struct Bills {
    found: Vec<DayBill>,
    horizon: Option<Timestamp>,
}

row! {
    struct BillRow {
        since: Timestamp,
        up_to: Timestamp,
        plan_id: PlanId,
        own: Money,
        promotional: Money,
        coupon: Money,
        lines: i64,
        at: Timestamp,
        last: i64,
    }
}

impl From<BillRow> for DayBill {
    fn from(row: BillRow) -> Self {
        Self {
            plan: row.plan_id,
            day: Period { from: row.since, until: row.up_to },
            last: Position { at: row.at, id: row.last },
            own: row.own,
            promotional: row.promotional,
            coupon: row.coupon,
            lines: row.lines,
        }
    }
}

impl DayRowsQuery<'_> {
    /// One row more than requested shows whether another page follows.
    fn fetch(&self) -> usize {
        self.limit.saturating_add(1)
    }

    /// The lines other than bills.
    fn lines(&self, conn: &mut Conn) -> Result<Vec<Flow>, Error> {
        let Filter { kind, direction, plan, .. } = self.filter;
        let bill = FlowKind::AdBilling.code();
        if kind == Some(FlowKind::AdBilling) {
            return Ok(Vec::new());
        }
        let Some(plan) = plan else {
            let all = format!("owner_id = {} AND flow IS NOT NULL AND flow <> {bill}", self.user);
            return self.lines_that(conn, all);
        };
        // The user is left out of the condition, so that only the index of plans' lines applies.
        let mut found = self.lines_that(conn, format!("ref_type = 'plan' AND ref_id = {plan} AND flow <> {bill}"))?;
        if direction.is_none() && kind.is_none_or(|kind| kind == FlowKind::Refund) {
            found.extend(self.lines_that(conn, refunded(self.user, plan))?);
            found.sort_unstable_by_key(|line| std::cmp::Reverse((line.at, line.id)));
            found.truncate(self.fetch());
        }
        Ok(found)
    }

    /// Lines for which this SQL condition holds as well. Only integers are inserted into the text. A unary plus before
    /// a column keeps an index on it from being used.
    fn lines_that(&self, conn: &mut Conn, mut all: String) -> Result<Vec<Flow>, Error> {
        let Filter { period, kind, direction, .. } = self.filter;
        if let Some(kind) = kind {
            all.push_str(&format!(" AND +flow = {}", kind.code()));
        }
        if let Some(direction) = direction {
            all.push_str(&format!(" AND {}", direction.condition()));
        }
        if let Some(Period { from, until }) = period {
            all.push_str(&format!(" AND recorded_at >= {} AND recorded_at < {}", from.millis(), until.millis()));
        }
        if let Some(Position { at, id }) = self.below {
            let at = at.millis();
            all.push_str(&format!(" AND recorded_at <= {at} AND (recorded_at < {at} OR +id < {id})"));
        }
        if let Some(search) = self.search {
            all.push_str(&format!(" AND ({})", search.of_lines(self.user)));
        }
        let rows: Vec<super::Row> = diesel::sql_query(format!(
            "SELECT id, account_kind, owner_id, plan_id, amount, flow, available_after, ref_type, ref_id, remark, \
             recorded_at FROM entries WHERE {all} AND +id <= {} AND $1 <> '' AND $2 <> '' \
             ORDER BY recorded_at DESC, id DESC LIMIT {}",
            self.until,
            self.fetch()
        ))
        .bind::<Text, _>(self.pattern(|search| search.text.to_lowercase()))
        .bind::<Text, _>(self.pattern(|search| search.plain.clone()))
        .load(conn)?;
        super::lines(conn, rows)
    }

    /// The totals of enough days for a page.
    fn bills(&self, conn: &mut Conn) -> Result<Bills, Error> {
        let Filter { kind, direction, .. } = self.filter;
        if direction.is_some() || kind.is_some_and(|kind| kind != FlowKind::AdBilling) {
            return Ok(Bills::default());
        }
        let below = self.below.map_or(END_OF_TIME, |position| position.at.millis().saturating_add(1));
        let top = self.period().map_or(below, |period| below.min(period.until.millis()));
        let Some(newest) = self.newest_bill(conn, top)? else { return Ok(Bills::default()) };
        let bills = self.bills_until(conn, newest)?;
        match bills.horizon {
            // There is nothing, except a row of the previous page. The next older bill leads to a day with rows.
            Some(horizon) if bills.found.is_empty() && self.search.is_none() => {
                let Some(newest) = self.newest_bill(conn, horizon.millis())? else { return Ok(Bills::default()) };
                self.bills_until(conn, newest)
            }
            _ => Ok(bills),
        }
    }

    /// The totals of the day of a bill and of days before it.
    fn bills_until(&self, conn: &mut Conn, newest: Timestamp) -> Result<Bills, Error> {
        let count = if self.search.is_some() { DAYS_SEARCHED } else { DAYS };
        let days = self.clipped((self.days)(newest, count));
        let Some(first) = days.last().map(|day| day.from) else { return Ok(Bills::default()) };
        if self.search.is_some() {
            return Ok(Bills { found: self.totals(conn, &days)?, horizon: self.older(conn, first)? });
        }
        let billed = self.find_billed(conn, &days)?;
        let (some, rest) = billed.split_at(billed.len().min(DAYS_FIRST));
        let mut found = self.totals(conn, some)?;
        if rest.is_empty() {
            return Ok(Bills { found, horizon: self.older(conn, first)? });
        }
        // As many more days as would be needed if each had as many rows as these.
        let missing = self.fetch().saturating_sub(found.len());
        let needed = missing.saturating_mul(some.len()).div_ceil(found.len().max(1)).min(rest.len());
        let (more, left) = rest.split_at(needed);
        found.extend(self.totals(conn, more)?);
        let horizon = match (left.is_empty(), more.last().or(some.last())) {
            (true, _) | (_, None) => self.older(conn, first)?,
            (false, Some(day)) => Some(day.from),
        };
        Ok(Bills { found, horizon })
    }

    /// The period in which matching bills were recorded.
    fn period(&self) -> Option<Period> {
        match (self.filter.period, self.billable) {
            (Some(one), Some(other)) => Some(one.within(other)),
            (one, other) => one.or(other),
        }
    }

    /// Only the parts of days within the period.
    fn clipped(&self, days: Vec<Period>) -> Vec<Period> {
        let Some(period) = self.period() else { return days };
        days.into_iter().map(|day| day.within(period)).filter(|day| day.from < day.until).collect()
    }

    /// Returns the moment if something was billed before it.
    fn older(&self, conn: &mut Conn, moment: Timestamp) -> Result<Option<Timestamp>, Error> {
        Ok(self.newest_bill(conn, moment.millis())?.map(|_| moment))
    }

    /// The condition for bills, which are read through the index of lines by time.
    fn billing(&self) -> String {
        let plan = self.filter.plan.map(|plan| format!(" AND +e.plan_id = {plan}")).unwrap_or_default();
        format!(
            "e.owner_id = $1 AND e.flow IS NOT NULL AND +e.flow = {} AND +e.id <= {}{plan}",
            FlowKind::AdBilling.code(),
            self.until
        )
    }

    /// A moment shortly after the newest of these bills before a moment. Lines are numbered as they are written, so it
    /// is found by kind or plan and number, however many other lines there are.
    fn newest_bill(&self, conn: &mut Conn, before: i64) -> Result<Option<Timestamp>, Error> {
        let from = self.period().map_or(0, |period| period.from.millis());
        let (bill, user) = (FlowKind::AdBilling.code(), self.user.0);
        let find = NumberedQuery::new("SELECT e.recorded_at AS at FROM entries e WHERE ");
        let of = match self.filter.plan {
            Some(plan) => {
                find.and(&format!("e.plan_id = ? AND +e.flow = {bill} AND +e.owner_id = ?")).bind(plan.0).bind(user)
            }
            None => find.and(&format!("e.owner_id = ? AND e.flow IS NOT NULL AND e.flow = {bill}")).bind(user),
        };
        let line = last_before("?", "?");
        let found: Option<One<i64>> = of
            .and(&format!(" AND e.id <= ? AND e.id > COALESCE(({line}), 0) AND e.id <= COALESCE(({line}), 0)"))
            .bind(self.until)
            .bind(user)
            .bind(from.saturating_sub(LONGEST_TRANSACTION_MS))
            .bind(user)
            .bind(before.saturating_add(LONGEST_TRANSACTION_MS))
            .and(" AND +e.recorded_at >= ? AND +e.recorded_at < ? ORDER BY e.id DESC LIMIT 1")
            .bind(from)
            .bind(before)
            .get_result(conn)
            .optional()?;
        let latest = |found: One<i64>| found.0.saturating_add(LONGEST_TRANSACTION_MS).min(before - 1);
        Ok(found.map(|found| Timestamp::from_millis(latest(found))))
    }

    /// The days on which something was billed, newest first.
    fn find_billed(&self, conn: &mut Conn, days: &[Period]) -> Result<Vec<Period>, Error> {
        let found: Vec<One<i64>> = diesel::sql_query(format!(
            "WITH days (since, up_to) AS (VALUES {}) SELECT CAST(d.since AS BIGINT) AS at FROM days d WHERE EXISTS \
             (SELECT 1 FROM entries e WHERE {} AND e.recorded_at >= d.since AND e.recorded_at < d.up_to)",
            list(days),
            self.billing()
        ))
        .bind::<BigInt, _>(self.user.0)
        .load(conn)?;
        let found: std::collections::BTreeSet<i64> = found.into_iter().map(|day| day.0).collect();
        Ok(days.iter().copied().filter(|day| found.contains(&day.from.millis())).collect())
    }

    /// What was billed to each plan on each of the days, as far as it is below the position.
    fn totals(&self, conn: &mut Conn, days: &[Period]) -> Result<Vec<DayBill>, Error> {
        if days.is_empty() {
            return Ok(Vec::new());
        }
        let mut having = self.below.map_or_else(
            || "COUNT(*) > 0".to_owned(),
            |Position { at, id }| {
                let at = at.millis();
                format!("(MAX(e.recorded_at) < {at} OR MAX(e.recorded_at) = {at} AND MAX(e.id) < {id})")
            },
        );
        if let Some(search) = self.search {
            having.push_str(&format!(" AND ({})", search.of_totals(self.user)));
        }
        let part = |source| {
            let kind = Account::Hold { user: self.user, plan: PlanId(0), source }.key().code;
            format!("CAST(SUM(CASE WHEN e.account_kind = {kind} THEN e.amount ELSE 0 END) AS BIGINT)")
        };
        let rows: Vec<BillRow> = diesel::sql_query(format!(
            "WITH days (since, up_to) AS (VALUES {}) SELECT CAST(d.since AS BIGINT) AS since, \
             CAST(d.up_to AS BIGINT) AS up_to, e.plan_id AS plan_id, {} AS own, {} AS promotional, {} AS coupon, \
             COUNT(*) AS lines, MAX(e.recorded_at) AS at, MAX(e.id) AS last \
             FROM days d JOIN entries e ON e.recorded_at >= d.since AND e.recorded_at < d.up_to WHERE {} AND $2 <> '' \
             GROUP BY d.since, d.up_to, e.plan_id HAVING {having} \
             ORDER BY MAX(e.recorded_at) DESC, MAX(e.id) DESC LIMIT {}",
            list(days),
            part(Source::Available),
            part(Source::Promotional),
            part(Source::Coupon),
            self.billing(),
            self.fetch()
        ))
        .bind::<BigInt, _>(self.user.0)
        .bind::<Text, _>(self.pattern(|search| search.plain.clone()))
        .load(conn)?;
        Ok(rows.into_iter().map(DayBill::from).collect())
    }

    /// The pattern for LIKE. Without a search, it is never compared.
    fn pattern(&self, part: impl FnOnce(&Search) -> String) -> String {
        self.search.map_or_else(|| "%".to_owned(), |search| containing(&part(search)))
    }
}

fn list(days: &[Period]) -> String {
    let days: Vec<String> = days.iter().map(|day| format!("({}, {})", day.from.millis(), day.until.millis())).collect();
    days.join(", ")
}

impl Search {
    /// The condition for lines other than bills; `$1` is the pattern as typed, `$2` the folded one. A database does not
    /// fold texts, so a reference is also compared as typed.
    fn of_lines(&self, user: UserId) -> String {
        let amount = self.amount.map(Money::minor).map(|minor| format!("+amount = {minor} OR +amount = -{minor} OR "));
        let line = self.line.map(|id| format!("+id = {id} OR "));
        let plans = self.plans(user);
        format!(
            "{}{}LOWER(remark) LIKE $1 ESCAPE '!' OR LOWER(remark) LIKE $2 ESCAPE '!' \
             OR (ref_type = 'plan' AND ref_id IN ({plans})) OR (ref_type = 'delivery_refund' AND ref_id IN \
             (SELECT r.id FROM delivery_refunds r WHERE r.plan_id IN ({plans})))",
            amount.unwrap_or_default(),
            line.unwrap_or_default()
        )
    }

    /// The condition for the totals of days; `$2` is the folded pattern.
    fn of_totals(&self, user: UserId) -> String {
        let amount = self.amount.map(Money::minor).map(|minor| format!("SUM(e.amount) = -{minor} OR "));
        format!("{}e.plan_id IN ({})", amount.unwrap_or_default(), self.plans(user))
    }

    /// The condition for the user's plans whose number or product is searched for.
    fn plans(&self, user: UserId) -> String {
        let products: Vec<String> = self.products.iter().map(ProductId::to_string).collect();
        let named = match products.as_slice() {
            [] => String::new(),
            some => format!(" OR +p.product_id IN ({})", some.join(", ")),
        };
        format!("SELECT p.id FROM plans p WHERE p.user_id = {user} AND (LOWER(p.plan_no) LIKE $2 ESCAPE '!'{named})")
    }
}
