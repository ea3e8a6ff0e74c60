//! The lines of a period or of a plan, and their totals. There may be very many, up to
//! four bills a minute for each plan, so each part is read through the index that leads
//! only to it.

use base::{Money, PlanId, UserId};
use diesel::prelude::*;
use wallet::{Account, AccountKey, DocumentKind, FlowKind, Source, UserAccount};

use super::{Direction, Filter, Flow, Row};
use crate::schema::entries;
use crate::{Conn, Error, PageRequest};
use db::row;

/// Totals of lines, by account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub available: Money,
    /// What changed on plans' holds.
    pub held: Money,
    /// The part of `held` that coupons and promotional credit paid.
    pub held_by_platform: Money,
    pub promotional: Money,
    pub lines: i64,
}

/// More lines than a plan has in a month. If there are more, no sum is returned, so that nobody waits long.
const MOST_SUMMED: i64 = 200_000;

/// A group of lines that one index leads to.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The lines of a period, by when they were recorded.
    Stretch,
    /// The lines of a kind that is rare enough to be read by kind.
    Seldom(FlowKind),
    /// The bills of a plan: lines on its hold.
    Bills(PlanId),
    /// The plan's put, returns, settlement and coupon.
    Documents(PlanId),
    /// The refunds for events of the plan.
    Refunds(PlanId),
}

fn parts(filter: Filter) -> Vec<Part> {
    if filter.direction.is_some() {
        return vec![filter.plan.map_or(Part::Stretch, Part::Documents)];
    }
    match (filter.plan, filter.kind) {
        (Some(plan), None) => vec![Part::Bills(plan), Part::Documents(plan), Part::Refunds(plan)],
        (Some(plan), Some(FlowKind::AdBilling)) => vec![Part::Bills(plan)],
        (Some(plan), Some(FlowKind::Refund)) => vec![Part::Documents(plan), Part::Refunds(plan)],
        (Some(plan), Some(_)) => vec![Part::Documents(plan)],
        (None, None | Some(FlowKind::AdBilling)) => vec![Part::Stretch],
        (None, Some(kind)) => vec![Part::Seldom(kind)],
    }
}

impl Part {
    /// The SQL condition; only integers are inserted. A unary plus before a column keeps an index on it from being
    /// used. A plan's lines belong to its user, who is left out so that only one index applies.
    fn condition(self, user: UserId, filter: Filter) -> String {
        let bill = FlowKind::AdBilling.code();
        let mut all = match self {
            Self::Stretch => format!("owner_id = {user} AND flow IS NOT NULL"),
            Self::Seldom(kind) => format!("owner_id = {user} AND flow IS NOT NULL AND flow = {}", kind.code()),
            Self::Bills(plan) => format!("plan_id = {plan} AND flow = {bill}"),
            Self::Documents(plan) => format!("ref_type = 'plan' AND ref_id = {plan} AND flow <> {bill}"),
            Self::Refunds(plan) => refunded(user, plan),
        };
        if let (Self::Stretch | Self::Documents(_), Some(kind)) = (self, filter.kind) {
            all.push_str(&format!(" AND +flow = {}", kind.code()));
        }
        if let Some(direction) = filter.direction {
            all.push_str(&format!(" AND {}", direction.condition()));
        }
        if let Some(period) = filter.period {
            let (from, until) = (period.from.millis(), period.until.millis());
            all.push_str(&format!(" AND recorded_at >= {from} AND recorded_at < {until}"));
        }
        all
    }
}

/// The SQL condition for refunds to a user for events of a plan. A user has few refunds of any kind. Saying that they
/// are not bills leads SQLite to an index without bills, even where lines are read by their time.
pub(super) fn refunded(user: UserId, plan: PlanId) -> String {
    format!(
        "owner_id = {user} AND flow IS NOT NULL AND flow <> {} AND flow = {} AND ref_type = '{}' \
         AND ref_id IN (SELECT r.id FROM delivery_refunds r WHERE r.plan_id = {plan})",
        FlowKind::AdBilling.code(),
        FlowKind::Refund.code(),
        DocumentKind::DeliveryRefund.name()
    )
}

impl Direction {
    /// The SQL condition. A unary plus before a column keeps an index on it from being used.
    pub(super) fn condition(self) -> String {
        let available = Account::User(UserId(0), UserAccount::Available).key().code;
        let gained = match self {
            Self::In => format!("> 0 AND +flow <> {}", FlowKind::Refund.code()),
            Self::Out => "< 0".to_owned(),
        };
        format!("+account_kind = {available} AND +amount {gained}")
    }
}

/// The lines of a page and one more, newest first.
pub(super) fn newest(conn: &mut Conn, user: UserId, filter: Filter, request: PageRequest) -> Result<Vec<Flow>, Error> {
    let (parts, mut found) = (parts(filter), Vec::new());
    for part in &parts {
        found.extend(part.newest(conn, user, filter, request)?);
    }
    if parts.len() > 1 {
        found.sort_unstable_by_key(|flow: &Flow| std::cmp::Reverse(flow.id));
        found.truncate(usize::try_from(request.fetch()).unwrap_or(0));
    }
    Ok(found)
}

impl Part {
    fn newest(self, conn: &mut Conn, user: UserId, filter: Filter, request: PageRequest) -> Result<Vec<Flow>, Error> {
        let (condition, limit) = (self.condition(user, filter), request.fetch());
        let (below, order) = match self {
            Self::Stretch => (below_in_time(conn, request)?, "recorded_at DESC, id DESC"),
            Self::Seldom(_) | Self::Bills(_) | Self::Documents(_) | Self::Refunds(_) => {
                (format!("id < {}", request.below()), "id DESC")
            }
        };
        let rows: Vec<Row> = diesel::sql_query(format!(
            "SELECT id, account_kind, owner_id, plan_id, amount, flow, available_after, ref_type, ref_id, remark, \
             recorded_at FROM entries WHERE {condition} AND {below} ORDER BY {order} LIMIT {limit}"
        ))
        .load(conn)?;
        super::lines(conn, rows)
    }
}

/// The condition for lines below the cursor, by when they were recorded.
fn below_in_time(conn: &mut Conn, request: PageRequest) -> Result<String, Error> {
    let Some(id) = request.before else { return Ok("id IS NOT NULL".into()) };
    let at: Option<i64> =
        entries::table.filter(entries::id.eq(id)).select(entries::recorded_at).first(conn).optional()?;
    Ok(match at {
        Some(at) => format!("recorded_at <= {at} AND (recorded_at < {at} OR id < {id})"),
        None => format!("id < {id}"),
    })
}

row! {
    struct LinesOfAccount {
        account_kind: i16,
        lines: i64,
        amount: i64,
    }
}

/// The totals of all lines that match the filter; `None` if there are too many.
pub fn sum(conn: &mut Conn, user: UserId, filter: Filter) -> Result<Option<Sum>, Error> {
    let mut sum = Sum::default();
    for part in parts(filter) {
        let accounts: Vec<LinesOfAccount> = diesel::sql_query(format!(
            "SELECT account_kind, COUNT(*) AS lines, CAST(SUM(amount) AS BIGINT) AS amount FROM \
             (SELECT account_kind, amount FROM entries WHERE {} LIMIT {}) AS met GROUP BY account_kind",
            part.condition(user, filter),
            MOST_SUMMED + 1 - sum.lines
        ))
        .load(conn)?;
        for account in accounts {
            sum.add(user, &account)?;
        }
        if sum.lines > MOST_SUMMED {
            return Ok(None);
        }
    }
    Ok(Some(sum))
}

impl Sum {
    fn add(&mut self, user: UserId, lines: &LinesOfAccount) -> Result<(), Error> {
        let corrupt = || Error::Corrupt(format!("lines of user {user} are on account {}", lines.account_kind));
        let key = AccountKey { code: lines.account_kind, owner: user.0, plan: 0 };
        let amount = Money::from_minor(lines.amount);
        let place = match Account::try_from(key).map_err(|_| corrupt())? {
            Account::Hold { source, .. } => {
                if source != Source::Available {
                    self.held_by_platform = self.held_by_platform.plus(amount).map_err(|_| corrupt())?;
                }
                &mut self.held
            }
            Account::User(_, UserAccount::Available) => &mut self.available,
            Account::User(_, UserAccount::Promotional) => &mut self.promotional,
            _ => return Err(corrupt()),
        };
        *place = place.plus(amount).map_err(|_| corrupt())?;
        self.lines += lines.lines;
        Ok(())
    }
}
