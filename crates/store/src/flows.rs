//! The user's statement: the entries that are shown, and what each month
//! brought and took.

use base::{Money, Timestamp, UserId};
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use wallet::{Account, AccountKey, FlowKind, UserAccount};

use crate::schema::entries;
use crate::{Conn, Error, Page, PageRequest};

/// A line of the statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    pub id: i64,
    pub at: Timestamp,
    pub account: Account,
    /// Signed: what the account gained or lost.
    pub amount: Money,
    /// What was available once the line was written.
    pub available_after: Money,
    pub kind: FlowKind,
    pub remark: String,
    pub ref_type: String,
    pub ref_id: i64,
}

/// From the first moment up to, not including, the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub from: Timestamp,
    pub until: Timestamp,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    pub period: Option<Period>,
    pub kind: Option<FlowKind>,
}

/// What came to `available` and what left it; neither is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turnover {
    pub income: Money,
    pub expense: Money,
}

#[derive(Queryable)]
struct Row {
    id: i64,
    account_kind: i16,
    owner_id: i64,
    plan_id: Option<i64>,
    amount: i64,
    flow: Option<i16>,
    available_after: Option<i64>,
    ref_type: String,
    ref_id: i64,
    remark: String,
    recorded_at: i64,
}

impl TryFrom<Row> for Flow {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let corrupt = |what: &str| Error::Corrupt(format!("entry {} {what}", row.id));
        let key = AccountKey { code: row.account_kind, owner: row.owner_id, plan: row.plan_id.unwrap_or(0) };
        let kind = row.flow.and_then(|code| FlowKind::try_from(code).ok());
        Ok(Self {
            id: row.id,
            at: Timestamp::from_millis(row.recorded_at),
            account: Account::try_from(key).map_err(|_| corrupt("is on no account"))?,
            amount: Money::from_minor(row.amount),
            available_after: Money::from_minor(row.available_after.ok_or_else(|| corrupt("has no balance"))?),
            kind: kind.ok_or_else(|| corrupt("is of no kind"))?,
            remark: row.remark,
            ref_type: row.ref_type,
            ref_id: row.ref_id,
        })
    }
}

/// The user's lines, newest first.
pub fn page(conn: &mut Conn, user: UserId, filter: Filter, request: PageRequest) -> Result<Page<Flow>, Error> {
    let mut query = entries::table
        .filter(entries::owner_id.eq(user.0).and(entries::flow.is_not_null()).and(entries::id.lt(request.below())))
        .select((
            entries::id,
            entries::account_kind,
            entries::owner_id,
            entries::plan_id,
            entries::amount,
            entries::flow,
            entries::available_after,
            entries::ref_type,
            entries::ref_id,
            entries::remark,
            entries::recorded_at,
        ))
        .into_boxed();
    if let Some(Period { from, until }) = filter.period {
        query = query.filter(entries::recorded_at.ge(from.millis()).and(entries::recorded_at.lt(until.millis())));
    }
    if let Some(kind) = filter.kind {
        query = query.filter(entries::flow.eq(kind.code()));
    }
    let rows: Vec<Row> = query.order(entries::id.desc()).limit(request.fetch()).load(conn)?;
    let found = rows.into_iter().map(Flow::try_from).collect::<Result<_, _>>()?;
    Ok(Page::cut(found, request, |flow| flow.id))
}

#[derive(QueryableByName)]
struct Sum {
    #[diesel(sql_type = BigInt)]
    bucket: i64,
    #[diesel(sql_type = BigInt)]
    income: i64,
    #[diesel(sql_type = BigInt)]
    expense: i64,
}

/// The turnover of each period, in their order, with one query for all. The
/// periods must not overlap.
pub fn turnovers(conn: &mut Conn, user: UserId, periods: &[Period]) -> Result<Vec<Turnover>, Error> {
    let (Some(from), Some(until)) = (periods.iter().map(|p| p.from).min(), periods.iter().map(|p| p.until).max())
    else {
        return Ok(Vec::new());
    };
    let sums: Vec<Sum> = diesel::sql_query(turnover_query(periods))
        .bind::<BigInt, _>(user.0)
        .bind::<BigInt, _>(from.millis())
        .bind::<BigInt, _>(until.millis())
        .load(conn)?;
    let mut turnovers = vec![Turnover::default(); periods.len()];
    for sum in sums {
        let place = usize::try_from(sum.bucket).ok().and_then(|bucket| turnovers.get_mut(bucket));
        if let Some(place) = place {
            *place = Turnover { income: Money::from_minor(sum.income), expense: Money::from_minor(sum.expense) };
        }
    }
    Ok(turnovers)
}

/// Every change of `available` is a shown line, so the index of shown lines by
/// time serves. Only whole numbers of our own are written into the text.
fn turnover_query(periods: &[Period]) -> String {
    let cases: String = (0..)
        .zip(periods)
        .map(|(bucket, p): (i64, _)| {
            format!(" WHEN recorded_at >= {} AND recorded_at < {} THEN {bucket}", p.from.millis(), p.until.millis())
        })
        .collect();
    let available = Account::User(UserId(0), UserAccount::Available).key().code;
    format!(
        "SELECT CAST(bucket AS BIGINT) AS bucket, \
         CAST(SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS BIGINT) AS income, \
         CAST(SUM(CASE WHEN amount < 0 THEN -amount ELSE 0 END) AS BIGINT) AS expense \
         FROM (SELECT CASE{cases} ELSE -1 END AS bucket, amount FROM entries \
         WHERE owner_id = $1 AND recorded_at >= $2 AND recorded_at < $3 AND flow IS NOT NULL AND account_kind = {available}) AS cut \
         GROUP BY bucket"
    )
}
