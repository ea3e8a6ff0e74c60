//! The user's statement, with income and expense of each month.

use foundation::{App, Error, Refusal};

use crate::FlowRef;
use base::{Field, Money, Period, PlanId, Timestamp, UserId};
use calendar::{Month, Zone};
use serde::Serialize;
use store::wallet::flows::{self, Filter, Flow, Sum, Turnover};
use store::{Conn, Page, PageRequest};
use utoipa::ToSchema;
use wallet::{Account, FlowAccount, FlowKind, Source};

/// The filter of the lines, as sent by the client.
#[derive(Clone, Debug, Default)]
pub struct FlowQuery {
    /// `2026-01`, in `zone`.
    pub month: Option<String>,
    /// Instead of a month: from this time up to the other, which is excluded.
    pub from: Option<String>,
    pub until: Option<String>,
    /// A name of [`FlowKind`].
    pub kind: Option<String>,
    /// One of the user's plans.
    pub plan: Option<PlanId>,
    pub zone: Zone,
    pub page: PageRequest,
}

/// A line of the statement; amounts are decimals in the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Flow)]
pub struct FlowView {
    pub id: String,
    pub time: Timestamp,
    /// Signed: what `account` gained or lost.
    pub amount: Money,
    /// What was available after it.
    pub balance: Money,
    pub kind: FlowKind,
    pub remark: String,
    #[serde(rename = "ref")]
    pub reference: FlowRef,
    /// `held` is a plan's hold.
    pub account: FlowAccount,
    /// Whose money it is on a plan's hold: `available` is the user's own, while `promotional` and
    /// `coupon` were added by the platform.
    pub source: Option<Source>,
    /// Whether it added to the budget of a plan that was put before. Its kind is the same as that of a put.
    pub added: bool,
}

/// What a month brought to `available` and took from it, for all kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowMonth {
    /// `2026-01`.
    pub month: String,
    pub income: Money,
    /// Not negative.
    pub expense: Money,
    /// The part of `income` that was returned from plans, withdrawals and exchanges: the
    /// user's own money, which was an expense before.
    pub refunds: Money,
    /// `income` without `refunds`: what was earned, paid in or advanced.
    pub net_income: Money,
    /// `expense` without `refunds`; negative if more came back than left in the month.
    pub net_expense: Money,
}

/// The totals of all matching lines, on other pages too, by account. Signed decimals in
/// the platform's currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowSum {
    pub available: Money,
    /// The sum of lines on plans' holds, such as bills.
    pub held: Money,
    /// The part of `held` that coupons and promotional credit paid.
    pub held_by_platform: Money,
    pub promotional: Money,
    /// The number of lines.
    pub lines: i64,
}

impl From<Sum> for FlowSum {
    fn from(sum: Sum) -> Self {
        let Sum { available, held, held_by_platform, promotional, lines } = sum;
        Self { available, held, held_by_platform, promotional, lines }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub lines: Page<FlowView>,
    /// The totals of the requested month, or of every month that the lines reach, newest
    /// first.
    pub months: Vec<FlowMonth>,
    /// On the first page, for one plan or for a period of at most 31 days, unless there
    /// are very many lines.
    pub sum: Option<FlowSum>,
}

impl FlowView {
    pub fn of(flow: Flow) -> Result<Self, Error> {
        let unseen = || store::Error::Corrupt(format!("line {} is on no account that users see", flow.id));
        let source = match flow.account {
            Account::Hold { source, .. } => Some(source),
            _ => None,
        };
        Ok(Self {
            account: flow.account.on_statement().ok_or_else(unseen)?,
            source,
            id: flow.id.to_string(),
            time: flow.at,
            amount: flow.amount,
            balance: flow.available_after,
            kind: flow.kind,
            remark: flow.remark,
            reference: FlowRef { kind: flow.ref_type, id: flow.ref_id.to_string() },
            added: flow.added,
        })
    }
}

/// # Errors
/// The wrong field; `not_found` for an unknown plan or somebody else's.
pub async fn flow_list(app: &App, user: UserId, query: FlowQuery) -> Result<Statement, Error> {
    let month = query.month.as_deref().map(read_month).transpose()?;
    let kind = query.kind.as_deref().map(read_kind).transpose()?;
    let stretch = read_stretch(query.from.as_deref(), query.until.as_deref(), month.is_some())?;
    let FlowQuery { zone, page, plan, .. } = query;
    app.db
        .snapshot(move |conn| {
            if let Some(plan) = plan {
                store::plans::plan::find(conn, user, plan)?.ok_or(Refusal::NotFound)?;
            }
            let period = stretch.or(month.map(|m| zone.month_period(m)));
            let filter = Filter { period, kind, plan, direction: None };
            let Page { items, next } = flows::page(conn, user, filter, page)?;
            let months = month.map_or_else(|| months_of(items.iter().map(|line| line.at), zone), |month| vec![month]);
            let summed = page.before.is_none() && is_bounded(stretch, plan);
            let sum = if summed { flows::sum(conn, user, filter)?.map(FlowSum::from) } else { None };
            let items = items.into_iter().map(FlowView::of).collect::<Result<_, _>>()?;
            Ok(Statement { lines: Page { items, next }, months: turnovers(conn, user, zone, &months)?, sum })
        })
        .await
}

pub(super) fn turnovers(conn: &mut Conn, user: UserId, zone: Zone, months: &[Month]) -> Result<Vec<FlowMonth>, Error> {
    let periods: Vec<_> = months.iter().map(|m| zone.month_period(*m)).collect();
    let turnovers = flows::turnovers(conn, user, &periods)?;
    months.iter().zip(turnovers).map(|(month, sums)| FlowMonth::of(*month, sums)).collect()
}

impl FlowMonth {
    fn of(month: Month, sums: Turnover) -> Result<Self, Error> {
        let Turnover { income, expense, refunds } = sums;
        let (net_income, net_expense) = sums.net()?;
        Ok(Self { month: month.to_string(), income, expense, refunds, net_income, net_expense })
    }
}

const DAY_MILLIS: i64 = 86_400_000;
const LONGEST_STRETCH: i64 = 366 * DAY_MILLIS;
/// Summer time can make a month an hour longer.
const LONGEST_SUMMED: i64 = 31 * DAY_MILLIS + DAY_MILLIS / 24;

/// Whether so few lines match that they can be summed.
pub(super) fn is_bounded(stretch: Option<Period>, plan: Option<PlanId>) -> bool {
    plan.is_some() || stretch.is_some_and(|stretch| stretch.until.since(stretch.from) <= LONGEST_SUMMED)
}

/// From one time up to another; both are required, and not with a month.
pub(super) fn read_stretch(from: Option<&str>, until: Option<&str>, with_month: bool) -> Result<Option<Period>, Error> {
    let (from, until) = match (from, until) {
        (None, None) => return Ok(None),
        (Some(_), None) => return Err(Error::field(Field::Until, "required")),
        (None, Some(_)) => return Err(Error::field(Field::From, "required")),
        (Some(from), Some(until)) => (read_moment(Field::From, from)?, read_moment(Field::Until, until)?),
    };
    Error::field_if(with_month, Field::Month, "invalid")?;
    match until.since(from) {
        ..=0 => Err(Error::field(Field::Until, "invalid")),
        1..=LONGEST_STRETCH => Ok(Some(Period { from, until })),
        _ => Err(Error::field(Field::Until, "too_long")),
    }
}

fn read_moment(field: Field, text: &str) -> Result<Timestamp, Error> {
    Timestamp::parse(text).ok_or_else(|| Error::field(field, "invalid"))
}

pub(super) fn read_month(text: &str) -> Result<Month, Error> {
    text.parse().map_err(|_| Error::field(Field::Month, "invalid"))
}

pub(super) fn read_kind(text: &str) -> Result<FlowKind, Error> {
    FlowKind::from_name(text).ok_or_else(|| Error::field(Field::Kind, "invalid"))
}

/// The months in which these moments are, newest first.
pub(super) fn months_of(moments: impl Iterator<Item = Timestamp>, zone: Zone) -> Vec<Month> {
    let mut months: Vec<Month> = moments.map(|at| zone.month(at)).collect();
    months.sort_unstable_by(|a, b| b.cmp(a));
    months.dedup();
    months
}
