//! The user's statement: the visible entries, and the turnover of each month.

use std::collections::HashSet;

use base::{Money, Period, PlanId, Timestamp, UserId, named};
use db::bulk::{Column, Statement, ascending};
use db::{One, codes, row, statement};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use wallet::{Account, AccountKey, DocumentKind, FlowKind, TransactionKind, UserAccount};

use crate::schema::{entries, transactions};
use crate::wallet::books::transaction_of;
use crate::{Conn, Error, Page, PageRequest};

pub mod by_day;
mod narrowed;
pub use narrowed::{Sum, sum};

/// A line of the statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    pub id: i64,
    pub at: Timestamp,
    pub account: Account,
    /// Signed: what the account gained or lost.
    pub amount: Money,
    /// What was available after the line.
    pub available_after: Money,
    pub kind: FlowKind,
    pub remark: String,
    pub ref_type: DocumentKind,
    pub ref_id: i64,
    /// Whether it added to the budget of a plan that was put before.
    pub added: bool,
}

named!(
    /// Lines that changed what is available, by their sign. A refund has neither direction, because it returns money
    /// that left before.
    Direction as "FlowDirection" {
        In "in",
        Out "out",
    }
);

#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    pub period: Option<Period>,
    pub kind: Option<FlowKind>,
    pub direction: Option<Direction>,
    /// One of the user's plans: lines on its hold, lines about it, and refunds for its events.
    pub plan: Option<PlanId>,
}

/// The sums of what was credited to `available` and what was debited; neither is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turnover {
    pub income: Money,
    pub expense: Money,
    /// The part of `income` that was only returned, so that it was the user's before.
    pub refunds: Money,
}

impl Turnover {
    /// Income and expense as users are shown them: money that was only set aside and came back is in neither.
    ///
    /// # Errors
    /// An overflow.
    pub fn net(self) -> Result<(Money, Money), base::MoneyError> {
        Ok((self.income.minus(self.refunds)?, self.expense.minus(self.refunds)?))
    }
}

#[derive(Queryable, QueryableByName, Selectable)]
#[diesel(table_name = entries)]
struct Row {
    id: i64,
    account_kind: i16,
    owner_id: i64,
    plan_id: Option<i64>,
    amount: Money,
    flow: Option<i16>,
    available_after: Option<Money>,
    ref_type: String,
    ref_id: i64,
    remark: String,
    recorded_at: Timestamp,
}

impl TryFrom<Row> for Flow {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let corrupt = |what: &str| Error::Corrupt(format!("entry {} {what}", row.id));
        let key = AccountKey { code: row.account_kind, owner: row.owner_id, plan: row.plan_id.unwrap_or(0) };
        let kind = row.flow.and_then(|code| FlowKind::try_from(code).ok());
        Ok(Self {
            id: row.id,
            at: row.recorded_at,
            account: Account::try_from(key).map_err(|_| corrupt("is on no account"))?,
            amount: row.amount,
            available_after: row.available_after.ok_or_else(|| corrupt("has no balance"))?,
            kind: kind.ok_or_else(|| corrupt("is of no kind"))?,
            remark: row.remark,
            ref_type: DocumentKind::from_name(&row.ref_type).ok_or_else(|| corrupt("is about no document"))?,
            ref_id: row.ref_id,
            added: false,
        })
    }
}

/// The lines of rows. Puts and additions have the same kind; only their transactions tell them apart.
fn lines(conn: &mut Conn, rows: Vec<Row>) -> Result<Vec<Flow>, Error> {
    let mut lines: Vec<Flow> = rows.into_iter().map(Flow::try_from).collect::<Result<_, _>>()?;
    let put = lines.iter().filter(|line| line.kind == FlowKind::AdServing);
    let put = ascending(put.map(|line| transaction_of(line.id)));
    if put.is_empty() {
        return Ok(lines);
    }
    let additions =
        transactions::table.filter(transactions::id.eq_any(put).and(transactions::kind.eq(TransactionKind::PlanAdded)));
    let additions: HashSet<i64> = additions.select(transactions::id).load(conn)?.into_iter().collect();
    for line in &mut lines {
        line.added = additions.contains(&transaction_of(line.id));
    }
    Ok(lines)
}

/// The user's lines, newest first.
pub fn page(conn: &mut Conn, user: UserId, filter: Filter, request: PageRequest) -> Result<Page<Flow>, Error> {
    let found = if filter.period.is_some() || filter.plan.is_some() || filter.direction.is_some() {
        narrowed::newest(conn, user, filter, request)?
    } else {
        newest_of_all(conn, user, filter.kind, request)?
    };
    Ok(Page::cut(found, request, |flow| flow.id))
}

fn newest_of_all(
    conn: &mut Conn,
    user: UserId,
    kind: Option<FlowKind>,
    request: PageRequest,
) -> Result<Vec<Flow>, Error> {
    let mut query = entries::table
        .filter(entries::owner_id.eq(user).and(entries::flow.is_not_null()).and(entries::id.lt(request.below())))
        .select(Row::as_select())
        .into_boxed();
    if let Some(kind) = kind {
        query = query.filter(entries::flow.eq(kind));
    }
    let rows: Vec<Row> = query.order(entries::id.desc()).limit(request.fetch()).load(conn)?;
    lines(conn, rows)
}

/// A part of a statement that is read from its beginning: the lines after one, up to the line that was the newest when
/// reading began.
#[derive(Clone, Copy, Debug)]
pub struct StatementSlice {
    pub period: Period,
    /// The line before the part, and when it was recorded.
    pub after: Option<(Timestamp, i64)>,
    pub until: i64,
    pub limit: i64,
    /// Whether to leave out bills of plans, which [`sum_billed`] sums up.
    pub unbilled: bool,
}

/// The user's lines, oldest first.
pub fn statement_slice(conn: &mut Conn, user: UserId, slice: StatementSlice) -> Result<Vec<Flow>, Error> {
    let Period { from, until } = slice.period;
    let (at, id) = slice.after.map_or((from.millis(), 0), |(at, id)| (at.millis(), id));
    let mut query = entries::table
        .filter(entries::owner_id.eq(user).and(entries::flow.is_not_null()))
        .filter(entries::recorded_at.ge(at).and(entries::recorded_at.lt(until)))
        .filter(entries::recorded_at.gt(at).or(entries::id.gt(id)))
        .filter(entries::id.le(slice.until))
        .select(Row::as_select())
        .into_boxed();
    if slice.unbilled {
        query = query.filter(entries::flow.ne(FlowKind::AdBilling));
    }
    let rows: Vec<Row> = query.order((entries::recorded_at, entries::id)).limit(slice.limit).load(conn)?;
    lines(conn, rows)
}

/// The kinds that the user's lines have.
pub fn kinds(conn: &mut Conn, user: UserId) -> Result<Vec<FlowKind>, Error> {
    // Only integers are inserted into the text.
    let all: Vec<String> = FlowKind::ALL.iter().map(|kind| format!("({})", kind.code())).collect();
    let found: Vec<One<i64>> = diesel::sql_query(format!(
        "WITH kinds (code) AS (VALUES {}) SELECT CAST(k.code AS BIGINT) AS number FROM kinds k WHERE EXISTS \
         (SELECT 1 FROM entries e WHERE e.owner_id = $1 AND e.flow IS NOT NULL AND e.flow = k.code)",
        all.join(", ")
    ))
    .bind::<BigInt, _>(user.0)
    .load(conn)?;
    let had = |kind: &FlowKind| found.iter().any(|one| one.0 == i64::from(kind.code()));
    Ok(FlowKind::ALL.iter().copied().filter(had).collect())
}

/// When the user's first line was recorded.
pub fn first(conn: &mut Conn, user: UserId) -> Result<Option<Timestamp>, Error> {
    let own = entries::table.filter(entries::owner_id.eq(user).and(entries::flow.is_not_null()));
    let first = own.select(entries::recorded_at).order((entries::recorded_at, entries::id));
    Ok(first.first(conn).optional()?)
}

/// The user's newest line; 0 if there is none.
pub fn newest(conn: &mut Conn, user: UserId) -> Result<i64, Error> {
    let own = entries::table.filter(entries::owner_id.eq(user).and(entries::flow.is_not_null()));
    let id: Option<i64> = own.select(entries::id).order(entries::id.desc()).first(conn).optional()?;
    Ok(id.unwrap_or(0))
}

row! {
    /// What was billed to one plan within a period.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct PlanBilling {
        /// The index of the period.
        pub place: i64,
        pub remark: String,
        pub amount: Money,
        /// The last of the lines summed up.
        pub last: i64,
        pub lines: i64,
    }
}

/// What was billed to the user's plans in each period. There may be four bills a minute, so single bills are not
/// listed.
pub fn sum_billed(conn: &mut Conn, user: UserId, periods: &[Period], until: i64) -> Result<Vec<PlanBilling>, Error> {
    if periods.is_empty() {
        return Ok(Vec::new());
    }
    // Only integers are inserted into the text.
    let list = periods.iter().enumerate().map(|(n, p)| format!("({n}, {}, {})", p.from.millis(), p.until.millis()));
    let found: Vec<PlanBilling> = diesel::sql_query(format!(
        "WITH days (place, since, up_to) AS (VALUES {}) \
         SELECT CAST(d.place AS BIGINT) AS place, e.remark AS remark, CAST(SUM(e.amount) AS BIGINT) AS amount, \
         MAX(e.id) AS last, COUNT(*) AS lines FROM days d JOIN entries e ON e.recorded_at >= d.since \
         AND e.recorded_at < d.up_to WHERE e.owner_id = $1 AND e.flow IS NOT NULL AND e.flow = {} AND e.id <= $2 \
         GROUP BY d.place, e.remark ORDER BY d.place, e.remark",
        list.collect::<Vec<_>>().join(", "),
        FlowKind::AdBilling.code()
    ))
    .bind::<BigInt, _>(user.0)
    .bind::<BigInt, _>(until)
    .load(conn)?;
    Ok(found)
}

/// What was available at each moment.
pub fn available_at(conn: &mut Conn, user: UserId, moments: &[Timestamp]) -> Result<Vec<Money>, Error> {
    let standings = running_totals(conn, user, moments)?;
    Ok(standings.into_iter().map(|standing| Money::from_minor(standing.available)).collect())
}

row! {
    /// The running totals of the last line before a moment.
    #[derive(Clone, Copy, Default)]
    struct RunningTotals {
        place: i64,
        available: i64,
        income: i64,
    }
}

/// The turnover of each period, in order, with one query for all. Every line has the balance and the total of all
/// income so far, so a period is the difference between two lines, however many are between them.
pub fn turnovers(conn: &mut Conn, user: UserId, periods: &[Period]) -> Result<Vec<Turnover>, Error> {
    let edges: Vec<Timestamp> = periods.iter().flat_map(|p| [p.from, p.until]).collect();
    let standings = running_totals(conn, user, &edges)?;
    let refunds = refunds(conn, user, periods)?;
    let turnover = |(ends, refunds): (&[RunningTotals], &Money)| {
        let [from, until] = ends else { return Turnover::default() };
        let income = until.income - from.income;
        let gained = until.available - from.available;
        Turnover { income: Money::from_minor(income), expense: Money::from_minor(income - gained), refunds: *refunds }
    };
    Ok(standings.chunks(2).zip(&refunds).map(turnover).collect())
}

/// What lines of one kind added to `available`, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindTotal {
    pub kind: FlowKind,
    pub amount: Money,
    pub lines: i64,
    pub last_at: Timestamp,
}

row! {
    struct KindRow {
        flow: i16,
        amount: Money,
        lines: i64,
        last_at: Timestamp,
    }
}

/// The totals of lines of these kinds over all time. A user must have few such lines.
pub fn totals_of(conn: &mut Conn, user: UserId, kinds: &[FlowKind]) -> Result<Vec<KindTotal>, Error> {
    // Only integers are inserted into the text.
    let kinds = codes(kinds.iter().map(|kind| kind.code()));
    let rows: Vec<KindRow> = diesel::sql_query(format!(
        "SELECT e.flow AS flow, CAST(SUM(e.amount) AS BIGINT) AS amount, CAST(COUNT(*) AS BIGINT) AS lines, \
         MAX(e.recorded_at) AS last_at FROM entries e WHERE e.owner_id = $1 AND e.flow IS NOT NULL \
         AND e.flow IN ({kinds}) AND +e.account_kind = {} GROUP BY e.flow ORDER BY e.flow",
        Account::User(user, UserAccount::Available).key().code
    ))
    .bind::<BigInt, _>(user.0)
    .load(conn)?;
    let total = |row: KindRow| {
        let kind = FlowKind::try_from(row.flow).map_err(|e| Error::Corrupt(e.to_string()))?;
        let (amount, last_at) = (row.amount, row.last_at);
        Ok(KindTotal { kind, amount, lines: row.lines, last_at })
    };
    rows.into_iter().map(total).collect()
}

row! {
    struct Refunded {
        place: i64,
        amount: Money,
    }
}

/// A line is recorded with the time when its transaction began. No transaction takes
/// longer than this.
const LONGEST_TRANSACTION_MS: i64 = 600_000;

// What was returned to `available` in each of the periods. Lines are numbered as they are written, so those of a period
// are found by kind and number. The unary plus before a column keeps a database from using another index, which leads
// to far more lines. Each end is looked up once, and not again for each partition of the lines.
statement!(
    REFUNDS,
    each: &format!(
        "WITH ends (place, us, since, up_to, above, last) AS MATERIALIZED (SELECT m.place, m.us, m.since, m.up_to, \
         COALESCE(({above}), 0), ({last}) FROM unnest(?, ?, ?, ?) AS m(place, us, since, up_to)) \
         SELECT m.place, CAST(SUM(e.amount) AS BIGINT) AS amount FROM ends m \
         JOIN entries e ON e.owner_id = m.us AND e.flow IS NOT NULL AND e.flow = {refund} \
         AND e.id > m.above AND e.id <= m.last AND +e.recorded_at >= m.since AND +e.recorded_at < m.up_to \
         AND +e.account_kind = {available} GROUP BY m.place",
        above = last_before("m.us", &format!("m.since - {LONGEST_TRANSACTION_MS}")),
        last = last_before("m.us", &format!("m.up_to + {LONGEST_TRANSACTION_MS}")),
        refund = FlowKind::Refund.code(),
        available = Account::User(UserId(0), UserAccount::Available).key().code
    ),
);

fn refunds(conn: &mut Conn, user: UserId, periods: &[Period]) -> Result<Vec<Money>, Error> {
    let columns = [
        places(periods.len()),
        vec![user; periods.len()].into(),
        periods.iter().map(|period| period.from).collect(),
        periods.iter().map(|period| period.until).collect(),
    ];
    let mut refunds = vec![Money::ZERO; periods.len()];
    for row in REFUNDS.load::<Refunded>(conn, &columns)? {
        let place = usize::try_from(row.place).ok().and_then(|place| refunds.get_mut(place));
        if let Some(place) = place {
            *place = row.amount;
        }
    }
    Ok(refunds)
}

const TOTALS: &str = "n.id, n.available_after AS available, n.income_after AS income";
statement!(
    RUNNING_TOTALS,
    postgres: &format!(
        "SELECT b.place, e.available, e.income FROM unnest(?, ?, ?) AS b(place, us, at) \
         JOIN LATERAL (SELECT l.available, l.income FROM ({}) l ORDER BY l.id DESC LIMIT 1) e ON TRUE",
        last_by_time(TOTALS, "b.us", "b.at")
    ),
    // The line is found in the index alone, which does not contain the totals.
    sqlite: &format!(
        "SELECT ? AS place, e.available_after AS available, e.income_after AS income FROM entries e WHERE e.id = ({})",
        last_before("?", "?")
    ),
);

fn running_totals(conn: &mut Conn, user: UserId, edges: &[Timestamp]) -> Result<Vec<RunningTotals>, Error> {
    let columns = [places(edges.len()), vec![user; edges.len()].into(), edges.iter().copied().collect()];
    let mut standings = vec![RunningTotals::default(); edges.len()];
    for row in RUNNING_TOTALS.load::<RunningTotals>(conn, &columns)? {
        let place = usize::try_from(row.place).ok().and_then(|place| standings.get_mut(place));
        if let Some(place) = place {
            *place = row;
        }
    }
    Ok(standings)
}

/// The numbers from 0 up to, but excluding, `count`.
fn places(count: usize) -> Column {
    (0_i64..).take(count).collect()
}

/// By how many lines the order of writing may differ from the order of time. There are few: lines from after a clock
/// was set back, and on PostgreSQL those of a transaction that waited for one that began later.
const OUT_OF_ORDER: usize = 64;

/// SQL for the user's last lines before a moment. The one that was written last is among them.
fn last_by_time(columns: &str, user: &str, moment: &str) -> String {
    format!(
        "SELECT {columns} FROM entries n WHERE n.owner_id = {user} AND n.flow IS NOT NULL AND n.recorded_at < {moment} \
         ORDER BY n.recorded_at DESC, n.id DESC LIMIT {OUT_OF_ORDER}"
    )
}

/// SQL for the number of a user's last line before a moment: the one that was written last, because its balances
/// include all others.
fn last_before(user: &str, moment: &str) -> String {
    format!("SELECT MAX(l.id) FROM ({}) l", last_by_time("n.id", user, moment))
}
